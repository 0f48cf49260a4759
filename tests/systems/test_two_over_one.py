"""Two over one: it comes with the package by name, and game is forced where its sources say so."""

from __future__ import annotations

from pathlib import Path

import pytest

import bidwright
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing

pytestmark = pytest.mark.system

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


def test_nobody_passes_before_game_once_it_is_forced(reader: Reader) -> None:
    for auction in ("1S (P) 2C (P) 2S (P) 3S (P)", "1H (P) 2D (P) 2NT (P) 3D (P)"):
        reading = read(reader, auction)
        assert reading.state.is_game_forced
        assert Call.PASS not in {each.call for each in reading.decision.instances}


def test_it_is_a_small_change_of_sayc() -> None:
    lines = (Path(bidwright.__file__).parent / PLACE).read_text("utf-8").splitlines()
    # A long rule goes on in the next line.
    assert sum(not line.endswith((",", " or", " and", "\\")) for line in lines) < 150
