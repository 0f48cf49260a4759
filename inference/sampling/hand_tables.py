"""Hands by shape and points, suits by length and honours: the alphabet of the counts.

A holding (the cards of one suit) matters only by its *kind*: its length and which of A K Q J T it
has. A hand matters by its shape, its points and the kinds of its holdings.

Shapes: `S` = 560 shapes, `K` = 448 kinds, suits in the order C D H S.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int64]
"""int64 `[S]`: bit `p` of entry `s` stands for the hands of shape `s` with `p` points."""

MAX_HCP = 37
ALL_POINTS = (1 << MAX_HCP + 1) - 1
"""Every number of high-card points a hand can have, as bits."""

NUM_HONOURS = 5
"""A K Q J T: the cards that conditions may name one by one."""

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
# Spades follow from the other three lengths: 2,744 entries, read once for every hand tested.
SHAPE_INDEX[tuple(SHAPES[:, :3].T)] = np.arange(NUM_SHAPES)

KIND_LENGTH: NDArray[np.int64] = np.arange(NUM_KINDS) >> NUM_HONOURS
"""The length of each kind."""

KIND_HONOURS: NDArray[np.int64] = np.arange(NUM_KINDS) & (1 << NUM_HONOURS) - 1
"""The honours of each kind, as bits."""

_COUNT = np.array([bin(number).count("1") for number in range(1 << 13)], dtype=np.int64)

KIND_SPOTS: NDArray[np.int64] = KIND_LENGTH - _COUNT[KIND_HONOURS]
"""The spot cards of each kind; outside 0 to 8 there is no such holding."""

KIND_EXISTS: NDArray[np.bool_] = (KIND_SPOTS >= 0) & (KIND_SPOTS <= NUM_SPOTS)
"""bool `[K]`: true for the kinds that some holding has."""

POINTS_SHIFT = 9


def _codes() -> NDArray[np.uint16]:
    holdings = np.arange(1 << 13)
    points = sum((holdings >> 8 + rank & 1) * rank for rank in range(1, NUM_HONOURS))
    kind = _COUNT << NUM_HONOURS | holdings >> NUM_SPOTS
    return np.asarray(kind | points << POINTS_SHIFT, dtype=np.uint16)


CODES: NDArray[np.uint16] = _codes()
"""For each holding (13 bits, bit 12 the ace): its kind, and its points above bit 9."""


def as_table(holds: NDArray[np.bool_]) -> Table:
    """Return the table of the hands marked in bool `[S, 38]`."""
    table: Table = holds @ (np.int64(1) << np.arange(MAX_HCP + 1))
    # Tables are cached, and shared by all conditions with the same threshold.
    table.setflags(write=False)
    return table
