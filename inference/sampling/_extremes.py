"""The largest value that a sum over suits can have, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._jit import integer, jit
from bidwright.inference.sampling.hand_tables import KIND_EXISTS, SHAPES

_NEVER = -10_000


@jit
def largest(by_kind: NDArray[np.int16], by_shape: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return int16 `[S, 38]`: the largest value of hands of each shape and number of points.

    Args:
        by_kind: int16 `[4, K]`: what the holding of a suit adds.
        by_shape: int16 `[S]`: what the shape adds.
    """
    best = np.full((4, 14, 11), _NEVER, dtype=np.int64)
    for kind in range(len(KIND_EXISTS)):
        if KIND_EXISTS[kind]:
            points = 0
            for rank in range(1, 5):
                points += rank * (kind >> rank & 1)
            for suit in range(4):
                value = integer(by_kind[suit, kind])
                best[suit, kind >> 5, points] = max(best[suit, kind >> 5, points], value)
    low = _together(best[0], best[1])
    high = _together(best[2], best[3])
    result = np.full((len(SHAPES), 38), _NEVER, dtype=np.int16)
    for shape in range(len(SHAPES)):
        clubs, diamonds, hearts, spades = SHAPES[shape]
        for i in range(21):
            for j in range(min(21, 38 - i)):
                value = low[clubs, diamonds, i] + high[hearts, spades, j] + by_shape[shape]
                if value > result[shape, i + j]:
                    result[shape, i + j] = value
    return result


@jit
def _together(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the largest values of two suits, by their lengths and their points together."""
    best = np.full((14, 14, 21), 2 * _NEVER, dtype=np.int64)
    for a in range(14):
        for b in range(14 - a):
            for i in range(11):
                for j in range(11):
                    best[a, b, i + j] = max(best[a, b, i + j], one[a, i] + other[b, j])
    return best
