"""The verb `match`: plays a duplicate match between two sides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from bidwright.commands.common_options import FILE, crew_options, quiet_option
from bidwright.commands.numbers import SECONDS, SEED, Finite, Whole
from bidwright.commands.output import check_outputs

if TYPE_CHECKING:
    from bidwright.match.play.plan import Plan
    from bidwright.runtime.crew import Crew


class PlanOptions(TypedDict):
    """The options that `match_plan` takes as they are."""

    seed: int
    deals: Path | None
    scorer: str
    leads: int | None
    until_sure: bool
    level: float
    margin: float | None
    within: float | None
    system_a: str | None
    system_b: str | None
    timeout: float | None
    known: Path | None


SCORER_NAMES = ("dd", "dd+pd", "blind", "blind+pd")


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--boards", default=100, show_default=True, type=Whole(1), help="Number of boards.")
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the deals.")
@click.option("--deals", type=FILE, help="A PBN or LIN file with the boards.")
@click.option("--out", type=FILE, help="The match file to write or to resume.")
@click.option("--pbn", type=FILE, help="Write both rooms' auctions as PBN, or as LIN (.lin).")
@click.option(
    "--scorer",
    type=click.Choice(SCORER_NAMES),
    default="dd",
    show_default=True,
    help="The score that decides.",
)
@click.option(
    "--leads",
    type=Whole(0),
    help="Deals that a blind leader imagines; 0 for no blind leads.  [default: 20 if needed]",
)
@click.option("--until-sure", is_flag=True, help="Stop once it is sure which side is better.")
@click.option(
    "--level",
    type=Finite(0.5, 1, True, True),
    default=0.95,
    show_default=True,
    help="Confidence level of the stop.",
)
@click.option(
    "--margin",
    type=Finite(0, min_open=True),
    help="Stop as well once the sides are this close.",
)
@click.option(
    "--within",
    type=Finite(0, min_open=True),
    help="Stop once the difference is known to so many IMPs a board, whoever is better.",
)
@click.option("--no-disclosure", is_flag=True, help="Keep each side's system from the other.")
@click.option("--system-a", help="Side A's system, where its agent does not name one.")
@click.option("--system-b", help="Side B's system, where its agent does not name one.")
@click.option("--timeout", type=SECONDS, help="Seconds to wait for an engine.")
@click.option(
    "--known", type=FILE, help="A file that keeps double-dummy results for other matches."
)
@crew_options
@click.option("--batch", default=8, type=Whole(1), help="Boards bid at the same time.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@quiet_option
def match(
    a: str,
    b: str,
    boards: int,
    out: Path | None,
    pbn: Path | None,
    crew: Crew,
    batch: int,
    as_json: bool,
    quiet: bool,
    no_disclosure: bool,
    **settings: Unpack[PlanOptions],
) -> None:
    """Play a duplicate match between two sides.

    A side is an agent (rules:SYSTEM, policy:WEIGHTS, hybrid:WEIGHTS, bmcs:WEIGHTS,
    engine:COMMAND, tm:HOST:PORT, random, pass) or two joined by " + "; docs/matches.md describes
    them. IMPs are those of side A. The file of a match that was interrupted is continued.

    Example: bidwright match rules:sayc rules:mine.bid --boards 1000 --seed 7 --out match.jsonl
    """
    from bidwright.front.matches import MatchResult
    from bidwright.match.agents.agent import AgentError
    from bidwright.match.play.duplicate import play_match, showing_standing
    from bidwright.runtime.progress import counting

    if pbn is not None and out is None:
        raise click.UsageError("expected --out FILE as well, since --pbn is made from that file")
    check_outputs(out=out, pbn=pbn)
    plan = _plan(a, b, settings, disclosure=not no_disclosure)
    try:
        with counting(boards, "bidding", "boards", quiet=quiet) as progress:
            standing = play_match(plan, boards, out, crew, batch, showing_standing(progress))
    except (KeyboardInterrupt, AgentError):
        # The match file holds whole boards, so nothing of it is lost.
        if out is not None:
            click.echo(f"what was played is in {out}; the same command continues it", err=True)
        raise
    result = MatchResult(standing)
    click.echo(json.dumps(result.as_json()) if as_json else str(result))
    if pbn is not None and out is not None:
        _write_pbn(out, pbn)


def _plan(a: str, b: str, settings: PlanOptions, *, disclosure: bool) -> Plan:
    from bidwright.front.matches import match_plan

    # Two rules for stopping would each spoil the error rate of the other one.
    better = settings["until_sure"] or settings["margin"] is not None
    if better and settings["within"] is not None:
        raise click.UsageError(
            "expected --within alone, or --until-sure and --margin: --within does not stop "
            "because one side is better"
        )
    return match_plan(a, b, disclosure=disclosure, **settings)


def _write_pbn(out: Path, pbn: Path) -> None:
    from bidwright.bridge.recorded_boards import boards_as_text
    from bidwright.match.record.match_file import read_match
    from bidwright.match.reports.rooms_pbn import match_boards
    from bidwright.runtime.files import write_text

    write_text(pbn, boards_as_text(match_boards(read_match(out)), pbn))
