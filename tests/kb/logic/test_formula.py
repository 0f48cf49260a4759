"""Formulas: clause algebra against truth tables, and both evaluators against each other."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.kb.logic.features import FEATURES, INDEX, features
from bidwright.kb.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    JudgedHands,
    Literal,
    both,
    either,
    holds,
    holds_for,
    negation,
    reaches,
)
from bidwright.kb.rules.decision_list import Step, fitting, fitting_of

RNG = np.random.default_rng(20261121)


def random_hands(count: int) -> np.ndarray:
    held = np.zeros((count, 52), dtype=np.bool_)
    for row in held:
        row[RNG.permutation(52)[:13]] = True
    return held


HANDS = features(random_hands(400))

thresholds = st.builds(
    lambda index, weight, other, bound: reaches(((index, weight), (other, 1)), bound),
    st.sampled_from([INDEX["hcp"], INDEX["len(s)"], INDEX["len(h)"], INDEX["losers(c)"]]),
    st.sampled_from([-2, -1, 1, 2, 3]),
    st.sampled_from([INDEX["points"], INDEX["len(d)"], INDEX["card(s,a)"]]),
    st.integers(-3, 25),
)


@given(thresholds, thresholds, thresholds)
def test_clause_algebra_is_the_algebra_of_truth(one: Formula, two: Formula, three: Formula) -> None:
    a, b, c = (holds_for(f, HANDS) for f in (one, two, three))
    assert (holds_for(both(one, two), HANDS) == (a & b)).all()
    assert (holds_for(either(both(one, two), three), HANDS) == ((a & b) | c)).all()
    assert (holds_for(negation(either(both(one, two), three)), HANDS) == ~((a & b) | c)).all()


@given(thresholds, thresholds)
def test_one_hand_and_many_hands_are_evaluated_alike(one: Formula, two: Formula) -> None:
    formula = either(one, negation(two))
    many = holds_for(formula, HANDS)
    assert [holds(formula, hand) for hand in HANDS.tolist()] == many.tolist()


@given(thresholds, thresholds, thresholds)
def test_judged_hands_are_evaluated_alike(one: Formula, two: Formula, three: Formula) -> None:
    judged = JudgedHands(HANDS)
    for formula in (one, either(one, two), negation(two), both(one, three), one, TRUE, FALSE):
        assert (judged.holds_for(formula) == holds_for(formula, HANDS)).all()


@given(st.lists(st.tuples(st.booleans(), thresholds), max_size=6))
def test_judged_hands_fit_lists_alike(steps: list[tuple[bool, Formula]]) -> None:
    made = [Step(fits, formula) for fits, formula in steps]
    assert (fitting_of(made, JudgedHands(HANDS)) == fitting(made, HANDS)).all()


def test_true_and_false_are_neutral() -> None:
    five_spades = reaches(((INDEX["len(s)"], 1),), 5)
    assert both(TRUE, five_spades) == five_spades
    assert both(FALSE, five_spades) == FALSE
    assert either(FALSE, five_spades) == five_spades
    assert either(TRUE, five_spades) == TRUE
    assert negation(TRUE) == FALSE
    assert negation(FALSE) == TRUE


def test_a_test_and_its_mirror_image_share_one_threshold() -> None:
    spades, hearts = INDEX["len(s)"], INDEX["len(h)"]
    (clause,) = reaches(((spades, -1), (hearts, 1)), 1)
    (mirrored,) = negation(reaches(((hearts, 2), (spades, -2)), 2))
    assert mirrored[0] == clause[0].negated()


def test_common_divisors_are_taken_out_and_the_bound_rounded_up() -> None:
    assert reaches(((INDEX["hcp"], 2),), 25) == ((Literal(((INDEX["hcp"], 1),), 13),),)


def _hand(text: str) -> list[int]:
    held = np.zeros((1, 52), dtype=np.bool_)
    for suit, ranks in zip((3, 2, 1, 0), text.split("."), strict=True):
        for rank in ranks:
            held[0, 13 * suit + "23456789TJQKA".index(rank)] = True
    return [int(number) for number in features(held)[0]]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AKQJT98765432...", {"hcp": 10, "points": 19, "losers(s)": 0, "void(h)": 1}),
        ("AQ5.KQ2.KJ54.QT3", {"hcp": 17, "balanced": 1, "quick(s)": 3, "quick(h)": 2}),
        ("K.Q2.J432.AK5432", {"losers(s)": 1, "quick(s)": 0, "quick(c)": 4, "points": 15}),
        ("K.Q2.J432.AK5432", {"stopper(s)": 0, "half_stopper(s)": 1, "stopper(h)": 0}),
        ("K.Q2.J432.AK5432", {"stopper(d)": 1, "half_stopper(h)": 1, "semibalanced": 0}),
        ("K32.Q2.J5432.AK5", {"short531(h)": 1, "short321(h)": 1, "over4(d)": 1, "losers(d)": 3}),
        ("K2.Q2.J5432.AK54", {"semibalanced": 1, "balanced": 0, "doubleton(s)": 1}),
        ("2.K32.A5432.5432", {"short531(s)": 3, "short321(s)": 2, "singleton(s)": 1}),
    ],
)
def test_features_of_known_hands(hand: str, expected: dict[str, int]) -> None:
    row = _hand(hand)
    assert {name: row[FEATURES.index(name)] for name in expected} == expected


def test_there_is_one_object_for_each_literal() -> None:
    terms = ((INDEX["hcp"], 1), (INDEX["points"], 2))
    literal = Literal(terms, 12)
    assert literal is Literal(tuple(list(terms)), 12, True)
    assert literal.negated() is Literal(terms, 12, positive=False)
    assert literal.negated().negated() is literal
    assert len({literal, literal.negated(), Literal(terms, 13), Literal(terms[:1], 12)}) == 4
    assert pickle.loads(pickle.dumps(literal)) is literal
    assert copy.deepcopy(literal) is literal
    with pytest.raises(AttributeError):
        literal.at_least = 13
