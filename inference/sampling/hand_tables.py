"""Hands by shape and points, suits by length and honours: the alphabet of the counts.

A condition on a hand is a set of thresholds over its features (`kb.logic.formula`). Most thresholds
depend on shape and high-card points alone and become a table over the 560 shapes with one bit
for each number of points. The others look at honours; they are sums of what each suit's holding
contributes, and a holding matters only by its *kind*: its length and which of A K Q J T it has.

The tables are computed by `kb.logic.features` itself, so that a feature has one meaning.

Shapes: `S` = 560 shapes, `K` = 448 kinds, suits in the order C D H S.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bidwright.kb.logic.features import FEATURES, HCP, INDEX, POINTS, SUIT_LETTERS, features
from bidwright.kb.logic.formula import Literal

Table = NDArray[np.int64]
"""int64 `[S]`: bit `p` of entry `s` stands for the hands of shape `s` with `p` points."""

MAX_HCP = 37
ALL_POINTS = (1 << MAX_HCP + 1) - 1
"""Every number of high-card points a hand can have, as bits."""

NUM_HONOURS = 5
"""A K Q J T: the cards that conditions look at one by one."""

NUM_SPOTS = 13 - NUM_HONOURS
NUM_KINDS = 14 << NUM_HONOURS
"""Kinds of holding: `32 * length + honours`, bit 4 of the honours being the ace."""


def _shapes() -> NDArray[np.int8]:
    lengths = range(14)
    return np.array(
        [
            (c, d, h, 13 - c - d - h)
            for c in lengths
            for d in lengths[: 14 - c]
            for h in lengths[: 14 - c - d]
        ],
        dtype=np.int8,
    )


SHAPES: NDArray[np.int8] = _shapes()
"""int8 `[S, 4]`: the suit lengths of each shape."""

NUM_SHAPES = len(SHAPES)

SHAPE_INDEX: NDArray[np.int16] = np.full((14, 14, 14), -1, dtype=np.int16)
"""The shape with so many clubs, diamonds and hearts; -1 where there is none."""
SHAPE_INDEX[tuple(SHAPES[:, :3].T)] = np.arange(NUM_SHAPES)

KIND_LENGTH: NDArray[np.int64] = np.arange(NUM_KINDS) >> NUM_HONOURS
"""The length of each kind."""

KIND_HONOURS: NDArray[np.int64] = np.arange(NUM_KINDS) & (1 << NUM_HONOURS) - 1
"""The honours of each kind, as bits."""

_COUNT = np.array([bin(number).count("1") for number in range(1 << 13)], dtype=np.int64)

KIND_SPOTS: NDArray[np.int64] = KIND_LENGTH - _COUNT[KIND_HONOURS]
"""The spot cards of each kind; outside 0 to 8 there is no such holding."""

KIND_EXISTS: NDArray[np.bool_] = (KIND_SPOTS >= 0) & (KIND_SPOTS <= NUM_SPOTS)
"""Which kinds are the kind of some holding."""

POINTS_SHIFT = 9


def _codes() -> NDArray[np.uint16]:
    holdings = np.arange(1 << 13)
    points = sum((holdings >> 8 + rank & 1) * rank for rank in range(1, NUM_HONOURS))
    kind = _COUNT << NUM_HONOURS | holdings >> NUM_SPOTS
    return np.asarray(kind | points << POINTS_SHIFT, dtype=np.uint16)


CODES: NDArray[np.uint16] = _codes()
"""For each holding (13 bits, bit 12 the ace): its kind, and its points above bit 9."""


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
    table[:, POINTS] -= table[:, HCP]
    table[:, HCP] = 0
    return table


_KIND_FEATURES = _kind_features()
_SHAPE_FEATURES = _shape_features()
_SUIT_OF = {
    INDEX[name.replace("(c", f"({letter}")]: (suit, INDEX[name])
    for name in FEATURES
    if "(c" in name
    for suit, letter in enumerate(SUIT_LETTERS)
}
"""For each feature of a suit: the suit, and the same feature of clubs."""


@cache
def _sees_honours(index: int) -> bool:
    """Tell whether a feature depends on more of a hand than its shape and points."""
    if index not in _SUIT_OF:
        return False
    column = _KIND_FEATURES[:, _SUIT_OF[index][1]]
    by_length = (column[KIND_EXISTS & (length == KIND_LENGTH)] for length in range(14))
    return any(values.min() != values.max() for values in by_length)


@lru_cache(maxsize=20_000)
def flat_table(literal: Literal) -> Table | None:
    """Return the hands that satisfy a literal; None if that depends on single honours."""
    if any(_sees_honours(index) for index, _ in literal.terms):
        return None
    value = np.zeros(NUM_SHAPES, dtype=np.int64)
    per_point = 0
    for index, weight in literal.terms:
        value += weight * _SHAPE_FEATURES[:, index].astype(np.int64)
        per_point += weight if index in (HCP, POINTS) else 0
    value = value[:, None] + per_point * np.arange(MAX_HCP + 1)
    return as_table((value >= literal.at_least) ^ (not literal.positive))


def as_table(holds: NDArray[np.bool_]) -> Table:
    """Return the table of the hands marked in bool `[S, 38]`."""
    table: Table = holds @ (np.int64(1) << np.arange(MAX_HCP + 1))
    table.setflags(write=False)
    return table


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
        from bidwright.inference.sampling._extremes import largest

        by_kind, by_shape = self.by_kind, self.by_shape
        return -largest(-by_kind, -by_shape), largest(by_kind, by_shape)


@lru_cache(maxsize=20_000)
def honour_sum(terms: tuple[tuple[int, int], ...]) -> Sum:
    """Return the sum of the features of a literal that looks at honours."""
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
