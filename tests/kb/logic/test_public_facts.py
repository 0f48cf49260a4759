"""Public facts that are told from the whole auction at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import SUITS, Seat, Vulnerability
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import CallRecord, PublicState


def after(calls: str, lengths: dict[Seat, int] | None = None) -> PublicState:
    """Return the state after some natural calls; seats may have shown four cards of a suit."""
    state = PublicState(Auction(Seat.NORTH))
    for text in calls.split():
        call = parse_call(text)
        state = state.after(CallRecord(state.me, call, artificial=text == "2C"), ANYTHING)
    shown = list(state.shown)
    for seat, suit in (lengths or {}).items():
        long = [(0, 13)] * 4
        long[suit] = (4, 13)
        clubs, diamonds, hearts, spades = long
        shown[seat] = Bounds(lengths=(clubs, diamonds, hearts, spades))
    north, east, south, west = shown
    return replace(state, shown=(north, east, south, west))


def test_the_last_call_of_each_seat_is_one_of_the_last_four() -> None:
    state = after("")
    assert [state.last_call(seat) for seat in Seat] == [None] * 4
    calls = ["P", "1C", "1D", "X", "1H", "1S", "P", "P", "2C"]
    for count in range(1, len(calls) + 1):
        state = after(" ".join(calls[:count]))
        for seat in Seat:
            own = [record for record in state.records if record.seat == seat]
            assert state.last_call(seat) is (own[-1] if own else None)


def test_whose_suits_are_told_by_bids_and_by_what_was_shown() -> None:
    state = after("1H 1S 2C P", {Seat.EAST: 1, Seat.SOUTH: 2})
    assert state.me is Seat.NORTH
    facts = PublicFacts(state)
    clubs, diamonds, hearts, spades = range(len(SUITS))

    def suits(word: str) -> set[int]:
        return {suit for suit in range(len(SUITS)) if facts[word, suit]}

    assert suits("my_suit") == {hearts}
    assert suits("partner_suit") == {hearts}  # two clubs is artificial
    assert suits("our_suit") == {hearts}
    assert suits("their_suit") == {diamonds, spades}
    assert suits("unbid") == {clubs}
    assert suits("agreed") == set()
    assert state.suits_of(Seat.EAST) == {diamonds, spades}


@pytest.mark.parametrize(
    ("vulnerability", "facts"),
    [
        (Vulnerability.NONE, set()),
        (Vulnerability.NS, {"vulnerable", "unfavourable"}),
        (Vulnerability.EW, {"they_vulnerable", "favourable"}),
        (Vulnerability.BOTH, {"vulnerable", "they_vulnerable"}),
    ],
)
def test_vulnerability_is_told_as_the_seat_to_call_sees_it(
    vulnerability: Vulnerability, facts: set[str]
) -> None:
    words = ("vulnerable", "they_vulnerable", "favourable", "unfavourable")
    north = PublicState(Auction(Seat.NORTH, (), vulnerability))
    assert {word for word in words if PublicFacts(north)[word,]} == facts
    turned = {"vulnerable": "they_vulnerable", "favourable": "unfavourable"}
    turned |= {other: word for word, other in turned.items()}
    east = PublicState(Auction(Seat.EAST, (), vulnerability))
    assert {word for word in words if PublicFacts(east)[word,]} == {turned[word] for word in facts}


def test_the_last_bid_is_theirs_only_if_there_is_one() -> None:
    assert [bool(PublicFacts(after(calls))["theirs",]) for calls in ("", "P", "1C", "1C P")] == [
        *(False, False),
        *(True, False),
    ]
