"""The server: requests of the editor in, answers of the other modules out."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

import bidwright
from bidwright.editor.actions import DEAL, EXAMPLES, SAY, allowance, lenses, place_of_claim
from bidwright.editor.background import Background
from bidwright.editor.editor_files import Document
from bidwright.editor.helper import HelperError
from bidwright.editor.place_answers import PlaceAnswers
from bidwright.editor.places import path_of, uri_of
from bidwright.editor.rename import Renamer, UnsafeRenameError
from bidwright.editor.semantic import TYPES, encoded
from bidwright.editor.session import Session
from bidwright.editor.symbols import Outline, folds, rules_called
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.format import reformat
from bidwright.kb.language.repair import edit_of
from bidwright.kb.loading.load import SUFFIX

_HANDS = 5
"""Hands that are dealt for a rule; for all rules of a block, one each."""


class At(Protocol):
    """The part of a request that names a place."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


class Server(LanguageServer):
    """The language server of convention files.

    Attributes:
        session: the editor's files.
        answers: what is known of places in them.
        names: the names in them.
        background: the work that takes longer than a keystroke.
    """

    def __init__(self) -> None:
        """Start without an editor."""
        super().__init__("bidwright", bidwright.__version__)
        self.session = Session()
        self.answers = PlaceAnswers(self.session)
        self.names = self.answers.names
        self.renamer = Renamer(self.session, self.names)
        self._tokens = count(1)
        self.background = Background(self.session, self.tell, self.report)

    # ---------------------------------------------------------------- changes

    def changed(self, uri: str, *, opened: bool = False) -> None:
        """Read a file that was opened or changed, and send the editor its problems."""
        path = path_of(uri)
        if path is None:
            return
        document = self.workspace.get_text_document(uri)
        self.session.codec = document.position_codec
        self.session.put(path, uri, document.source)
        self.tell()
        self.background.changed(path)
        if opened:
            self.background.warm(path)
            # What is there now stays: looking through it again and again for garbage would
            # make a keystroke wait every now and then.
            gc.collect()
            gc.freeze()

    def watch(self) -> None:
        """Ask the editor to tell when convention files change on the disk, if it can."""
        workspace = self.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is None or not watched.dynamic_registration:
            return
        options = types.DidChangeWatchedFilesRegistrationOptions(
            [types.FileSystemWatcher(f"**/*{SUFFIX}")]
        )
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = types.Registration("bidwright-files", method, options)
        self.client_register_capability(types.RegistrationParams([registration]))

    def closed(self, uri: str) -> None:
        """Take note that a file was closed."""
        path = path_of(uri)
        if path is not None:
            self.session.drop(path)
            self.background.forget()
            self.tell()

    def tell(self) -> None:
        """Send the editor the problems of each file where they have changed."""
        for path, diagnostics in self.session.news():
            uri = self.session.uris.get(path) or uri_of(path)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
            )

    async def report(self, title: str) -> Callable[[str | None], None] | None:
        """Return a function that shows the progress of some work; None if the editor cannot."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token = f"bidwright-{next(self._tokens)}"
        await self.work_done_progress.create_async(token)
        self.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title))

        def show(step: str | None) -> None:
            if step is None:
                self.work_done_progress.end(token, types.WorkDoneProgressEnd())
            else:
                self.work_done_progress.report(token, types.WorkDoneProgressReport(message=step))

        return show

    # ---------------------------------------------------------------- requests

    def document(self, uri: str) -> Document | None:
        """Return a file that a request is about."""
        path = path_of(uri)
        return None if path is None else self.session.document(path)

    def place(self, params: At) -> tuple[Document, int, int] | tuple[None, int, int]:
        """Return the file, line and column (from 1) that a request is about."""
        document = self.document(params.text_document.uri)
        if document is None:
            return None, 1, 1
        return (document, *self.session.place(document, params.position))

    def rules_at(self, document: Document, line: int) -> list[str]:
        """Return the ids of the rules on a line; of those of the block that begins there."""
        project = self.session.project(document.path)
        if project is None:
            return []
        ids = [placed.id for placed in project.look.rules_at(document, line)]
        if ids:
            return ids
        piece = document.piece_at(line)
        blocks = [s for s in piece.piece.statements if s.span.line == line - piece.offset]
        if not blocks:
            return []
        rules = project.look.rules
        blocks_here = {each.path[0] for each in rules if each.rule.span.file == piece.name}
        return [each.id for each in rules if each.path[0] in blocks_here and len(each.path) == 2]

    async def hovered(self, params: types.HoverParams) -> types.Hover | None:
        """Return a text about the word or rule at a place."""
        document, line, column = self.place(params)
        if document is None:
            return None
        text = self.answers.word_text(document, line, column)
        if text is None:
            rules = self.answers.rules_on(document, line)
            if rules:
                try:
                    text = await self.background.ask(document.path, do="hover", rules=rules)
                except HelperError as error:
                    text = f"_{error}_"
        if not text:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    async def carry_out(self, name: str, uri: str, line: int | None) -> str:
        """Return the text that a command answers with, and show it."""
        document = self.document(uri)
        if document is None:
            return ""
        try:
            if name == DEAL:
                rules = self.rules_at(document, line or 1)
                count = _HANDS if len(rules) == 1 else 1
                ask: dict[str, object] = {"do": "deal", "rules": rules, "count": count}
            else:
                path = str(document.path)
                ask = {"do": "examples", "path": path, "line": line}
            text = str(await self.background.ask(document.path, **ask))
        except HelperError as error:
            text = str(error)
        await self._show(name, text)
        return text

    async def _show(self, name: str, text: str) -> None:
        """Show a text as a document, or as a message where the editor has no documents to show."""
        window = self.client_capabilities.window
        if window is not None and window.show_document and window.show_document.support:
            path = self.background.scratch(name, text)
            await self.window_show_document_async(
                types.ShowDocumentParams(uri_of(path), take_focus=True)
            )
        else:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    def quick_fixes(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the actions at a place: fixes, and hands for its rules."""
        document = self.document(params.text_document.uri)
        if document is None:
            return []
        uri = params.text_document.uri
        actions: list[types.CodeAction] = []
        for problem in self.session.problems(document.path):
            where = self.session.range(problem.span)
            if where.end < params.range.start or params.range.end < where.start:
                continue
            shown = [d for d in params.context.diagnostics if d.code == problem.code] or None
            for title, place, new in self._edits(document, problem):
                edit = types.TextEdit(self.session.range(place), new)
                actions.append(
                    types.CodeAction(
                        title=title,
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=shown,
                        edit=types.WorkspaceEdit(changes={uri: [edit]}),
                        is_preferred=not title.startswith("Allow"),
                    )
                )
        line = params.range.start.line + 1
        if self.rules_at(document, line):
            command = types.Command(title="Deal hands", command=DEAL, arguments=[uri, line])
            kind = types.CodeActionKind.Source
            actions.append(types.CodeAction(title="Deal hands", kind=kind, command=command))
        if (
            self.answers.rules_on(document, line)
            and place_of_claim(document.lines[line - 1]) is not None
        ):
            command = types.Command(title="Say what it shows", command=SAY, arguments=[uri, line])
            kind = types.CodeActionKind.RefactorRewrite
            actions.append(types.CodeAction(title="Say what it shows", kind=kind, command=command))
        return actions

    async def say_what_is_shown(self, uri: str, line: int) -> str:
        """Write claims behind a rule, and return their words; empty for none."""
        document = self.document(uri)
        rules = self.answers.rules_on(document, line) if document is not None else []
        if document is None or not rules:
            return ""
        try:
            claims = str(await self.background.ask(document.path, do="claims", rules=rules))
        except HelperError as error:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, str(error)))
            return ""
        document = self.document(uri)  # it may have changed meanwhile
        column = None if document is None else place_of_claim(document.lines[line - 1])
        if document is None or column is None:
            return ""
        if not claims:
            text = "This rule shows nothing that is narrow enough."
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
            return ""
        place = self.session.position(document, line, column + 1)
        edit = types.TextEdit(types.Range(place, place), f" shows {claims}")
        await self.workspace_apply_edit_async(
            types.ApplyWorkspaceEditParams(types.WorkspaceEdit(changes={uri: [edit]}))
        )
        return claims

    def _edits(
        self, document: Document, problem: Diagnostic
    ) -> Iterator[tuple[str, ast.Span, str]]:
        """Yield the edits that a diagnostic suggests: a title, a place, and the new text."""
        span = problem.span
        line = document.lines[span.line - 1] if span.line <= len(document.lines) else ""

        def at(begin: int, end: int) -> ast.Span:
            return span._replace(column=begin + 1, end_line=span.line, end_column=end + 1)

        edit = edit_of(problem, line)
        if edit is not None:
            yield edit.title, at(edit.begin, edit.end), edit.new
        comment = allowance(problem.code, line)
        if comment is not None:
            column, new = comment
            yield f"Allow {problem.code} here, with a reason", at(column, column), new


