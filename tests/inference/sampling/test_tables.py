"""Hands taken apart into shape, points and kinds of holdings, against the features themselves."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.inference.sampling.hand_tables import CODES, MAX_HCP, SHAPE_INDEX
from bidwright.inference.sampling.literal_tables import flat_table, honour_sum
from bidwright.kb.logic.features import FEATURES, HCP, INDEX, LENGTHS, POINTS, features
from bidwright.kb.logic.formula import Literal

HANDS = 300


@pytest.fixture(scope="module")
def held() -> NDArray[np.bool_]:
    cards = np.zeros((HANDS, 52), dtype=np.bool_)
    cards[:, :13] = True
    mixed = np.random.default_rng(3).permuted(cards[1:], axis=1)
    return np.concatenate((cards[:1], mixed))


def _shapes(vectors: NDArray[np.int16]) -> NDArray[np.int16]:
    clubs, diamonds, hearts = (vectors[:, index] for index in LENGTHS[:3])
    return SHAPE_INDEX[clubs, diamonds, hearts]


@pytest.mark.parametrize("index", range(len(FEATURES)), ids=lambda index: FEATURES[index])
def test_feature_is_rebuilt_from_tables(index: int, held: NDArray[np.bool_]) -> None:
    vectors = features(held)
    shapes = _shapes(vectors)
    highest = int(vectors[:, index].max()) + 1
    for least in range(highest + 1):
        literal = Literal(((index, 1),), least)
        table = flat_table(literal)
        if table is not None:
            holds = table[shapes] >> vectors[:, HCP] & 1 == 1
        else:
            total = honour_sum(literal.terms)
            kinds = CODES[held.reshape(-1, 4, 13) @ (1 << np.arange(13))] & 511
            value = total.by_shape[shapes] + total.by_kind[np.arange(4), kinds].sum(axis=1)
            holds = value >= least
        assert (holds == literal.holds_for(vectors)).all()


@pytest.mark.parametrize(
    ("terms", "at_least"),
    [
        (((HCP, 1), (LENGTHS[3], 1)), 15),
        (((LENGTHS[0], 1), (LENGTHS[1], -1)), 0),
        (((HCP, 2), (POINTS, -1)), 8),
        (((INDEX["short531(c)"], 1), (INDEX["short531(d)"], 1), (HCP, 1)), 13),
        (((INDEX["balanced"], -3), (HCP, 1)), 9),
    ],
)
@pytest.mark.parametrize("positive", [True, False])
def test_sum_of_shape_and_points_is_a_table(
    terms: tuple[tuple[int, int], ...], at_least: int, positive: bool, held: NDArray[np.bool_]
) -> None:
    vectors = features(held)
    literal = Literal(terms, at_least, positive)
    table = flat_table(literal)
    assert table is not None
    assert table.max() < 1 << MAX_HCP + 1
    expected = literal.holds_for(vectors)
    assert ((table[_shapes(vectors)] >> vectors[:, HCP] & 1 == 1) == expected).all()


def test_sum_with_points_and_honours_counts_both(held: NDArray[np.bool_]) -> None:
    vectors = features(held)
    terms = ((INDEX["card(h,a)"], 2), (HCP, 1), (INDEX["balanced"], 3), (POINTS, 1))
    total = honour_sum(terms)
    kinds = CODES[held.reshape(-1, 4, 13) @ (1 << np.arange(13))] & 511
    value = total.by_shape[_shapes(vectors)] + total.by_kind[np.arange(4), kinds].sum(axis=1)
    expected = sum(weight * vectors[:, index] for index, weight in terms)
    assert total.suit is None
    assert (value == expected).all()
