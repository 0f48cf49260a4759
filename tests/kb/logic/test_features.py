"""The table of features: values of known hands, ranges, and what follows from the table."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from bidwright.bridge.deal import random_deal
from bidwright.bridge.hand import Hand
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.feature_records import Feature, NumberWord
from bidwright.kb.logic.feature_table import (
    FACTS,
    HAND_FEATURES,
    LENGTH_MAX,
    NUMBERS,
    STRENGTH_MAX,
    SUIT_FEATURES,
)
from bidwright.kb.logic.features import (
    FEATURES,
    INDEX,
    LARGEST,
    PATTERNS,
    features,
    features_of,
    held_cards,
)
from bidwright.kb.logic.hand_numbers import form_of
from bidwright.kb.wording.subjects import Measure, Subject, measure


@pytest.fixture(scope="module")
def hands() -> np.ndarray:
    """Features of random hands, and of one with the longest suit and one of the most points."""
    rng = np.random.default_rng(20261122)
    held = np.zeros((3_000, 52), dtype=np.bool_)
    for row in held:
        row[rng.permutation(52)[:13]] = True
    rare = [features_of(Hand.from_pbn(text)) for text in RARE]
    return np.concatenate([features(held), np.array(rare)])


RARE = (
    "AKQJT98765432...",
    "AKQJ.AKQ.AKQ.AKQ",
    "AKQJT.AKQJ.AKQ.A",
    "98765432.5432.2.",
    "432.432.432.5432",
    "KQ2.KQ32.KQ2.KQ2",
    "AK32.AK32.AK32.A",
    ".AKQJT9.AKQJT98.",
    "T98765432.T.T.T9",
    "KQJT9.KQJT.KQJ.K",
    "AKQJT98765.2.2.2",
    "...AKQJT98765432",
    "..AKQJT9.AKQJT98",
    "AKQJT98.AKQJT9..",
)


def most_strength(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the most high-card points and the most points of a hand with these suit lengths."""
    hcp = sum(sum((4, 3, 2, 1)[:length]) for length in shape)
    return hcp, hcp + sum(max(length - 4, 0) for length in shape)


def test_the_most_points_are_37_over_all_shapes() -> None:
    shapes = [
        shape
        for shape in combinations_with_replacement(range(LENGTH_MAX + 1), 4)
        if sum(shape) == LENGTH_MAX
    ]
    assert len(shapes) == len(PATTERNS)
    most = [most_strength(shape) for shape in shapes]
    assert max(hcp for hcp, _ in most) == STRENGTH_MAX
    assert max(points for _, points in most) == STRENGTH_MAX
    assert Bounds().hcp == Bounds().points == (0, STRENGTH_MAX)


def test_most_strength_of_a_shape_is_that_of_a_hand() -> None:
    strongest = features_of(Hand.from_pbn("AKQJT.AKQJ.AKQ.A"))
    found = (strongest[INDEX["hcp"]], strongest[INDEX["points"]])
    assert found == most_strength((5, 4, 3, 1)) == (33, 34)


@pytest.mark.parametrize("index", range(len(FEATURES)), ids=FEATURES)
def test_feature_is_from_zero_to_its_largest_value(index: int, hands: np.ndarray) -> None:
    assert hands[:, index].min() >= 0
    assert hands[:, index].max() <= LARGEST[index]


@pytest.mark.parametrize("feature", SUIT_FEATURES, ids=lambda feature: feature.kind)
def test_largest_value_of_a_feature_of_a_suit_is_reached(
    feature: Feature, hands: np.ndarray
) -> None:
    columns = [INDEX[feature.term(suit)] for suit in range(4)]
    assert hands[:, columns].max() == feature.high


def test_largest_value_of_a_feature_of_the_hand_is_reached(hands: np.ndarray) -> None:
    for feature in HAND_FEATURES:
        assert hands[:, INDEX[feature.kind]].max() == feature.high


@pytest.mark.parametrize(
    "number", NUMBERS, ids=lambda number: f"{number.name}{'(S)' * number.is_of_suit}"
)
def test_number_lies_in_its_range_and_reaches_both_ends(
    number: NumberWord, hands: np.ndarray
) -> None:
    values: list[Fraction] = []
    for suit in range(4) if number.is_of_suit else (None,):
        found = measure(form_of(number, suit))
        assert isinstance(found, Measure)
        counted = Subject(found.key, found.form, found.domain, number.name)
        values += [found.scale * counted.count(row) + found.constant for row in hands.tolist()]
    assert min(values) == number.low
    assert max(values) == number.high


def test_facts_are_features_of_two_values() -> None:
    high = {feature.kind: feature.high for feature in (*SUIT_FEATURES, *HAND_FEATURES)}
    suit_kinds = {feature.kind for feature in SUIT_FEATURES}
    assert all(high[fact.feature] == 1 for fact in FACTS)
    assert all(fact.is_of_suit == (fact.feature in suit_kinds) for fact in FACTS)


def test_every_number_has_a_reading_and_a_name_in_exchanged_notes() -> None:
    assert all(number.noun or number.exchanged for number in NUMBERS)
    assert all("{}" in number.noun for number in NUMBERS if number.is_of_suit and number.noun)


def test_hand_patterns_are_all_shapes_in_falling_order() -> None:
    shapes = {
        tuple(sorted(shape, reverse=True))
        for shape in product(range(LENGTH_MAX + 1), repeat=4)
        if sum(shape) == LENGTH_MAX
    }
    assert set(PATTERNS) == shapes


@pytest.mark.parametrize(
    ("spades", "halves"),
    [
        *(("K", 0), ("K2", 1), ("Q2", 0), ("KQ", 2), ("KJ2", 1), ("A", 2), ("A2", 2)),
        *(("AQ", 3), ("AQJ2", 3), ("AK", 4), ("AKQ", 4), ("432", 0)),
    ],
)
def test_quick_tricks_of_a_suit_in_halves(spades: str, halves: int) -> None:
    hand = f"{spades}.5432.5432.{'98765'[: 5 - len(spades)]}"
    assert features_of(Hand.from_pbn(hand))[INDEX["quick(s)"]] == halves


def test_the_features_of_one_hand_are_those_of_an_array() -> None:
    rng = np.random.default_rng(8)
    dealt = [hand for _ in range(200) for hand in random_deal(rng).hands if hand is not None]
    hands = [*map(Hand.from_pbn, RARE), *dealt]
    together = features(held_cards(hands)).tolist()
    assert [list(features_of(hand)) for hand in hands] == together
