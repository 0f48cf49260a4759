"""Values shown by calls of shipped systems, held against their sources; bidders stay inside them.

Ranges and lengths are written here from the sources and compared with what the calls usually
show, so a rule that moves, or one that blurs another, is noticed.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out, inconsistencies
from bidwright.kb.loading.compiled import open_system

pytestmark = pytest.mark.system


@cache
def reader_of(system: str) -> Reader:
    return Reader(dict.fromkeys(Side, open_system(system)))


@pytest.mark.parametrize(
    ("system", "auction", "low", "high"),
    [
        ("acol", "1NT", 12, 14),
        ("acol", "2NT", 20, 22),
        ("acol", "2C (P) 2D (P) 2NT", 19, 24),
        ("acol", "1NT (P) 2NT", 11, 12),
        ("acol", "1NT (P) 3NT", 11, 18),
        ("acol", "1H (P) 1NT", 5, 9),
        ("acol", "1H (P) 1S (P) 1NT", 15, 16),
        ("acol", "1H (P) 1S (P) 2NT", 17, 18),
        ("acol", "1D (P) 1H (P) 3NT", 17, 22),
        ("acol", "1H (P) 2C (P) 2NT", 15, 16),
        ("acol", "1S (P) 3NT", 13, 15),
        ("acol", "1D (P) 3NT", 13, 37),
        ("acol", "1D (P) 2NT", 10, 12),
        ("acol", "1D (P) 1S (P) 2H", 16, 22),
        ("two_over_one", "1S (P) 1NT", 5, 12),
        ("two_over_one", "1S (P) 2C", 11, 37),
        ("two_over_one", "1D (P) 2NT", 11, 12),
        ("two_over_one", "1H (P) 3NT", 13, 17),
        ("two_over_one", "1S (P) 1NT (P) 2C (P) 3S", 9, 12),
        ("two_over_one", "1S (P) 1NT (P) 2C (P) 2S", 5, 11),
    ],
)
def test_a_call_shows_the_range_of_its_source(
    system: str, auction: str, low: int, high: int
) -> None:
    reading = reader_of(system).read(parse_auction(auction, Seat.NORTH))
    shown = reading.meanings[-1].bounds.hcp
    assert low <= shown[0] <= shown[1] <= high


@pytest.mark.parametrize(
    ("system", "auction", "suit", "least"),
    [
        ("acol", "1C", 0, 4),
        ("acol", "1D", 1, 4),
        ("acol", "1H", 2, 4),
        ("acol", "1S", 3, 4),
        ("acol", "1S (P) 2H", 2, 5),
        ("acol", "1S (P) 3S", 3, 4),
        ("acol", "1D (P) 1S (P) 2H", 1, 5),
        ("acol", "1S (P) 2D (P) 2S", 3, 5),
        ("acol", "1H (X) 3H", 2, 4),
        ("acol", "1NT (X) 2D", 1, 4),
        ("two_over_one", "1S (P) 2H", 2, 5),
        ("two_over_one", "1S (P) 1NT (P) 2C", 0, 2),
        ("two_over_one", "1S (P) 2C (P) 3S", 3, 6),
        ("two_over_one", "1S (P) 1NT (P) 2C (P) 3S", 3, 3),
        ("two_over_one", "1S (P) 2D (P) 2S (P) 3S", 3, 2),
        ("two_over_one", "1D (P) 2D", 1, 4),
    ],
)
def test_a_call_shows_the_length_of_its_source(
    system: str, auction: str, suit: int, least: int
) -> None:
    reading = reader_of(system).read(parse_auction(auction, Seat.NORTH))
    assert reading.meanings[-1].bounds.lengths[suit][0] >= least


@pytest.mark.parametrize(("system", "seed", "boards"), [("acol", 13, 8), ("two_over_one", 17, 4)])
def test_random_deals_are_bid_within_what_the_calls_show(
    system: str, seed: int, boards: int
) -> None:
    rng = np.random.default_rng(seed)
    for number in range(1, boards + 1):
        deal = random_deal(rng)
        reading = bid_out(
            reader_of(system), deal, board_dealer(number), board_vulnerability(number)
        )
        assert list(inconsistencies(reading, deal)) == [], reading.auction
