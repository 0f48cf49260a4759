"""Reading an auction: what each call shows by the agreements of the side that made it.

A `Reading` is an immutable node: the auction so far as everybody understands it. `with_call`
asks the rule base of the caller's side for the decision at that point, turns the call into a
`Turn`, and lets the engine bound the hand by all the turns of that seat. A call that contradicts
the earlier ones of the same seat is read as far as it can be: with all the latitude that `may`
rules give, then without its denials, then without what it promises; it is marked relaxed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.meaning import (
    MOST_BITS,
    Meaning,
    effects,
    instances_of,
    is_overstated,
    record_of,
    turn_of,
)
from bidwright.inference.reading.kinds import shown_kinds
from bidwright.kb.logic.formula import Formula
from bidwright.kb.logic.public_state import CallRecord, Kinds, PublicState
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime import time_limits


@dataclass(frozen=True, slots=True)
class _Shown:
    """The hands that a player has shown, as a rule base asks about them."""

    engine: HandEngine
    turns: tuple[Turn, ...]

    def exist(self, formula: Formula) -> bool:
        """Return True if some hand of 13 cards satisfies a formula."""
        return self.engine.possible((), formula)

    def can_be_held(self, formula: Formula) -> bool:
        """Return True if some hand that the player has shown satisfies a formula."""
        return self.engine.possible(self.turns, formula)


@dataclass(frozen=True)
class Reading:
    """An auction with the meaning of every call.

    Attributes:
        reader: the reader of it.
        state: the public state before the next call.
        meanings: one per call.
        like: a number that readings share if every call shows and does the same in them, with any
            dealer and vulnerability; None for a reading that the reader did not make.

    Example:
        >>> import bidwright
        >>> reading = bidwright.read("1NT (P)", system="sayc")
        >>> after = reading.with_call(bidwright.parse_call("2C"))
        >>> str(after.auction), len(after.meanings)
        ('1NT (P) 2C', 3)
    """

    reader: Reader
    state: PublicState
    meanings: tuple[Meaning, ...] = ()
    like: int | None = field(default=None, compare=False, repr=False)

    @property
    def auction(self) -> Auction:
        """The calls so far."""
        return self.state.auction

    @cached_property
    def decision(self) -> DecisionList:
        """The rules that apply to the player to call, in the order of choice."""
        return self.reader.decision_of(self)

    def decision_by(self, rules: RuleBase) -> DecisionList:
        """Return the rules of a system that apply to the player to call."""
        return rules.decide(self.state, _Shown(self.reader.engine, self.turns(self.state.me)))

    def turns(self, seat: Seat) -> tuple[Turn, ...]:
        """Return the evidence of a seat's calls."""
        return tuple(m.turn for m in self.meanings if m.turn is not None and m.record.seat == seat)

    def possible_turns(self, seat: Seat) -> tuple[Turn, ...]:
        """Return the evidence of a seat's calls, read with latitude."""
        last = self.last_of(seat)
        return () if last is None else last.possible_turns

    def last_of(self, seat: Seat) -> Meaning | None:
        """Return the meaning of a seat's last call; None if it has made none."""
        return next((m for m in reversed(self.meanings) if m.record.seat == seat), None)

    def with_call(self, call: Call) -> Reading:
        """Return the reading once the player to call has made a call.

        Raises:
            IllegalCallError: the call is not legal here.
        """
        return self.reader.extend(self, call)


_Place = tuple[int, Vulnerability | None]
"""The number of a reading, and who is vulnerable if North deals: None where no rule asks."""


