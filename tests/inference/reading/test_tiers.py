"""The usual and the possible meaning of a call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.engine.box_unions import contains
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import HCP, LENGTHS, POINTS, features, held_cards
from bidwright.kb.logic.formula import Formula, both, either, holds_for, negation, reaches
from bidwright.kb.logic.latitude import stretched
from bidwright.kb.rules.decision_list import fits, fitting
from bidwright.kb.wording.words import two_tiers_text

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(MINI)))


def random_features(seed: int, deals: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    hands = [hand for _ in range(deals) for hand in random_deal(rng).hands if hand]
    return features(held_cards(hands))


STRONG = reaches(((HCP, 1),), 15)
WEAK = negation(reaches(((HCP, 1),), 10))
SUPPORT = reaches(((POINTS, 1), (LENGTHS[3], 2)), 20)
HALF = reaches(((HCP, 2), (LENGTHS[2], -1)), 21)


@pytest.mark.parametrize(
    "formula", [STRONG, WEAK, SUPPORT, HALF, either(both(STRONG, SUPPORT), WEAK)]
)
def test_a_stretched_condition_holds_within_a_point_of_it(formula: Formula) -> None:
    rows = random_features(3, 500)
    plain = holds_for(formula, rows)
    wide, narrow = (holds_for(stretched(formula, points), rows) for points in (1, -1))
    assert (plain <= wide).all()
    assert (narrow <= plain).all()
    assert (narrow != plain).any()
    for change in (1, -1):  # a hand that fits with a point more or less fits the wider one
        moved = rows.copy()
        moved[:, [HCP, POINTS]] += change
        assert (holds_for(formula, moved) <= wide).all()
        assert (narrow <= holds_for(formula, moved)).all()


def test_lengths_and_shapes_have_no_latitude() -> None:
    spades = reaches(((LENGTHS[3], 1),), 5)
    assert stretched(spades, 1) == spades


@pytest.mark.parametrize("seed", range(30))
def test_what_is_usual_is_possible_and_rule_bidders_are_inside_both(
    reader: Reader, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    deal = random_deal(rng)
    reading = bid_out(reader, deal, Seat(seed % 4), list(Vulnerability)[seed % 4])
    rows = random_features(seed, 100)
    for meaning in reading.meanings:
        hand = deal[meaning.record.seat]
        assert hand is not None
        assert contains(meaning.possible, meaning.bounds)
        own = features(held_cards([hand]))[0].tolist()
        for usual, possible in zip(meaning.turns, meaning.possible_turns, strict=True):
            assert fits(usual.steps, own)
            assert (fitting(usual.steps, rows) <= fitting(possible.steps, rows)).all()
        assert meaning.contradicts == ""


def test_first_bids_have_no_latitude_and_later_ones_have_a_point() -> None:
    reader = Reader(dict.fromkeys(Side, open_system("sayc")))
    reading = reader.read(parse_auction("1NT (P) 2H (P) 2S (P) 3NT", Seat.NORTH))
    opening, transfer, game = (reading.meanings[place] for place in (0, 2, 6))
    for first in (opening, transfer):
        assert first.possible.hcp == first.bounds.hcp
    assert (game.bounds.hcp[0], game.possible.hcp[0]) == (10, 9)


def test_what_an_author_says_is_also_done_is_denied_by_nothing(tmp_path: Path) -> None:
    path = tmp_path / "also.bid"
    path.write_text(ALSO_DONE, encoding="utf-8")
    reader = Reader(dict.fromkeys(Side, open_system(path)))
    notrump = reader.read(parse_auction("1NT", Seat.NORTH)).meanings[0]
    assert (notrump.bounds.hcp, notrump.bounds.balanced) == ((15, 17), True)
    assert (notrump.possible.hcp, notrump.possible.balanced) == ((15, 17), None)
    assert notrump.possible.lengths[0] == (2, 6), "six clubs are no 1C opening then"
    club = reader.read(parse_auction("1C", Seat.NORTH)).meanings[0]
    assert club.possible == club.bounds, "a catch-all says nothing of what is also done"


ALSO_DONE = """\
system also "What is also done"

opening
  1NT "strong" balanced, hcp 15..17
  1C "clubs" clubs 3+, hcp 11..21
  pass
  may 1NT "a long minor" clubs 6, diamonds 2..3, hearts 2..3, spades 2..3, hcp 15..17

anywhere
  may 1C "anything" hcp 8+
"""


def test_both_tiers_are_written_where_they_differ() -> None:
    usual = Bounds(hcp=(15, 17), balanced=True)
    assert two_tiers_text(usual, usual) == "15-17 HCP, balanced"
    text = two_tiers_text(Bounds(hcp=(14, 18)), usual)
    assert text == "14-18 HCP (usually 15-17), usually balanced"


@pytest.mark.parametrize(
    ("longest", "text"),
    [(5, "4-5 hearts, usually balanced"), (6, "4-6 hearts (usually 4-5), usually balanced")],
)
def test_an_end_that_follows_from_balance_is_no_wider_one(longest: int, text: str) -> None:
    usual = Bounds(lengths=((2, 4), (2, 4), (4, 5), (2, 4)), balanced=True)
    possible = Bounds(lengths=((0, 13), (0, 13), (4, longest), (0, 13)))
    assert two_tiers_text(possible, usual) == text