_REFUSED = -32803
"""The protocol's number for a request that cannot be carried out."""


def make_server() -> Server:
    """Return a server that knows every request."""
    server = Server()
    follow_files(server)
    navigate(server)
    write(server)
    work(server)
    return server


def _refused(error: UnsafeRenameError) -> JsonRpcException:
    return JsonRpcException(message=str(error), code=_REFUSED)


def follow_files(server: Server) -> None:
    """Let a server follow the files that the editor opens, changes and closes."""

    @server.feature(types.INITIALIZED)
    def initialized(ls: Server, params: types.InitializedParams) -> None:
        folders = [path_of(each.uri) for each in ls.workspace.folders.values()]
        root = path_of(ls.workspace.root_uri) if ls.workspace.root_uri else None
        ls.session.folders = [each for each in [*folders, root] if each is not None]
        ls.watch()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, opened=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            path = path_of(change.uri)
            if path is not None and path not in ls.session.files.opened:
                ls.session.changed_on_disk()
                break
        ls.tell()

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, params: None) -> None:
        ls.background.stop()


def navigate(server: Server) -> None:
    """Let a server answer requests for places."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        return await ls.hovered(params)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
        document, line, column = ls.place(params)
        occurrence = ls.names.at(document, line, column) if document else None
        if document is None or occurrence is None:
            return []
        places = ls.names.everywhere(occurrence.symbol, document)
        defined = [each for each in places if each.defines]
        return [ls.session.location(each.span) for each in defined] or ls.names.home_of(occurrence)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        document, line, column = ls.place(params)
        occurrence = ls.names.at(document, line, column) if document else None
        if document is None or occurrence is None:
            return []
        return [
            ls.session.location(each.span)
            for each in ls.names.everywhere(occurrence.symbol, document)
            if params.context.include_declaration or not each.defines
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(
        ls: Server, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight]:
        document, line, column = ls.place(params)
        occurrence = ls.names.at(document, line, column) if document else None
        if document is None or occurrence is None:
            return []
        return [
            types.DocumentHighlight(ls.session.range(each.span))
            for each in ls.names.in_document(document)
            if each.symbol == occurrence.symbol
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = ls.document(params.text_document.uri)
        return Outline(ls.session, document).symbols() if document else []

    @server.feature(types.WORKSPACE_SYMBOL)
    def symbols(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        ls.session.survey()
        looks = [project.look for project in ls.session.projects.all()]
        return rules_called(ls.session, looks, params.query)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        document = ls.document(params.text_document.uri)
        return folds(document) if document else []

    @server.feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=[]),
    )
    def semantic(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens:
        document = ls.document(params.text_document.uri)
        return types.SemanticTokens(encoded(ls.answers.painter.marks(document)) if document else [])


def write(server: Server) -> None:
    """Let a server help with writing."""

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[" ", "(", ".", "/"]),
    )
    def completion(ls: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
        document, line, column = ls.place(params)
        return ls.answers.completer.complete(document, line, column) if document else []

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: Server, params: types.PrepareRenameParams) -> types.Range | None:
        document, line, column = ls.place(params)
        if document is None:
            return None
        try:
            return ls.session.range(ls.renamer.target(document, line, column).span)
        except UnsafeRenameError as error:
            raise _refused(error) from None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
        document, line, column = ls.place(params)
        if document is None:
            return None
        try:
            target = ls.renamer.target(document, line, column)
            edits = ls.renamer.edits(target, document, params.new_name.strip())
        except UnsafeRenameError as error:
            raise _refused(error) from None
        changes: dict[str, list[types.TextEdit]] = {}
        for place, text in edits:
            location = ls.session.location(place.span)
            changes.setdefault(location.uri, []).append(types.TextEdit(location.range, text))
        return types.WorkspaceEdit(changes=changes)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(
        ls: Server, params: types.DocumentFormattingParams
    ) -> Sequence[types.TextEdit] | None:
        document = ls.document(params.text_document.uri)
        if document is None:
            return None
        text, _ = reformat(document.text, document.path.name)
        if text is None or text == document.text:
            return None
        end = types.Position(len(document.lines), 0)
        return [types.TextEdit(types.Range(types.Position(0, 0), end), text)]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(
            [
                types.CodeActionKind.QuickFix,
                types.CodeActionKind.Source,
                types.CodeActionKind.RefactorRewrite,
            ]
        ),
    )
    def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        return ls.quick_fixes(params)


def work(server: Server) -> None:
    """Let a server offer work that takes the engine."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        document = ls.document(params.text_document.uri)
        return lenses(params.text_document.uri, document) if document else []

    @server.command(DEAL)
    async def deal(ls: Server, uri: str, line: int) -> str:
        return await ls.carry_out(DEAL, uri, line)

    @server.command(SAY)
    async def say(ls: Server, uri: str, line: int) -> str:
        return await ls.say_what_is_shown(uri, line)

    @server.command(EXAMPLES)
    async def examples(ls: Server, uri: str, line: int | None) -> str:
        return await ls.carry_out(EXAMPLES, uri, line)
