"""The server: requests of the editor in, answers of the other modules out."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import bidwright
from bidwright.authoring.lsp.places import path_of, uri_of
from bidwright.authoring.lsp.session import Session


class Server(LanguageServer):
    """The language server of convention files.

    Attributes:
        session: the editor's files.
    """

    def __init__(self) -> None:
        """Start without an editor."""
        super().__init__("bidwright", bidwright.__version__)
        self.session = Session()

    def changed(self, uri: str) -> None:
        """Look at a file that was opened or changed, and tell the editor what is wrong."""
        path = path_of(uri)
        if path is None:
            return
        document = self.workspace.get_text_document(uri)
        self.session.codec = document.position_codec
        self.session.put(path, uri, document.source)
        self.tell()

    def closed(self, uri: str) -> None:
        """Take note that a file was closed."""
        path = path_of(uri)
        if path is not None:
            self.session.drop(path)
            self.tell()

    def tell(self) -> None:
        """Tell the editor what is wrong, where that has changed."""
        for path, diagnostics in self.session.news():
            uri = self.session.uris.get(path) or uri_of(path)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
            )


def make_server() -> Server:
    """Return a server that knows every request."""
    server = Server()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return []

    return server
