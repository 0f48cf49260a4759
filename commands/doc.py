"""The verb `doc`: a system as a document for people, or in another notation."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import quiet_option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bidwright.authoring.exchange.call_tables import Sheet
    from bidwright.authoring.exchange.records import Loss, LossReport
    from bidwright.kb.language.system import System
    from bidwright.kb.rules.rulebase import RuleBase

FORMATS = ("html", "pdf", "md", "bml", "bss", "bboalert", "bbsa")
_EXPORTS = ("bml", "bss", "bboalert")
_FORMS = ("acbl", "wbf", "ebu")


@click.command()
@click.argument("system")
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), help="What to write.  [default: html]"
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="File or folder.  [default: print]"
)
@click.option(
    "--form", "form", type=click.Choice(_FORMS), help="Write the card alone, as it is handed in."
)
@quiet_option
def doc(system: str, kind: str | None, out: Path | None, form: str | None, quiet: bool) -> None:
    """Write a system as convention card and notes, or export it.

    html, pdf and md are for people: a card, then every call with its meaning in words made
    from the rules. With --form it is two pages with the fields of the ACBL, the WBF or the EBU
    (20B), as html or pdf. bml, bss, bboalert and bbsa (a card of switches) are for other programs;
    what they cannot carry is listed on the standard error, or in FILE.loss.txt beside the file.

    Example: bidwright doc sayc --form acbl -o sayc.pdf
    """
    from bidwright.authoring.doc.pdf import need_printer, to_pdf
    from bidwright.kb.loading.compiled import open_system
    from bidwright.kb.loading.incremental import load_again
    from bidwright.runtime.files import check_writable, write_text
    from bidwright.runtime.progress import counting

    suffix = "" if out is None else out.suffix.lower().removeprefix(".")
    # Without --format the ending of the file decides.
    kind = kind or (suffix if suffix in FORMATS else "html")
    if form is not None and kind not in ("html", "pdf"):
        raise click.UsageError(f"expected --form with html or pdf, got it with {kind}")
    if kind == "pdf":
        need_printer()
    # Refused now: reading the system and wording its notes takes a while.
    if out is not None:
        check_writable(out / f"{kind}.{kind}" if out.is_dir() else out)
    with counting(1, f"reading {system}", quiet=quiet):
        loaded = load_again(system)
        rules = open_system(system, loaded)
    report: LossReport | None = None
    if kind == "pdf":
        _write_pdf(to_pdf(_page(rules, loaded, form, quiet=quiet)), out, f"{rules.name}.pdf")
        return
    if kind == "bbsa":
        from bidwright.authoring.exchange.bbsa import NoBaseError, to_bbsa

        try:
            text, report = to_bbsa(loaded)
        except NoBaseError as error:
            raise click.UsageError(str(error)) from None
    elif kind in _EXPORTS:
        from bidwright.authoring.exchange import bboalert
        from bidwright.authoring.exchange.bml import to_bml
        from bidwright.authoring.exchange.call_tables import tabulate

        sheet = tabulate(rules, loaded, quiet=quiet)
        writers: dict[str, tuple[Callable[[Sheet], str], Sequence[Loss]]] = {
            "bml": (to_bml, ()),
            "bss": (bboalert.to_bss, bboalert.BSS_LOSSES),
            "bboalert": (bboalert.to_bboalert, bboalert.BBOALERT_LOSSES),
        }
        write, more = writers[kind]
        text, report = write(sheet), sheet.report.with_more(more)
    elif kind == "html":
        text = _page(rules, loaded, form, quiet=quiet)
    else:
        from bidwright.authoring.doc.kept_notes import kept_notes
        from bidwright.authoring.doc.markdown import to_markdown

        text = to_markdown(kept_notes(rules, loaded, quiet=quiet))
    if out is None:
        _let_output_be_a_file()
        click.echo(text, nl=False)
        _tell(report)
        return
    file = out / f"{rules.name}.{kind}" if out.is_dir() else out
    write_text(file, text)
    if report is not None:
        beside = file.with_name(f"{file.name}.loss.txt")
        write_text(beside, report.text())
        click.echo(report.summary() + f"each loss is listed in {beside}", err=True)


def _page(rules: RuleBase, system: System, form: str | None, *, quiet: bool) -> str:
    """Return a system as HTML: its card and notes, or a form alone."""
    from bidwright.authoring.doc.form_html import form_html
    from bidwright.authoring.doc.html import to_html
    from bidwright.authoring.doc.kept_notes import kept_form, kept_notes

    if form is not None:
        return form_html(kept_form(rules, system, form, quiet=quiet))
    return to_html(kept_notes(rules, system, quiet=quiet))


def _write_pdf(content: bytes, out: Path | None, name: str) -> None:
    """Write a PDF to a file, into a folder under a name, or to the standard output."""
    from bidwright.runtime.files import replacing_bytes

    if out is None:
        _let_output_be_a_file()
        click.echo(content, nl=False)
        return
    with replacing_bytes(out / name if out.is_dir() else out) as stream:
        stream.write(content)


def _let_output_be_a_file() -> None:
    """Set the standard output to UTF-8, as files have it, if it is no terminal."""
    # A stream of UTF-16 writes a mark of its encoding before the first bytes, also before raw ones.
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")


def _tell(report: LossReport | None) -> None:
    if report is not None:
        click.echo(report.text(), err=True, nl=False)
