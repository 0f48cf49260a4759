"""Thresholds over features as tables of the hands, by shape and points, that reach them.

A condition on a hand is a set of thresholds over its features (`kb.logic.formula`). Most thresholds
depend on shape and high-card points alone and become a table over the 560 shapes with one bit
for each number of points. The others depend on single honours; they are sums of what the holding
of each suit and the shape contribute.

The tables are computed by `kb.logic.features` itself, so that a feature has one meaning.

Shapes: `S` = 560 shapes, `K` = 448 kinds, `F` features, suits in the order C D H S.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.hand_tables import (
    KIND_EXISTS,
    KIND_HONOURS,
    KIND_LENGTH,
    KIND_SPOTS,
    MAX_HCP,
    NUM_HONOURS,
    NUM_KINDS,
    NUM_SHAPES,
    NUM_SPOTS,
    SHAPES,
    Table,
    as_table,
)
from bidwright.kb.logic.features import FEATURES, HCP, INDEX, POINTS, SUIT_LETTERS, features
from bidwright.kb.logic.formula import Literal


def _kind_features() -> NDArray[np.int16]:
    """Return int16 `[K, F]`: the features of a kind held in clubs; zero where none exists."""
    held = np.zeros((NUM_KINDS, 52), dtype=np.bool_)
    for kind in np.flatnonzero(KIND_EXISTS):
        held[kind, : KIND_SPOTS[kind]] = True
        held[kind, NUM_SPOTS:13] = KIND_HONOURS[kind] >> np.arange(NUM_HONOURS) & 1
    return features(held) * KIND_EXISTS[:, None]


def _shape_features() -> NDArray[np.int16]:
    """Return int16 `[S, F]`: the features of each shape, as those of its lowest cards."""
    held = np.zeros((NUM_SHAPES, 4, 13), dtype=np.bool_)
    held |= np.arange(13) < SHAPES[:, :, None]
    table = features(held.reshape(NUM_SHAPES, 52))
    # The points of the lowest cards are taken out: those of a hand come in by columns of the table.
    table[:, POINTS] -= table[:, HCP]
    table[:, HCP] = 0
    return table


_KIND_FEATURES = _kind_features()
_SHAPE_FEATURES = _shape_features()
_SUIT_OF = {
    INDEX[name.replace("(c", f"({letter}")]: (suit, INDEX[name])
    for name in FEATURES
    # Features of the four suits are alike, so that the kinds are computed for clubs alone.
    if "(c" in name
    for suit, letter in enumerate(SUIT_LETTERS)
}
"""For each feature of a suit: the suit, and the same feature of clubs."""


@cache
def _depends_on_honours(index: int) -> bool:
    """Return True if a feature depends on honours beyond shape and points."""
    if index not in _SUIT_OF:
        return False
    column = _KIND_FEATURES[:, _SUIT_OF[index][1]]
    by_length = (column[KIND_EXISTS & (length == KIND_LENGTH)] for length in range(14))
    return any(values.min() != values.max() for values in by_length)


@lru_cache(maxsize=20_000)
def flat_table(literal: Literal) -> Table | None:
    """Return the hands that satisfy a literal; None if that depends on single honours."""
    if any(_depends_on_honours(index) for index, _ in literal.terms):
        return None
    value = np.zeros(NUM_SHAPES, dtype=np.int64)
    per_point = 0
    for index, weight in literal.terms:
        value += weight * _SHAPE_FEATURES[:, index].astype(np.int64)
        # Both rise by one with every high-card point; length points are in the shape's part.
        per_point += weight if index in (HCP, POINTS) else 0
    value = value[:, None] + per_point * np.arange(MAX_HCP + 1)
    return as_table((value >= literal.at_least) ^ (not literal.positive))


@dataclass(frozen=True, eq=False)
class Sum:
    """A weighted sum of features, by what each suit's holding and the shape contribute.

    Attributes:
        by_kind: int16 `[4, K]`: the part of each suit's holding.
        by_shape: int16 `[S]`: the part that only the whole shape shows.
        suit: the suit that alone matters; None if there are several.
    """

    by_kind: NDArray[np.int16]
    by_shape: NDArray[np.int16]
    suit: int | None

    @cached_property
    def extremes(self) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The least and the largest value, int16 `[S, 38]`, of hands of each shape and points.

        The least is above the largest where no hand has so many points.
        """
        from bidwright.inference.sampling._cards import largest

        by_kind, by_shape = self.by_kind, self.by_shape
        return -largest(-by_kind, -by_shape), largest(by_kind, by_shape)


@lru_cache(maxsize=20_000)
def honour_sum(terms: tuple[tuple[int, int], ...]) -> Sum:
    """Return the sum of the features of a literal that depends on honours."""
    by_kind = np.zeros((4, NUM_KINDS), dtype=np.int16)
    by_shape = np.zeros(NUM_SHAPES, dtype=np.int16)
    suits = set()
    whole = False
    for index, weight in terms:
        if index in _SUIT_OF:
            suit, in_clubs = _SUIT_OF[index]
            by_kind[suit] += weight * _KIND_FEATURES[:, in_clubs]
            suits.add(suit)
        else:
            whole = True
            by_shape += weight * _SHAPE_FEATURES[:, index]
            if index in (HCP, POINTS):
                by_kind += weight * _KIND_FEATURES[:, HCP]
    return Sum(by_kind, by_shape, suits.pop() if len(suits) == 1 and not whole else None)
