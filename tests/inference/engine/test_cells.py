"""Cells of shape and points: no hand outside the outer ones fits, all within the inner ones do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.cards import Seat
from bidwright.inference.engine.cells import (
    CellInterval,
    every_cell,
    fitting_cells,
    formula_cells,
    literal_cells,
    ranges,
)
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.hull import HOLDING, numbers, ranges_of, to_bounds
from bidwright.inference.engine.statements import Turn
from bidwright.kb.logic.bounds import ANYTHING
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, POINTS, features, suit_feature
from bidwright.kb.logic.formula import FALSE, TRUE, Formula, both, holds_for, reaches
from bidwright.kb.rules.decision_list import fitting

Maker = Callable[[int], Any]
Features = NDArray[np.int16]
Mask = NDArray[np.bool_]
Hands = Callable[[np.random.Generator, int], Any]

SHAPES = [
    (c, d, h, 13 - c - d - h) for c in range(14) for d in range(14 - c) for h in range(14 - c - d)
]
WORD = 40
PLACE = np.zeros((14, 14, 14), np.int64)
for _place, (_c, _d, _h, _) in enumerate(SHAPES):
    PLACE[_c, _d, _h] = _place


def contains(cells: int, rows: Features) -> Mask:
    """Return bool `[B]`: whether the cell of each hand, features `[B, F]`, is in a set."""
    packed = np.frombuffer(cells.to_bytes(WORD * len(SHAPES) // 8, "little"), np.uint8)
    clubs, diamonds, hearts, _ = (rows[:, index] for index in LENGTHS)
    bits = WORD * PLACE[clubs, diamonds, hearts] + rows[:, HCP]
    held: Mask = np.unpackbits(packed, bitorder="little")[bits].astype(np.bool_)
    return held


def check(cells: CellInterval, satisfied: Mask, rows: Features) -> None:
    inner, outer = contains(cells.inner, rows), contains(cells.outer, rows)
    assert satisfied[inner].all()
    assert not satisfied[~outer].any()
    assert not cells.inner & ~cells.outer


@pytest.mark.parametrize("seed", range(10))
def test_conditions_hold_within_inner_and_fail_outside_outer_cells(
    rule_maker: Maker, some_hands: Hands, seed: int
) -> None:
    rows = features(some_hands(np.random.default_rng(seed), 3000))
    maker = rule_maker(300 + seed)
    for _ in range(20):
        formula = maker.condition()
        check(formula_cells(formula), holds_for(formula, rows), rows)
        for clause in formula:
            for literal in clause:
                check(literal_cells(literal), literal.holds_for(rows), rows)
    assert contains(every_cell().outer, rows).all()


@pytest.mark.parametrize("seed", range(6))
def test_calls_are_made_within_inner_and_not_outside_outer_cells(
    rule_maker: Maker, some_hands: Hands, seed: int
) -> None:
    rows = features(some_hands(np.random.default_rng(seed), 3000))
    decision = rule_maker(320 + seed).decision(15, 5)
    for call in sorted({instance.call for instance in decision.instances}):
        turn = Turn(Seat.NORTH, call, decision.shown_steps(call))
        check(fitting_cells([turn.statement]), fitting(turn.steps, rows), rows)


def in_order(*lengths: int) -> Formula:
    return both(*(exactly(index, n) for index, n in zip(LENGTHS, lengths, strict=True)))


def exactly(index: int, number: int) -> Formula:
    return both(reaches(((index, 1),), number), reaches(((index, -1),), -number))


@pytest.mark.parametrize(
    "formula",
    [
        exactly(HCP, 12),
        exactly(POINTS, 15),
        reaches(((LENGTHS[3], 1), (LENGTHS[2], -1)), 1),
        reaches(((INDEX["balanced"], 1),), 1),
        reaches(((suit_feature("short531", 0), 1), (HCP, 1)), 14),
        reaches(((INDEX["pattern(5,4,3,1)"], 1),), 1),
        both(in_order(2, 3, 3, 5), exactly(HCP, 19)),
    ],
)
def test_conditions_on_shape_and_points_leave_no_cell_undecided(formula: Formula) -> None:
    cells = formula_cells(formula)
    assert cells.inner == cells.outer != 0


def test_there_are_as_many_cells_as_shapes_with_points_they_can_hold() -> None:
    every = every_cell()
    assert every.inner == every.outer == formula_cells(TRUE).outer
    words = [every.outer >> WORD * place & (1 << WORD) - 1 for place in range(len(SHAPES))]
    assert all(words)
    assert words[PLACE[13, 0, 0]] == 1 << 10
    assert words[PLACE[12, 1, 0]].bit_length() - 1 == 14
    assert words[PLACE[4, 3, 3]] == (1 << 38) - 1
    assert formula_cells(FALSE).outer == 0


def test_an_honour_decides_only_where_all_hands_have_it() -> None:
    (clause,) = reaches(((suit_feature("card_a", 3), 1),), 1)
    ace = formula_cells((clause,))
    strongest = formula_cells(both(in_order(3, 3, 3, 4), exactly(HCP, 37))).outer
    weak = formula_cells(exactly(HCP, 3)).outer
    without = formula_cells(in_order(5, 4, 4, 0)).outer
    some = formula_cells(both(in_order(3, 3, 3, 4), exactly(HCP, 12))).outer
    assert strongest & ace.inner == strongest
    assert not weak & ace.outer
    assert not without & ace.outer
    assert some & ace.outer == some
    assert not some & ace.inner


def test_all_cells_have_the_ranges_of_any_hand() -> None:
    assert to_bounds(*ranges(every_cell().outer)) == ANYTHING
    assert ranges(every_cell().outer) == ranges_of(ANYTHING)


def test_honours_are_open_only_where_some_hand_has_them_and_some_has_not() -> None:
    def honours(least: int, most: int) -> tuple[list[int], list[int]]:
        points = both(reaches(((HCP, 1),), least), reaches(((HCP, -1),), -most))
        low, high = ranges(formula_cells(points).outer)
        return low[4:HOLDING], high[4:HOLDING]

    tens = [0] * 16 + [1] * 4
    assert honours(12, 12) == ([0] * 20, [1] * 20)
    assert honours(0, 0) == ([0] * 20, tens)
    assert honours(1, 1) == ([0] * 20, [0] * 12 + [1] * 8)
    assert honours(37, 37)[0] == [1] * 12 + [0] * 8
    assert honours(0, 37) == ([0] * 20, [1] * 20)


@pytest.mark.parametrize("seed", range(8))
def test_ranges_of_cells_are_attained_and_hold_all_hands(
    hand_engine: HandEngine, rule_maker: Maker, some_hands: Hands, seed: int
) -> None:
    maker = rule_maker(340 + seed)
    rows = features(some_hands(np.random.default_rng(seed), 3000))
    for _ in range(4):
        wanted = both(maker.strength_by_points(), maker.length(), maker.compare())
        cells = formula_cells(wanted)
        assert cells.inner == cells.outer
        if not cells.outer:
            assert not hand_engine.possible([], wanted)
            continue
        low, high = ranges(cells.outer)
        found = numbers(rows[holds_for(wanted, rows)][:, :HOLDING])
        assert (found >= low).all()
        assert (found <= high).all()
        for claim in ends(low, high):
            assert hand_engine.example([], both(wanted, claim)) is not None


def ends(low: Sequence[int], high: Sequence[int]) -> list[Formula]:
    """Return the conditions of attaining each end of the numbers that are features."""
    places = {**{place: place for place in range(HOLDING)}, HOLDING: HCP, HOLDING + 1: POINTS}
    found = [exactly(index, low[place]) for place, index in places.items()]
    found += [exactly(index, high[place]) for place, index in places.items()]
    aces = tuple((suit_feature("card_a", suit), 1) for suit in range(4))
    kings = tuple((suit_feature("card_k", suit), 1) for suit in range(4))
    controls = (*((index, 2) for index, _ in aces), *kings)
    for terms, place in ((controls, HOLDING + 2), (aces, HOLDING + 3)):
        found.append(reaches(terms, high[place]))
        found.append(reaches(tuple((index, -weight) for index, weight in terms), -low[place]))
    return found
