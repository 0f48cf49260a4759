"""The verb `serve`: the explorer, a web page on auctions and convention files."""

from __future__ import annotations

from pathlib import Path

import click

from bidwright.commands.numbers import Whole
from bidwright.commands.table_options import HOST, PORT


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--host", default="127.0.0.1", show_default=True, type=HOST, help="The address to listen at."
)
@click.option("--port", default=8080, show_default=True, type=PORT)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="A name that browsers call it by, where it listens to others; may be repeated.",
)
@click.option(
    "--processes",
    type=Whole(1, 64),
    help="Number of worker processes.  [default: one a core, from 2 to 8]",
)
def serve(
    files: tuple[Path, ...], host: str, port: int, names: tuple[str, ...], processes: int | None
) -> None:
    """Serve the explorer: a web page on auctions, deals, convention files and practice.

    FILES are convention files to choose from besides the systems of the package; the address that
    is printed begins with the first one. It listens to this machine only, unless --host says
    otherwise. Needs the extra `serve`: pip install ".[serve]" in a checkout.

    \b
    Examples:
      bidwright serve
      bidwright serve my_system.bid --port 9000
    """  # noqa: D301 - \b makes click keep line breaks
    from bidwright.bridge.errors import InvalidError

    try:
        # The web server is an extra: all other verbs work without it.
        from bidwright.explorer.web_app import serve_explorer
    except ImportError as error:
        raise InvalidError(
            'expected the extra "serve" (pip install ".[serve]" in a checkout), '
            f"{error.name} is not installed"
        ) from None
    systems: dict[str, str] = {}
    for path in files:
        name = path.stem if path.suffix == ".bid" else path.name
        # The name stands in the address of the page.
        if not name.isidentifier() or name in systems:
            raise InvalidError(f"expected files with different names like sayc.bid, got {path}")
        systems[name] = str(path.absolute())
    first = next(iter(systems), "")
    begin = f"?ns={first}&ew={first}" if first else ""

    def tell() -> None:
        click.echo(f"explorer at http://{host}:{port}/{begin} (ctrl-C ends it)", err=True)

    serve_explorer(host, port, systems, names, processes, tell)
