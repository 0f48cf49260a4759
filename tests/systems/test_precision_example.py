"""The Precision system among the examples: a club that is strong, and what is done over it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing

pytestmark = pytest.mark.system

PATH = Path(__file__).parents[2] / "examples" / "precision.bid"


@cache
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(PATH)))


def test_it_is_green_with_all_its_rules_of_its_own() -> None:
    report = check_system(str(PATH))
    assert report.problems == []
    rules = [each for each in open_system(PATH).rules if each.span.file == PATH.as_posix()]
    assert 140 <= len(rules) <= 200


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("AKQ4.8.AK873.K62", "", "1C"),
        ("KQ4.A873.Q98.J52", "", "1D"),
        ("KQ4.A873.K98.Q52", "", "1NT"),
        ("84.A72.K9.KQ8732", "1C P", "2C"),
        ("84.A72.98.K98732", "1C P", "1D"),
        ("84.A72.98.K98732", "1C X", "P"),
        ("84.972.98.K98732", "1C X", "1D"),
        ("84.A72.98.K98732", "1C 1S", "X"),
        ("84.A72.98.AK9873", "1C 1S", "2C"),
        ("984.A72.A843.K98", "1C 1S", "X"),
        ("AQ4.Q72.9843.K98", "1C 1S", "2NT"),
        ("4.AK72.AQ84.KQ98", "1C 1S P P", "X"),
        ("KQT84.K72.98.A32", "1C P", "1S"),
    ],
)
def test_call_of_a_hand(hand: str, auction: str, call: str) -> None:
    chosen = choose(reader().read(parse_auction(auction)), parse_hand(hand))
    assert str(chosen.call) == call


def test_strong_club_says_nothing_of_clubs_and_is_forcing() -> None:
    meaning = reader().read(parse_auction("1C")).meanings[-1]
    assert meaning.bounds.hcp[0] == 16
    assert meaning.bounds.lengths[0][0] == 0
    assert meaning.record.artificial
    assert meaning.record.forcing is not Forcing.NO


def test_pass_over_their_double_is_forcing_and_shows_a_little() -> None:
    meaning = reader().read(parse_auction("1C X P")).meanings[-1]
    assert meaning.record.call == Call.PASS
    assert meaning.bounds.hcp == (5, 7)


def test_other_openings_are_limited() -> None:
    for opening in ("1D", "1H", "1S", "2C", "2D"):
        assert reader().read(parse_auction(opening)).meanings[-1].bounds.hcp == (11, 15)
