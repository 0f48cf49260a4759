"""Deviations that pay, proposed as rules: text that the author of a convention file may accept.

An audit finds deviations of an agent from the file that it discloses. Where the same call is made
after the same calls again and again, and gains, the system may as well say so: then it is
disclosed. For such a call a decision tree over named facts separates the hands that deviate by it
from the others there (`match.reports.hand_tree`), and each leaf of mostly such hands becomes a
rule.

The gain of a deviation is measured by playing on from it twice, once with the call made and once
with the call by the rules; the agent makes all calls after it, and play is double dummy. Boards
with odd numbers choose which calls are proposed; the figures printed are those of the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, bid, parse_call
from bidwright.bridge.cards import Denomination, Seat, Side
from bidwright.bridge.scoring import imps
from bidwright.inference.explanation.service import Library
from bidwright.kb.language import ast
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.language.vocabulary import SUIT_NAMES
from bidwright.kb.logic.features import features_of
from bidwright.match.agents.agent import Agent, Answer
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.double_dummy.dd_solver import DoubleDummy, owners_of
from bidwright.match.play.deals import seeded_board
from bidwright.match.play.playroom import BiddingTable, bid_out
from bidwright.match.record.match_lines import CLOSED, OPEN
from bidwright.match.record.scorers import score_ns
from bidwright.match.reports.audit import Audit, Decision, Deviation
from bidwright.match.reports.hand_tree import Leaf, facts_of_hand, leaves
from bidwright.match.reports.lettered import lettered

_MOST_MEASURED = 40
"""Departures of one kind that are played on."""
_EXAMPLES = 2
"""Hands that are written below a rule."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule that would describe an agent's deviations.

    Attributes:
        heading: the line above it: `opening`, or `after 1X (1Y)`.
        call: the call, with a letter for its suit.
        due: the calls of those hands by the file, the commonest first.
        leaf: the hands that make it.
        gains: IMPs gained by each deviation that was played on and had no part in the choice.
        examples: deviations that are written below the rule.
    """

    heading: str
    call: str
    due: tuple[Call, ...]
    leaf: Leaf
    gains: tuple[int, ...]
    examples: tuple[Deviation, ...]


def _mean_and_error(gained: Sequence[int]) -> tuple[float, float]:
    """Return the mean of at least two numbers, and its standard error."""
    return float(np.mean(gained)), float(np.std(gained, ddof=1)) / sqrt(len(gained))


def _is_gain(gained: Sequence[int]) -> bool:
    """Return True if several deviations gain by more than the error of their mean."""
    # A single gain has no error to be larger than.
    if len(gained) < 2:
        return False
    mean, error = _mean_and_error(gained)
    return mean > error


@dataclass
class _Place:
    """The decisions of an agent after auctions that are alike.

    Attributes:
        decisions: all decisions.
        deviations: the calls that deviate from the file, by their call with letters.
    """

    decisions: list[Decision] = field(default_factory=list)
    deviations: dict[str, list[Deviation]] = field(default_factory=lambda: defaultdict(list))


def _places(audit: Audit) -> dict[tuple[str, ...], _Place]:
    """Return decisions and deviations by the calls with letters from the first bid on."""
    by_calls: dict[tuple[str, ...], _Place] = defaultdict(_Place)
    for decision in audit.decisions:
        by_calls[lettered(decision.before).calls].decisions.append(decision)
    for practice in audit.practice.values():
        for deviation in practice.deviations:
            auction = lettered(deviation.before)
            by_calls[auction.calls].deviations[auction.text(deviation.call)[0]].append(deviation)
    return dict(by_calls)


def proposals(
    audit: Audit, agent: Agent, library: Library, support: int, solver: DoubleDummy
) -> Iterator[Proposal]:
    """Yield rules for the calls that deviate at least some number of times, and gain.

    Args:
        audit: the audit of the agent.
        agent: the audited agent.
        library: opens its system.
        support: the least number of deviations.
        solver: solves the contracts.

    Raises:
        AgentError: The agent failed, or made an illegal call.
    """
    # In order: the proposals of an audit are the same text each time.
    for _, place in sorted(_places(audit).items()):
        for call, deviations in sorted(place.deviations.items()):
            if len(deviations) < support:
                continue
            for leaf, inside in _leaves(place.decisions, deviations):
                gained = gains(audit, agent, library, inside[:_MOST_MEASURED], solver)
                # What chose a rule flatters it: the other half of the boards gives the printed
                # figure.
                choosing = [each for board, each in gained if board % 2]
                others = tuple(each for board, each in gained if not board % 2)
                if others and _is_gain(choosing):
                    due = Counter(each.due for each in inside).most_common()
                    yield Proposal(
                        lettered(deviations[0].before).heading,
                        call,
                        tuple(one for one, _ in due),
                        leaf,
                        others,
                        tuple(inside[:_EXAMPLES]),
                    )


def _leaves(
    decisions: Sequence[Decision], of_call: Sequence[Deviation]
) -> Iterator[tuple[Leaf, list[Deviation]]]:
    """Yield the leaves of the tree for a call, and the deviations in each.

    Where the call is in an unbid suit, a hand counts once for each suit that it may be: it makes
    the call in one of them, or in none.
    """
    text, name = lettered(of_call[0].before).text(of_call[0].call)
    deviations = {(each.before, each.hand): each for each in of_call}
    facts: list[dict[str, int]] = []
    owners: list[Deviation | None] = []
    for decision in decisions:
        deviation = deviations.get((decision.before, decision.hand))
        row = features_of(decision.hand)
        for call, suits in _ways(decision.before, text, name):
            facts.append(facts_of_hand(row, suits))
            # The hand of a deviation counts as making its call in the suit that it was, and not in
            # the others.
            owners.append(deviation if deviation and deviation.call == call else None)
    values = {name: np.array([each[name] for each in facts]) for name in facts[0]}
    makes = np.array([owner is not None for owner in owners])
    for leaf in leaves(values, makes, name):
        fits = leaf.fitting(values)
        yield leaf, [owner for owner, fit in zip(owners, fits, strict=True) if fit and owner]


def _ways(before: Auction, text: str, name: str | None) -> Iterator[tuple[Call, dict[str, int]]]:
    """Yield the legal calls that a call with letters may be after an auction, with the suits."""
    auction = lettered(before)
    if name is None or not auction.calls:
        ways = [(parse_call(text), dict(auction.suits))]
    else:
        suit_of_letter = auction.suits.get(name)
        unbid = (suit for suit in range(len(SUIT_NAMES)) if suit not in auction.suits.values())
        ways = [
            (bid(int(text[0]), Denomination(suit)), {**auction.suits, name: suit})
            for suit in ([suit_of_letter] if suit_of_letter is not None else unbid)
        ]
    yield from (way for way in ways if before.is_legal(way[0]))


def gains(
    audit: Audit,
    agent: Agent,
    library: Library,
    deviations: Sequence[Deviation],
    solver: DoubleDummy,
) -> list[tuple[int, int]]:
    """Return the board of each deviation, and the IMPs that it gains for the side that deviates."""
    view = Disclosure(library, audit.system, audit.system)
    tables: list[BiddingTable] = []
    for deviation in deviations:
        # Both calls are played on by the same agent: the difference is that of the call alone.
        for room, call in ((OPEN, deviation.call), (CLOSED, deviation.due)):
            table = BiddingTable(
                seeded_board(audit.seed, deviation.board),
                room,
                dict.fromkeys(Seat, agent),
                dict.fromkeys(Side, view),
                audit.seed,
            )
            for later in (*deviation.before.calls, call):
                table.take(Answer(later))
            tables.append(table)
    bid_out(tables)
    points = _points(tables, solver)
    measured = []
    for deviation, ours, theirs in zip(deviations, points[::2], points[1::2], strict=True):
        # Points are North-South's.
        sign = 1 if deviation.before.turn.side is Side.NS else -1
        measured.append((deviation.board, imps(sign * (ours - theirs))))
    return measured


def _points(tables: Sequence[BiddingTable], solver: DoubleDummy) -> list[int]:
    """Return North-South's points at each table, double dummy."""
    contracts = [table.auction.contract() for table in tables]
    played = [
        (table, contract)
        for table, contract in zip(tables, contracts, strict=True)
        if contract is not None
    ]
    tricks = solver.tricks(
        owners_of([table.board.deal for table, _ in played]),
        [contract.denomination for _, contract in played],
        [contract.declarer for _, contract in played],
    )
    taken = iter(tricks.tolist())
    return [
        score_ns(contract, table.board.vulnerability, next(taken) if contract is not None else 0)
        for table, contract in zip(tables, contracts, strict=True)
    ]


# ------------------------------------------------------------------- text


def rule_lines(proposal: Proposal) -> list[str]:
    """Return a proposal as lines of a convention file, its figures as a comment."""
    leaf = proposal.leaf
    due = " or ".join(map(str, proposal.due))
    gained = f"{proposal.gains[0]:+} IMPs once"
    if len(proposal.gains) > 1:
        mean, error = _mean_and_error(proposal.gains)
        gained = f"{mean:+.1f} +- {error:.1f} IMPs a deviation (n = {len(proposal.gains)})"
    call = "pass" if proposal.call == "P" else proposal.call
    lines = [
        f"# {leaf.inside} of {leaf.hands} hands seen that fit; {due} by the file; {gained}",
        proposal.heading,
        f'  {call} "as practised" {leaf.text}',
    ]
    for deviation in proposal.examples:
        lines += statement_lines(_example(deviation))
    return lines


def _example(deviation: Deviation) -> ast.Example:
    before = deviation.before
    vulnerability = before.vulnerability.word
    return ast.Example(
        str(deviation.hand),
        tuple(map(str, before.calls)),
        str(deviation.call),
        None if vulnerability == "none" else vulnerability,
        None if before.dealer is Seat.NORTH else str(before.dealer),
    )
