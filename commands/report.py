"""The verb `report`: a match file as one HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from bidwright.commands.common_options import FILE, below_option
from bidwright.commands.numbers import Whole


@click.command()
@click.argument("file", type=FILE)
@click.option("--out", type=FILE, help="The HTML file.  [default: FILE with .html]")
@click.option("--worst", default=20, show_default=True, type=Whole(0), help="Boards shown.")
@click.option("--against", help="The system to judge openings of a side by that declares none.")
@below_option
def report(
    file: Path, out: Path | None, worst: int, against: str | None, below: tuple[Path, ...]
) -> None:
    """Write a match file's report: one HTML page with its plots.

    Of the systems that the file names those are opened that ship with the program or lie beside
    the file, or below the folders given by --below; the page says which were not.

    Example: bidwright report match.jsonl --out match.html
    """
    from bidwright.match.reports.report import write_report

    target = out or file.parent / f"{file.stem}.html"
    # samefile also sees links; a report over its match file would lose the match.
    if target.exists() and file.exists() and target.samefile(file):
        raise click.UsageError(f"expected another file than the match file for --out, got {target}")
    write_report(file, target, worst=worst, against=against, below=below or None)
    click.echo(f"wrote {target}")
