"""The roles of players in an auction: opener, responder, overcaller, advancer."""

from __future__ import annotations

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat

_CALLS = {Call.PASS: "pass", Call.DOUBLE: "double", Call.REDOUBLE: "redouble"}


def role_of(auction: Auction, seat: Seat) -> str:
    """Return a player's role in an auction, or his seat as long as he has none.

    Who bids first is the opener and his partner the responder; of the other side who first does
    more than pass is the overcaller, his partner the advancer.
    """
    opener = auction.opener
    if opener is None:
        return seat.name.capitalize()
    if seat.side == opener.side:
        return "opener" if seat == opener else "responder"
    for place, call in enumerate(auction.calls):
        caller = auction.seat_of(place)
        if caller.side == seat.side and call != Call.PASS:
            return "overcaller" if seat == caller else "advancer"
    return seat.name.capitalize()


def whose_call(auction: Auction, place: int, text: str = "") -> str:
    """Return a call with its maker's role: `opener's 1NT`, `responder's pass`.

    Args:
        auction: the auction.
        place: the call's place in it, from 0.
        text: the call in another notation than `1NT`.
    """
    call = auction.calls[place]
    return f"{role_of(auction, auction.seat_of(place))}'s {_CALLS.get(call) or text or call}"
