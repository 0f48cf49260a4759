"""Ends of ranges told by listing hands: those that the solver finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import parse_hand
from bidwright.inference.engine import ends as module
from bidwright.inference.engine.cells import fitting_cells, ranges
from bidwright.inference.engine.ends import Ends
from bidwright.inference.engine.hull import NUMBERS, Hull, held, numbers, ranges_of, settle
from bidwright.inference.engine.statements import Alternative, Statement, Turn
from bidwright.inference.engine.witnesses import KeptHands
from bidwright.inference.engine.workspace import HAND, Workspace
from bidwright.kb.logic.bounds import ANYTHING
from bidwright.kb.logic.features import HCP, INDEX, features, features_of, suit_feature
from bidwright.kb.logic.formula import both, reaches
from bidwright.kb.rules.decision_list import fitting

ACES = [name for name, _ in NUMBERS].index("aces")

Maker = Callable[[int], Any]
Hands = Callable[[np.random.Generator, int], Any]


def truth(statement: Statement) -> tuple[list[int], list[int]]:
    """Return the ranges of the hands that fit a statement, all told by the solver."""
    workspace = Workspace((*HAND, "report"), "player(x).", 1000)
    made, _ = workspace.assume_calls([("x", statement)])
    hull = Hull([workspace.steps("x")], [ANYTHING])
    assert settle(hull, workspace.program, made)
    return ranges_of(hull.bounds()[0])


@pytest.mark.parametrize("few", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_ends_are_those_that_the_solver_finds(
    rule_maker: Maker,
    some_hands: Hands,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    few: bool,
) -> None:
    if few:  # too few to list most of them
        monkeypatch.setattr(module, "_MOST_LISTED", 400)
        monkeypatch.setattr(module, "_MOST_TRIED", 50)
    decision = rule_maker(700 + seed).decision(10, 4)
    rows = features(some_hands(np.random.default_rng(seed), 3000))
    pool = KeptHands(rows)
    open_before = open_after = 0
    for call in sorted({instance.call for instance in decision.instances}):
        turn = Turn(Seat.NORTH, call, decision.shown_steps(call))
        bits = pool.fitting(turn.statement)
        if not bits:
            continue
        cells = fitting_cells([turn.statement])
        outer = ranges(cells.outer)
        inner = ranges(cells.inner) if cells.inner else None
        attained = pool.ranges(bits, outer, inner)
        assert attained is not None
        ends = Ends([turn.statement], cells, outer, attained)
        ends.search()
        low, high = truth(turn.statement)
        for place in range(len(low)):
            assert ends.least[place] <= low[place] <= ends.low[place] <= attained[0][place]
            assert attained[1][place] <= ends.high[place] <= high[place] <= ends.most[place]
        open_before += attained != outer
        open_after += ends.attained != ends.outer
        if ends.found:
            found = np.array(ends.found)
            assert fitting(turn.steps, features(held(found))).all()
            assert (numbers(found) >= low).all()
            assert (numbers(found) <= high).all()
    assert open_before > open_after or few


def test_few_points_with_few_losers_are_told_without_the_solver(some_hands: Hands) -> None:
    losers = tuple((suit_feature("losers", suit), -1) for suit in range(4))
    points = both(reaches(((HCP, 1),), 9), reaches(((HCP, -1),), -10))
    balanced = reaches(((INDEX["balanced"], 1),), 1)
    statement = (Alternative(0, both(points, balanced, reaches(losers, -7)), ()),)
    pool = KeptHands(features(some_hands(np.random.default_rng(2), 50_000)))
    cells = fitting_cells([statement])
    outer = ranges(cells.outer)
    attained = pool.ranges(pool.fitting(statement), outer)
    assert attained is not None
    assert attained != outer
    ends = Ends([statement], cells, outer, attained)
    ends.search()
    assert ends.attained == ends.outer == truth(statement) != outer


def test_an_ace_beside_four_kings_is_listed() -> None:
    """Of 4333 with sixteen points and six controls: as a rule there are two aces or more."""
    controls = tuple(
        (suit_feature(card, suit), count)
        for card, count in (("card_a", 2), ("card_k", 1))
        for suit in range(4)
    )
    points = both(reaches(((HCP, 1),), 16), reaches(((HCP, -1),), -16))
    shape = both(*(reaches(((suit_feature("len", suit), 1),), 3) for suit in range(4)))
    spades = reaches(((suit_feature("len", 3), 1),), 4)
    statement = (Alternative(0, both(points, shape, spades, reaches(controls, 6)), ()),)
    two_aces = [parse_hand(hand) for hand in ("AQ32.A32.K43.K42", "K432.K42.A32.AQ3")]
    pool = KeptHands(np.stack([features_of(hand) for hand in two_aces]))
    cells = fitting_cells([statement])
    outer = ranges(cells.outer)
    attained = pool.ranges(pool.fitting(statement), outer)
    assert attained is not None
    ends = Ends([statement], cells, outer, attained)
    ends.search()
    assert ends.low[ACES] == 1
    assert ends.attained == truth(statement)
