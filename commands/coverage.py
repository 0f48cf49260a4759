"""The verb `coverage`: rules, tests and thresholds that examples and a corpus exercise."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click

from bidwright.commands.common_options import jobs_option, json_option, quiet_option
from bidwright.commands.corpus_option import corpus_option, read_corpus
from bidwright.runtime.progress import progressing


@click.command()
@click.argument("system")
@corpus_option
@click.option("--html", type=click.Path(path_type=Path), metavar="DIR", help="Write pages there.")
@click.option("--missing", is_flag=True, help="List everything that is not exercised.")
@jobs_option
@json_option
@quiet_option
def coverage(
    system: str,
    corpus: tuple[Path, ...],
    html: Path | None,
    missing: bool,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show the rules, tests and thresholds of SYSTEM that its examples and a corpus exercise.

    A test is exercised by a hand that is bid because of it, and by one that fails the rule for it
    alone; a threshold by a hand just inside, and by one just outside.

    Example: bidwright coverage sayc --corpus boards.pbn --html coverage
    """
    from bidwright.authoring.examples import coverage as measured
    from bidwright.authoring.examples.coverage_html import write_pages

    boards = read_corpus(corpus, quiet=quiet)
    chunks = -(-len(boards) // measured.CHUNK)
    shown = partial(progressing, total=chunks, title="corpus", quiet=quiet or not boards)
    result = measured.measure(system, boards, jobs, shown)
    if html is not None:
        write_pages(result, html)
    if as_json:
        click.echo(json.dumps(measured.to_json(result), indent=2))
        return
    parts = [("examples", result.examples)]
    if result.corpus is not None:
        parts.append((f"hands of {len(boards)} boards", result.corpus))
    for number, (what, trials) in enumerate(parts):
        click.echo("\n" * (number > 0) + f"by {trials.decisions} {what}")
        click.echo(measured.table(result, trials))
        if missing:
            click.echo("\n" + "\n".join(result.missing(trials)))
    if html is not None:
        click.echo(f"wrote {html / 'index.html'}")
