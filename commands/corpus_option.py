"""The option `--corpus`: boards that were bid, as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bidwright.authoring.examples.corpus import Bidding

corpus_option = click.option(
    "--corpus",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Boards that were bid: .pbn, .lin or .jsonl; may be given several times.",
)


def read_corpus(paths: tuple[Path, ...], *, quiet: bool) -> tuple[Bidding, ...]:
    """Return the boards of files; report unreadable ones on the standard error."""
    from bidwright.authoring.examples import corpus

    read = corpus.read_corpus(paths)
    if read.skipped and not quiet:
        more = f", and {len(read.skipped) - 1} more" if len(read.skipped) > 1 else ""
        click.echo(f"bidwright: skipped {read.skipped[0]}{more}", err=True)
    return read.boards
