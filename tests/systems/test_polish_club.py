"""Polish Club: three kinds of hand behind one club, the relay, and what its values change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
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

EXAMPLES = 60
"""The least number of examples in the system's own files."""


@cache
def reader(system: str = "polish_club") -> Reader:
    return Reader(dict.fromkeys(Side, open_system(system)))


def last(auction: str) -> Meaning:
    return reader().read(parse_auction(auction)).meanings[-1]


def called(hand: str, auction: str, system: str = "polish_club") -> str:
    return str(choose(reader(system).read(parse_auction(auction)), parse_hand(hand)).call)


def test_it_has_examples_of_its_own() -> None:
    (suite,) = open_suites(["polish_club"])
    files = [each.span.file for _, each in suite.examples]
    assert sum("/polish_club/" in file for file in files) >= EXAMPLES


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("KQ4.A87.K983.J72", "", "1C"),  # a weak notrump
        ("K4.A7.983.AKJ752", "", "1C"),  # clubs
        ("AKQ84.AQ873.K3.2", "", "1C"),  # strong
        ("KQ4.A87.K9873.J2", "", "1D"),
        ("KQJ84.A7.K983.J2", "", "1S"),
        ("A4.K732.98.AQJ73", "", "2C"),
        ("K4.AJ972.63.AQ82", "", "1H"),
        ("KQ4.A87.K983.J72", "1C P 1D P", "1H"),
        ("K4.A7.983.AKJ752", "1C P 1D P", "2C"),
        ("AKQ84.AQ873.K3.2", "1C P 1D P", "2S"),
        ("KQ4.A87.K983.J72", "1C P 1H P", "1NT"),
        ("K4.A7.983.AKJ752", "1C P 1H P", "2C"),
        ("AKQ84.AQ873.K3.2", "1C P 1H P", "2D"),
        ("AKQ84.AQ.K873.K2", "1C P 1H P", "2S"),
    ],
)
def test_the_second_call_tells_which_of_three_hands_opener_has(
    hand: str, auction: str, call: str
) -> None:
    assert called(hand, auction) == call


def test_one_club_is_forcing_and_says_nothing_of_clubs() -> None:
    meaning = last("1C")
    assert meaning.record.artificial
    assert meaning.record.forcing is Forcing.ONE_ROUND
    assert meaning.bounds.lengths[0][0] == 0


@pytest.mark.parametrize("opening", ["1D", "1H", "1S"])
def test_other_suits_are_limited(opening: str) -> None:
    assert last(opening).bounds.hcp == (10, 17)


@pytest.mark.parametrize(
    ("auction", "forcing"),
    [
        ("1C (P) 1D", Forcing.ONE_ROUND),
        ("1C (P) 1S", Forcing.ONE_ROUND),
        ("1C (P) 2D", Forcing.GAME),
        ("1C (P) 1NT", Forcing.NO),
        ("1C (P) 1S (P) 2D", Forcing.GAME),
        ("1C (P) 1S (P) 2NT", Forcing.GAME),
        ("1C (P) 1S (P) 2C", Forcing.NO),
        ("1C (P) 1D (P) 2D", Forcing.GAME),
        ("1C (P) 1D (P) 1NT", Forcing.NO),
        ("1C (1S) X", Forcing.ONE_ROUND),
        ("1C (1S) X (P) 2S", Forcing.GAME),
    ],
)
def test_what_is_forcing(auction: str, forcing: Forcing) -> None:
    assert last(auction).record.forcing is forcing


@pytest.mark.parametrize(
    ("answer", "spades", "least"),
    [("2H", 4, 7), ("2S", 5, 7), ("2NT", 4, 11), ("3C", 5, 11), ("3D", 6, 11), ("3S", 6, 7)],
)
def test_answers_to_the_relay_show_length_and_strength(
    answer: str, spades: int, least: int
) -> None:
    meaning = last(f"1C (P) 1S (P) 2D (P) {answer}")
    assert meaning.bounds.lengths[3][0] == spades
    assert meaning.bounds.hcp[0] == least


@pytest.fixture
def other_notrump(tmp_path: Path) -> str:
    """Return the path of Polish Club with a notrump of 14 to 16."""
    file = tmp_path / "ours.bid"
    file.write_text(
        'system ours "Ours"\n\ninclude polish_club(notrump = 14..16, rebid = 11..13)\n\n'
        "example KQ4.A87.K983.J72 -> 1C\nexample KQ4.AQ7.K983.972 -> 1NT\n",
        encoding="utf-8",
    )
    return str(file)


@pytest.mark.slow
def test_all_is_green_with_another_notrump(other_notrump: str) -> None:
    assert check_system(other_notrump).problems == []


def test_another_notrump_moves_one_club(other_notrump: str) -> None:
    file = other_notrump
    assert called("KQ4.A87.K983.J72", "", file) == "1C"
    assert called("KQ4.AQ7.K983.972", "", file) == "1NT"
    assert called("KQ4.Q87.K983.J72", "", file) == "1C"  # eleven
    assert called("AQ4.AQ7.KJ83.J72", "", file) == "1C"  # seventeen
    assert called("AQ4.AQ7.KJ83.J72", "") == "1NT"
    assert called("AQ4.AQ7.KJ83.J72", "1C P 1D P", file) == "1NT"


def test_two_diamonds_is_a_weak_two_in_the_variant() -> None:
    hand = "83.84.KQJ974.K62"
    assert called(hand, "", "polish_club_weak_twos") == "2D"
    assert called(hand, "") == "P"
