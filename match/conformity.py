"""How often openings conform to the file of the side that makes them.

The table follows Table V of Qiu et al., "Bridge bidding via deep reinforcement learning and belief
Monte Carlo search": for each opening bid, the share of hands that its maker's system allows it
with. They compared points and lengths with a booklet; here the convention file itself is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bidwright.bridge.calls import Call
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.kb.decision import Decision
from bidwright.kb.features import features_of
from bidwright.kb.formula import holds
from bidwright.match.disclosure import Disclosure
from bidwright.match.rooms import ROOMS, auction_of, team_of

Json = dict[str, Any]


def conforms(decision: Decision, hand: Hand, call: Call) -> bool:
    """Tell whether a system allows a call with a hand: whether the hand is in what it means.

    It is if some rule for the call fits, and no rule before it that is not optional and makes
    another call does. A pass where no rule fits conforms.
    """
    row = features_of(hand)
    fits = False
    for instance in decision.instances:
        if holds(instance.formula, row):
            fits = True
            if instance.call == call:
                return True
            if not instance.optional:
                return False
    return call is Call.PASS and not fits


@dataclass
class Openings:
    """How often a side opened with a bid, and how often that conformed."""

    made: int = 0
    conforming: int = 0

    @property
    def share(self) -> float:
        """The share that conformed."""
        return self.conforming / self.made if self.made else 0.0


def openings(
    lines: Iterable[Json], views: dict[str, Disclosure]
) -> dict[str, dict[Call, Openings]]:
    """Return how often each opening was made, and conformed, for sides `a` and `b`.

    Args:
        lines: the boards of a match.
        views: for each room, the systems by which calls are judged; a side without one is
            judged as having none, so that nothing it does is counted as conforming.
    """
    found: dict[str, dict[Call, Openings]] = {"a": {}, "b": {}}
    for line in lines:
        deal = Deal.from_pbn(line["deal"])
        for room in ROOMS:
            auction = auction_of(line, room)
            opener = auction.opener
            if opener is None:
                continue
            place = next(at for at, call in enumerate(auction.calls) if call.is_bid)
            call = auction.calls[place]
            entry = found[team_of(room, opener)].setdefault(call, Openings())
            entry.made += 1
            hand = deal[opener]
            assert hand is not None, "boards have four hands"
            view = views[room]
            if view.system(opener.side) is None:
                continue
            before = type(auction)(auction.dealer, auction.calls[:place], auction.vulnerability)
            reading = view.reading(before)
            if reading is not None:
                entry.conforming += conforms(reading.decision, hand, call)
    return found
