"""The verbs that work on examples: `test`, `coverage` and `mutate`.

`cli.py` loads this when one of the verbs is used or listed; whatever is slow to import is
imported by the function that needs it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bidwright.runtime.progress import progressing

if TYPE_CHECKING:
    from bidwright.authoring.examples.corpus import Bidding
    from bidwright.authoring.examples.mutation_run import MutationRun


@click.command()
@click.argument("names", nargs=-1, metavar="[SYSTEM|FILE]...")
@click.option("-k", "words", metavar="WORDS", help="Only examples in which all these words stand.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def test(names: tuple[str, ...], words: str | None, as_json: bool) -> int:
    """Run the examples of systems or files (default sayc).

    A word of -k is looked for in the file and line, in the example, and in the id of the rule that
    makes the call. For an example that fails, all rules that had a say are shown, with what they
    need and the hand has not.

    Example: bidwright test sayc -k "weak_twos 2NT"
    """
    from bidwright.authoring.examples import testing
    from bidwright.bridge.errors import InvalidError
    from bidwright.inference.explanation.text_style import terminal_style
    from bidwright.inference.reading.examples import open_suites
    from bidwright.kb.language.diagnostics import render

    suites = open_suites(names or ("sayc",))
    style = terminal_style()
    broken = [suite for suite in suites if not suite.is_usable]
    for suite in broken:
        errors = [each for each in suite.problems if each.is_error]
        click.echo(render(errors, suite.system.texts, colour=style.colour), err=True)
    outcomes = list(testing.run_suites(suites, testing.Filter.of(words)))
    failed = [outcome for outcome in outcomes if not outcome.passed]
    if as_json:
        found = [testing.outcome_json(outcome) for outcome in outcomes]
        click.echo(json.dumps({"examples": found, "failed": len(failed)}, indent=2))
    elif outcomes:
        for outcome in failed:
            click.echo(f"{testing.failure_text(outcome, style)}\n")
        click.echo(testing.summary(outcomes))
    if not outcomes and not broken:
        where = " or ".join(names or ("sayc",))
        what = f"with {words!r} in {where}" if words else f"in {where}"
        raise InvalidError(f"expected examples {what}, found none")
    return int(bool(failed or broken))


_corpus = click.option(
    "--corpus",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Boards that were bid: .pbn, .lin or .jsonl; may be given several times.",
)
_jobs = click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes."
)
_quiet = click.option("--quiet", is_flag=True, help="Show no progress.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("system")
@_corpus
@click.option("--html", type=click.Path(path_type=Path), metavar="DIR", help="Write pages there.")
@click.option("--missing", is_flag=True, help="List everything that is not exercised.")
@_jobs
@_json
@_quiet
def coverage(
    system: str,
    corpus: tuple[Path, ...],
    html: Path | None,
    missing: bool,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show which rules, tests and thresholds of SYSTEM its examples exercise, and a corpus.

    A test is exercised by a hand that is bid because of it, and by one that fails the rule for it
    alone; a threshold by a hand just inside, and by one just outside.

    Example: bidwright coverage sayc --corpus boards.pbn --html coverage
    """
    from bidwright.authoring.examples import coverage as measured
    from bidwright.authoring.examples.coverage_html import write_pages

    boards = _read_corpus(corpus, quiet=quiet)
    chunks = -(-len(boards) // measured.CHUNK)
    shown = partial(progressing, total=chunks, title="corpus", quiet=quiet or not boards)
    found = measured.measure(system, boards, jobs, shown)
    if html is not None:
        write_pages(found, html)
    if as_json:
        click.echo(json.dumps(measured.to_json(found), indent=2))
        return
    parts = [("examples", found.examples)]
    if found.corpus is not None:
        parts.append((f"hands of {len(boards)} boards", found.corpus))
    for number, (what, trials) in enumerate(parts):
        click.echo("\n" * (number > 0) + f"by {trials.decisions} {what}")
        click.echo(measured.table(found, trials))
        if missing:
            click.echo("\n" + "\n".join(found.missing(trials)))
    if html is not None:
        click.echo(f"wrote {html / 'index.html'}")


@click.command()
@click.argument("system")
@click.option("-k", "words", metavar="WORDS", help="Only changes in which all these words stand.")
@click.option(
    "--limit",
    default=20,
    show_default=True,
    type=click.IntRange(0),
    help="Examples to find; 0 for all there are.",
)
@_corpus
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the results there; a run that was cut short is gone on with.",
)
@_jobs
@_json
@_quiet
def mutate(
    system: str,
    words: str | None,
    limit: int,
    corpus: tuple[Path, ...],
    out: Path | None,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> int:
    """Move each threshold of SYSTEM by one: does any example notice?

    A word of -k is looked for in the file and line, in what becomes what, and in the ids of the
    rules. For a change that no example notices one is printed that would, ready to paste; those
    that the hands of a corpus notice most come first. Exit code 1 says that there are such.

    Example: bidwright mutate sayc -k "openings hcp" --out mutants.jsonl
    """
    from bidwright.authoring.examples.mutation_run import MutationRun
    from bidwright.kb.loading.compiled import open_system

    def shown(items: Iterable[Any], total: int, title: str) -> Iterable[Any]:
        return progressing(items, total, title, quiet=quiet)

    run = MutationRun(system, open_system(system), words, _read_corpus(corpus, quiet=quiet))
    with closing(run):
        if out is not None:
            known = run.keep_in(out)
            if known and not quiet:
                click.echo(f"bidwright: {known:,} changes are in {out} already", err=True)
        try:
            run.judge(jobs, shown)
            run.look(limit, jobs, shown)
        finally:
            _tell(run, as_json=as_json)
    return int(bool(run.survivors()))


def _tell(run: MutationRun, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([each.as_json() for each in run.mutants.values()], indent=2))
        return
    for paragraph in run.told():
        click.echo(f"{paragraph}\n")
    click.echo(run.summary())


def _read_corpus(paths: tuple[Path, ...], *, quiet: bool) -> tuple[Bidding, ...]:
    """Return the boards of files; say on the standard error what could not be read."""
    from bidwright.authoring.examples.corpus import read_corpus

    found = read_corpus(paths)
    if found.skipped and not quiet:
        more = f", and {len(found.skipped) - 1} more" if len(found.skipped) > 1 else ""
        click.echo(f"bidwright: skipped {found.skipped[0]}{more}", err=True)
    return found.boards
