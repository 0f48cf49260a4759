"""The verb `mutate`: changed thresholds that no example notices."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bidwright.commands.common_options import crew_options, json_option, quiet_option
from bidwright.commands.corpus_option import corpus_option, read_corpus
from bidwright.commands.numbers import Whole
from bidwright.runtime.progress import progressing

if TYPE_CHECKING:
    from bidwright.authoring.examples.mutation_run import MutationRun
    from bidwright.runtime.crew import Crew


@click.command()
@click.argument("system")
@click.option("-k", "words", metavar="WORDS", help="Only changes in which all these words stand.")
@click.option(
    "--limit",
    default=20,
    show_default=True,
    type=Whole(0),
    help="Examples to find; 0 for all there are.",
)
@corpus_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the results there; a run that was interrupted is continued.",
)
@crew_options
@json_option
@quiet_option
def mutate(
    system: str,
    words: str | None,
    limit: int,
    corpus: tuple[Path, ...],
    out: Path | None,
    crew: Crew,
    as_json: bool,
    quiet: bool,
) -> int:
    """Move each threshold of SYSTEM by one: does any example notice?

    A word of -k is looked for in the file and line, in the old and the new text, and in the ids of
    the rules. For a change that no example notices one is printed that would, ready to paste; those
    that the hands of a corpus notice most come first. Exit code 1 means that there are such.

    Example: bidwright mutate sayc -k "openings hcp" --out mutants.jsonl
    """
    from bidwright.authoring.examples.mutation_run import MutationRun
    from bidwright.kb.loading.compiled import open_system

    def shown(items: Iterable[Any], total: int, title: str) -> Iterable[Any]:
        return progressing(items, total, title, quiet=quiet)

    run = MutationRun(system, open_system(system), words, read_corpus(corpus, quiet=quiet))
    with closing(run):
        if out is not None:
            count = run.keep_in(out)
            if count and not quiet:
                click.echo(f"bidwright: {count:,} changes are in {out} already", err=True)
        try:
            run.judge(crew, shown)
            run.look(limit, crew, shown)
        # Also after Ctrl-C: what was tried so far is a result.
        finally:
            _print_results(run, as_json=as_json)
    # As a test that fails: a threshold that no example notices is a gap in the examples.
    return int(bool(run.survivors()))


def _print_results(run: MutationRun, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([each.as_json() for each in run.mutants.values()], indent=2))
        return
    for paragraph in run.lines():
        click.echo(f"{paragraph}\n")
    click.echo(run.summary())
