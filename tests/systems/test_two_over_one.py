"""Two over one: it comes with the package by name, and game is forced where its sources say so.

Ranges, lengths and forces are written here from the sources and compared with what the calls
usually show, so a rule that moves, or one that blurs another, is noticed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bidwright
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out, lapses
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing

PLACE = "systems/two_over_one/system.bid"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("two_over_one")))


def read(reader: Reader, text: str) -> Reading:
    return reader.read(parse_auction(text, Seat.NORTH))


@pytest.mark.parametrize(
    ("auction", "forcing"),
    [
        ("1S (P) 2C", Forcing.GAME),
        ("1S (P) 2H", Forcing.GAME),
        ("1H (P) 2D", Forcing.GAME),
        ("1D (P) 2C", Forcing.GAME),
        ("1S (P) 2C (P) 2S", Forcing.GAME),
        ("1S (P) 2C (P) 2NT", Forcing.GAME),
        ("1S (P) 2D (P) 2H (P) 2S", Forcing.GAME),
        ("1S (P) 1NT", Forcing.ONE_ROUND),
        ("1H (P) 1NT", Forcing.ONE_ROUND),
        ("P (P) 1S (P) 1NT", Forcing.NO),
        ("P (P) 1S (P) 2D", Forcing.NO),
        ("1C (P) 1NT", Forcing.NO),
        ("1H (P) 1NT (P) 2C (P) 2H", Forcing.NO),
        ("1S (2C) 2H", Forcing.ONE_ROUND),
    ],
)
def test_game_is_forced_by_two_over_one_alone(
    reader: Reader, auction: str, forcing: Forcing
) -> None:
    assert read(reader, auction).meanings[-1].record.forcing is forcing


@pytest.mark.parametrize(
    ("auction", "low", "high"),
    [
        ("1S (P) 1NT", 5, 12),
        ("1S (P) 2C", 11, 37),
        ("1D (P) 2NT", 11, 12),
        ("1H (P) 3NT", 13, 17),
        ("1S (P) 1NT (P) 2C (P) 3S", 9, 12),
        ("1S (P) 1NT (P) 2C (P) 2S", 5, 11),
    ],
)
def test_a_call_shows_the_range_of_its_source(
    reader: Reader, auction: str, low: int, high: int
) -> None:
    shown = read(reader, auction).meanings[-1].bounds.hcp
    assert low <= shown[0] <= shown[1] <= high


@pytest.mark.parametrize(
    ("auction", "suit", "least"),
    [
        ("1S (P) 2H", 2, 5),
        ("1S (P) 1NT (P) 2C", 0, 2),
        ("1S (P) 2C (P) 3S", 3, 6),
        ("1S (P) 1NT (P) 2C (P) 3S", 3, 3),
        ("1S (P) 2D (P) 2S (P) 3S", 3, 2),
        ("1D (P) 2D", 1, 4),
    ],
)
def test_a_call_shows_the_length_of_its_source(
    reader: Reader, auction: str, suit: int, least: int
) -> None:
    assert read(reader, auction).meanings[-1].bounds.lengths[suit][0] >= least


def test_nobody_passes_before_game_once_it_is_forced(reader: Reader) -> None:
    for auction in ("1S (P) 2C (P) 2S (P) 3S (P)", "1H (P) 2D (P) 2NT (P) 3D (P)"):
        reading = read(reader, auction)
        assert reading.state.is_game_forced
        assert Call.PASS not in {each.call for each in reading.decision.instances}


def test_it_is_a_small_change_of_sayc() -> None:
    lines = (Path(bidwright.__file__).parent / PLACE).read_text("utf-8").splitlines()
    assert len(lines) < 150


def test_random_deals_are_bid_within_what_the_calls_show(reader: Reader) -> None:
    rng = np.random.default_rng(17)
    for number in range(1, 5):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        assert list(lapses(reading, deal)) == [], reading.auction
