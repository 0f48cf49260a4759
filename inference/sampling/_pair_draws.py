"""Two hands drawn jointly and exactly, by walking back through what was counted.

A *split* is how many cards of a suit roles 0 and 1 get (`_splits`); its ways are counted by the
points they get with them, over all placements of the free honours (`_placements`). Splits of two
suits make a *half* (`_halves`). A *match* is a low and a high half whose shapes fit all roles
(`_matches`); its ways are the sum over the points that fit. Drawing goes the other way: match,
points of the halves, points in each suit, honours, spot cards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._card_draws import draw_of_suit
from bidwright.inference.sampling._cards import SPOTS, SUIT_POINTS, lengths_and_points
from bidwright.inference.sampling._halves import Halves, fitting_points, high_ways, row_ways
from bidwright.inference.sampling._jit import inlined, integer, jit
from bidwright.inference.sampling._matches import Matches
from bidwright.inference.sampling._pair_problem import (
    PairProblem,
    known_lengths,
    points_key,
    roles_that_count,
)
from bidwright.inference.sampling._placements import Placements, placement_ways
from bidwright.inference.sampling._random import State, uniform
from bidwright.inference.sampling._splits import Splits


class PairCounts(NamedTuple):
    """Everything that was counted of a problem."""

    problem: PairProblem
    placements: Placements
    splits: Splits
    low_halves: Halves
    high_halves: Halves
    low: NDArray[np.float64]
    """The ways of the low halves."""
    high: NDArray[np.float64]
    """The ways of the high halves, summed up along the points of role 1."""
    matches: Matches
    total: int
    """Points of all free cards."""


@jit
def draw_pairs(shares: NDArray[np.float64], state: State, counts: PairCounts) -> NDArray[np.int64]:
    """Draw the free cards of roles 0 and 1.

    Args:
        shares: numbers from 0 to 1, in rising order: which match each draw takes.
        state: random state.
        counts: what was counted.

    Returns:
        int64 `[draws, 2]`: the cards of roles 0 and 1 as masks.
    """
    drawn = np.zeros((len(shares), 2), dtype=np.int64)
    problem, placements, splits = counts.problem, counts.placements, counts.splits
    low, high, total = counts.low, counts.high, counts.total
    low_halves, high_halves = counts.low_halves, counts.high_halves
    free, base, kinds = problem.free, problem.base, problem.kinds
    honours, numbers, start = placements.honours, placements.numbers, placements.start
    halves, points, match_ways = counts.matches.halves, counts.matches.points, counts.matches.ways
    lengths, split_ways = splits.lengths, splits.ways
    roles = roles_that_count(problem)
    known = known_lengths(problem)
    cards, _ = lengths_and_points(free)
    given = np.empty(3, dtype=np.int64)
    ways = np.empty(low.shape[1] * low.shape[2])
    spots = np.empty((len(ways), 2), dtype=np.int64)
    suits = np.empty((4, 3), dtype=np.int64)
    filled = 0
    match = 0
    ready = -1
    for draw in range(len(shares)):
        target = shares[draw] * match_ways[-1]
        while match < len(match_ways) - 1 and match_ways[match] <= target:
            match += 1
        one = halves[match, 0]
        other = halves[match, 1]
        if match != ready:
            ready = match
            filled = _low_points(low, one, high, other, points, match, total, ways, spots)
        target = uniform(state) * ways[filled - 1]
        place = _first_above(ways, filled, target)
        i = spots[place, 0]
        j = spots[place, 1]
        _draw_points(state, low[one, i, j], split_ways, low_halves, one, integer(0), i, j, suits)
        k, m = _draw_high(state, high, other, points, match, total, i, j)
        some = high[other, k, m + 1] - high[other, k, m]
        _draw_points(state, some, split_ways, high_halves, other, integer(2), k, m, suits)
        for suit in range(4):
            split = suits[suit, 0]
            given[0] = lengths[suit, split, 0]
            given[1] = lengths[suit, split, 1]
            given[2] = cards[suit] - given[0] - given[1]
            key = points_key(suits[suit, 1], suits[suit, 2])
            target = uniform(state) * split_ways[suit, split, suits[suit, 1], suits[suit, 2]]
            chosen = 0
            for option in range(start[suit, key], start[suit, key + 1]):
                some = placement_ways(
                    free, base, kinds, roles, honours, numbers, suit, option, given, known
                )
                if some > 0:
                    chosen = option
                    target -= some
                    if target < 0:
                        break
            pool = free >> 13 * suit & SPOTS
            for role in range(2):
                mine = draw_of_suit(state, pool, given[role] - numbers[suit, chosen, role])
                pool ^= mine
                mine |= honours[suit, chosen, role] << 8
                drawn[draw, role] |= mine << 13 * suit
    return drawn


@inlined
def _low_points(
    low: NDArray[np.float64],
    half: int,
    high: NDArray[np.float64],
    other: int,
    points: NDArray[np.int64],
    match: int,
    total: int,
    ways: NDArray[np.float64],
    spots: NDArray[np.int64],
) -> int:
    """Fill in the points that the low half of a match may have, with rising sums of their ways.

    Args:
        low: the ways of the low halves.
        half: the low half of the match.
        high: the ways of the high halves, summed.
        other: the high half of the match.
        points: what each match allows each role.
        match: the match.
        total: points of all free cards.
        ways: filled with the sums.
        spots: int64 `[N, 2]`: filled with the points of roles 0 and 1.

    Returns:
        How many there are.
    """
    filled = 0
    so_far = 0.0
    for i in range(low.shape[1]):
        for j in range(low.shape[2]):
            if low[half, i, j] > 0:
                some = high_ways(high, other, points, match, total, i, j)
                if some > 0:
                    so_far += low[half, i, j] * some
                    ways[filled] = so_far
                    spots[filled, 0] = i
                    spots[filled, 1] = j
                    filled += 1
    return filled


@inlined
def _first_above(sums: NDArray[np.float64], count: int, target: float) -> int:
    """Return the first of `count` rising sums that is above a target, or the last one."""
    low = 0
    high = count - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def _draw_high(
    state: State,
    high: NDArray[np.float64],
    half: int,
    points: NDArray[np.int64],
    match: int,
    total: int,
    i: int,
    j: int,
) -> tuple[int, int]:
    """Draw the points of roles 0 and 1 in the high half, given those in the low half."""
    width = high.shape[2] - 1
    target = uniform(state) * high_ways(high, half, points, match, total, i, j)
    k = 0
    m = 0
    for row in range(high.shape[1]):
        allowed = fitting_points(points, match, total, i, j, row, width)
        if not allowed:
            continue
        some = row_ways(high, half, row, allowed)
        if some <= 0:
            continue
        for column in range(width):
            one = high[half, row, column + 1] - high[half, row, column]
            if allowed >> column & 1 and one > 0:
                k = row
                m = column
                if target < some:
                    target -= one
                    some -= one
                    if target < 0:
                        return k, m
        target -= some
    return k, m


@inlined
def _draw_points(
    state: State,
    total: float,
    ways: NDArray[np.float64],
    halves: Halves,
    half: int,
    suit: int,
    i: int,
    j: int,
    suits: NDArray[np.int64],
) -> None:
    """Draw which points of a half are in its first suit; fill in split and points of both suits.

    Args:
        state: random state.
        total: the ways of the half with these points.
        ways: the ways of the splits.
        halves: the halves.
        half: which of them.
        suit: its first suit.
        i: points of role 0 in it.
        j: points of role 1.
        suits: int64 `[4, 3]`: filled with the split, and the points of roles 0 and 1.
    """
    one = halves[half, 0]
    other = halves[half, 1]
    target = uniform(state) * total
    for a in range(max(0, i - SUIT_POINTS), min(i, SUIT_POINTS) + 1):
        for b in range(max(0, j - SUIT_POINTS), min(j, SUIT_POINTS - a) + 1):
            some = ways[suit, one, a, b]
            if some > 0:
                some *= ways[suit + 1, other, i - a, j - b]
                if some > 0 and target >= 0:
                    suits[suit, 0] = one
                    suits[suit, 1] = a
                    suits[suit, 2] = b
                    target -= some
        if target < 0:
            break
    suits[suit + 1, 0] = other
    suits[suit + 1, 1] = i - suits[suit, 1]
    suits[suit + 1, 2] = j - suits[suit, 2]
