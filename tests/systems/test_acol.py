"""English Acol: it comes with the package by name and holds what its sources say of it."""

from __future__ import annotations

import pytest

from bidwright.bench.probing import FOLDER, read_probes, run_probes
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side
from bidwright.inference.reading.examples import open_suites
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing
from bidwright.match.agents.specs import default_context, open_agent

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("acol")))


def read(reader: Reader, text: str) -> Reading:
    return reader.read(parse_auction(text, Seat.NORTH))


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


def test_it_has_examples_beside_the_rules() -> None:
    (suite,) = open_suites(["acol"])
    assert len(suite.examples) >= 200


def test_most_probes_are_bid_as_the_reference_says() -> None:
    probes = read_probes(FOLDER / "acol.csv")
    results = run_probes(probes, open_agent("rules:acol", default_context()))
    wrong = [str(result.probe) for result in results if not result.right]
    assert len(wrong) <= 0.05 * len(probes), wrong


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
