"""Two hands drawn jointly and exactly, the rest dealt and checked: the compiled part of E2.

Roles 0 and 1 are the two hands; role 2 is the rest: one hand whose condition counts too, or several
hands (or none), whose points and honours are left to be checked. Of two hands that are left the
shapes are counted as well: role 2 weighs as much as there are *divisions*, ways to divide it into
shapes that may fit. Lengths and points are those of the cards to come, without the cards known.

Counting: a *placement* gives the free honours of a suit to the roles. A *split* is the number of
cards of a suit that roles 0 and 1 get; its ways are counted by the points they get with them, over
all placements. Splits of two suits make a *half*: clubs and diamonds the low one, hearts and spades
the high one. A *match* is a low and a high half whose shapes fit all roles; its ways are the sum
over the points that fit.

Drawing goes the other way: match, points of the halves, points in each suit, honours, spot cards.
At the end the rest is dealt and every hand is checked.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import (
    ANY_POINTS,
    DECK_POINTS,
    SPOTS,
    SUIT_POINTS,
    State,
    below,
    draw_of_deck,
    draw_of_suit,
    holding,
    honours,
    kind,
    length,
    lengths_and_points,
    lowest_bit,
    uniform,
)
from bidwright.inference.sampling._conditions import NO, OPEN, passes, verdict
from bidwright.inference.sampling.hand_tables import NUM_HONOURS, NUM_SHAPES, SHAPE_INDEX, SHAPES
from bidwright.inference.sampling.predicate import CompiledPredicates
from bidwright.runtime.jit import inlined, integer, jit

LENGTHS_KEYS = 14**3
"""Number of lengths keys."""


@inlined
def lengths_key(clubs: int, diamonds: int, hearts: int) -> int:
    """Return the lengths key of a set of cards."""
    # Spades follow from the size of the set.
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
    first_lengths, first_points = _hands_to_come(base[0], need[0], upper[0])
    second_lengths, second_points = _hands_to_come(base[1], need[1], upper[1])
    # Two passes: the first counts the divisions of each key, the second files them without a sort.
    keys = np.full((len(first_lengths), len(second_lengths)), -1, dtype=np.int32)
    for i in range(len(first_lengths)):
        for j in range(len(second_lengths)):
            fits = True
            for suit in range(4):
                fits = fits and first_lengths[i, suit] + second_lengths[j, suit] <= there[suit]
            if fits:
                clubs, diamonds = (
                    first_lengths[i, 0] + second_lengths[j, 0],
                    first_lengths[i, 1] + second_lengths[j, 1],
                )
                key = lengths_key(clubs, diamonds, first_lengths[i, 2] + second_lengths[j, 2])
                keys[i, j] = key
                first[key + 1] += 1
                # A union over divisions: an upper bound, since points are checked on the hands
                # themselves.
                points[key] |= _sums(first_points[i], second_points[j])
    for key in range(LENGTHS_KEYS):
        first[key + 1] += first[key]
    lengths = np.empty((first[LENGTHS_KEYS], 4), dtype=np.int64)
    ways = np.empty(first[LENGTHS_KEYS])
    ahead = first.copy()
    for i in range(len(first_lengths)):
        for j in range(len(second_lengths)):
            key = integer(keys[i, j])
            if key >= 0:
                some = 1.0
                for suit in range(4):
                    some *= choose[
                        first_lengths[i, suit] + second_lengths[j, suit], first_lengths[i, suit]
                    ]
                total[key] += some
                for suit in range(4):
                    lengths[ahead[key], suit] = first_lengths[i, suit]
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
    held_lengths, held_points = lengths_and_points(base)
    lengths = np.empty((560, 4), dtype=np.int64)
    points = np.empty(560, dtype=np.int64)
    count = 0
    for clubs in range(min(need, 13 - held_lengths[0]) + 1):
        for diamonds in range(min(need - clubs, 13 - held_lengths[1]) + 1):
            for hearts in range(min(need - clubs - diamonds, 13 - held_lengths[2]) + 1):
                spades = need - clubs - diamonds - hearts
                if spades + held_lengths[3] > 13:
                    continue
                shape = SHAPE_INDEX[
                    clubs + held_lengths[0], diamonds + held_lengths[1], hearts + held_lengths[2]
                ]
                mask = upper[shape] >> held_points
                if mask:
                    lengths[count, 0] = clubs
                    lengths[count, 1] = diamonds
                    lengths[count, 2] = hearts
                    lengths[count, 3] = spades
                    points[count] = mask
                    count += 1
    return lengths[:count], points[:count]


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


POINT_KEYS = (SUIT_POINTS + 1) ** 2
"""Number of points keys."""


@inlined
def points_key(one: int, other: int) -> int:
    """Return the points of roles 0 and 1 in a suit, packed in one number."""
    return (SUIT_POINTS + 1) * one + other


class PairProblem(NamedTuple):
    """The cards of the three roles, and what each has to fit."""

    free: int
    """The cards to come, as a mask."""
    base: NDArray[np.int64]
    """int64 `[3]`: the cards known in each role."""
    need: NDArray[np.int64]
    """int64 `[3]`: the number of cards to come in each role."""
    upper: NDArray[np.int64]
    """int64 `[3, S]`: the hands that may fit each role."""
    kinds: NDArray[np.bool_]
    """bool `[3, 4, K]`: the holdings that may fit each role."""
    implied: bool
    """True if role 2 is one hand, whose condition counts."""
    divisions: Divisions
    """The divisions of role 2, if it is two hands."""


@inlined
def roles_that_count(problem: PairProblem) -> int:
    """Return the number of roles with a condition that counts."""
    return 3 if problem.implied else 2


@jit
def known_lengths(problem: PairProblem) -> NDArray[np.int64]:
    """Return int64 `[3, 4]`: the number of cards known in each role and suit."""
    result = np.zeros((3, 4), dtype=np.int64)
    for role in range(3):
        lengths, _ = lengths_and_points(problem.base[role])
        for suit in range(4):
            result[role, suit] = lengths[suit]
    return result


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
        # Each free honour goes to one of three roles, so that numbers in base three run through all
        # placements: 243 at most.
        there = honours(problem.free, suit)
        count = 0
        total = 1
        for rank in range(NUM_HONOURS):
            if there >> rank & 1:
                total *= 3
        for number in range(total):
            for role in range(3):
                given[count, role] = 0
                counts[count, role] = 0
            points = np.zeros(3, dtype=np.int64)
            rest = number
            for rank in range(NUM_HONOURS):
                if there >> rank & 1:
                    role = rest % 3
                    rest //= 3
                    given[count, role] |= 1 << rank
                    counts[count, role] += 1
                    points[role] += rank
            # Conditions such as "two of the top three" are about one suit, and most placements fail
            # them.
            if _can_hold(problem, suit, given[count]):
                keys[count] = points_key(points[0], points[1])
                start[suit, keys[count] + 1] += 1
                count += 1
        for key in range(POINT_KEYS):
            start[suit, key + 1] += start[suit, key]
        ahead = start[suit].copy()
        for i in range(count):
            for role in range(3):
                placed[suit, ahead[keys[i]], role] = given[i, role]
                numbers[suit, ahead[keys[i]], role] = counts[i, role]
            ahead[keys[i]] += 1
    return Placements(placed, numbers, start)


@jit
def _can_hold(problem: PairProblem, suit: int, given: NDArray[np.int64]) -> bool:
    """Return True if each role may hold its honours with some number of spot cards."""
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
    """Return the number of ways to complete a placement by spot cards to given lengths.

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
    # A multinomial coefficient of the spot cards, which no condition tells apart.
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


