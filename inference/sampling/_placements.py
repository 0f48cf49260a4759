"""The honours of a suit: which role gets which, in compiled code."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import SPOTS, honours, kind, length
from bidwright.inference.sampling._jit import inlined, jit
from bidwright.inference.sampling._pair_problem import (
    POINT_KEYS,
    PairProblem,
    points_key,
    roles_that_count,
)
from bidwright.inference.sampling.hand_tables import NUM_HONOURS

MOST_PLACEMENTS = 3**NUM_HONOURS
_FACTORIALS = np.array([1.0, 1, 2, 6, 24, 120, 720, 5040, 40320])


class Placements(NamedTuple):
    """The ways to give the free honours of each suit to the roles, sorted by points key."""

    honours: NDArray[np.int64]
    """int64 `[4, 243, 3]`: the honours of each role, as bits."""
    numbers: NDArray[np.int64]
    """int64 `[4, 243, 3]`: how many they are."""
    start: NDArray[np.int64]
    """int64 `[4, keys + 1]`: where the placements of each points key begin."""


@jit
def place_honours(problem: PairProblem) -> Placements:
    """Return the placements that the kinds allow for some number of spot cards."""
    placed = np.zeros((4, MOST_PLACEMENTS, 3), dtype=np.int64)
    numbers = np.zeros((4, MOST_PLACEMENTS, 3), dtype=np.int64)
    start = np.zeros((4, POINT_KEYS + 1), dtype=np.int64)
    given = np.zeros((MOST_PLACEMENTS, 3), dtype=np.int64)
    counts = np.zeros((MOST_PLACEMENTS, 3), dtype=np.int64)
    keys = np.zeros(MOST_PLACEMENTS, dtype=np.int64)
    for suit in range(4):
        there = honours(problem.free, suit)
        found = 0
        total = 1
        for rank in range(NUM_HONOURS):
            if there >> rank & 1:
                total *= 3
        for number in range(total):
            for role in range(3):
                given[found, role] = 0
                counts[found, role] = 0
            points = np.zeros(3, dtype=np.int64)
            rest = number
            for rank in range(NUM_HONOURS):
                if there >> rank & 1:
                    role = rest % 3
                    rest //= 3
                    given[found, role] |= 1 << rank
                    counts[found, role] += 1
                    points[role] += rank
            if _can_hold(problem, suit, given[found]):
                keys[found] = points_key(points[0], points[1])
                start[suit, keys[found] + 1] += 1
                found += 1
        for key in range(POINT_KEYS):
            start[suit, key + 1] += start[suit, key]
        ahead = start[suit].copy()
        for i in range(found):
            for role in range(3):
                placed[suit, ahead[keys[i]], role] = given[i, role]
                numbers[suit, ahead[keys[i]], role] = counts[i, role]
            ahead[keys[i]] += 1
    return Placements(placed, numbers, start)


@jit
def _can_hold(problem: PairProblem, suit: int, given: NDArray[np.int64]) -> bool:
    """Tell whether each role may hold its honours with some number of spot cards."""
    for role in range(roles_that_count(problem)):
        together = given[role] | honours(problem.base[role], suit)
        possible = False
        for cards in range(14):
            if problem.kinds[role, suit, kind(cards, together)]:
                possible = True
                break
        if not possible:
            return False
    return True


@inlined
def placement_ways(
    free: int,
    base: NDArray[np.int64],
    kinds: NDArray[np.bool_],
    roles: int,
    placed: NDArray[np.int64],
    numbers: NDArray[np.int64],
    suit: int,
    place: int,
    given: NDArray[np.int64],
    known: NDArray[np.int64],
) -> float:
    """Return in how many ways spot cards complete a placement to the lengths that are given.

    The first six arguments are parts of a `PairProblem` and of `Placements`.

    Args:
        free: the cards to come.
        base: int64 `[3]`: the cards known in each role.
        kinds: bool `[3, 4, K]`: the holdings that may fit.
        roles: how many roles have to fit.
        placed: the honours of the placements.
        numbers: how many they are.
        suit: the suit.
        place: the placement.
        given: int64 `[3]`: the cards of the suit that go to each role.
        known: int64 `[3, 4]`: the number of cards known in each role and suit.
    """
    ways: float = _FACTORIALS[length(free >> 13 * suit & SPOTS)]
    for role in range(3):
        spots = given[role] - numbers[suit, place, role]
        if spots < 0:
            return 0.0
        ways /= _FACTORIALS[spots]
        if role < roles:
            together = placed[suit, place, role] | honours(base[role], suit)
            if not kinds[role, suit, kind(given[role] + known[role, suit], together)]:
                return 0.0
    return ways
