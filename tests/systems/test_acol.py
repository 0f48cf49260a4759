"""English Acol: it comes with the package by name and holds what its sources say of it.

Ranges and lengths are written here from the sources and compared with what the calls usually
show, so a rule that moves, or one that blurs another, is noticed.
"""

from __future__ import annotations

import numpy as np
import pytest

from bidwright.bench.probing import FOLDER, read_probes, run_probes
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.examples import check_system
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import bid_out, lapses
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing
from bidwright.match.agents.specs import default_context, open_agent


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("acol")))


def read(reader: Reader, text: str) -> Reading:
    return reader.read(parse_auction(text, Seat.NORTH))


@pytest.mark.parametrize(
    ("auction", "low", "high"),
    [
        ("1NT", 12, 14),
        ("2NT", 20, 22),
        ("2C (P) 2D (P) 2NT", 19, 24),
        ("1NT (P) 2NT", 11, 12),
        ("1NT (P) 3NT", 11, 18),
        ("1H (P) 1NT", 5, 9),
        ("1H (P) 1S (P) 1NT", 15, 16),
        ("1H (P) 1S (P) 2NT", 17, 18),
        ("1D (P) 1H (P) 3NT", 17, 22),
        ("1H (P) 2C (P) 2NT", 15, 16),
        ("1S (P) 3NT", 13, 15),
        ("1D (P) 3NT", 13, 37),
        ("1D (P) 2NT", 10, 12),
        ("1D (P) 1S (P) 2H", 16, 22),
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
        ("1C", 0, 4),
        ("1D", 1, 4),
        ("1H", 2, 4),
        ("1S", 3, 4),
        ("1S (P) 2H", 2, 5),
        ("1S (P) 3S", 3, 4),
        ("1D (P) 1S (P) 2H", 1, 5),
        ("1S (P) 2D (P) 2S", 3, 5),
        ("1H (X) 3H", 2, 4),
        ("1NT (X) 2D", 1, 4),
    ],
)
def test_a_call_shows_the_length_of_its_source(
    reader: Reader, auction: str, suit: int, least: int
) -> None:
    assert read(reader, auction).meanings[-1].bounds.lengths[suit][0] >= least


@pytest.mark.parametrize(
    "auction",
    [
        "1H (P) 1S",
        "1S (P) 2C",
        "1H (P) 1S (P) 2C (P) 2D",
        "1D (P) 1S (P) 2H",
        "1H (P) 2H (P) 3C",
        "1S (P) 2NT",
        "2C (P) 2D (P) 2S",
        "(1D) 1S (P) 2D",
        "1NT (X) 2D (X) P (P) XX",
    ],
)
def test_a_call_that_asks_forces(reader: Reader, auction: str) -> None:
    assert read(reader, auction).meanings[-1].record.forcing is not Forcing.NO


@pytest.mark.parametrize(
    "auction",
    ["1NT (X) XX", "1NT (X) 2S", "1NT (P) 3NT", "1S (P) 1NT", "1S (P) 3S", "P (P) 1S (P) 2D"],
)
def test_a_call_that_may_be_passed_does_not_force(reader: Reader, auction: str) -> None:
    assert read(reader, auction).meanings[-1].record.forcing is Forcing.NO


def test_the_examples_beside_the_rules_hold() -> None:
    report = check_system("acol")
    assert report.problems == []
    assert int(report.summary.rsplit(" of ", 1)[1].split()[0]) >= 200


def test_most_probes_are_bid_as_the_reference_says() -> None:
    probes = read_probes(FOLDER / "acol.csv")
    results = run_probes(probes, open_agent("rules:acol", default_context()))
    wrong = [str(result.probe) for result in results if not result.right]
    assert len(wrong) <= 0.05 * len(probes), wrong


def test_random_deals_are_bid_within_what_the_calls_show(reader: Reader) -> None:
    rng = np.random.default_rng(13)
    for number in range(1, 9):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        assert list(lapses(reading, deal)) == [], reading.auction


@pytest.mark.parametrize(
    ("system", "auction", "suit", "least", "high"),
    [
        ("acol_strong_twos", "2S", 3, 5, 22),
        ("acol_strong_twos", "2D", 1, 5, 22),
        ("acol_benjamin", "2S", 3, 6, 12),
        ("acol_benjamin", "2C (P) 2D (P) 2S", 3, 5, 22),
        ("acol_benjamin", "2C (P) 2D (P) 3D", 1, 5, 22),
    ],
)
def test_the_twos_are_chosen_by_the_system(
    system: str, auction: str, suit: int, least: int, high: int
) -> None:
    shown = read(Reader(dict.fromkeys(Side, open_system(system))), auction).meanings[-1].bounds
    assert shown.lengths[suit][0] >= least
    assert shown.hcp[1] <= high
    assert (shown.hcp[0] >= 15) == (high == 22)


@pytest.mark.parametrize(
    ("system", "auction"),
    [
        ("acol_strong_twos", "2S"),
        ("acol_strong_twos", "2S (P) 2NT"),
        ("acol_benjamin", "2C"),
        ("acol_benjamin", "2D"),
        ("acol_benjamin", "2D (P) 2H"),
    ],
)
def test_a_strong_two_forces(system: str, auction: str) -> None:
    reading = read(Reader(dict.fromkeys(Side, open_system(system))), auction)
    assert reading.meanings[-1].record.forcing is not Forcing.NO
