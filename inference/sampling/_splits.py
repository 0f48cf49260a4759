"""Splits: how many cards of a suit each role gets, and in how many ways, in compiled code."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import SUIT_POINTS, lengths_and_points
from bidwright.inference.sampling._jit import jit
from bidwright.inference.sampling._pair_problem import (
    PairProblem,
    known_lengths,
    points_key,
    roles_that_count,
)
from bidwright.inference.sampling._placements import Placements, placement_ways
from bidwright.inference.sampling.hand_tables import SHAPES

MOST_SPLITS = 14 * 15 // 2
"""Splits of a suit at most: pairs of numbers that are 13 or less together."""


class Splits(NamedTuple):
    """How many cards of each suit roles 0 and 1 get; role 2 gets the rest."""

    number: NDArray[np.int64]
    """int64 `[4]`: splits of each suit."""
    lengths: NDArray[np.int64]
    """int64 `[4, splits, 2]`: cards of roles 0 and 1."""
    ways: NDArray[np.float64]
    """float64 `[4, splits, 11, 11]`: ways by the points of roles 0 and 1."""


@jit
def split_suits(problem: PairProblem, placements: Placements) -> Splits:
    """Return the splits that some shape of each role allows."""
    allowed = _allowed_lengths(problem)
    known = known_lengths(problem)
    cards, _ = lengths_and_points(problem.free)
    number = np.zeros(4, dtype=np.int64)
    lengths = np.zeros((4, MOST_SPLITS, 2), dtype=np.int64)
    ways = np.zeros((4, MOST_SPLITS, SUIT_POINTS + 1, SUIT_POINTS + 1))
    given = np.zeros(3, dtype=np.int64)
    for suit in range(4):
        for one in range(min(cards[suit], problem.need[0]) + 1):
            for other in range(min(cards[suit] - one, problem.need[1]) + 1):
                given[0] = one
                given[1] = other
                given[2] = cards[suit] - one - other
                good = given[2] <= problem.need[2]
                for role in range(roles_that_count(problem)):
                    total = known[role, suit] + given[role]
                    good = good and total < 14 and allowed[role, suit, total]
                if good and _count_split(
                    problem, placements, suit, given, known, ways[suit, number[suit]]
                ):
                    lengths[suit, number[suit], 0] = one
                    lengths[suit, number[suit], 1] = other
                    number[suit] += 1
    return Splits(number, lengths, ways)


@jit
def _allowed_lengths(problem: PairProblem) -> NDArray[np.bool_]:
    """Return bool `[3, 4, 14]`: the suit lengths of the shapes that may fit each role."""
    allowed = np.zeros((3, 4, 14), dtype=np.bool_)
    for shape in range(len(SHAPES)):
        for role in range(3):
            if problem.upper[role, shape]:
                for suit in range(4):
                    allowed[role, suit, SHAPES[shape, suit]] = True
    if not problem.implied:
        allowed[2] = True
    return allowed


@jit
def _count_split(
    problem: PairProblem,
    placements: Placements,
    suit: int,
    given: NDArray[np.int64],
    known: NDArray[np.int64],
    ways: NDArray[np.float64],
) -> bool:
    """Fill in the ways of a split; tell whether there are any."""
    found = False
    start = placements.start
    roles = roles_that_count(problem)
    for i in range(SUIT_POINTS + 1):
        for j in range(SUIT_POINTS + 1 - i):
            some = 0.0
            key = points_key(i, j)
            for place in range(start[suit, key], start[suit, key + 1]):
                some += placement_ways(
                    problem.free,
                    problem.base,
                    problem.kinds,
                    roles,
                    placements.honours,
                    placements.numbers,
                    suit,
                    place,
                    given,
                    known,
                )
            ways[i, j] = some
            found = found or some > 0
    return found
