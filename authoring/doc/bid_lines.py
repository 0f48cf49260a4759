"""Which hands bid a call, as the union of boxes that a convention card prints.

The hands are those that make the call by the decision list, not those that a reader has to reckon
with: a line is true of every hand bid so. Rules by which no hand bids are left out. The boxes are
exact; where they say more than one box around them, they are printed one by one.
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
from bidwright.inference.explanation.shown import is_vague, trimmed
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import features
from bidwright.kb.rules.decision_list import Instance

MOST_BOXES = 3
"""Boxes of a union that are printed; of more only the one around them is."""

_HANDS = 16_384


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


def bid_lines(reader: Reader, auction: Auction, only: Call | None = None) -> Iterator[BidLine]:
    """Yield the calls that some hand bids at a position, the cheapest first, passes left out.

    Args:
        reader: reads auctions by the system.
        auction: the position.
        only: the call that is wanted; None for all.
    """
    reading = reader.read(auction)
    decision = reading.decision
    chosen = set(np.unique(decision.choose_for(_random_features())).tolist())
    by_call: dict[Call, list[int]] = {}
    for place, instance in enumerate(decision.instances):
        if instance.call != Call.PASS and only in (None, instance.call):
            by_call.setdefault(instance.call, []).append(place)
    for call, places in sorted(by_call.items(), key=lambda pair: int(pair[0])):
        live = [place for place in places if place in chosen or _is_bid(reader, reading, place)]
        if live:
            turn = Turn(reading.state.me, call, decision.chosen_steps(live))
            boxes = _boxes(reader, (*reading.turns(reading.state.me), turn))
            if boxes:
                rules = tuple(decision.instances[place] for place in live)
                yield BidLine(auction, call, boxes, rules)


def dead_rules(reader: Reader, reading: Reading) -> frozenset[str]:
    """Return the ids of the firm rules of a position by which no hand bids that is possible."""
    decision = reading.decision
    chosen = set(np.unique(decision.choose_for(_random_features())).tolist())
    used = {decision.instances[place].rule.id for place in chosen if place >= 0}
    unsure = {each.rule.id for each in decision.instances if not each.optional} - used
    for place, instance in enumerate(decision.instances):
        if instance.rule.id in unsure and _is_bid(reader, reading, place):
            unsure.discard(instance.rule.id)
    return frozenset(unsure)


def _is_bid(reader: Reader, reading: Reading, place: int) -> bool:
    """Tell whether some hand that is possible here bids by the rule at a place."""
    decision, me = reading.decision, reading.state.me
    call = decision.instances[place].call
    turn = Turn(me, call, decision.chosen_steps([place]))
    return reader.engine.consistent((*reading.turns(me), turn))


def _boxes(reader: Reader, turns: Sequence[Turn]) -> tuple[Bounds, ...]:
    """Return the boxes to print; none if no hand is left."""
    whole = reader.engine.bounds(turns)
    if whole is None:
        return ()
    if is_vague(whole):
        boxes = tuple(dict.fromkeys(map(printed, reader.engine.boxes(turns, MOST_BOXES))))
        if len(boxes) > 1 and not any(is_vague(box) for box in boxes):
            return boxes
    return (printed(whole),)


def printed(box: Bounds) -> Bounds:
    """Return what of a box is printed: what hardly any hand is beyond is left out, and cards."""
    return replace(trimmed(box), sure=frozenset(), impossible=frozenset())
