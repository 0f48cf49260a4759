"""The verb `test`: runs the examples of systems and files."""

from __future__ import annotations

import json

import click

from bidwright.commands.common_options import json_option


@click.command()
@click.argument("names", nargs=-1, metavar="[SYSTEM|FILE]...")
@click.option("-k", "words", metavar="WORDS", help="Only examples in which all these words stand.")
@json_option
def test(names: tuple[str, ...], words: str | None, as_json: bool) -> int:
    """Run the examples of systems or files (default sayc).

    A word of -k is looked for in the file and line, in the example, and in the id of the rule that
    makes the call. For an example that fails, all rules that apply are shown, with what they
    need and the hand lacks.

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
    # Files with errors cannot be run, but the others still are.
    for suite in broken:
        errors = [each for each in suite.problems if each.is_error]
        click.echo(render(errors, suite.system.texts, colour=style.colour), err=True)
    outcomes = list(testing.run_suites(suites, testing.Filter.of(words)))
    failed = [outcome for outcome in outcomes if not outcome.passed]
    if as_json:
        records = [testing.outcome_json(outcome) for outcome in outcomes]
        click.echo(json.dumps({"examples": records, "failed": len(failed)}, indent=2))
    elif outcomes:
        for outcome in failed:
            click.echo(f"{testing.failure_text(outcome, style)}\n")
        click.echo(testing.summary(outcomes))
    if not outcomes and not broken:
        where = " or ".join(names or ("sayc",))
        what = f"with {words!r} in {where}" if words else f"in {where}"
        raise InvalidError(f"expected examples {what}, found none")
    return int(bool(failed or broken))