MOST_SPLITS = 14 * 15 // 2
"""Splits of a suit at most: pairs of numbers that are 13 or less together."""


class Splits(NamedTuple):
    """Numbers of cards of each suit for roles 0 and 1; role 2 gets the rest."""

    number: NDArray[np.int64]
    """int64 `[4]`: splits of each suit."""
    lengths: NDArray[np.int64]
    """int64 `[4, splits, 2]`: cards of roles 0 and 1."""
    ways: NDArray[np.float64]
    """float64 `[4, splits, 11, 11]`: ways by the points of roles 0 and 1."""


@jit
def split_suits(problem: PairProblem, placements: Placements) -> Splits:
    """Return the splits that some shape of each role allows."""
    # Splits that no shape allows are left out before they are counted: counting is most of the
    # setup.
    allowed = _allowed_lengths(problem)
    held = known_lengths(problem)
    cards, _ = lengths_and_points(problem.free)
    number = np.zeros(4, dtype=np.int64)
    lengths = np.zeros((4, MOST_SPLITS, 2), dtype=np.int64)
    ways = np.zeros((4, MOST_SPLITS, SUIT_POINTS + 1, SUIT_POINTS + 1))
    given = np.zeros(3, dtype=np.int64)
    for suit in range(4):
        for first in range(min(cards[suit], problem.need[0]) + 1):
            for second in range(min(cards[suit] - first, problem.need[1]) + 1):
                given[0] = first
                given[1] = second
                given[2] = cards[suit] - first - second
                good = given[2] <= problem.need[2]
                for role in range(roles_that_count(problem)):
                    total = held[role, suit] + given[role]
                    good = good and total < 14 and allowed[role, suit, total]
                if good and _count_split(
                    problem, placements, suit, given, held, ways[suit, number[suit]]
                ):
                    lengths[suit, number[suit], 0] = first
                    lengths[suit, number[suit], 1] = second
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
    """Fill in the ways of a split; return True if there are any."""
    possible = False
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
            possible = possible or some > 0
    return possible


