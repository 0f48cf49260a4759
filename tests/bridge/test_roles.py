"""Names of players in an auction."""

from __future__ import annotations

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat
from bidwright.bridge.roles import role_of, whose_call


@pytest.mark.parametrize(
    ("auction", "roles"),
    [
        ("", ["North", "East", "South", "West"]),
        ("P P", ["North", "East", "South", "West"]),
        ("P 1D", ["North", "opener", "South", "responder"]),
        ("P 1D 1S P 2S", ["advancer", "opener", "overcaller", "responder"]),
        ("1NT P 3NT X", ["opener", "advancer", "responder", "overcaller"]),
    ],
)
def test_roles_follow_from_who_acts_first(auction: str, roles: list[str]) -> None:
    calls = parse_auction(auction)
    assert [role_of(calls, seat) for seat in Seat] == roles


def test_a_call_is_named_by_its_maker() -> None:
    auction = parse_auction("P 1D X P 2S")
    assert [whose_call(auction, place) for place in range(5)] == [
        "advancer's pass",
        "opener's 1D",
        "overcaller's double",
        "responder's pass",
        "advancer's 2S",
    ]
    assert whose_call(auction, 1, "1\u2666") == "opener's 1\u2666"
