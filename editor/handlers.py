"""The requests that the server answers, each handed to the module that knows."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from bidwright.editor.lenses import DEAL, EXAMPLES, lenses
from bidwright.editor.places import path_of
from bidwright.editor.rename import UnsafeRenameError
from bidwright.editor.semantic import TYPES, encoded
from bidwright.editor.server import Server
from bidwright.editor.symbols import Outline, folds, rules_called
from bidwright.kb.language.format import reformat

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
    """Let a server follow what the editor opens, changes and closes."""

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
        for each in params.changes:
            path = path_of(each.uri)
            if path is not None and path not in ls.session.files.opened:
                ls.session.changed_on_disk()
                break
        ls.tell()

    @server.feature(types.SHUTDOWN)
    def shutdown(ls: Server, params: None) -> None:
        ls.background.stop()


def navigate(server: Server) -> None:
    """Let a server answer where things are."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        return await ls.hovered(params)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
        document, line, column = ls.place(params)
        found = ls.names.at(document, line, column) if document else None
        if document is None or found is None:
            return []
        places = ls.names.everywhere(found.symbol, document)
        defined = [each for each in places if each.defines]
        return [ls.session.location(each.span) for each in defined] or ls.names.home_of(found)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        document, line, column = ls.place(params)
        found = ls.names.at(document, line, column) if document else None
        if document is None or found is None:
            return []
        return [
            ls.session.location(each.span)
            for each in ls.names.everywhere(found.symbol, document)
            if params.context.include_declaration or not each.defines
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(
        ls: Server, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight]:
        document, line, column = ls.place(params)
        found = ls.names.at(document, line, column) if document else None
        if document is None or found is None:
            return []
        return [
            types.DocumentHighlight(ls.session.range(each.span))
            for each in ls.names.in_document(document)
            if each.symbol == found.symbol
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
        return types.SemanticTokens(encoded(ls.painter.marks(document)) if document else [])


def write(server: Server) -> None:
    """Let a server help with writing."""

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[" ", "(", ".", "/"]),
    )
    def completion(ls: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
        document, line, column = ls.place(params)
        return ls.completer.complete(document, line, column) if document else []

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
            found = ls.renamer.target(document, line, column)
            edits = ls.renamer.edits(found, document, params.new_name.strip())
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
        types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.Source]),
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

    @server.command(EXAMPLES)
    async def examples(ls: Server, uri: str, line: int | None) -> str:
        return await ls.carry_out(EXAMPLES, uri, line)
