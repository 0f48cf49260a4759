"""Intervals of the features: no hand is excluded, and what a suit implies is exact."""

from __future__ import annotations

from operator import ge, le

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.feature_table import SUIT_FEATURES
from bidwright.kb.logic.features import FEATURES, INDEX, LARGEST, features
from bidwright.kb.logic.formula import Formula, both, either, holds_for, negation, reaches
from bidwright.kb.logic.intervals import ALL_HANDS, Intervals, may_hold

RNG = np.random.default_rng(20261122)


def _random_hands(count: int) -> np.ndarray:
    held = np.zeros((count, 52), dtype=np.bool_)
    for row in held:
        row[RNG.permutation(52)[:13]] = True
    return held


HELD = _random_hands(2_000)
HANDS = features(HELD)
HONOURS = [13 * suit + rank for suit in range(4) for rank in range(8, 13)]


def _hull(rows: np.ndarray, held: np.ndarray) -> Bounds:
    """Return the bounds of some hands."""
    low, high = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()

    def interval(name: str) -> tuple[int, int]:
        return low[INDEX[name]], high[INDEX[name]]

    balanced = interval("balanced")
    return Bounds(
        hcp=interval("hcp"),
        points=interval("points"),
        lengths=(interval("len(c)"), interval("len(d)"), interval("len(h)"), interval("len(s)")),
        balanced=bool(balanced[0]) if balanced[0] == balanced[1] else None,
        sure=frozenset(card for card in HONOURS if held[:, card].all()),
        impossible=frozenset(card for card in HONOURS if not held[:, card].any()),
    )


@given(st.integers(0, len(HANDS) - 1), st.integers(1, 5))
def test_no_hand_within_bounds_is_excluded(start: int, count: int) -> None:
    rows, held = HANDS[start : start + count], HELD[start : start + count]
    found = Intervals.around(_hull(rows, held))
    assert (np.array(found.low) <= rows).all()
    assert (rows <= np.array(found.high)).all()


thresholds = st.builds(
    lambda name, bound: reaches(((INDEX[name], 1),), bound),
    st.sampled_from(
        [
            "hcp",
            "points",
            "len(s)",
            "len(h)",
            "losers(s)",
            "void(c)",
            "stopper(h)",
            "balanced",
            "semibalanced",
            "quick(d)",
            "short531(s)",
            "card(s,a)",
            "over4(d)",
        ]
    ),
    st.integers(1, 5),
)
formulas = st.recursive(
    thresholds,
    lambda inner: st.one_of(
        st.builds(both, inner, inner), st.builds(either, inner, inner), st.builds(negation, inner)
    ),
    max_leaves=5,
)


@given(formulas, formulas)
def test_cut_keeps_the_hands_of_a_formula_and_reduce_its_meaning(
    one: Formula, other: Formula
) -> None:
    rows = HANDS[holds_for(one, HANDS)]
    cut = ALL_HANDS.cut(one)
    assert (np.array(cut.low) <= rows).all()
    assert (rows <= np.array(cut.high)).all()
    expected = holds_for(other, rows)
    reduced = cut.reduce(other)
    if reduced is None:
        assert not expected.any()
    else:
        assert (holds_for(reduced, rows) == expected).all()
    if expected.any():
        assert cut.may_hold(other)


def test_a_feature_of_a_suit_follows_from_its_cards() -> None:
    """With the ace and two cards of spades there is a stopper, a loser at most one, no void."""
    ace = 13 * 3 + 12
    lengths = ((0, 13), (0, 13), (0, 13), (2, 2))
    found = Intervals.around(Bounds(lengths=lengths, sure=frozenset({ace})))
    ends = {name: (found.low[INDEX[name]], found.high[INDEX[name]]) for name in FEATURES}
    assert ends["stopper(s)"] == (1, 1)
    assert ends["losers(s)"] == (0, 1)
    assert ends["void(s)"] == (0, 0)
    assert ends["doubleton(s)"] == (1, 1)
    assert ends["quick(s)"] == (2, 4)
    assert ends["len(h)"] == (0, 11)


def test_a_feature_of_a_suit_limits_its_cards() -> None:
    void = reaches(((INDEX["void(s)"], 1),), 1)
    assert not ALL_HANDS.cut(void).may_hold(reaches(((INDEX["card(s,a)"], 1),), 1))
    assert ALL_HANDS.cut(void).high[INDEX["len(s)"]] == 0


def test_all_hands_have_the_whole_range_of_every_feature() -> None:
    assert ALL_HANDS.low == (0,) * len(FEATURES)
    assert ALL_HANDS.high == LARGEST
    implied = Intervals.around(Bounds())
    assert implied.low == ALL_HANDS.low
    assert implied.high == ALL_HANDS.high


def test_nine_points_leave_no_opening_of_twelve() -> None:
    twelve = reaches(((INDEX["hcp"], 1),), 12)
    assert not may_hold(twelve, Bounds(points=(0, 9)))
    assert may_hold(twelve, Bounds(points=(0, 12)))


def test_every_feature_of_a_suit_has_its_interval_by_enumeration() -> None:
    exact = Intervals.around(Bounds(lengths=((0, 13), (0, 13), (0, 13), (4, 4))))
    rows = HANDS[HANDS[:, INDEX["len(s)"]] == 4]
    for feature in SUIT_FEATURES:
        index = INDEX[feature.term(3)]
        assert (exact.low[index], exact.high[index]) == (
            rows[:, index].min(),
            rows[:, index].max(),
        ), feature.kind


def _points(low: int, high: int) -> Intervals:
    return Intervals.around(Bounds(hcp=(low, high)))


def test_a_union_is_the_smallest_around_all() -> None:
    few, many = _points(5, 7), _points(15, 17)
    found = Intervals.union([few, many])
    index = INDEX["hcp"]
    assert (found.low[index], found.high[index]) == (5, 17)
    assert all(map(le, found.low, few.low))
    assert all(map(ge, found.high, many.high))
    assert Intervals.union([many]) is many


@pytest.mark.parametrize(
    ("low", "high", "may", "may_not"),
    [(10, 11, False, True), (10, 12, True, True), (12, 14, True, False)],
)
def test_a_threshold_may_be_reached_or_missed_up_to_its_very_value(
    low: int, high: int, may: bool, may_not: bool
) -> None:
    ((reached,),) = reaches(((INDEX["hcp"], 1),), 12)
    ((missed,),) = negation(reaches(((INDEX["hcp"], 1),), 12))
    found = _points(low, high)
    assert (found.allows(reached), found.allows_not(reached)) == (may, may_not)
    assert (found.allows(missed), found.allows_not(missed)) == (may_not, may)


def test_what_the_intervals_say_is_left_out_of_a_formula() -> None:
    twelve, spades = reaches(((INDEX["hcp"], 1),), 12), reaches(((INDEX["len(s)"], 1),), 5)
    strong, weak = _points(15, 17), _points(5, 7)
    assert strong.reduce(both(twelve, spades)) == spades
    assert strong.reduce(either(twelve, spades)) == ()
    assert weak.reduce(either(twelve, spades)) == spades
    assert weak.reduce(both(twelve, spades)) is None
