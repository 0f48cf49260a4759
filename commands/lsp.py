"""The verb `lsp`: the language server on standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

import click

from bidwright.bridge.errors import InvalidError


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as always.")
def lsp(stdio: bool) -> None:
    """Serve editors: what they ask about convention files, over standard input and output."""
    if find_spec("pygls") is None:
        raise InvalidError(
            "the language server needs the package pygls: pip install 'bidwright[lsp]'"
        )
    from bidwright.authoring.lsp.handlers import make_server

    make_server().start_io()
