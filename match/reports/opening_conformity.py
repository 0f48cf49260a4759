"""The shares of openings that conform to the file of the side that makes them.

The table follows Table V of Qiu et al., "Bridge bidding via deep reinforcement learning and belief
Monte Carlo search": for each opening bid, the share of hands that its maker's system allows it
with. They compared points and lengths with a booklet; here the reference is the convention
file.
"""

from __future__ import annotations

from collections.abc import Iterable

from bidwright.bridge.calls import Call
from bidwright.bridge.deal import Deal
from bidwright.inference.reading.conformity import Openings, conforms
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.record.match_lines import ROOMS, BoardLine, auction_of, team_of


def openings(
    lines: Iterable[BoardLine], views: dict[str, Disclosure]
) -> dict[str, dict[Call, Openings]]:
    """Return the counts of each opening, made and conforming, for sides `a` and `b`.

    Args:
        lines: the boards of a match.
        views: for each room, the systems by which calls are judged; a side without one is
            judged as having none, so that nothing it does is counted as conforming.
    """
    by_team: dict[str, dict[Call, Openings]] = {"a": {}, "b": {}}
    for line in lines:
        deal = Deal.from_pbn(line["deal"])
        for room in ROOMS:
            auction = auction_of(line, room)
            opener = auction.opener
            if opener is None:
                continue
            # Passes before it belong to the position: a third-seat opening is judged as one.
            place = next(at for at, call in enumerate(auction.calls) if call.is_bid)
            call = auction.calls[place]
            entry = by_team[team_of(room, opener)].setdefault(call, Openings())
            entry.made += 1
            hand = deal[opener]
            assert hand is not None, "boards have four hands"
            view = views[room]
            # Counted as made, and not as conforming: a side without a system keeps to none.
            if view.system(opener.side) is None:
                continue
            before = type(auction)(auction.dealer, auction.calls[:place], auction.vulnerability)
            reading = view.reading(before)
            if reading is not None:
                entry.conforming += conforms(reading.decision, hand, call)
    return by_team
