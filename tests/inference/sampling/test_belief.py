"""Auctions that no deal agrees with are believed as far as some deal does."""

from __future__ import annotations

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.player_view import PlayerView as Player
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.sampling import InfeasibleError, feasible_knowledge, sample_deals
from bidwright.inference.sampling.knowledge import Knowledge
from bidwright.kb.loading.compiled import open_system


@pytest.fixture(scope="module")
def reader() -> Reader:
    rules = open_system("sayc")
    return Reader({side: rules for side in Side})


def read(reader: Reader, auction: str, dealer: Seat) -> Reading:
    return reader.read(parse_auction(auction, dealer, Vulnerability.NONE))


def test_an_auction_in_order_is_believed_as_it_is(reader: Reader) -> None:
    reading = read(reader, "1NT (P) 2C (P) 2H", Seat.NORTH)
    belief = feasible_knowledge(reading)
    assert belief.doubts == ()
    assert belief.knowledge.turns == {seat: list(reading.possible_turns(seat)) for seat in Seat}
    assert belief.knowledge.usual == {seat: list(reading.turns(seat)) for seat in Seat}


def test_calls_that_want_more_points_than_there_are_are_named(reader: Reader) -> None:
    reading = read(reader, "1NT P 3NT P P P", Seat.NORTH)
    west = parse_hand("AKQ2.AK3.A985.84")
    with pytest.raises(InfeasibleError):
        sample_deals(Knowledge.of_reading(reading, Seat.WEST, west), 1, np.random.default_rng(1))
    belief = feasible_knowledge(reading, Seat.WEST, west)
    (doubt,) = belief.doubts
    assert doubt.sentence(reading.auction) == (
        "no deal agrees with responder's 3NT and opener's 1NT; it is read without what it promises"
    )
    batch = belief.sampler.draw(50, np.random.default_rng(1))
    assert (batch.hcp(Seat.NORTH) >= 15).all()


def test_a_player_and_his_sample_doubt_the_same_calls(reader: Reader) -> None:
    reading = read(reader, "1NT P 3NT P P P", Seat.NORTH)
    west = parse_hand("AKQ2.AK3.A985.84")
    belief = feasible_knowledge(reading, Seat.WEST, west)
    player = Player(reading, Seat.WEST, west)
    assert player.relaxed == tuple(doubt.place for doubt in belief.doubts) != ()
    batch = belief.sampler.draw(300, np.random.default_rng(2))
    for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH):
        low, high = player.known(seat).hcp
        assert low <= batch.hcp(seat).min() <= batch.hcp(seat).max() <= high


def test_a_hand_seen_that_leaves_no_card_for_a_call(reader: Reader) -> None:
    reading = read(reader, "1NT P P P", Seat.EAST)
    south = parse_hand("AKQJ.AKQJ.AK.KQJ")
    (doubt,) = feasible_knowledge(reading, Seat.SOUTH, south).doubts
    assert (doubt.place, doubt.dropped, doubt.conflict) == (0, "promises", ())
    assert "opener's 1NT and the cards seen" in doubt.sentence(reading.auction)
