"""Matches: a low and a high half whose shapes fit all roles, and their ways, in compiled code."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import lengths_and_points
from bidwright.inference.sampling._divisions import lengths_key
from bidwright.inference.sampling._halves import Halves, high_ways, pair_splits, reversed_points
from bidwright.inference.sampling._jit import integer, jit
from bidwright.inference.sampling._pair_problem import PairProblem, known_lengths
from bidwright.inference.sampling._splits import Splits
from bidwright.inference.sampling.hand_tables import NUM_SHAPES, SHAPE_INDEX

_MOST_MATCHES = NUM_SHAPES**2


class Matches(NamedTuple):
    """Pairs of a low and a high half that fit."""

    halves: NDArray[np.int32]
    """int32 `[matches, 2]`: low and high half."""
    points: NDArray[np.int64]
    """int64 `[matches, 3]`: points that each role may get, as bits; of role 2 from bit 40 down."""
    weights: NDArray[np.float64]
    """float64 `[matches]`: ways to divide role 2."""
    ways: NDArray[np.float64]
    """float64 `[matches]`: ways of this match and all before it."""


@jit
def match_shapes(problem: PairProblem, splits: Splits) -> tuple[Halves, Halves, Matches]:
    """Return the low and the high halves and their matches, without their ways."""
    low = pair_splits(problem, splits, integer(0))
    high = pair_splits(problem, splits, integer(2))
    first, following = _by_lengths(splits, high)
    known = known_lengths(problem)
    cards, _ = lengths_and_points(problem.free)
    held = np.zeros(3, dtype=np.int64)
    for role in range(3):
        _, held[role] = lengths_and_points(problem.base[role])
    halves = np.empty((_MOST_MATCHES, 2), dtype=np.int32)
    points = np.empty((_MOST_MATCHES, 3), dtype=np.int64)
    weights = np.empty(_MOST_MATCHES)
    found = 0
    for half in range(len(low)):
        p = splits.lengths[0, low[half, 0]]
        q = splits.lengths[1, low[half, 1]]
        other = first[problem.need[0] - p[0] - q[0], problem.need[1] - p[1] - q[1]]
        while other >= 0:
            u = splits.lengths[2, high[other, 0]]
            one = problem.upper[
                0, SHAPE_INDEX[known[0, 0] + p[0], known[0, 1] + q[0], known[0, 2] + u[0]]
            ]
            two = problem.upper[
                1, SHAPE_INDEX[known[1, 0] + p[1], known[1, 1] + q[1], known[1, 2] + u[1]]
            ]
            three = 0
            weight = 1.0
            if one and two:
                clubs = cards[0] - p[0] - p[1]
                diamonds = cards[1] - q[0] - q[1]
                hearts = cards[2] - u[0] - u[1]
                if problem.implied:
                    shape = SHAPE_INDEX[
                        known[2, 0] + clubs, known[2, 1] + diamonds, known[2, 2] + hearts
                    ]
                    three = problem.upper[2, shape] >> held[2]
                else:
                    key = lengths_key(clubs, diamonds, hearts)
                    weight = problem.divisions.total[key]
                    three = problem.divisions.points[key]
            if one >> held[0] and two >> held[1] and three:
                halves[found, 0] = half
                halves[found, 1] = other
                points[found, 0] = one >> held[0]
                points[found, 1] = two >> held[1]
                points[found, 2] = reversed_points(three)
                weights[found] = weight
                found += 1
            other = following[other]
    return (
        low,
        high,
        Matches(
            halves[:found].copy(), points[:found].copy(), weights[:found].copy(), np.zeros(found)
        ),
    )


@jit
def _by_lengths(splits: Splits, high: Halves) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the high halves as chains, by the number of cards that roles 0 and 1 get.

    Returns:
        int32 `[14, 14]`: the first half of each chain, -1 where there is none; and int32
        `[halves]`: the half that follows each in its chain, -1 at the end.
    """
    first = np.full((14, 14), -1, dtype=np.int32)
    following = np.full(len(high), -1, dtype=np.int32)
    for half in range(len(high)):
        u = splits.lengths[2, high[half, 0]]
        v = splits.lengths[3, high[half, 1]]
        following[half] = first[u[0] + v[0], u[1] + v[1]]
        first[u[0] + v[0], u[1] + v[1]] = half
    return first, following


@jit
def count_matches(
    matches: Matches, low: NDArray[np.float64], high: NDArray[np.float64], total: int
) -> None:
    """Fill in the ways of the matches, each with those of all before it.

    Args:
        matches: the matches.
        low: the ways of the low halves.
        high: the ways of the high halves, summed.
        total: points of all free cards.
    """
    halves, points, ways = matches.halves, matches.points, matches.ways
    so_far = 0.0
    for match in range(len(halves)):
        one = halves[match, 0]
        other = halves[match, 1]
        for i in range(low.shape[1]):
            for j in range(low.shape[2]):
                if low[one, i, j] > 0:
                    some = high_ways(high, other, points, match, total, i, j)
                    so_far += matches.weights[match] * low[one, i, j] * some
        ways[match] = so_far
