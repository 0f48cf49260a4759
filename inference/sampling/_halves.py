"""Halves: the splits of two suits taken together, and their ways, in compiled code.

Clubs and diamonds make a *low* half, hearts and spades a *high* half.
"""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._bits import lowest_bit
from bidwright.inference.sampling._cards import DECK_POINTS, SUIT_POINTS
from bidwright.inference.sampling._jit import inlined, jit
from bidwright.inference.sampling._pair_problem import PairProblem
from bidwright.inference.sampling._splits import Splits

Halves = NDArray[np.int32]
"""int32 `[halves, 2]`: the splits of the first and of the second suit."""


@jit
def pair_splits(problem: PairProblem, splits: Splits, suit: int) -> Halves:
    """Return the halves of a suit and the next one that leave no role too many cards."""
    halves = np.empty((splits.number[suit] * splits.number[suit + 1], 2), dtype=np.int32)
    found = 0
    for p in range(splits.number[suit]):
        for q in range(splits.number[suit + 1]):
            one = splits.lengths[suit, p, 0] + splits.lengths[suit + 1, q, 0]
            two = splits.lengths[suit, p, 1] + splits.lengths[suit + 1, q, 1]
            if one <= problem.need[0] and two <= problem.need[1]:
                halves[found, 0] = p
                halves[found, 1] = q
                found += 1
    return halves[:found]


@jit
def count_halves(
    splits: Splits,
    halves: Halves,
    used: NDArray[np.bool_],
    suit: int,
    most: NDArray[np.int64],
    summed: bool,
) -> NDArray[np.float64]:
    """Return the ways of the halves that are used, by points of roles 0 and 1.

    Args:
        splits: the splits.
        halves: the halves, of a suit and the next one.
        used: bool `[halves]`: those that occur in a match.
        suit: the first suit.
        most: int64 `[2]`: the most points of roles 0 and 1 that matter.
        summed: whether to sum up along the points of role 1, with a zero in front.

    Returns:
        float64 `[halves, P, Q]`, or `[halves, P, Q + 1]` if summed.
    """
    shift = 1 if summed else 0
    ways = np.zeros((len(halves), most[0] + 1, most[1] + 1 + shift))
    for half in range(len(halves)):
        if not used[half]:
            continue
        one = splits.ways[suit, halves[half, 0]]
        two = splits.ways[suit + 1, halves[half, 1]]
        here = ways[half]
        for i in range(min(SUIT_POINTS, most[0]) + 1):
            for j in range(min(SUIT_POINTS - i, most[1]) + 1):
                if one[i, j] == 0:
                    continue
                for k in range(min(SUIT_POINTS, most[0] - i) + 1):
                    for m in range(min(SUIT_POINTS - k, most[1] - j) + 1):
                        here[i + k, j + m + shift] += one[i, j] * two[k, m]
        if summed:
            for i in range(most[0] + 1):
                for j in range(most[1] + 1):
                    here[i, j + 1] += here[i, j]
    return ways


@jit
def reversed_points(bits: int) -> int:
    """Return bits 0 to 40 in reverse order."""
    result = 0
    for place in range(DECK_POINTS + 1):
        result |= (bits >> place & 1) << (DECK_POINTS - place)
    return result


@inlined
def fitting_points(
    points: NDArray[np.int64], match: int, total: int, i: int, j: int, row: int, width: int
) -> int:
    """Return the points of role 1 in the high half that fit, as bits.

    Args:
        points: what each match allows each role, as in `Matches`.
        match: the match.
        total: points of all free cards.
        i: points of role 0 in the low half.
        j: those of role 1.
        row: points of role 0 in the high half.
        width: how many points of role 1 there are to choose from.
    """
    left = total - i - row - j
    if left < 0 or not points[match, 0] >> (i + row) & 1:
        return 0
    fitting: int = (points[match, 1] >> j) & (points[match, 2] >> (DECK_POINTS - left))
    return fitting & ((1 << width) - 1)


@inlined
def row_ways(sums: NDArray[np.float64], half: int, row: int, allowed: int) -> float:
    """Return the ways of a row of a high half, given as sums, at the points that are allowed."""
    ways = 0.0
    start = 0
    while allowed:
        gap = lowest_bit(allowed)
        allowed >>= gap
        run = lowest_bit(~allowed)
        ways += sums[half, row, start + gap + run] - sums[half, row, start + gap]
        allowed >>= run
        start += gap + run
    return ways


@inlined
def high_ways(
    high: NDArray[np.float64],
    half: int,
    points: NDArray[np.int64],
    match: int,
    total: int,
    i: int,
    j: int,
) -> float:
    """Return the ways of a high half that fit, given the points in the low half."""
    some = 0.0
    width = high.shape[2] - 1
    for row in range(high.shape[1]):
        allowed = fitting_points(points, match, total, i, j, row, width)
        if allowed:
            some += row_ways(high, half, row, allowed)
    return some
