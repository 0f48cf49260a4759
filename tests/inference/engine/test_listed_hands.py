"""Hands listed one by one: all of a cell, each with the features that it has."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from bidwright.inference.engine.cells import every_cell, formula_cells, in_cells
from bidwright.inference.engine.hull import HOLDING, held
from bidwright.inference.engine.listed_hands import ListedHands, Listing, tens_in
from bidwright.inference.engine.statements import Alternative
from bidwright.kb.logic.features import FEATURES, HCP, LENGTHS, features, suit_feature
from bidwright.kb.logic.formula import Formula, Literal, both, reaches

ANY_CONTROLS = (0, 12)
ALL_TENS = range(4)
MANY = 1_000_000


def exactly(index: int, number: int) -> Formula:
    return both(reaches(((index, 1),), number), reaches(((index, -1),), -number))


def cells_of(*lengths: int, hcp: int) -> int:
    shape = both(*(exactly(index, n) for index, n in zip(LENGTHS, lengths, strict=True)))
    return formula_cells(both(shape, exactly(HCP, hcp))).outer


def holdings(hands: ListedHands) -> list[tuple[int, ...]]:
    return [tuple(hands.holding(place).tolist()) for place in range(len(hands))]


@pytest.mark.parametrize(
    "lengths", [(4, 4, 3, 2), (5, 4, 4, 0), (10, 2, 1, 0), (13, 0, 0, 0)], ids=str
)
@pytest.mark.parametrize("hcp", [0, 3, 10, 14])
def test_every_hand_of_a_cell_is_listed_once(lengths: tuple[int, ...], hcp: int) -> None:
    by_suit = [
        [each for each in product((0, 1), repeat=5) if 0 <= length - sum(each) <= 8]
        for length in lengths
    ]
    expected = {
        (*lengths, *(held_card for honour in zip(*suits, strict=True) for held_card in honour))
        for suits in product(*by_suit)
        if sum(4 * a + 3 * k + 2 * q + j for a, k, q, j, _ in suits) == hcp
    }
    cells = cells_of(*lengths, hcp=hcp)
    listed = holdings(Listing(cells, ANY_CONTROLS).hands(MANY, ALL_TENS)) if cells else []
    assert len(listed) == len(set(listed))
    assert set(listed) == expected


def test_hands_have_the_features_of_their_cards() -> None:
    hands = Listing(every_cell().outer, ANY_CONTROLS).hands(3000, (1, 3))
    rows = features(held(np.array(holdings(hands), dtype=np.int16)))
    assert (rows[:, :HOLDING] == holdings(hands)).all()
    for index, name in enumerate(FEATURES):
        for number in set(rows[:, index].tolist()):
            bits = hands.satisfying(hands.every, ((Literal(((index, 1),), number),),))
            expected = np.flatnonzero(rows[:, index] >= number)
            assert hands.places(bits).tolist() == expected.tolist(), name


def test_only_hands_with_the_wanted_controls_are_listed() -> None:
    cells = cells_of(4, 3, 3, 3, hcp=12)

    def controls(least: int, most: int) -> list[int]:
        hands = holdings(Listing(cells, (least, most)).hands(MANY, ()))
        return [2 * sum(hand[4:8]) + sum(hand[8:12]) for hand in hands]

    every = controls(*ANY_CONTROLS)
    assert set(every) == set(range(7))
    assert sorted(controls(3, 4)) == sorted(each for each in every if 3 <= each <= 4)
    assert controls(5, 4) == controls(7, 12) == []


def test_a_part_of_the_hands_is_spread_evenly() -> None:
    cells = formula_cells(exactly(HCP, 11)).outer
    listing = Listing(cells, ANY_CONTROLS)
    part = holdings(listing.hands(2000, ()))
    assert listing.size > 2000 >= len(part) > 200
    assert len(set(part)) == len(part)
    assert len({hand[:4] for hand in part}) > 100


def test_tens_are_told_apart_where_they_are_asked_about() -> None:
    def literal(kind: str, suit: int) -> Literal:
        return Literal(((suit_feature(kind, suit), 1),), 1)

    statement = (
        Alternative(0, ((literal("card_t", 1), literal("card_a", 2)),), ()),
        Alternative(1, (), ((3, ((literal("card_t", 3),),)),)),
    )
    assert tens_in([statement], literal("losers", 0)) == {1, 3}
    assert tens_in([statement], literal("card_t", 0)) == {0, 1, 3}
    cells = cells_of(4, 3, 3, 3, hcp=0)
    listing = Listing(cells, ANY_CONTROLS)
    assert len(listing.hands(MANY, ())) == 1
    assert len(listing.hands(MANY, (0, 2))) == 4


def test_the_cells_of_hands_are_told_by_shape_and_points(
    some_hands: Callable[[np.random.Generator, int], Any],
) -> None:
    shapes, hcp = in_cells(every_cell().outer)
    assert len(set(zip(shapes.tolist(), hcp.tolist(), strict=True))) == len(shapes)
    listing = Listing(every_cell().outer, ANY_CONTROLS)
    assert len(shapes) == every_cell().outer.bit_count()
    assert listing.size > 1_000_000
    rows = features(some_hands(np.random.default_rng(1), 20))
    for row in rows.tolist():
        cell = cells_of(*row[:4], hcp=row[HCP])
        assert [place.tolist() for place in in_cells(cell)[1:]] == [[row[HCP]]]
        assert tuple(row[:HOLDING]) in holdings(Listing(cell, ANY_CONTROLS).hands(MANY, ALL_TENS))
