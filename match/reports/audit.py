"""How often practice departs from agreement: an agent's calls, judged by the file it discloses.

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

_BOARDS_AT_A_TIME = 32

Show = Callable[[int], None]
"""Called with how many boards are done."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A call that does not conform.

    Attributes:
        board: the board's number.
        before: the auction before it.
        hand: the hand that made it.
        call: the call.
        denied: whether some rule for it fits the hand, so that only another rule forbids it.
        due: the call by the rules.
        rule: the id of the rule for that; `None` where none fits.
        place: where that rule stands.
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
    """Where the agent called.

    Attributes:
        before: the auction before its call.
        hand: the hand.
    """

    before: Auction
    hand: Hand


@dataclass
class Practice(Openings):
    """How often a call was made in one kind of position, how often it conformed, and examples.

    Attributes:
        possible: how often it conformed with latitude and judgement.
        mass: what an agent with a policy gave to all calls that conform, summed up.
        weighed: how many of its decisions that was asked of.
        departures: the calls that did not conform.
    """

    possible: int = 0
    mass: float = 0.0
    weighed: int = 0
    departures: list[Departure] = field(default_factory=list)

    def add(self, other: Practice) -> None:
        """Count another practice as well."""
        self.made += other.made
        self.conforming += other.conforming
        self.possible += other.possible
        self.mass += other.mass
        self.weighed += other.weighed
        self.departures += other.departures

    @property
    def departing(self) -> int:
        """How often it did not conform."""
        return self.made - self.conforming

    @property
    def denied(self) -> int:
        """How often a rule for it fitted the hand although it did not conform."""
        return sum(each.denied for each in self.departures)


@dataclass
class Audit:
    """The practice of an agent.

    Attributes:
        agent: its specification.
        system: the system it is judged by.
        seed: of the boards.
        fingerprint: of the rules it is judged by.
        made_for: what the agent's weights were made for, if it has any.
        boards: how many were played.
        practice: by kind of position and call.
        decisions: where it called, conforming or not.
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
        for (where, what), each in self.practice.items():
            if kind in (None, where) and call in (None, what):
                total.add(each)
        return total

    def openings(self) -> dict[Call, Practice]:
        """Return the practice of each opening bid that was made, from the lowest."""
        kind = PHASES[0]
        return {call: self.practice[kind, call] for call in BIDS if (kind, call) in self.practice}

    def kinds(self) -> dict[str, Practice]:
        """Return the practice of each kind of position, in the order of an auction."""
        return {kind: found for kind in PHASES if (found := self.of(kind)).made}

    def worst(self) -> list[tuple[str, Call, Practice]]:
        """Return the calls with departures and their positions, those with most first."""
        found = [(kind, call, each) for (kind, call), each in self.practice.items()]
        found = [entry for entry in found if entry[2].departing]
        return sorted(found, key=lambda entry: (-entry[2].departing, entry[0], entry[1]))


def made_for_of(agent: Agent) -> MadeFor:
    """Return the system that an agent's weights were made for, as far as there are any."""
    return agent.made_for if isinstance(agent, PolicyAgent | SearchAgent) else MadeFor()


def run_audit(audit: Audit, agent: Agent, library: Library, boards: int, show: Show) -> None:
    """Let an agent play boards, and judge its calls; what was judged is in the audit at any time.

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
    given = agent.odds(asked) if isinstance(agent, PolicyAgent) else None
    for place, (request, meaning) in enumerate(zip(asked, reading.meanings, strict=True)):
        call = auction.calls[place]
        audit.decisions.append(Decision(request.auction, request.hand))
        entry = audit.practice.setdefault((phase(request.auction), call), Practice())
        row = np.array([features_of(request.hand)], dtype=np.int16)
        allowed = conforming_for(meaning.decision, row)[0]
        entry.made += 1
        if given is not None:
            entry.weighed += 1
            entry.mass += float(given[place][allowed].sum())
        if allowed[call]:
            entry.conforming += 1
            entry.possible += 1
            continue
        entry.possible += int(agreed_hands(meaning, row)[0])
        entry.departures.append(
            _departure(table.board.number, request.auction, request.hand, call, meaning.decision)
        )


def _departure(
    board: int, before: Auction, hand: Hand, call: Call, decision: DecisionList
) -> Departure:
    row = features_of(hand)
    chosen = decision.choose(row)
    own = [each for each in decision.instances if each.call == call]
    return Departure(
        board,
        before,
        hand,
        call,
        any(holds(each.formula, row) for each in own),
        chosen.call if chosen else Call.PASS,
        chosen.rule.id if chosen else None,
        str(chosen.rule.span) if chosen else None,
    )
