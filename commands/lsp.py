"""The verb `lsp`: the language server on standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import BinaryIO, cast

import click

from bidwright.bridge.errors import InvalidError


class _Editor:
    """Standard output to an editor. Once the editor has gone, the server ends without a word."""

    def write(self, data: bytes) -> None:
        """Write bytes.

        Raises:
            SystemExit: Nobody reads them any more.
        """
        with _ending():
            sys.stdout.buffer.write(data)

    def flush(self) -> None:
        """Flush standard output.

        Raises:
            SystemExit: The editor has closed it.
        """
        with _ending():
            sys.stdout.buffer.flush()

    def close(self) -> None:
        """Do nothing: standard output is closed when the process ends."""


@contextmanager
def _ending() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise SystemExit(0) from None


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as always.")
def lsp(stdio: bool) -> None:
    """Serve editors of convention files over standard input and output."""
    if find_spec("pygls") is None:
        raise InvalidError(
            "the language server needs the package pygls: pip install '.[lsp]' in a checkout"
        )
    from bidwright.editor.server import make_server

    make_server().start_io(stdout=cast(BinaryIO, _Editor()))
