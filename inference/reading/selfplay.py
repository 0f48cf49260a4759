"""Bidding a deal by rules in all four seats, and checking that hands keep their promises.

The check is the invariant of the whole project: at every call, the hand that made it lies inside
what its seat has shown, and no position leaves a player without a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.deal import Deal
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import FEATURES, HCP, INDEX, LENGTHS, POINTS, features_of
from bidwright.kb.logic.intervals import Intervals


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """A call where a rule bidder and its own system part.

    Attributes:
        place: the call's place in the auction, from 0.
        seat: who made it.
        kind: `uncovered` (no rule for the hand) or `outside` (the hand is not in what it showed).
        detail: the hand's number that is out of bounds.
    """

    place: int
    seat: Seat
    kind: str
    detail: str = ""


def bid_out(reader: Reader, deal: Deal, dealer: Seat, vulnerability: Vulnerability) -> Reading:
    """Return the reading of the auction that four rule bidders have; no rule means pass."""
    rows = {seat: features_of(hand) for seat, hand in zip(Seat, deal.hands, strict=True) if hand}
    reading = reader.start(dealer, vulnerability)
    while not reading.auction.is_over:
        chosen = reading.decision.choose(rows[reading.state.me])
        reading = reading.with_call(chosen.call if chosen else Call.PASS)
    return reading


_CHECKED = (
    HCP,
    POINTS,
    *LENGTHS,
    INDEX["balanced"],
    *(index for index, name in enumerate(FEATURES) if name.startswith("card(")),
)


def outside(row: tuple[int, ...], bounds: Bounds) -> str | None:
    """Return the first feature of a hand that lies outside bounds, None if it lies inside."""
    intervals = Intervals.around(bounds)
    for index in _CHECKED:
        low, high = intervals.low[index], intervals.high[index]
        if not low <= row[index] <= high:
            return f"{FEATURES[index]} {row[index]} not in {low}..{high}"
    return None


def inconsistencies(reading: Reading, deal: Deal) -> Iterator[Inconsistency]:
    """Yield every inconsistency of four rule bidders in an auction they had."""
    for place, meaning in enumerate(reading.meanings):
        seat = meaning.record.seat
        hand = deal.hands[seat]
        if hand is None:
            continue
        row = features_of(hand)
        if meaning.decision.choose(row) is None:
            yield Inconsistency(place, seat, "uncovered")
        fault = outside(row, meaning.bounds)
        if fault is not None:
            yield Inconsistency(place, seat, "outside", fault)
