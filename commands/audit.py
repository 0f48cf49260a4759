"""The verb `audit`: deviations of an agent's calls from the system that it discloses."""

from __future__ import annotations

import json
from typing import TypedDict

import click

from bidwright.bridge.errors import InvalidError
from bidwright.commands.common_options import quiet_option
from bidwright.commands.numbers import SEED, Whole
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Agent
from bidwright.match.agents.explaining import aligned
from bidwright.match.reports.audit import Audit, Deviation, Practice, made_for_of, run_audit
from bidwright.neural.made_for import SystemEntries
from bidwright.runtime.sentences import count_of

_WORST = 12
"""Calls in the table of deviations."""


@click.command()
@click.argument("who", metavar="WEIGHTS|SPEC")
@click.option("--system", help="Judge by this system.  [default: the agent's own, or sayc]")
@click.option("--boards", default=500, show_default=True, type=Whole(1), help="Number of boards.")
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the boards.")
@click.option("--examples", default=2, show_default=True, type=Whole(0), help="Examples a call.")
@click.option(
    "--propose",
    is_flag=True,
    help="Print rules for deviations that are frequent and gain.",
)
@click.option(
    "--support",
    default=10,
    show_default=True,
    type=Whole(4),
    help="With --propose: the least number of deviations by a call.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@quiet_option
def audit(
    who: str,
    system: str | None,
    boards: int,
    seed: int,
    examples: int,
    propose: bool,
    support: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Measure deviations of practice from agreement, per call, with examples.

    An agent (hybrid:NAME, rules:sayc) or a file of weights plays all four seats; each call is held
    against the convention file.

    Example: bidwright audit runs/rl/policy.safetensors --boards 2000 --seed 1
    """
    if propose and as_json:
        raise InvalidError("expected --propose or --json, not both: rules are printed as a file")
    from bidwright.match.agents.specs import default_context, open_agent
    from bidwright.runtime.progress import counting

    spec = who if ":" in who else f"policy:{who}"
    context = default_context(system)
    agent = open_agent(spec, context)
    judged_by = system or agent.system or "sayc"
    rules = context.library.system(judged_by)
    result = Audit(agent.spec, judged_by, seed, rules.fingerprint, made_for_of(agent))
    try:
        with counting(boards, "auditing", "boards", quiet=quiet) as progress:
            run_audit(result, agent, context.library, boards, progress.show)
    except KeyboardInterrupt:
        click.echo("interrupted: this is the result so far", err=True)
        raise
    finally:
        # No board, no shares: an interruption before the first one prints nothing.
        if result.boards:
            if propose:
                click.echo(_proposed(result, agent, context.library, support), nl=False)
            else:
                click.echo(
                    json.dumps(audit_json(result, examples)) if as_json else _text(result, examples)
                )
        agent.close()


def _proposed(audit: Audit, agent: Agent, library: Library, support: int) -> str:
    """Return the convention file of the proposed rules."""
    from bidwright.match.double_dummy.dd_solver import DoubleDummy
    from bidwright.match.reports.proposed_file import proposed_file
    from bidwright.match.reports.proposed_rules import proposals

    with DoubleDummy() as solver:
        proposed = list(proposals(audit, agent, library, support, solver))
    remarks = [
        f"What {audit.agent} does beyond {audit.system}: {count_of(audit.boards, 'board')} of seed "
        f"{audit.seed}, calls that deviated {support} times or more.",
        "IMPs are double dummy, on boards that were not used for choosing; measure a rule that you "
        "keep on others.",
    ]
    result = proposed_file(audit.system, proposed, remarks)
    if result.refused:
        click.echo(f"left out: {result.refused} that the system would not bid as stated", err=True)
    if not result.accepted:
        click.echo("nothing is proposed: no deviation is frequent enough and gains", err=True)
        return ""
    return result.text


# ------------------------------------------------------------------- rendering


class PracticeValues(TypedDict):
    """The calls of a kind: how many, and which part is as the system says."""

    made: int
    conforming: int
    share: float
    possible: int
    mass: float | None
    denied: int
    no_rule_fits: int


class OpeningValues(PracticeValues):
    """The practice of an opening."""

    call: str


class PositionValues(PracticeValues):
    """The practice at a kind of position."""

    position: str


class DeviationValues(TypedDict):
    """A call that deviates, with the call of the system and its rule."""

    board: int
    dealer: str
    vul: str
    auction: list[str]
    seat: str
    hand: str
    call: str
    denied: bool
    due: str
    rule: str | None
    at: str | None


class DeviatingValues(PositionValues):
    """The practice of a call that deviates at a kind of position."""

    call: str
    examples: list[DeviationValues]


class AuditValues(TypedDict):
    """An audit, as `bidwright audit --json` prints it."""

    agent: str
    system: str
    system_fingerprint: str
    made_for: SystemEntries | None
    seed: int
    boards: int
    all: PracticeValues
    openings: list[OpeningValues]
    positions: list[PositionValues]
    departures: list[DeviatingValues]


def _practice_json(practice: Practice) -> PracticeValues:
    return {
        "made": practice.made,
        "conforming": practice.conforming,
        "share": practice.share,
        "possible": practice.possible,
        "mass": practice.mass / practice.weighed if practice.weighed else None,
        "denied": practice.denied,
        "no_rule_fits": practice.deviating - practice.denied,
    }


def audit_json(audit: Audit, examples: int) -> AuditValues:
    """Return an audit as plain values."""
    return {
        "agent": audit.agent,
        "system": audit.system,
        "system_fingerprint": audit.fingerprint,
        "made_for": audit.made_for.entries() or None,
        "seed": audit.seed,
        "boards": audit.boards,
        "all": _practice_json(audit.of()),
        "openings": [
            {"call": str(call), **_practice_json(each)} for call, each in audit.openings().items()
        ],
        "positions": [
            {"position": kind, **_practice_json(each)} for kind, each in audit.kinds().items()
        ],
        "departures": [
            {
                "position": kind,
                "call": str(call),
                **_practice_json(each),
                "examples": [_deviation_json(one) for one in each.deviations[:examples]],
            }
            for kind, call, each in audit.worst()
        ],
    }


def _deviation_json(deviation: Deviation) -> DeviationValues:
    before = deviation.before
    return {
        "board": deviation.board,
        "dealer": str(before.dealer),
        "vul": before.vulnerability.word,
        "auction": [str(call) for call in before.calls],
        "seat": str(before.turn),
        "hand": str(deviation.hand),
        "call": str(deviation.call),
        "denied": deviation.denied,
        "due": str(deviation.due),
        "rule": deviation.rule,
        "at": deviation.place,
    }


def _row(name: str, practice: Practice) -> tuple[str, ...]:
    counts = (practice.denied, practice.deviating - practice.denied)
    possible = f"{practice.possible / max(1, practice.made):.1%}"
    mass = f"{practice.mass / practice.weighed:.1%}" if practice.weighed else "-"
    shares = (f"{practice.share:.1%}", possible, mass)
    return (name, str(practice.made), *shares, *map(str, counts))


def _text(audit: Audit, examples: int) -> str:
    heads = ("made", "conform", "possible", "mass", "denied", "no rule fits")
    total = audit.of()
    openings = [_row(str(call), each) for call, each in audit.openings().items()]
    kinds = [_row(kind, each) for kind, each in audit.kinds().items()]
    worst = audit.worst()
    lines = [
        f"{audit.agent} against {audit.system}: {count_of(audit.boards, 'board')}, "
        f"{count_of(total.made, 'call')}, "
        f"{total.share:.1%} conform, {total.possible / max(1, total.made):.1%} with latitude",
        _states(audit),
        "",
        *aligned([("opening", *heads), *openings]),
        "",
        *aligned([("position", *heads), *kinds]),
    ]
    if not worst:
        return "\n".join([*lines, "", "No call deviates from the file."])
    rows = [_row(f"{call} as {kind}", each) for kind, call, each in worst[:_WORST]]
    lines += ["", *aligned([("most deviations", *heads), *rows])]
    for _, _, practice in worst[:_WORST]:
        lines += [_example(one) for one in practice.deviations[:examples]]
    if len(worst) > _WORST:
        lines.append(f"{len(worst) - _WORST} more calls deviate now and then; --json has them all.")
    return "\n".join(lines)


def _states(audit: Audit) -> str:
    """Return the state of the rules, and the one that the weights were made for, in words."""
    rules = f"rules of {audit.system}: {audit.fingerprint}"
    if audit.made_for.system is None:
        return rules
    same = audit.made_for.fingerprint == audit.fingerprint
    return f"{rules}; weights made for {audit.made_for}{', the same' if same else ''}"


def _example(deviation: Deviation) -> str:
    before = str(deviation.before) or "no call"
    due = f"{deviation.due} by {deviation.place}" if deviation.rule else "no rule: pass"
    why = "denied" if deviation.denied else "no rule fits"
    return (
        f"  board {deviation.board}: {deviation.hand} after {before}: {deviation.call} "
        f"({why}; {due})"
    )