class Reader:
    """Reads auctions between two systems, remembering what it has read.

    What was worked out for one dealer is turned for another, and what was worked out where no rule
    asks who is vulnerable is taken for all. Rules that ask often come to the same: so readings have
    a number, and those have the same in which all calls show and do the same.
    """

    def __init__(
        self,
        systems: Mapping[Side, RuleBase],
        engine: HandEngine | None = None,
        memory: int = 200_000,
    ) -> None:
        """Read by these systems; an engine may be shared between readers."""
        self.systems = dict(systems)
        self.engine = engine or HandEngine()
        self._memory = memory
        # One system for both sides: then the dealer's side makes no difference.
        self._same = len(set(map(id, self.systems.values()))) == 1
        self._readings: dict[tuple[Seat, Vulnerability, tuple[Call, ...]], Reading] = {}
        self._decisions: dict[_Place, DecisionList] = {}
        self._meanings: dict[tuple[_Place, Call], tuple[Meaning, Kinds, int]] = {}
        self._likes: dict[tuple[object, ...], int] = {}
        # Numbers begin after those that `start` gives.
        self._made = len(Side)

    def rules_of(self, seat: Seat) -> RuleBase:
        """Return the system of a seat's side."""
        return self.systems[seat.side]

    def start(self, dealer: Seat, vulnerability: Vulnerability) -> Reading:
        """Return the reading before the first call."""
        # With two systems the first number tells which side deals.
        like = 0 if self._same else int(dealer.side)
        return Reading(self, PublicState(Auction(dealer, (), vulnerability)), (), like)

    def read(self, auction: Auction) -> Reading:
        """Return the reading of an auction."""
        reading = self.start(auction.dealer, auction.vulnerability)
        for call in auction.calls:
            reading = reading.with_call(call)
        return reading

    def extend(self, reading: Reading, call: Call) -> Reading:
        """Return the reading with one more call, from memory if it was read before.

        Raises:
            IllegalCallError: The call is not legal here.
            OutOfTimeError: It was not read before, and the time limit passed.
        """
        auction = reading.auction
        calls = (*auction.calls, call)
        key = (auction.dealer, auction.vulnerability, calls)
        extended = self._readings.get(key)
        if extended is None:
            time_limits.check()
            if len(self._readings) >= self._memory:
                self.forget()
            meaning, kinds, like = self._meaning_of(reading, call)
            state = reading.state.after(meaning.record, meaning.bounds, kinds)
            extended = Reading(self, state, (*reading.meanings, meaning), like)
            self._readings[key] = extended
        return extended

    def forget(self) -> None:
        """Drop the readings, and keep compiled rules and the answers of the engine.

        Numbers of readings that others hold are not given again.
        """
        self._readings.clear()
        self._decisions.clear()
        self._meanings.clear()
        self._likes.clear()

    def decision_of(self, reading: Reading) -> DecisionList:
        """Return the rules that apply to the player to call after a reading."""
        if reading.like is None:
            # Without a number nothing can be remembered for other dealers.
            return reading.decision_by(self.rules_of(reading.state.me))
        # Most rules do not ask who is vulnerable: their decisions are kept once for all.
        blind = reading.like, None
        decision = self._decisions.get(blind)
        if decision is not None:
            return decision
        place = reading.like, _vulnerability(reading)
        decision = self._decisions.get(place)
        if decision is None:
            decision = reading.decision_by(self.rules_of(reading.state.me))
            self._decisions[place if decision.sees_vulnerability else blind] = decision
        return decision

    def _meaning_of(self, reading: Reading, call: Call) -> tuple[Meaning, Kinds, int | None]:
        """Return the meaning of a call, the alternatives shown by its maker, and the number."""
        if reading.like is None:
            meaning = self._interpret(reading, call)
            return meaning, shown_kinds(self.engine, meaning.turns), None
        # Only a rule that asks makes a meaning depend on vulnerability.
        sees = reading.decision.sees_vulnerability
        place = reading.like, _vulnerability(reading) if sees else None
        remembered = self._meanings.get((place, call))
        if remembered is not None:
            meaning, kinds, like = remembered
            return self._turned(reading, meaning), kinds, like
        meaning = self._interpret(reading, call)
        kinds = shown_kinds(self.engine, meaning.turns)
        # Seat and call apart, two readings with the same evidence are alike.
        turn = None if meaning.turn is None else meaning.turn.of_anyone
        record = replace(meaning.record, seat=Seat.NORTH)
        # The bounds and alternatives as well: both are public, and rules may ask for them.
        key = reading.like, record, turn, meaning.bounds, kinds
        if key not in self._likes:
            self._made += 1
            self._likes[key] = self._made
        like = self._likes[key]
        self._meanings[place, call] = meaning, kinds, like
        return meaning, kinds, like

    def _turned(self, reading: Reading, meaning: Meaning) -> Meaning:
        """Return the meaning of a call of a reading, turned to the reading's own dealer."""
        seat = reading.state.me
        if seat is meaning.record.seat:
            record, turn = meaning.record, meaning.turn
        else:
            record = replace(meaning.record, seat=seat)
            turn = None if meaning.turn is None else meaning.turn.by(seat)
        return replace(
            meaning,
            record=record,
            decision=reading.decision,
            turn=turn,
            earlier=reading.turns(seat),
            previous=reading.last_of(seat),
            # Without the last calls of others there is nothing to turn.
            others=_others(reading, seat) if meaning.others else (),
        )

    def _interpret(self, reading: Reading, call: Call) -> Meaning:
        seat = reading.state.me
        before = reading.state.shown[seat]
        decision = reading.decision
        system = self.rules_of(seat).name
        earlier = reading.turns(seat)
        previous = reading.last_of(seat)
        turn = turn_of(decision, seat, call, before)
        if turn is None:
            record = record_of(seat, call, ())
            return Meaning(
                record, system, decision, None, earlier, previous, self.engine, before, before
            )
        overstated = is_overstated(self.engine, earlier, turn, before, MOST_BITS)
        # Where only catch-alls explain a call nothing was agreed, and it shows nothing.
        bounds = before if overstated else self.engine.bounds((*earlier, turn))
        # No hand fits all calls of this seat: it is read as far as it can be.
        if bounds is None:
            return self._reconcile(reading, turn)
        record = self._record(earlier, turn)
        return Meaning(
            record,
            system,
            decision,
            turn.unbelieved() if overstated else turn,
            earlier,
            previous,
            self.engine,
            bounds,
            before,
            overstated=overstated,
            others=_others(reading, seat),
            questions=self.rules_of(seat).questions,
            theirs=reading.state.suits_of(seat.lho) | reading.state.suits_of(seat.rho),
        )

    def _record(self, earlier: tuple[Turn, ...], turn: Turn) -> CallRecord:
        """Return the public actions of a call, by the rules that may have made it.

        A rule counts only if it explains a hand that no rule tried before it explains: what a
        system says before a system that it includes is what its call means.
        """
        rules = [step.instance for step in turn.steps if step.fits and step.instance]
        # Rules that all do the same need no distinction, which takes the solver.
        if len(set(map(effects, rules))) > 1:  # it matters which of them it can have been
            _, meant = self.engine.rules_meant((*earlier, turn))
            rules = list(instances_of(turn, sorted(meant))) or rules
        return record_of(turn.seat, turn.call, rules)

    def _reconcile(self, reading: Reading, turn: Turn) -> Meaning:
        """Return the relaxed meaning of a call that contradicts its maker's earlier calls."""
        seat, call, earlier = turn.seat, turn.call, reading.turns(turn.seat)
        places = [
            i
            for i, m in enumerate(reading.meanings)
            if m.turn is not None and m.record.seat == seat
        ]
        conflicting = self.engine.conflict((*earlier, turn))
        before, decision = reading.state.shown[seat], reading.decision
        meaning = Meaning(
            record_of(seat, call, decision.rules_for(call)),
            self.rules_of(seat).name,
            decision,
            None,
            earlier,
            reading.last_of(seat),
            self.engine,
            before,
            before,
            tuple(places[i] for i in sorted(conflicting) if i < len(places)),
        )
        wide = turn_of(decision.with_latitude(), seat, call, before)
        # The least that has to be given up: latitude first, then denials, then promises.
        for relaxed, evidence in (("latitude", wide), ("denials", turn.without_denials())):
            if evidence is not None:
                bounds = self.engine.bounds((*earlier, evidence))
                if bounds is not None:
                    return replace(meaning, turn=evidence, bounds=bounds, relaxed=relaxed)
        return replace(meaning, relaxed="promises")


def _vulnerability(reading: Reading) -> Vulnerability:
    """Return the vulnerability after the table is turned so that North or South deals."""
    auction = reading.auction
    # North-South are taken as the side that deals, as in all numbers of readings.
    turned = auction.dealer.side is not Side.NS
    return auction.vulnerability.turned if turned else auction.vulnerability


def _others(reading: Reading, seat: Seat) -> tuple[Meaning, ...]:
    """Return the last calls of the other players, in the order of seats."""
    last = (reading.last_of(other) for other in Seat if other != seat)
    return tuple(meaning for meaning in last if meaning is not None)
