"""The verb `import`: files of other notations become convention files."""

from __future__ import annotations

import os
from pathlib import Path

import click

from bidwright.commands.common_options import FILE
from bidwright.commands.output import check_outputs

_MOST_REPORTED = 100
"""Lines of the notes that are printed with their fate."""


@click.command(name="import")
@click.argument("source", type=FILE, metavar="FILE")
@click.option("-o", "--out", type=FILE, help="The convention file to write.  [default: print]")
@click.option("--report", type=FILE, help="Write here what became of every line.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--anyway", is_flag=True, help="Make rules of a file that is hardly understood.")
def import_(source: Path, out: Path | None, report: Path | None, force: bool, anyway: bool) -> None:
    """Turn a file of another program into a convention file, with an account of every line.

    Of .bml, .bss and .bboalert, descriptions of the hands that make a call become rules; the rest
    stays as text in the file. A .bbsa card becomes a system with modules. What contradicts itself,
    or calls before it, is reported.

    Example: bidwright import notes.bml -o notes.bid --report notes.txt
    """
    from bidwright.authoring.exchange.importer import import_file
    from bidwright.authoring.exchange.records import Fate
    from bidwright.runtime.files import write_text
    from bidwright.runtime.progress import counting

    if out is not None and out.exists() and not force:
        raise click.UsageError(f"{out} is there already; --force writes over it")
    # By real paths: the same file may be named in two ways.
    named = [os.path.realpath(each) for each in (source, out, report) if each is not None]
    if len({*named}) < len(named):
        raise click.UsageError("expected different files for FILE, --out and --report")
    check_outputs(out=out, report=report)
    with counting(1, f"importing {source.name}"):
        imported = import_file(source, (out or source).stem, anyway=anyway)
    if out is None:
        click.echo(imported.text, nl=False)
    else:
        write_text(out, imported.text)
    if report is not None:
        write_text(report, imported.report.text())
    else:
        reported = (Fate.TEXT, Fate.CONTRADICTION)
        lines = [line for line in imported.report.lines if line.fate in reported]
        for line in lines[:_MOST_REPORTED]:
            click.echo(str(line), err=True)
        if more := len(lines[_MOST_REPORTED:]):
            click.echo(f"and {more:,} more; --report FILE has all", err=True)
        click.echo("", err=True)
    click.echo(imported.report.summary(), err=True, nl=False)
