"""An editor for the tests: a real client, talking to the real server process over its pipes."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_T = TypeVar("_T")
_PATIENCE = 120


class Editor:
    """A client with a folder of files; calls wait for their answers.

    Attributes:
        folder: the folder.
        client: the client.
        messages: what the server had the user told.
        shown: the documents that it had the user shown.
        steps: the progress that it reported.
        edits: what it had written: file, line from 0 and text.
        registered: what it asked to be told of.
    """

    def __init__(self, folder: Path, *, documents: bool = True) -> None:
        """Start a server that serves a folder; `documents` tells whether we can show any."""
        self.folder = folder
        self.client = LanguageClient("tests", "1")
        self.messages: list[str] = []
        self.shown: list[str] = []
        self.steps: list[str] = []
        self.edits: list[tuple[str, int, str]] = []
        self.registered: list[str] = []
        self._problems: dict[str, list[types.Diagnostic]] = {}
        self._versions: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._listen()
        self.wait(self._start(documents))

    def _listen(self) -> None:
        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(params: types.PublishDiagnosticsParams) -> None:
            self._problems[params.uri] = list(params.diagnostics)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        @self.client.feature(types.WINDOW_SHOW_DOCUMENT)
        def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params.uri)
            return types.ShowDocumentResult(success=True)

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def edit(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            for uri, changes in (params.edit.changes or {}).items():
                self.edits += [(uri, each.range.start.line, each.new_text) for each in changes]
            return types.ApplyWorkspaceEditResult(applied=True)

        @self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create(params: types.WorkDoneProgressCreateParams) -> None:
            return None

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += [each.method for each in params.registrations]

        @self.client.feature(types.PROGRESS)
        def progress(params: types.ProgressParams) -> None:
            value: Any = params.value
            if value["kind"] != "end":
                self.steps.append(value.get("title") or value.get("message") or "")

    async def _start(self, documents: bool) -> None:
        # What earlier runs have proved must not be what is tested here.
        env = {**os.environ, "BIDWRIGHT_CACHE": str(self.folder / ".cache")}
        await self.client.start_io(sys.executable, "-m", "bidwright", "lsp", env=env)
        window = types.WindowClientCapabilities(
            work_done_progress=True,
            show_document=types.ShowDocumentClientCapabilities(support=documents),
        )
        watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        workspace = types.WorkspaceClientCapabilities(did_change_watched_files=watching)
        self.answer = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(window=window, workspace=workspace),
                workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), "tests")],
            )
        )
        self.client.initialized(types.InitializedParams())

    def wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Return the result of some work of the client."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    def stop(self) -> None:
        """End the server, as editors do."""
        self.wait(self.client.shutdown_async(None))
        self._loop.call_soon_threadsafe(self.client.exit, None)
        self.wait(self.client.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)

    # ------------------------------------------------------------------- files

    def uri(self, name: str) -> str:
        """Return the URI of a file of the folder."""
        return (self.folder / name).as_uri()

    def document(self, name: str) -> types.TextDocumentIdentifier:
        """Return the name of a file in requests."""
        return types.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file, with the text that it has on the disk unless another is given."""
        if text is None:
            text = (self.folder / name).read_text(encoding="utf-8")
        self._versions[name] = 1
        self._texts[name] = text
        item = types.TextDocumentItem(self.uri(name), "bid", 1, text)
        params = types.DidOpenTextDocumentParams(item)
        self._loop.call_soon_threadsafe(self.client.text_document_did_open, params)

    def close(self, name: str) -> None:
        """Close a file without saving it."""
        params = types.DidCloseTextDocumentParams(self.document(name))
        self._loop.call_soon_threadsafe(self.client.text_document_did_close, params)

    def change(self, name: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        """Change a file."""
        self._versions[name] += 1
        item = types.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name))
        params = types.DidChangeTextDocumentParams(item, list(changes))
        self._loop.call_soon_threadsafe(self.client.text_document_did_change, params)

    def write(self, name: str, text: str) -> None:
        """Replace the text of a file."""
        self.change(name, types.TextDocumentContentChangeWholeDocument(text))
        self._texts[name] = text

    def type(self, name: str, spot: str, text: str) -> None:
        """Write a text at a place, as typing does: only that much is sent."""
        where = self.position(name, spot)
        lines = self._texts[name].split("\n")
        line = lines[where.line]
        lines[where.line] = line[: where.character] + text + line[where.character :]
        self._texts[name] = "\n".join(lines)
        place = types.Range(where, where)
        self.change(name, types.TextDocumentContentChangePartial(place, text))

    def send(self, notify: Callable[[Any], None], params: object) -> None:
        """Send a notification."""
        self._loop.call_soon_threadsafe(notify, params)

    # --------------------------------------------------------------- diagnostics

    def problems(self, name: str) -> list[types.Diagnostic]:
        """Return the diagnostics of a file after all changes so far."""
        self.ask(self.client.text_document_folding_range_async, types.FoldingRangeParams, name)
        return self._problems.get(self.uri(name), [])

    def until(self, name: str, holds: Callable[[list[types.Diagnostic]], bool]) -> None:
        """Wait until the diagnostics of a file are as expected."""

        async def look() -> None:
            while not holds(self._problems.get(self.uri(name), [])):
                await asyncio.sleep(0.02)

        self.wait(asyncio.wait_for(look(), _PATIENCE))

    # ------------------------------------------------------------------ requests

    def ask(
        self, method: Callable[[Any], Coroutine[Any, Any, _T]], kind: Callable[..., Any], name: str
    ) -> _T:
        """Return the answer to a request about a file."""
        return self.wait(method(kind(text_document=self.document(name))))

    def at(
        self,
        method: Callable[[Any], Coroutine[Any, Any, _T]],
        kind: Callable[..., Any],
        name: str,
        spot: str,
        **more: Any,  # noqa: ANN401 - what the request takes besides
    ) -> _T:
        """Return the answer to a request about a place of a file: see `position`."""
        where = self.position(name, spot)
        document = self.document(name)
        return self.wait(method(kind(text_document=document, position=where, **more)))

    def position(self, name: str, spot: str) -> types.Position:
        """Return the place of the `@` in a piece of a file's text, which occurs there once."""
        saved = self.folder / name
        text = self._texts.get(name) or saved.read_text(encoding="utf-8")
        wanted = spot.replace("@", "", 1)
        assert text.count(wanted) == 1, f"{wanted!r} stands {text.count(wanted)} times in {name}"
        before = text[: text.index(wanted) + spot.index("@")]
        return types.Position(before.count("\n"), len(before.rpartition("\n")[2]))
