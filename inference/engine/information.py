"""How much bounds say of a hand, in bits: how many times fewer hands are left.

Zero bits say nothing, one bit leaves half of the hands, ten leave one in a thousand. What is
counted are the hands within the ranges of high-card points and of the four lengths.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from math import comb, inf, log2

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS
from bidwright.kb.logic.bounds import Bounds, Interval

_HONOURS = (1, 2, 3, 4)
"""What jack, queen, king and ace count."""
_SPOTS = 9
_MOST = 4 * sum(_HONOURS)


@cache
def _hands() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return all shapes, int64 `[560, 4]`, and the hands of each by points, float64 `[560, 41]`."""
    suit = np.zeros((HAND_SIZE + 1, sum(_HONOURS) + 1))
    for held in product((0, 1), repeat=len(_HONOURS)):
        points = sum(has * value for has, value in zip(held, _HONOURS, strict=True))
        for spots in range(_SPOTS + 1):
            suit[sum(held) + spots, points] += comb(_SPOTS, spots)
    shapes = [each for each in product(range(14), repeat=4) if sum(each) == HAND_SIZE]
    hands = np.zeros((len(shapes), _MOST + 1))
    for row, (clubs, *others) in zip(hands, shapes, strict=True):
        counts = suit[clubs]
        for length in others:
            counts = np.convolve(counts, suit[length])
        row[:] = counts
    return np.array(shapes), hands


@cache
def _pairs() -> NDArray[np.float64]:
    """Return float64 `[41, 41]`: ways to deal two hands, by the high-card points of both."""
    most, spots = HAND_SIZE + 1, NUM_CARDS - len(_HONOURS) * len(_HONOURS)
    ways = np.zeros((_MOST + 1, most, _MOST + 1, most))
    ways[0, 0, 0, 0] = 1
    for value in _HONOURS:
        more = np.zeros_like(ways)
        for own in range(5):
            for other in range(5 - own):
                count = comb(4, own) * comb(4 - own, other)
                a, b = own * value, other * value
                more[a:, own:, b:, other:] += (
                    count * ways[: _MOST + 1 - a, : most - own, : _MOST + 1 - b, : most - other]
                )
        ways = more
    rest = np.zeros((most, most))
    for own in range(most):
        for other in range(most):
            first = HAND_SIZE - own
            rest[own, other] = comb(spots, first) * comb(spots - first, HAND_SIZE - other)
    return np.asarray(np.einsum("anbm,nm->ab", ways, rest), dtype=np.float64)


@lru_cache(maxsize=4096)
def likelihood(hcp: Interval) -> NDArray[np.float64]:
    """Return float64 `[41]`: how likely another hand's points are within a range, by one's own."""
    pairs = _pairs()
    total = pairs.sum(axis=1)
    inside = pairs[:, hcp[0] : hcp[1] + 1].sum(axis=1)
    return np.asarray(np.divide(inside, total, out=np.zeros_like(total), where=total > 0))


def hands_by_cell() -> NDArray[np.float64]:
    """Return float64 `[560, 41]`: the hands of each shape, in the order of `cells`, by points."""
    return _hands()[1]


@lru_cache(maxsize=100_000)
def _share(hcp: Interval, lengths: tuple[Interval, ...]) -> float:
    shapes, hands = _hands()
    low, high = np.array(lengths).T
    inside = ((low <= shapes) & (shapes <= high)).all(axis=1)
    return float(hands[inside, hcp[0] : hcp[1] + 1].sum()) / comb(NUM_CARDS, HAND_SIZE)


def bits(bounds: Bounds) -> float:
    """Return the information in the ranges of points and lengths; infinite if no hand is left."""
    share = _share(bounds.hcp, bounds.lengths)
    return log2(1 / share) if share else inf
