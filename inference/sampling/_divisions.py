"""Two hands that are not drawn jointly: how they may divide the cards left over by shape.

The divisions of each set of cards are found by its *lengths key*: how many clubs, diamonds and
hearts it has, packed in one number (the spades follow).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._card_draws import draw_of_suit
from bidwright.inference.sampling._cards import (
    ANY_POINTS,
    DECK_POINTS,
    holding,
    length,
    lengths_and_points,
)
from bidwright.inference.sampling._jit import inlined, integer, jit
from bidwright.inference.sampling._random import State, uniform
from bidwright.inference.sampling.hand_tables import SHAPE_INDEX

LENGTHS_KEYS = 14**3
"""How many lengths keys there are."""


@inlined
def lengths_key(clubs: int, diamonds: int, hearts: int) -> int:
    """Return the lengths key of a set of cards."""
    return 196 * clubs + 14 * diamonds + hearts


class Divisions(NamedTuple):
    """The ways to divide a set of cards into two hands, by shapes that may fit them."""

    first: NDArray[np.int64]
    """int64 `[keys + 1]`: where the divisions of each lengths key begin."""
    lengths: NDArray[np.int64]
    """int64 `[divisions, 4]`: cards of the first hand in C D H S."""
    ways: NDArray[np.float64]
    """float64 `[divisions]`: ways of this division and those before it of the same key."""
    total: NDArray[np.float64]
    """float64 `[keys]`: ways to divide a set; those of a single hand are 1."""
    points: NDArray[np.int64]
    """int64 `[keys]`: points of both hands together that may fit, as bits."""


def undivided(ways: float) -> Divisions:
    """Return that every set can be divided in the same number of ways, whatever its lengths."""
    return Divisions(
        np.zeros(LENGTHS_KEYS + 1, dtype=np.int64),
        np.zeros((0, 4), dtype=np.int64),
        np.zeros(0),
        np.full(LENGTHS_KEYS, ways),
        np.full(LENGTHS_KEYS, ANY_POINTS, dtype=np.int64),
    )


@jit
def divide(
    free: int, base: NDArray[np.int64], need: NDArray[np.int64], upper: NDArray[np.int64]
) -> Divisions:
    """Return the divisions into two hands.

    Args:
        free: the cards to come, as a mask.
        base: int64 `[2]`: the cards known in each of the two hands.
        need: int64 `[2]`: the cards to come in each.
        upper: int64 `[2, S]`: the hands that may fit each.
    """
    first = np.zeros(LENGTHS_KEYS + 1, dtype=np.int64)
    total = np.zeros(LENGTHS_KEYS)
    points = np.zeros(LENGTHS_KEYS, dtype=np.int64)
    choose = _binomials()
    there, _ = lengths_and_points(free)
    one, one_points = _hands_to_come(base[0], need[0], upper[0])
    two, two_points = _hands_to_come(base[1], need[1], upper[1])
    keys = np.full((len(one), len(two)), -1, dtype=np.int32)
    for i in range(len(one)):
        for j in range(len(two)):
            fits = True
            for suit in range(4):
                fits = fits and one[i, suit] + two[j, suit] <= there[suit]
            if fits:
                clubs, diamonds = one[i, 0] + two[j, 0], one[i, 1] + two[j, 1]
                key = lengths_key(clubs, diamonds, one[i, 2] + two[j, 2])
                keys[i, j] = key
                first[key + 1] += 1
                points[key] |= _sums(one_points[i], two_points[j])
    for key in range(LENGTHS_KEYS):
        first[key + 1] += first[key]
    lengths = np.empty((first[LENGTHS_KEYS], 4), dtype=np.int64)
    ways = np.empty(first[LENGTHS_KEYS])
    ahead = first.copy()
    for i in range(len(one)):
        for j in range(len(two)):
            key = integer(keys[i, j])
            if key >= 0:
                some = 1.0
                for suit in range(4):
                    some *= choose[one[i, suit] + two[j, suit], one[i, suit]]
                total[key] += some
                for suit in range(4):
                    lengths[ahead[key], suit] = one[i, suit]
                ways[ahead[key]] = total[key]
                ahead[key] += 1
    return Divisions(first, lengths, ways, total, points)


@jit
def _hands_to_come(
    base: int, need: int, upper: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ways to complete a hand, by the number of cards to come in each suit.

    Args:
        base: the cards known in the hand.
        need: the number of cards to come.
        upper: int64 `[S]`: the complete hands that may fit.

    Returns:
        int64 `[N, 4]`: cards to come in C D H S, for shapes that may fit; and int64 `[N]`: the
        points to come that may fit, as bits.
    """
    known, held = lengths_and_points(base)
    lengths = np.empty((560, 4), dtype=np.int64)
    points = np.empty(560, dtype=np.int64)
    found = 0
    for clubs in range(min(need, 13 - known[0]) + 1):
        for diamonds in range(min(need - clubs, 13 - known[1]) + 1):
            for hearts in range(min(need - clubs - diamonds, 13 - known[2]) + 1):
                spades = need - clubs - diamonds - hearts
                if spades + known[3] > 13:
                    continue
                shape = SHAPE_INDEX[clubs + known[0], diamonds + known[1], hearts + known[2]]
                mask = upper[shape] >> held
                if mask:
                    lengths[found, 0] = clubs
                    lengths[found, 1] = diamonds
                    lengths[found, 2] = hearts
                    lengths[found, 3] = spades
                    points[found] = mask
                    found += 1
    return lengths[:found], points[:found]


@jit
def _binomials() -> NDArray[np.float64]:
    """Return float64 `[14, 14]`: the ways to choose `k` of `n` cards of a suit."""
    choose = np.zeros((14, 14))
    for n in range(14):
        choose[n, 0] = 1.0
        for k in range(1, n + 1):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    return choose


@inlined
def _sums(one: int, other: int) -> int:
    """Return the sums, up to 40, of a number of one set and one of another, all as bits."""
    result = 0
    for place in range(DECK_POINTS + 1):
        if one >> place & 1:
            result |= other << place
    return result & ANY_POINTS


@inlined
def draw_division(
    state: State,
    rest: int,
    first: NDArray[np.int64],
    lengths: NDArray[np.int64],
    ways: NDArray[np.float64],
) -> int:
    """Draw the first of two hands that divide a set of cards, by a shape that may fit."""
    clubs, diamonds, hearts = holding(rest, 0), holding(rest, 1), holding(rest, 2)
    key = lengths_key(length(clubs), length(diamonds), length(hearts))
    low = first[key]
    high = first[key + 1] - 1
    target = uniform(state) * ways[high]
    while low < high:
        middle = (low + high) // 2
        if ways[middle] > target:
            high = middle
        else:
            low = middle + 1
    hand = 0
    for suit in range(4):
        hand |= draw_of_suit(state, holding(rest, suit), lengths[low, suit]) << 13 * suit
    return hand
