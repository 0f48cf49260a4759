"""Precision: a strong club, its answers, limited openings, and what values and switch change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bench.probing import read_probes
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.examples import open_suites
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing

pytestmark = pytest.mark.system

EXAMPLES = 90
"""The least number of examples in the system's own files."""

PROBES = Path(__file__).parents[2] / "bench" / "probes" / "precision.csv"


@cache
def reader(system: str = "precision") -> Reader:
    return Reader(dict.fromkeys(Side, open_system(system)))


def last(auction: str) -> Meaning:
    return reader().read(parse_auction(auction)).meanings[-1]


def called(hand: str, auction: str, system: str = "precision") -> str:
    return str(choose(reader(system).read(parse_auction(auction)), parse_hand(hand)).call)


def test_it_has_examples_of_its_own() -> None:
    (suite,) = open_suites(["precision"])
    files = [each.span.file for _, each in suite.examples]
    assert sum("/precision/" in file for file in files) >= EXAMPLES


@pytest.mark.slow
def test_it_is_green() -> None:
    assert check_system("precision").problems == []


def test_one_club_is_strong_forcing_and_says_nothing_of_clubs() -> None:
    meaning = last("1C")
    assert meaning.bounds.hcp[0] == 16
    assert meaning.bounds.lengths[0][0] == 0
    assert meaning.record.artificial
    assert meaning.record.forcing is Forcing.ONE_ROUND


@pytest.mark.parametrize("opening", ["1D", "1H", "1S", "2C", "2D"])
def test_other_openings_are_limited(opening: str) -> None:
    assert last(opening).bounds.hcp == (11, 15)


def test_two_diamonds_is_short_in_diamonds_and_two_clubs_has_six() -> None:
    assert last("2D").bounds.lengths[1][1] == 1
    assert last("2C").bounds.lengths[0][0] == 6


@pytest.mark.parametrize(
    ("auction", "forcing"),
    [
        ("1C (P) 1D", Forcing.ONE_ROUND),
        ("1C (P) 1S", Forcing.GAME),
        ("1C (P) 2C", Forcing.GAME),
        ("1C (P) 1NT", Forcing.GAME),
        ("1C (P) 3D", Forcing.GAME),
        ("1C (P) 2H", Forcing.NO),
        ("1C (P) 1D (P) 1S", Forcing.NO),
        ("1C (P) 1D (P) 1NT", Forcing.NO),
        ("1C (1S) 2H", Forcing.GAME),
        ("1C (1S) 2S", Forcing.GAME),
        ("1C (X) XX", Forcing.GAME),
        ("1C (X) 1D", Forcing.ONE_ROUND),
    ],
)
def test_what_is_forcing(auction: str, forcing: Forcing) -> None:
    assert last(auction).record.forcing is forcing


@pytest.mark.parametrize(
    ("auction", "points"),
    [("1C (P) 1D", (0, 7)), ("1C (X) P", (0, 4)), ("1C (1S) X", (5, 7)), ("1C (P) 1NT", (8, 10))],
)
def test_responder_tells_his_strength(auction: str, points: tuple[int, int]) -> None:
    assert last(auction).bounds.hcp == points


@pytest.mark.parametrize(
    ("answer", "hand"),
    [
        ("3C", "KQ4.AJ73.5.K9852"),
        ("3D", "KQ84.AJ7.5.K9852"),
        ("3H", "KQ84.AJ73.5.K985"),
        ("3S", "KQ84.AJ73.5.KQ85"),
        ("4C", "KQ84.AJ73..K9852"),
        ("4D", "KQ84.AJ73..KQ852"),
    ],
)
def test_the_question_over_two_diamonds_has_an_answer_for_each_hand(answer: str, hand: str) -> None:
    assert called(hand, "2D P 2NT P") == answer


def test_probes_are_bid_as_they_say() -> None:
    wrong = [
        probe.id
        for probe in read_probes(PROBES)
        if str(choose(reader().read(probe.auction), probe.hand).call)
        not in {str(call) for call in probe.calls}
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("values", "hand", "call"),
    [
        ("notrump = 13..15, rebid = 11..12", "KQ4.A87.KJ83.972", "1NT"),
        ("notrump = 13..15, rebid = 11..12", "KQ4.A87.KQ83.Q72", "1C"),
        ("notrump = 12..14, rebid = 11..11", "KQ4.AJ7.K983.972", "1NT"),
        ("notrump = 12..14, rebid = 11..11", "KQ4.A87.KQ83.J72", "1C"),
        ("notrump = 14..16, rebid = 11..13", "KQ4.A87.KJ83.972", "1D"),
    ],
)
def test_another_notrump_moves_the_balanced_hands(
    values: str, hand: str, call: str, tmp_path: Path
) -> None:
    file = tmp_path / "ours.bid"
    file.write_text(f'system ours "Ours"\n\ninclude precision({values})\n', encoding="utf-8")
    assert called(hand, "", str(file)) == call


def test_trump_asks_are_a_switch(tmp_path: Path) -> None:
    file = tmp_path / "asks.bid"
    file.write_text(
        'system asks "Asks"\n\ninclude precision\ninclude precision/asking_bids\n',
        encoding="utf-8",
    )
    hand, auction = "KQ843.K72.984.85", "1C P 1S P 2S P"
    assert called(hand, auction) == "4S"
    assert called(hand, auction, str(file)) == "3D"
