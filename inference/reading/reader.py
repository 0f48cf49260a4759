"""Reading an auction: what each call shows by the agreements of the side that made it.

A `Reading` is an immutable node: the auction so far as everybody understands it. `with_call`
asks the rule base of the caller's side for the decision at that point, turns the call into a
`Turn`, and lets the engine bound the hand by all the turns of that seat. A call that contradicts
the earlier ones of the same seat is read as far as it can be: with all the latitude that `may`
rules give, then without its denials, then without what it promises; it is marked relaxed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.relevance import without_excluded
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.public_state import CallRecord, Forcing, PublicState
from bidwright.kb.rules.decision_list import Decision, Instance
from bidwright.kb.rules.rulebase import RuleBase


@dataclass(frozen=True)
class Meaning:
    """What a call shows and does.

    Attributes:
        record: the call, its maker, and what it does in public.
        system: the name of the system it is read by.
        decision: all rules that applied to its maker, in the order of choice.
        instances: the rules that may be meant, in the order of choice; empty if none covers it.
        turn: what the engine was told, None if no rule covers the call.
        bounds: what its maker has shown, this call included.
        before: what he had shown before it.
        conflict: places in the auction of the calls that contradict this one; empty if none.
        relaxed: how it was reconciled with them: ``""`` (no need), ``"latitude"`` (read by `may`
            rules that a firm rule displaces), or what was dropped, ``"denials"`` or ``"promises"``.
    """

    record: CallRecord
    system: str
    decision: Decision
    instances: tuple[Instance, ...]
    turn: Turn | None
    bounds: Bounds
    before: Bounds
    conflict: tuple[int, ...] = ()
    relaxed: str = ""

    @property
    def known(self) -> bool:
        """Whether some rule of the system covers the call."""
        return bool(self.instances)


def _generality(instance: Instance) -> tuple[bool, bool]:
    """Order rules by kind of pattern: the whole auction, the end of it, any auction at all."""
    pattern = instance.rule.pattern
    return pattern.open, not pattern.elements


def _record(seat: Seat, call: Call, live: tuple[Instance, ...]) -> CallRecord:
    """Return what a call does in public.

    It is what the rules that may be meant have in common; rules of the most special kind of
    pattern decide, so a general rule for the same call takes nothing from a convention.
    """
    if not live:
        return CallRecord(seat, call, known=False)
    special = min(map(_generality, live))
    live = tuple(instance for instance in live if _generality(instance) == special)
    agreed = {instance.agrees for instance in live}
    asked = {instance.rule.asks for instance in live}
    return CallRecord(
        seat,
        call,
        artificial=all(instance.rule.artificial for instance in live),
        forcing=min((instance.rule.forcing for instance in live), default=Forcing.NO),
        invitational=all(instance.rule.invitational for instance in live),
        signoff=all(instance.rule.signoff for instance in live),
        agrees=agreed.pop() if len(agreed) == 1 else None,
        asks=asked.pop() if len(asked) == 1 else None,
    )


@dataclass(frozen=True)
class Reading:
    """An auction and what every call in it shows.

    Attributes:
        reader: who read it.
        state: the public state before the next call.
        meanings: one per call.
    """

    reader: Reader
    state: PublicState
    meanings: tuple[Meaning, ...] = ()

    @property
    def auction(self) -> Auction:
        """The calls so far."""
        return self.state.auction

    @cached_property
    def decision(self) -> Decision:
        """The rules that apply to the player to call, in the order of choice."""
        return self.reader.rules_of(self.state.me).decide(self.state)

    def turns(self, seat: Seat) -> tuple[Turn, ...]:
        """Return what the engine was told of a seat's calls."""
        return tuple(m.turn for m in self.meanings if m.turn is not None and m.record.seat == seat)

    def with_call(self, call: Call) -> Reading:
        """Return the reading once the player to call has made a call.

        Raises:
            IllegalCallError: the call is not legal here.
        """
        return self.reader.extend(self, call)


class Reader:
    """Reads auctions between two systems, remembering what it has read."""

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
        self._readings: dict[tuple[Seat, Vulnerability, tuple[Call, ...]], Reading] = {}

    def rules_of(self, seat: Seat) -> RuleBase:
        """Return the system of a seat's side."""
        return self.systems[seat.side]

    def start(self, dealer: Seat, vulnerability: Vulnerability) -> Reading:
        """Return the reading before the first call."""
        return Reading(self, PublicState(Auction(dealer, (), vulnerability)))

    def read(self, auction: Auction) -> Reading:
        """Return the reading of an auction."""
        reading = self.start(auction.dealer, auction.vulnerability)
        for call in auction.calls:
            reading = reading.with_call(call)
        return reading

    def extend(self, reading: Reading, call: Call) -> Reading:
        """Return the reading with one more call, from memory if it was read before."""
        auction = reading.auction
        key = (auction.dealer, auction.vulnerability, (*auction.calls, call))
        known = self._readings.get(key)
        if known is None:
            if len(self._readings) >= self._memory:
                self._readings.clear()
            meaning = self._interpret(reading, call)
            known = Reading(
                self,
                reading.state.after(meaning.record, meaning.bounds),
                (*reading.meanings, meaning),
            )
            self._readings[key] = known
        return known

    def _interpret(self, reading: Reading, call: Call) -> Meaning:
        seat = reading.state.me
        before = reading.state.shown[seat]
        decision = reading.decision
        system = self.rules_of(seat).name
        relevant = without_excluded(decision, call, before)
        live = tuple(instance for instance in relevant.instances if instance.call == call)
        record = _record(seat, call, live)
        if not live:
            return Meaning(record, system, decision, (), None, before, before)
        turn = Turn(seat, relevant, call)
        meaning = Meaning(record, system, decision, live, turn, before, before)
        bounds = self.engine.bounds((*reading.turns(seat), turn))
        if bounds is not None:
            return replace(meaning, bounds=bounds)
        return self._reconcile(reading, meaning, turn)

    def _reconcile(self, reading: Reading, meaning: Meaning, turn: Turn) -> Meaning:
        """Read a call that contradicts what its maker showed before."""
        earlier = reading.turns(turn.seat)
        places = [
            i
            for i, m in enumerate(reading.meanings)
            if m.turn is not None and m.record.seat == turn.seat
        ]
        found = self.engine.conflict((*earlier, turn))
        conflict = tuple(places[i] for i in sorted(found) if i < len(places))
        meaning = replace(meaning, conflict=conflict)
        rules = self.rules_of(turn.seat)
        wide = rules.decide(reading.state, latitude=True)
        stretched = replace(turn, decision=without_excluded(wide, turn.call, meaning.before))
        bounds = self.engine.bounds((*earlier, stretched))
        if bounds is not None:
            own = tuple(i for i in stretched.decision.instances if i.call == turn.call)
            return replace(
                meaning, turn=stretched, instances=own, bounds=bounds, relaxed="latitude"
            )
        lenient = replace(turn, denials=False)
        bounds = self.engine.bounds((*earlier, lenient))
        if bounds is not None:
            return replace(meaning, turn=lenient, bounds=bounds, relaxed="denials")
        return replace(meaning, turn=None, relaxed="promises")
