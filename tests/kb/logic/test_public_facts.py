"""Public facts that are told from the whole auction at once."""

from __future__ import annotations

from dataclasses import replace

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import SUITS, Seat
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
