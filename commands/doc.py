"""The verb `doc`: a system as a document for people, or in another notation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import quiet_option

if TYPE_CHECKING:
    from bidwright.authoring.exchange.losses import LossReport

FORMATS = ("html", "md", "bml", "bss", "bboalert", "bbsa")
_EXPORTS = ("bml", "bss", "bboalert")


@click.command()
@click.argument("system")
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), help="What to write.  [default: html]"
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="File or folder.  [default: print]"
)
@quiet_option
def doc(system: str, kind: str | None, out: Path | None, quiet: bool) -> None:
    """Write a system as convention card and notes, or export it.

    html and md are for people: a card, then every call with its meaning in words made
    from the rules. bml, bss, bboalert and bbsa (a card of switches) are for other programs; what
    they cannot carry is listed on the standard error, or in FILE.loss.txt beside the file.

    Example: bidwright doc sayc -o sayc.html
    """
    from bidwright.kb.loading.compiled import open_system
    from bidwright.kb.loading.incremental import load_again
    from bidwright.runtime.files import check_writable, write_text
    from bidwright.runtime.progress import counting

    suffix = "" if out is None else out.suffix.lower().removeprefix(".")
    kind = kind or (suffix if suffix in FORMATS else "html")
    if out is not None:
        check_writable(out / f"{kind}.{kind}" if out.is_dir() else out)
    with counting(1, f"reading {system}", quiet=quiet):
        loaded = load_again(system)
        rules = open_system(system, loaded)
    report: LossReport | None = None
    if kind == "bbsa":
        from bidwright.authoring.exchange.bbsa import NoBaseError, to_bbsa

        try:
            text, report = to_bbsa(loaded)
        except NoBaseError as error:
            raise click.UsageError(str(error)) from None
    elif kind in _EXPORTS:
        from bidwright.authoring.exchange import bboalert, bss
        from bidwright.authoring.exchange.bml import to_bml
        from bidwright.authoring.exchange.call_tables import tabulate

        sheet = tabulate(rules, loaded, quiet=quiet)
        write, more = {
            "bml": (to_bml, ()),
            "bss": (bss.to_bss, bss.LOSSES),
            "bboalert": (bboalert.to_bboalert, bboalert.LOSSES),
        }[kind]
        text, report = write(sheet), sheet.report.with_more(more)
    else:
        from bidwright.authoring.doc.html import to_html
        from bidwright.authoring.doc.kept_notes import kept_notes
        from bidwright.authoring.doc.markdown import to_markdown

        notes = kept_notes(rules, loaded, quiet=quiet)
        text = to_html(notes) if kind == "html" else to_markdown(notes)
    if out is None:
        # It is the content of a file, wherever it goes, and files are in UTF-8.
        click.echo(text if sys.stdout.isatty() else text.encode(), nl=False)
        _tell(report)
        return
    file = out / f"{rules.name}.{kind}" if out.is_dir() else out
    write_text(file, text)
    if report is not None:
        beside = file.with_name(f"{file.name}.loss.txt")
        write_text(beside, report.text())
        click.echo(report.summary() + f"each loss is listed in {beside}", err=True)


def _tell(report: LossReport | None) -> None:
    if report is not None:
        click.echo(report.text(), err=True, nl=False)
