"""Statements cut down to some cells: the same hands of these cells fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bidwright.bridge.cards import Seat
from bidwright.inference.engine.cells import every_cell, formula_cells
from bidwright.inference.engine.listed_hands import Listing
from bidwright.inference.engine.statements import Alternative, Turn, by_rule
from bidwright.inference.engine.within_cells import formula_within, statement_within
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, suit_feature
from bidwright.kb.logic.formula import FALSE, TRUE, Formula, both, either, negation, reaches

Maker = Callable[[int], Any]


def at_least(index: int, number: int) -> Formula:
    return reaches(((index, 1),), number)


STRONG = formula_cells(both(at_least(HCP, 15), at_least(LENGTHS[3], 5))).outer


def test_what_all_or_none_of_the_hands_satisfy_is_left_out() -> None:
    ace = at_least(suit_feature("card_a", 3), 1)
    assert formula_within(both(at_least(HCP, 12), at_least(LENGTHS[3], 4)), STRONG) == TRUE
    assert formula_within(both(ace, negation(at_least(HCP, 12))), STRONG) is None
    assert formula_within(both(at_least(HCP, 12), ace), STRONG) == ace
    assert formula_within(either(negation(at_least(HCP, 12)), ace), STRONG) == ace
    assert formula_within(FALSE, STRONG) is None
    long_clubs = at_least(LENGTHS[0], 6)
    assert formula_within(either(long_clubs, ace), STRONG) == either(long_clubs, ace)


def test_a_rival_of_all_hands_ends_a_statement() -> None:
    ace, king = (at_least(suit_feature(card, 3), 1) for card in ("card_a", "card_k"))
    balanced, never = at_least(INDEX["balanced"], 1), negation(at_least(HCP, 12))
    statement = (
        Alternative(1, both(ace, never), ((0, king),)),
        Alternative(3, balanced, ((2, never),)),
        Alternative(5, ace, ((4, at_least(HCP, 10)),)),
    )
    assert statement_within(statement, STRONG) == (Alternative(3, balanced, ((0, king),)),)
    assert statement_within(statement[2:], STRONG) == ()
    everyone = (Alternative(1, at_least(HCP, 11), ((0, king),)), Alternative(2, ace, ()))
    assert statement_within(everyone, STRONG) == (Alternative(1, TRUE, ((0, king),)),)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_hands_of_the_cells_fit(rule_maker: Maker, seed: int) -> None:
    maker = rule_maker(720 + seed)
    decision = maker.decision(12, 4)
    fewer = 0
    for call in sorted({instance.call for instance in decision.instances}):
        statement = Turn(Seat.NORTH, call, decision.shown_steps(call)).statement
        for _ in range(4):
            cells = formula_cells(both(maker.strength(), maker.length())).outer
            if not cells:
                continue
            hands = Listing(cells, (0, 12)).hands(2000, range(4))
            cut = statement_within(statement, cells)
            assert hands.fitting(cut) == hands.fitting(statement)
            fewer += cut != statement
    assert fewer
    assert statement_within(statement, every_cell().outer)


def test_the_hands_of_one_rule_are_those_that_fit_by_it(rule_maker: Maker) -> None:
    decision = rule_maker(730).decision(14, 3)
    hands = Listing(every_cell().outer, (0, 12)).hands(20_000, ())
    for call in sorted({instance.call for instance in decision.instances}):
        statement = Turn(Seat.NORTH, call, decision.shown_steps(call)).statement
        for index, fitting in hands.by_rule(statement).items():
            assert hands.fitting(by_rule(statement, index)) == fitting
    with pytest.raises(ValueError, match="no alternative 99"):
        by_rule(statement, 99)
