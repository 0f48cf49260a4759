"""Information of bounds on a hand, in bits: the logarithm of how many times fewer hands are left.

Zero bits say nothing, one bit leaves half of the hands, ten leave one in a thousand. What is
counted are the hands within the ranges of high-card points and of the four lengths.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product
from math import comb, factorial, inf, log2

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS
from bidwright.kb.logic.bounds import Bounds, Interval

_HONOURS = (1, 2, 3, 4)
"""The points of jack, queen, king and ace."""
_SPOTS = 9
_BASE = 17
"""More than the honours that a hand can have."""
_MOST = 4 * sum(_HONOURS)


@cache
def _hands() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return all shapes, int64 `[560, 4]`, and the hands of each by points, float64 `[560, 41]`."""
    # Hands of a suit by length and points, then four suits by convolution.
    suit = np.zeros((HAND_SIZE + 1, sum(_HONOURS) + 1))
    for held in product((0, 1), repeat=len(_HONOURS)):
        points = sum(has * value for has, value in zip(held, _HONOURS, strict=True))
        for spots in range(_SPOTS + 1):
            suit[sum(held) + spots, points] += comb(_SPOTS, spots)
    # Two suits, then two pairs of suits: a seventh of the convolutions of one shape at a time.
    pairs = np.array([[np.convolve(one, other) for other in suit] for one in suit])
    short = [each for each in product(range(14), repeat=3) if sum(each) <= HAND_SIZE]
    shapes = np.array([(*each, HAND_SIZE - sum(each)) for each in short])
    clubs, diamonds, hearts, spades = shapes.T
    low, high = pairs[clubs, diamonds], pairs[hearts, spades]
    width = low.shape[1]
    hands = np.zeros((len(shapes), _MOST + 1))
    for points in range(width):
        hands[:, points : points + width] += low[:, points, None] * high
    return shapes, hands


@cache
def _pairs() -> NDArray[np.float64]:
    """Return float64 `[41, 41]`: ways to deal two hands, by the high-card points of both."""
    # Two hands share one deck, so honours are dealt to both together.
    most, spots = HAND_SIZE + 1, NUM_CARDS - len(_HONOURS) * len(_HONOURS)
    ways = np.zeros((_MOST + 1, most, _MOST + 1, most))
    ways[0, 0, 0, 0] = 1
    for value in _HONOURS:
        more = np.zeros_like(ways)
        for mine in range(5):
            for other in range(5 - mine):
                count = comb(4, mine) * comb(4 - mine, other)
                a, b = mine * value, other * value
                more[a:, mine:, b:, other:] += (
                    count * ways[: _MOST + 1 - a, : most - mine, : _MOST + 1 - b, : most - other]
                )
        ways = more
    rest = np.zeros((most, most))
    for mine in range(most):
        for other in range(most):
            first = HAND_SIZE - mine
            rest[mine, other] = comb(spots, first) * comb(spots - first, HAND_SIZE - other)
    return np.asarray(np.einsum("anbm,nm->ab", ways, rest), dtype=np.float64)


@lru_cache(maxsize=4096)
def likelihood(hcp: Interval) -> NDArray[np.float64]:
    """Return float64 `[41]`: how likely another hand's points are within a range, by one's own."""
    pairs = _pairs()
    total = pairs.sum(axis=1)
    inside = pairs[:, hcp[0] : hcp[1] + 1].sum(axis=1)
    return np.asarray(np.divide(inside, total, out=np.zeros_like(total), where=total > 0))


@cache
def _quartets() -> NDArray[np.float64]:
    """Return float64 `[41, 41, 41]`: ways to deal four hands, by the points of three of them."""
    split = [each for each in product(range(5), repeat=4) if sum(each) == 4]
    ways = np.array([_ways_to_split(each) for each in split])
    # How many honours each hand has, and the points of three of them, are a number each: sums.
    # Two numbers in one: sums of both stay apart in a base that is large enough.
    each_has = np.array(split) @ _BASE ** np.arange(4)
    each_scores = np.array(split)[:, :3] @ (_MOST + 1) ** np.arange(3)[::-1]
    held, points, count = np.zeros(1, np.intp), np.zeros(1, np.intp), np.ones(1)
    for value in _HONOURS:
        held = (held[:, None] + each_has).reshape(-1)
        points = (points[:, None] + value * each_scores).reshape(-1)
        count = (count[:, None] * ways).reshape(-1)
    room = np.zeros(_BASE)
    # The other cards of the four hands: a multinomial, without the factor common to all.
    room[: HAND_SIZE + 1] = [1.0 / factorial(HAND_SIZE - honours) for honours in range(14)]
    rest = np.multiply.outer(np.multiply.outer(room, room), np.multiply.outer(room, room))
    weights = count * rest.reshape(-1)[held]
    total = np.bincount(points, weights, minlength=(_MOST + 1) ** 3)
    return np.asarray(total, dtype=np.float64).reshape((_MOST + 1,) * 3)


def _ways_to_split(counts: Iterable[int]) -> float:
    """Return the ways to give four cards to players, by how many each of them gets."""
    ways = float(factorial(4))
    for cards in counts:
        ways /= factorial(cards)
    return ways


@lru_cache(maxsize=4096)
def joint_likelihood(others: tuple[Interval, Interval, Interval]) -> NDArray[np.float64]:
    """Return float64 `[41]`: how likely the points of three hands are in ranges, by one's own."""
    narrow = sorted((low, min(high, _MOST)) for low, high in others)
    # Narrow ranges first: the sum runs over two of them, and the third is what is left.
    narrow.sort(key=lambda each: each[1] - each[0])
    # Only one range says something: two hands are enough.
    if narrow[1] == (0, _MOST):
        return likelihood(narrow[0])
    (low, high), (least, most), last = narrow
    ways = _quartets()[:, low : high + 1, least : most + 1]
    points = np.arange(_MOST + 1)[:, None, None]
    # 40 points in all: the fourth hand has what the others leave.
    left = _MOST - points - np.arange(low, high + 1)[:, None] - np.arange(least, most + 1)
    inside = np.where((last[0] <= left) & (left <= last[1]), ways, 0.0).sum(axis=(1, 2))
    total = _quartets().sum(axis=(1, 2))
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
    # Half of the hands is one bit.
    """Return the information in the ranges of points and lengths; infinite if no hand is left."""
    share = _share(bounds.hcp, bounds.lengths)
    return log2(1 / share) if share else inf
