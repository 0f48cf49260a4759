"""The Blue Club among the examples: a strong club, answers in controls, and its variants."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.public_state import Forcing
from bidwright.neural.data.variants import variant_file

pytestmark = pytest.mark.system

PATH = Path(__file__).parents[2] / "examples" / "blue_club.bid"


@cache
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(PATH)))


def test_it_is_green() -> None:
    assert check_system(str(PATH)).problems == []


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("AKQ4.8.AK873.K62", "", "1C"),
        ("KQ43.AJ73.Q98.K2", "", "1NT"),
        ("KQ43.AJ73.QJ98.K", "", "1S"),
        ("43.AJ743.Q8.K742", "", "P"),
        ("84.9732.98.K9873", "1C P", "1D"),
        ("84.KJ32.Q8.K9873", "1C P", "1H"),
        ("84.A732.Q8.K9873", "1C P", "1S"),
        ("K4.A732.98.K9873", "1C P", "1NT"),
        ("KJ9873.732.98.97", "1C P", "2S"),
        ("84.A732.Q8.K9873", "1C X", "XX"),
        ("84.9732.98.K9873", "1C X", "P"),
        ("AKJ84.A732.KQ8.A", "1C P 1S P", "2S"),
        ("KJ84.A732.Q83.72", "1S P", "3S"),
        ("KJ84.A732.KQ3.72", "1S P", "3NT"),
        ("AQ973.K2.KJ83.72", "1S P 3NT P", "4S"),
    ],
)
def test_call_of_a_hand(hand: str, auction: str, call: str) -> None:
    chosen = choose(reader().read(parse_auction(auction)), parse_hand(hand))
    assert str(chosen.call) == call


def test_an_answer_shows_its_controls_and_forces_to_game() -> None:
    meaning = reader().read(parse_auction("1C P 1S")).meanings[-1]
    assert meaning.record.artificial
    assert meaning.record.forcing is Forcing.GAME
    assert meaning.bounds.hcp[0] == 7, "an ace and a king are the least"


def test_a_variant_opens_by_its_own_values(tmp_path: Path) -> None:
    copied = tmp_path / PATH.name
    copied.write_text(PATH.read_text())
    spec = "blue_club(strong = 16..37, limited = 11..15, notrump = 12..14, best = 14, majors = 5)"
    variant = Reader(dict.fromkeys(Side, open_system(variant_file(spec, tmp_path))))
    opened = [
        str(choose(variant.read(parse_auction("")), parse_hand(hand)).call)
        for hand in ("KQ4.AQ8.K9873.K2", "KQ4.A87.K983.Q32", "KQ84.AJ87.Q984.2")
    ]
    assert opened == ["1C", "1NT", "1D"]
