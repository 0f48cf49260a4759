"""The hands that bid a call, as the union of boxes that a convention card prints.

The hands are those that make the call by the decision list, not those that a reader has to reckon
with: a line is true of every hand bid so. Rules that bid no hand are left out. The boxes are exact;
where they say more than one box around them, they are printed one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.inference.engine.statements import Turn
from bidwright.inference.engine.witnesses import KeptHands
from bidwright.inference.explanation.shown import is_vague, trimmed
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import features
from bidwright.kb.rules.decision_list import DecisionList, Instance

MOST_BOXES = 3
"""Boxes of a union that are printed; of more only the one around them is."""

_HANDS = 16_384

_MOST_POSITIONS = 1024
"""The most positions with cached lines."""


@dataclass(frozen=True)
class BidLine:
    """A call at a position, with the hands that bid it.

    Attributes:
        auction: the calls before.
        call: the call.
        boxes: their union holds every hand that bids it.
        rules: the rules by which some hand bids it, in the order of choice.
    """

    auction: Auction
    call: Call
    boxes: tuple[Bounds, ...]
    rules: tuple[Instance, ...]


@lru_cache(maxsize=1)
def _random_features() -> NDArray[np.int16]:
    """Return the features of hands that are always the same: int16 `[_HANDS, F]`."""
    order = np.random.default_rng(7).random((_HANDS, 52)).argsort(axis=1)
    return features(order < 13)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line apart from its auction: `BidLine`, with the places of the rules."""

    call: Call
    boxes: tuple[Bounds, ...]
    places: tuple[int, ...]


class Bidders:
    """Finds the hands that bid the calls of positions, by the systems of one reader.

    Many positions of a card differ in the seat of the first bid or in the vulnerability alone,
    and no rule looks at that: the lines of one of them are true of the others.
    """

    def __init__(self, reader: Reader) -> None:
        """Take the reader of auctions by the system."""
        self._reader = reader
        self._hands = KeptHands(_random_features())
        self._lines: dict[tuple[object, ...], tuple[_Line, ...]] = {}

    def lines(self, auction: Auction, only: Call | None = None) -> Iterator[BidLine]:
        """Yield the calls that some hand bids at a position, the cheapest first, without passes.

        Args:
            auction: the position.
            only: the call that is wanted; None for all.
        """
        reading = self._reader.read(auction)
        decision, earlier = reading.decision, reading.turns(reading.state.me)
        shown = tuple(tuple((step.fits, step.formula) for step in turn.steps) for turn in earlier)
        key = (decision.key, shown, only)
        lines = self._lines.get(key)
        if lines is None:
            if len(self._lines) >= _MOST_POSITIONS:
                self._lines.clear()
            lines = self._lines[key] = tuple(self._found(reading, only))
        for line in lines:
            rules = tuple(decision.instances[place] for place in line.places)
            yield BidLine(auction, line.call, line.boxes, rules)

    def _found(self, reading: Reading, only: Call | None) -> Iterator[_Line]:
        me, decision = reading.state.me, reading.decision
        chosen = self._chosen(decision)
        by_call: dict[Call, list[int]] = {}
        for place, instance in enumerate(decision.instances):
            if instance.call != Call.PASS and only in (None, instance.call):
                by_call.setdefault(instance.call, []).append(place)
        for call, places in sorted(by_call.items(), key=lambda pair: int(pair[0])):
            live = tuple(
                place for place in places if place in chosen or self._is_bid(reading, place)
            )
            if live:
                turn = Turn(me, call, decision.chosen_steps(live))
                boxes = _boxes(self._reader, (*reading.turns(me), turn))
                if boxes:
                    yield _Line(call, boxes, live)

    def dead_rules(self, reading: Reading) -> frozenset[str]:
        """Return the ids of the firm rules of a position that bid no possible hand."""
        decision = reading.decision
        used = {decision.instances[place].rule.id for place in self._chosen(decision)}
        unsure = {each.rule.id for each in decision.instances if not each.optional} - used
        for place, instance in enumerate(decision.instances):
            if instance.rule.id in unsure and self._is_bid(reading, place):
                unsure.discard(instance.rule.id)
        return frozenset(unsure)

    def _chosen(self, decision: DecisionList) -> set[int]:
        """Return the places of the rules that bid some of the random hands."""
        chosen = set()
        left = self._hands.every
        for place, instance in enumerate(decision.instances):
            if not left:
                break
            bid = self._hands.satisfying(left, instance.formula)
            if bid:
                chosen.add(place)
                left ^= bid
        return chosen

    def _is_bid(self, reading: Reading, place: int) -> bool:
        """Return True if the rule at a place bids some hand that is possible here."""
        decision, me = reading.decision, reading.state.me
        call = decision.instances[place].call
        turn = Turn(me, call, decision.chosen_steps([place]))
        return self._reader.engine.consistent((*reading.turns(me), turn))


def _boxes(reader: Reader, turns: Sequence[Turn]) -> tuple[Bounds, ...]:
    """Return the boxes to print; none if no hand is left."""
    whole = reader.engine.bounds(turns)
    if whole is None:
        return ()
    around = printed(whole)
    if is_vague(around):
        boxes = tuple(dict.fromkeys(map(printed, reader.engine.boxes(turns, MOST_BOXES))))
        if len(boxes) > 1 and not any(is_vague(box) for box in boxes):
            return boxes
    return (around,)


def printed(box: Bounds) -> Bounds:
    """Return the printed part of a box, without cards and limits that exclude hardly any hand."""
    return replace(trimmed(box), sure=frozenset(), impossible=frozenset())