Halves = NDArray[np.int32]
"""int32 `[halves, 2]`: the splits of the first and of the second suit."""


@jit
def pair_splits(problem: PairProblem, splits: Splits, suit: int) -> Halves:
    """Return the halves of a suit and the next one that leave no role too many cards."""
    halves = np.empty((splits.number[suit] * splits.number[suit + 1], 2), dtype=np.int32)
    count = 0
    for p in range(splits.number[suit]):
        for q in range(splits.number[suit + 1]):
            first = splits.lengths[suit, p, 0] + splits.lengths[suit + 1, q, 0]
            second = splits.lengths[suit, p, 1] + splits.lengths[suit + 1, q, 1]
            if first <= problem.need[0] and second <= problem.need[1]:
                halves[count, 0] = p
                halves[count, 1] = q
                count += 1
    return halves[:count]


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
        first_ways = splits.ways[suit, halves[half, 0]]
        second_ways = splits.ways[suit + 1, halves[half, 1]]
        here = ways[half]
        for i in range(min(SUIT_POINTS, most[0]) + 1):
            for j in range(min(SUIT_POINTS - i, most[1]) + 1):
                if first_ways[i, j] == 0:
                    continue
                # A convolution over the points of both roles. `most` cuts it where the predicates
                # have upper ends.
                for k in range(min(SUIT_POINTS, most[0] - i) + 1):
                    for m in range(min(SUIT_POINTS - k, most[1] - j) + 1):
                        here[i + k, j + m + shift] += first_ways[i, j] * second_ways[k, m]
        if summed:
            for i in range(most[0] + 1):
                for j in range(most[1] + 1):
                    # Prefix sums: the ways of a run of points are a difference of two of them.
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
        # Allowed points come in few runs: two readings for each run, instead of one for each
        # number.
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
    # `integer`, since numba compiles a function once more for each literal it is called with.
    low = pair_splits(problem, splits, integer(0))
    high = pair_splits(problem, splits, integer(2))
    # Lengths of the low half fix the cards of the high one, so that only halves of one chain are
    # tried.
    first, following = _by_lengths(splits, high)
    held_lengths = known_lengths(problem)
    cards, _ = lengths_and_points(problem.free)
    held_points = np.zeros(3, dtype=np.int64)
    for role in range(3):
        _, held_points[role] = lengths_and_points(problem.base[role])
    halves = np.empty((_MOST_MATCHES, 2), dtype=np.int32)
    points = np.empty((_MOST_MATCHES, 3), dtype=np.int64)
    weights = np.empty(_MOST_MATCHES)
    count = 0
    for half in range(len(low)):
        p = splits.lengths[0, low[half, 0]]
        q = splits.lengths[1, low[half, 1]]
        other = first[problem.need[0] - p[0] - q[0], problem.need[1] - p[1] - q[1]]
        while other >= 0:
            u = splits.lengths[2, high[other, 0]]
            upper_0 = problem.upper[
                0,
                SHAPE_INDEX[
                    held_lengths[0, 0] + p[0], held_lengths[0, 1] + q[0], held_lengths[0, 2] + u[0]
                ],
            ]
            upper_1 = problem.upper[
                1,
                SHAPE_INDEX[
                    held_lengths[1, 0] + p[1], held_lengths[1, 1] + q[1], held_lengths[1, 2] + u[1]
                ],
            ]
            upper_2 = 0
            weight = 1.0
            if upper_0 and upper_1:
                clubs = cards[0] - p[0] - p[1]
                diamonds = cards[1] - q[0] - q[1]
                hearts = cards[2] - u[0] - u[1]
                if problem.implied:
                    shape = SHAPE_INDEX[
                        held_lengths[2, 0] + clubs,
                        held_lengths[2, 1] + diamonds,
                        held_lengths[2, 2] + hearts,
                    ]
                    upper_2 = problem.upper[2, shape] >> held_points[2]
                else:
                    key = lengths_key(clubs, diamonds, hearts)
                    weight = problem.divisions.total[key]
                    upper_2 = problem.divisions.points[key]
            if upper_0 >> held_points[0] and upper_1 >> held_points[1] and upper_2:
                halves[count, 0] = half
                halves[count, 1] = other
                points[count, 0] = upper_0 >> held_points[0]
                points[count, 1] = upper_1 >> held_points[1]
                # Role 2 gets what is left of the points: reversed, its bits line up with those of
                # role 1.
                points[count, 2] = reversed_points(upper_2)
                weights[count] = weight
                count += 1
            other = following[other]
    return (
        low,
        high,
        Matches(
            halves[:count].copy(), points[:count].copy(), weights[:count].copy(), np.zeros(count)
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
    # Matches are in the order of their low halves: sums of one are made once. With these sums and
    # the products in `_match_ways` counting is 1.3 to 3.2 times as fast, the same to 2e-13.
    low_sums = np.zeros((1, low.shape[2], low.shape[1] + 1))
    summed = integer(-1)
    so_far = 0.0
    for match in range(len(halves)):
        low_half = integer(halves[match, 0])
        if summed != low_half:
            _sum_low(low, low_half, low_sums)
            summed = low_half
        some = _match_ways(low, low_half, low_sums, high, halves[match, 1], points, match, total)
        so_far += matches.weights[match] * some
        ways[match] = so_far


@inlined
def _sum_low(low: NDArray[np.float64], half: int, sums: NDArray[np.float64]) -> None:
    """Sum up the ways of a low half along the points of role 0, into `[1, Q, P + 1]`."""
    for j in range(low.shape[2]):
        so_far = 0.0
        for i in range(low.shape[1]):
            so_far += low[half, i, j]
            sums[0, j, i + 1] = so_far


@inlined
def _match_ways(
    low: NDArray[np.float64],
    low_half: int,
    low_sums: NDArray[np.float64],
    high: NDArray[np.float64],
    high_half: int,
    points: NDArray[np.int64],
    match: int,
    total: int,
) -> float:
    """Return the ways of a match.

    Where role 2 may have all points that are left, given those in the low half, what roles 0 and 1
    have in the two halves depends on each other by their own points alone: then the ways are sums
    over rows of the low half times sums over rows of the high one.
    """
    some = 0.0
    free = _points_that_leave_all(points, match, total)
    of_low = (1 << low.shape[1]) - 1
    of_high = (1 << (high.shape[2] - 1)) - 1
    for j in range(low.shape[2]):
        fitting = points[match, 1] >> j & of_high
        if not fitting or low_sums[0, j, low.shape[1]] == 0:
            continue
        here = free >> j & of_low
        if here:
            for row in range(high.shape[1]):
                allowed = points[match, 0] >> row & here
                if allowed:
                    ways = row_ways(low_sums, 0, j, allowed)
                    if ways > 0:
                        some += ways * row_ways(high, high_half, row, fitting)
        for i in range(low.shape[1]):
            if not here >> i & 1 and low[low_half, i, j] > 0:
                ways = high_ways(high, high_half, points, match, total, i, j)
                some += low[low_half, i, j] * ways
    return some


@inlined
def _points_that_leave_all(points: NDArray[np.int64], match: int, total: int) -> int:
    """Return the points of roles 0 and 1 in the low half, as bits, that leave role 2 free."""
    two_suits = integer(2 * SUIT_POINTS)
    most = total - lowest_bit(points[match, 0]) - lowest_bit(points[match, 1])
    least = total
    for role in range(2):
        bits = points[match, role] >> 1
        while bits:
            bits >>= 1
            least -= 1
    free = 0
    for low_points in range(two_suits + 1):
        upto = min(most, total - low_points)
        start = max(least, total - low_points - two_suits, 0)
        if upto < start:
            free |= 1 << low_points
        else:
            wanted = ((1 << (upto - start + 1)) - 1) << (DECK_POINTS - upto)
            # All points that may be left are allowed: role 2 does not tie the two halves together.
            if points[match, 2] & wanted == wanted:
                free |= 1 << low_points
    return free


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
    held = known_lengths(problem)
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
        # Shares come in rising order: one walk along the matches serves all draws, and what a match
        # needs is prepared once.
        while match < len(match_ways) - 1 and match_ways[match] <= target:
            match += 1
        low_half = halves[match, 0]
        high_half = halves[match, 1]
        if match != ready:
            ready = match
            filled = _low_points(low, low_half, high, high_half, points, match, total, ways, spots)
        target = uniform(state) * ways[filled - 1]
        place = _first_above(ways, filled, target)
        i = spots[place, 0]
        j = spots[place, 1]
        _draw_points(
            state, low[low_half, i, j], split_ways, low_halves, low_half, integer(0), i, j, suits
        )
        k, m = _draw_high(state, high, high_half, points, match, total, i, j)
        some = high[high_half, k, m + 1] - high[high_half, k, m]
        _draw_points(state, some, split_ways, high_halves, high_half, integer(2), k, m, suits)
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
                    free, base, kinds, roles, honours, numbers, suit, option, given, held
                )
                if some > 0:
                    chosen = option
                    target -= some
                    if target < 0:
                        break
            pool = free >> 13 * suit & SPOTS
            for role in range(2):
                mine = draw_of_suit(state, pool, given[role] - numbers[suit, chosen, role])
                # The spots of role 2 are what remains: it is dealt when the draw is completed.
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
        The number of them.
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
            some_ways = high[half, row, column + 1] - high[half, row, column]
            if allowed >> column & 1 and some_ways > 0:
                k = row
                m = column
                if target < some:
                    target -= some_ways
                    some -= some_ways
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
    """Divide the points of a half between its suits at random; fill in split and points of both.

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
    first_split = halves[half, 0]
    second_split = halves[half, 1]
    target = uniform(state) * total
    for a in range(max(0, i - SUIT_POINTS), min(i, SUIT_POINTS) + 1):
        for b in range(max(0, j - SUIT_POINTS), min(j, SUIT_POINTS - a) + 1):
            some = ways[suit, first_split, a, b]
            if some > 0:
                some *= ways[suit + 1, second_split, i - a, j - b]
                if some > 0 and target >= 0:
                    suits[suit, 0] = first_split
                    suits[suit, 1] = a
                    suits[suit, 2] = b
                    target -= some
        if target < 0:
            break
    suits[suit + 1, 0] = second_split
    suits[suit + 1, 1] = i - suits[suit, 1]
    suits[suit + 1, 2] = j - suits[suit, 2]


@jit
def complete_and_check(
    drawn: NDArray[np.int64],
    deals: NDArray[np.int64],
    state: State,
    seats: NDArray[np.int64],
    need: NDArray[np.int64],
    base: NDArray[np.int64],
    free: int,
    divisions: Divisions,
    compiled: CompiledPredicates,
) -> int:
    """Deal the rest, keep the deals that fit, in random order.

    Args:
        drawn: int64 `[draws, 2]`: the free cards of the first two seats.
        deals: int64 `[draws, 4]`: filled with the deals that fit, as masks by seat.
        state: random state.
        seats: the seats with cards to come, those drawn first.
        need: cards to come, by seat.
        base: cards known to be in the hand, by seat.
        free: all cards to come.
        divisions: how two hands that are left may divide the rest.
        compiled: what the hands must fit.

    Returns:
        The number of deals that fit.
    """
    first, lengths, ways = divisions.first, divisions.lengths, divisions.ways
    level = compiled.level
    decided = compiled.decided
    kinds = compiled.kinds
    count = 0
    hands = base.copy()
    for draw in range(len(drawn)):
        rest = free
        left = integer(0)
        for k in range(2, len(seats)):
            left += need[seats[k]]
        good = True
        for k in range(len(seats)):
            seat = seats[k]
            if k < 2:
                hand = drawn[draw, k]
            elif k == len(seats) - 1:
                hand = rest
            # Two hands are left and something is known of their shapes: the rest is divided by a
            # shape that may fit. A random division would fail most checks.
            elif len(ways):
                hand = draw_division(state, rest, first, lengths, ways)
            else:
                hand = draw_of_deck(state, rest, left, need[seat])
                left -= need[seat]
            rest &= ~hand
            hands[seat] = base[seat] | hand
            answer = verdict(seat, hands[seat], level, decided, kinds)
            if answer == NO or (answer == OPEN and not passes(seat, hands[seat], compiled)):
                good = False
                break
        if good:
            for seat in range(4):
                deals[count, seat] = hands[seat]
            count += 1
    # Draws came in the order of their matches: a caller that takes the first ones needs a shuffle.
    for i in range(count - 1):
        other = i + below(state, count - i)
        for seat in range(4):
            deals[i, seat], deals[other, seat] = deals[other, seat], deals[i, seat]
    return count
