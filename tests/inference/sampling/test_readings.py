"""Deals drawn from the meanings of real auctions by the rules of a system."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.inference.sampling import Knowledge, sample_deals
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features

Meant = Callable[[Turn, NDArray[np.int16]], NDArray[np.bool_]]


@pytest.fixture(scope="module")
def reader() -> Reader:
    rules = open_system("sayc")
    return Reader({side: rules for side in Side})


@pytest.mark.parametrize("seed", range(12))
def test_deals_agree_with_an_auction_bid_by_the_rules(
    seed: int, reader: Reader, meant: Meant
) -> None:
    rng = np.random.default_rng(seed)
    deal = random_deal(rng)
    observer = Seat(seed % 4)
    reading = bid_out(reader, deal, Seat.NORTH, Vulnerability.NONE)
    for knowledge, turns in (
        (Knowledge.of_reading(reading, observer, deal[observer]), reading.possible_turns),
        (
            replace(Knowledge.of_rule_bidders(reading), observer=observer, hand=deal[observer]),
            reading.turns,
        ),
    ):
        batch = sample_deals(knowledge, 200, rng)
        for seat in Seat:
            if seat is not observer:
                for turn in turns(seat):
                    assert meant(turn, features(batch.held(seat))).all()
        assert (batch.held(observer) == batch.held(observer)[0]).all()
        assert batch[0][observer] == deal[observer]


def test_notrump_opening_shows_its_points(reader: Reader) -> None:
    reading = reader.read(parse_auction("1NT (P) 2C (P) 2H", Seat.SOUTH, Vulnerability.NONE))
    batch = sample_deals(Knowledge.of_reading(reading), 500, np.random.default_rng(1))
    points = np.flatnonzero(batch.hcp_table(Seat.SOUTH))
    assert (points.min(), points.max()) == (15, 17)
    assert batch.length_table(Seat.SOUTH)[2, :4].sum() == 0
