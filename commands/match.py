"""The verbs `match`, `verify` and `report`: arguments in, functions called, results printed.

`cli.py` loads this when one of the verbs is used or listed; whatever is slow to import is
imported by the function that needs it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from bidwright.match.duplicate import Standing
    from bidwright.match.matchfile import Match
    from bidwright.match.verify import Verification

SCORER_NAMES = ("dd", "dd+pd", "blind", "blind+pd")
_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--boards", default=100, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--seed", default=0, show_default=True, help="What the deals are drawn from.")
@click.option("--deals", type=_PATH, help="A PBN or LIN file with the boards.")
@click.option("--out", type=_PATH, help="The match file to write, or to go on with.")
@click.option("--pbn", type=_PATH, help="Write both rooms' auctions as PBN.")
@click.option(
    "--scorer",
    type=click.Choice(SCORER_NAMES),
    default="dd",
    show_default=True,
    help="What decides.",
)
@click.option(
    "--leads",
    type=click.IntRange(0),
    help="Deals that a blind leader imagines; 0 for no blind leads.  [default: 20 if needed]",
)
@click.option("--stop", is_flag=True, help="Stop once one side is better.")
@click.option(
    "--level",
    type=click.FloatRange(0.5, 1, True, True),
    default=0.95,
    show_default=True,
    help="How sure the stop is.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    help="Stop as well once they are this close.",
)
@click.option("--no-disclosure", is_flag=True, help="Do not tell the sides each other's system.")
@click.option("--system-a", help="What side A plays, where its agent does not say.")
@click.option("--system-b", help="What side B plays, where its agent does not say.")
@click.option("--timeout", type=float, help="Seconds to wait for an engine.")
@click.option(
    "--known", type=_PATH, help="A file that keeps double-dummy results for other matches."
)
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--batch", default=8, type=click.IntRange(1), help="Boards bid at the same time.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def match(
    a: str,
    b: str,
    boards: int,
    out: Path | None,
    pbn: Path | None,
    jobs: int,
    batch: int,
    as_json: bool,
    quiet: bool,
    **settings: Any,  # noqa: ANN401 - options of the plan
) -> None:
    """Play a duplicate match between two sides.

    A side is an agent (rules:sayc, engine:COMMAND, random, pass) or two joined by " + ".
    The match file of a match that was cut short is gone on with.

    Example: bidwright match rules:sayc rules:mine.bid --boards 1000 --seed 7 --out match.jsonl
    """
    from bidwright.match.agents.agent import AgentError
    from bidwright.match.duplicate import play_match, showing_standing
    from bidwright.runtime.progress import counting

    if pbn is not None and out is None:
        raise click.UsageError("expected --out FILE as well, since --pbn is made from that file")
    if pbn is not None and pbn.exists() and out is not None and pbn.samefile(out):
        raise click.UsageError("expected different files for --out and --pbn")
    if pbn is not None and not pbn.parent.is_dir():
        raise click.UsageError(f"expected a file in a folder that is there for --pbn, got {pbn}")
    plan = _plan(a, b, settings)
    try:
        with counting(boards, "bidding", "boards", quiet=quiet) as progress:
            standing = play_match(plan, boards, out, jobs, batch, showing_standing(progress))
    except (KeyboardInterrupt, AgentError):
        if out is not None:
            click.echo(
                f"what was played is in {out}; the same command goes on from there", err=True
            )
        raise
    click.echo(json.dumps(standing.as_json()) if as_json else _summary(standing))
    if pbn is not None and out is not None:
        _write_pbn(out, pbn)


def _plan(a: str, b: str, settings: dict[str, Any]) -> Any:  # noqa: ANN401 - imported late
    from bidwright.match.estimate import StoppingRule
    from bidwright.match.plan import Plan

    margin, level = settings["margin"], settings["level"]
    stops = settings["stop"] or margin is not None
    leads = settings["leads"]
    if leads is None:
        leads = 20 if settings["scorer"].startswith("blind") else 0
    return Plan(
        a,
        b,
        settings["seed"],
        None if settings["deals"] is None else str(settings["deals"]),
        not settings["no_disclosure"],
        leads,
        settings["scorer"],
        StoppingRule(level, margin) if stops else None,
        settings["system_a"],
        settings["system_b"],
        settings["timeout"],
        settings["known"],
    )


def _write_pbn(out: Path, pbn: Path) -> None:
    from bidwright.bridge.errors import InvalidError
    from bidwright.bridge.pbn import write_pbn
    from bidwright.match.matchfile import read_match
    from bidwright.match.reports.rooms_pbn import match_boards

    try:
        pbn.write_text(write_pbn(match_boards(read_match(out))), encoding="utf-8")
    except OSError as error:
        raise InvalidError(f"cannot write {pbn}: {error.strerror}") from None


def _summary(standing: Standing) -> str:
    """Return the result of a match as a few lines."""
    from bidwright.match.scorers import SCORERS

    plan = standing.plan
    lines = [
        f"{plan.a}  against  {plan.b}",
        f"{standing.boards:,} boards, {standing.different:,} bid differently, "
        f"{standing.swings:,} with a swing",
    ]
    for scorer, name in SCORERS.items():
        tally = standing.tallies.get(scorer)
        if tally is None or tally.count < 2:
            continue
        found = standing.interval(scorer)
        lines.append(
            f"{tally.mean:+.3f} IMPs/board (s.e. {tally.error:.3f}; "
            f"{_level(standing)} {found.low:+.3f} to {found.high:+.3f})  {name}"
        )
    if standing.verdict is not None and plan.stop is not None:
        words = {
            "ahead": "side A is better",
            "behind": "side B is better",
            "level": f"neither is better by {plan.stop.margin} IMPs/board",
        }
        lines.append(f"stopped after {standing.boards:,} boards: {words[standing.verdict]}")
    return "\n".join(lines)


def _level(standing: Standing) -> str:
    level = standing.plan.stop.level if standing.plan.stop else 0.95
    return f"{level:.0%} interval" + (", at any time," if standing.plan.stop else "")


@click.command()
@click.argument("file", type=_PATH)
@click.option("--boards", help="Which boards, such as 1-20,37.")
@click.option("--agent-a", metavar="SPEC", help="Who bids for side A again.")
@click.option("--agent-b", metavar="SPEC", help="Who bids for side B again.")
@click.option("--theirs-a", metavar="SYSTEM", help="What side A's seats had as --theirs.")
@click.option("--theirs-b", metavar="SYSTEM", help="What side B's seats had as --theirs.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def verify(
    context: click.Context,
    /,
    file: Path,
    boards: str | None,
    jobs: int,
    as_json: bool,
    quiet: bool,
    **guesses: str | None,
) -> None:
    """Bid a match again: every call must come out as it did.

    No file starts a program or opens a socket. So all is checked but the calls of programs that
    the file names (engine:COMMAND, tm:HOST:PORT) or that sat at a table; say with --agent-a or
    --agent-b who made them, to bid them again. Exit code 1 says that something did not come out.

    Example: bidwright verify match.jsonl --jobs 2
    """
    from bidwright.match.matchfile import read_match
    from bidwright.match.protocol.record import is_session
    from bidwright.match.verify import verify as run
    from bidwright.runtime.progress import counting

    numbers = None if boards is None else parse_numbers(boards)
    match = read_match(file)
    session = is_session(match.header)
    if not session and (guesses["theirs_a"] or guesses["theirs_b"]):
        raise click.UsageError(f"expected no --theirs: {file} says what the sides knew")
    count = len(match.boards) if numbers is None else len(numbers)
    with counting(count, "verifying", "boards", quiet=quiet) as progress:

        def shown(number: int) -> None:
            progress.advance()

        if session:
            found = _verify_session(match, numbers, guesses, shown)
        else:
            given = {side: guesses[f"agent_{side}"] for side in ("a", "b")}
            agents = {side: spec for side, spec in given.items() if spec is not None}
            found = run(file, numbers, jobs, on_board=shown, agents=agents)
    if as_json:
        content = {
            "boards": found.boards,
            "calls": found.calls,
            "mismatches": [{"board": each.board, "what": each.what} for each in found.mismatches],
            "notes": list(found.notes),
            "checked": list(found.done),
            "not checked": list(found.left),
        }
        click.echo(json.dumps(content))
    else:
        _show_verification(found)
    context.exit(1 if found.mismatches else 0)


def _verify_session(
    match: Match,
    numbers: list[int] | None,
    guesses: dict[str, str | None],
    shown: Callable[[int], None],
) -> Verification:
    from bidwright.match.protocol.session_check import Guess, verify_session

    sides = {
        side: Guess(guesses[f"agent_{side}"], guesses[f"theirs_{side}"]) for side in ("a", "b")
    }
    return verify_session(match, numbers, sides, shown)


def _show_verification(found: Verification) -> None:
    for note in found.notes:
        click.echo(f"since the match, {note}", err=True)
    for mismatch in found.mismatches:
        click.echo(mismatch)
    wrong = len({mismatch.board for mismatch in found.mismatches})
    result = f"{wrong:,} came out otherwise" if wrong else "all as on file"
    if not found.done:
        click.echo(f"{found.boards:,} boards, {found.calls:,} calls bid again: {result}")
        return
    click.echo("checked:")
    for sentence in found.done:
        click.echo(f"  {sentence}")
    click.echo("not checked:")
    for sentence in found.left:
        click.echo(f"  {sentence}")
    click.echo(f"{found.boards:,} boards: {result}")


def parse_numbers(text: str) -> list[int]:
    """Return the numbers written as `1-20,37`, sorted, each once.

    Raises:
        InvalidError: The text is not that.

    Example:
        >>> parse_numbers("5,1-3")
        [1, 2, 3, 5]
    """
    from bidwright.bridge.errors import InvalidError

    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        last = last if dash else first
        if not (first.isdecimal() and last.isdecimal()) or int(first) > int(last):
            raise InvalidError(f"expected numbers of boards such as 1-20,37, got {text!r}")
        found.update(range(int(first), int(last) + 1))
    return sorted(found)


@click.command()
@click.argument("file", type=_PATH)
@click.option("--out", type=_PATH, help="The HTML file.  [default: FILE with .html]")
@click.option(
    "--worst", default=20, show_default=True, type=click.IntRange(0), help="Boards shown."
)
@click.option("--against", help="The system to judge openings of a side by that declares none.")
def report(file: Path, out: Path | None, worst: int, against: str | None) -> None:
    """Write a match file's report: one HTML page with its plots.

    Example: bidwright report match.jsonl --out match.html
    """
    from bidwright.match.reports.report import write_report

    target = out or file.with_suffix(".html")
    if target.exists() and file.exists() and target.samefile(file):
        raise click.UsageError(f"expected another file than the match file for --out, got {target}")
    write_report(file, target, worst=worst, against=against)
    click.echo(f"wrote {target}")
