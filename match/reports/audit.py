"""Deviations of practice from agreement: an agent's calls, judged by the file it discloses.

The agent plays all four seats of seeded boards. A call conforms if its meaning includes the hand
that made it (`inference.reading.conformity`); it is possible if that holds with latitude and
judgement. One that does not conform is denied, if some rule for it fits the hand but another one
comes first; else no rule for it fits. Openings are those of Table V of Qiu et al., "Bridge bidding
via deep reinforcement learning and belief Monte Carlo search", 2024.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import BIDS, Call
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.service import Library
from bidwright.inference.reading.conformity import Openings, agreed_hands, conforming_for
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.policy_agents import PolicyAgent
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.play.deals import seeded_board
from bidwright.match.play.playroom import BiddingTable, bid_out
from bidwright.match.record.match_lines import OPEN
from bidwright.match.reports.attribution import PHASES, phase
from bidwright.neural.made_for import MadeFor

# So many tables at once fill a batch of the network without much memory.
_BOARDS_AT_A_TIME = 32

Show = Callable[[int], None]
"""Called with the number of boards done."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A call that does not conform.

    Attributes:
        board: the board's number.
        before: the auction before it.
        hand: the hand that made it.
        call: the call.
        denied: True if some rule for it fits the hand, so that only another rule forbids it.
        due: the call by the rules.
        rule: the id of the rule for that; `None` where none fits.
        place: the place of that rule in its file.
    """

    board: int
    before: Auction
    hand: Hand
    call: Call
    denied: bool
    due: Call
    rule: str | None
    place: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of the agent.

    Attributes:
        before: the auction before its call.
        hand: the hand.
    """

    before: Auction
    hand: Hand


@dataclass
class Practice(Openings):
    """Counts of a call in one kind of position, with the examples that did not conform.

    Attributes:
        possible: the number of times it conformed with latitude and judgement.
        mass: the sum of a policy's probability of all calls that conform.
        weighed: the number of decisions in that sum.
        deviations: the calls that did not conform.
    """

    possible: int = 0
    mass: float = 0.0
    weighed: int = 0
    deviations: list[Deviation] = field(default_factory=list)

    def add(self, other: Practice) -> None:
        """Count another practice as well."""
        self.made += other.made
        self.conforming += other.conforming
        self.possible += other.possible
        self.mass += other.mass
        self.weighed += other.weighed
        self.deviations += other.deviations

    @property
    def deviating(self) -> int:
        """The number of times it did not conform."""
        return self.made - self.conforming

    @property
    def denied(self) -> int:
        """The number of times a rule for it fitted the hand although it did not conform."""
        return sum(each.denied for each in self.deviations)


@dataclass
class Audit:
    """The practice of an agent.

    Attributes:
        agent: its specification.
        system: the system it is judged by.
        seed: the random seed of the boards.
        fingerprint: the fingerprint of the rules it is judged by.
        made_for: the system that the agent's weights were made for, if it has any.
        boards: the number of boards played.
        practice: the practice by kind of position and call.
        decisions: all its decisions, conforming or not.
    """

    agent: str
    system: str
    seed: int
    fingerprint: str
    made_for: MadeFor
    boards: int = 0
    practice: dict[tuple[str, Call], Practice] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)

    def of(self, kind: str | None = None, call: Call | None = None) -> Practice:
        """Return the practice of some kind of position, of a call, or of all together."""
        total = Practice()
        for (where, what), practice in self.practice.items():
            if kind in (None, where) and call in (None, what):
                total.add(practice)
        return total

    def openings(self) -> dict[Call, Practice]:
        """Return the practice of each opening bid that was made, from the lowest."""
        kind = PHASES[0]
        return {call: self.practice[kind, call] for call in BIDS if (kind, call) in self.practice}

    def kinds(self) -> dict[str, Practice]:
        """Return the practice of each kind of position, in the order of an auction."""
        return {kind: practice for kind in PHASES if (practice := self.of(kind)).made}

    def worst(self) -> list[tuple[str, Call, Practice]]:
        """Return the calls with deviations and their positions, those with most first."""
        entries = [(kind, call, each) for (kind, call), each in self.practice.items()]
        entries = [entry for entry in entries if entry[2].deviating]
        return sorted(entries, key=lambda entry: (-entry[2].deviating, entry[0], entry[1]))


def made_for_of(agent: Agent) -> MadeFor:
    """Return the system that an agent's weights were made for, as far as there are any."""
    return agent.made_for if isinstance(agent, PolicyAgent | SearchAgent) else MadeFor()


def run_audit(audit: Audit, agent: Agent, library: Library, boards: int, show: Show) -> None:
    """Let an agent play boards, and judge its calls; the audit holds all results at any time.

    Raises:
        AgentError: The agent failed, or made an illegal call.
    """
    view = Disclosure(library, audit.system, audit.system)
    for first in range(1, boards + 1, _BOARDS_AT_A_TIME):
        numbers = range(first, min(first + _BOARDS_AT_A_TIME, boards + 1))
        tables = [
            BiddingTable(
                seeded_board(audit.seed, number),
                OPEN,
                dict.fromkeys(Seat, agent),
                dict.fromkeys(Side, view),
                audit.seed,
            )
            for number in numbers
        ]
        bid_out(tables)
        for table in tables:
            _judge(audit, table, view, agent)
            audit.boards += 1
        show(audit.boards)


def _judge(audit: Audit, table: BiddingTable, view: Disclosure, agent: Agent) -> None:
    auction = table.auction
    reading = view.reading(auction)
    assert reading is not None, "the system is known"
    asked = []
    for place in range(len(auction.calls)):
        before = Auction(auction.dealer, auction.calls[:place], auction.vulnerability)
        hand = table.board.deal[before.turn]
        assert hand is not None, "boards have four hands"
        asked.append(Request(before, hand, view, board=table.board.number))
    # Only a policy has probabilities of all calls; a search or rules give one call.
    given = agent.odds(asked) if isinstance(agent, PolicyAgent) else None
    for place, (request, meaning) in enumerate(zip(asked, reading.meanings, strict=True)):
        call = auction.calls[place]
        audit.decisions.append(Decision(request.auction, request.hand))
        entry = audit.practice.setdefault((phase(request.auction), call), Practice())
        # int16, as features are everywhere; conformity is worked out for tables of hands.
        row = np.array([features_of(request.hand)], dtype=np.int16)
        allowed = conforming_for(meaning.decision, row)[0]
        entry.made += 1
        if given is not None:
            entry.weighed += 1
            entry.mass += float(given[place][allowed].sum())
        if allowed[call]:
            entry.conforming += 1
            # What conforms is possible as well, so the second test is saved.
            entry.possible += 1
            continue
        entry.possible += int(agreed_hands(meaning, row)[0])
        entry.deviations.append(
            _deviation(table.board.number, request.auction, request.hand, call, meaning.decision)
        )


def _deviation(
    board: int, before: Auction, hand: Hand, call: Call, decision: DecisionList
) -> Deviation:
    row = features_of(hand)
    chosen = decision.choose(row)
    of_call = [each for each in decision.instances if each.call == call]
    return Deviation(
        board,
        before,
        hand,
        call,
        any(holds(each.formula, row) for each in of_call),
        # Without a rule the system passes.
        chosen.call if chosen else Call.PASS,
        chosen.rule.id if chosen else None,
        str(chosen.rule.span) if chosen else None,
    )
