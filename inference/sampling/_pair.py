"""Two hands drawn jointly and exactly, a third by implication: the compiled part.

Role 0 and 1 are the two hands, role 2 is the rest: one hand whose condition counts too, or
several hands (or none) that are left to be checked. Of two hands that are left the shapes are
counted as well: role 2 weighs as much as there are ways to divide it into shapes that may fit. A
*split* is how many cards of a suit the
roles 0 and 1 get; its ways are counted by the points they get with them, over all placements of
the free honours. Splits of clubs and diamonds make a `low` half, those of hearts and spades a
`high` half. A *match* is a pair of halves whose shapes fit all roles; its ways are the sum over
the points that fit. Drawing walks back: match, points of the halves, points in each suit,
honours, spot cards.

Lengths and points are those of the cards to be drawn, without the cards known.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._bits import lowest_bit
from bidwright.inference.sampling._check import NO, OPEN, passes, verdict
from bidwright.inference.sampling._jit import inlined, integer, jit
from bidwright.inference.sampling._random import State, below, uniform
from bidwright.inference.sampling.compiled_predicates import CompiledPredicates
from bidwright.inference.sampling.hand_tables import CODES, SHAPE_INDEX

_SUIT = (1 << 13) - 1
_KIND = (1 << 9) - 1
_SPOTS = (1 << 8) - 1
_POINTS = 40
_MOST_MATCHES = 560 * 560
_FACTORIALS = np.array([1.0, 1, 2, 6, 24, 120, 720, 5040, 40320])


class Rest(NamedTuple):
    """The ways to divide role 2 into the two hands it consists of, by shapes that may fit them.

    Sets of cards are found by their clubs, diamonds and hearts: `196 c + 14 d + h`.
    """

    first: NDArray[np.int64]
    """int64 `[2745]`: where the divisions of each set begin."""
    lengths: NDArray[np.int64]
    """int64 `[divisions, 4]`: cards of the first hand in C D H S."""
    ways: NDArray[np.float64]
    """float64 `[divisions]`: ways of this division and those before it of the same set."""
    total: NDArray[np.float64]
    """float64 `[2744]`: ways to divide each set; 1 where role 2 is not divided."""
    points: NDArray[np.int64]
    """int64 `[2744]`: points of role 2 that may fit, as bits."""


class PairProblem(NamedTuple):
    """What the three roles hold, need and have to be."""

    free: int
    """The cards to come, as a mask."""
    base: NDArray[np.int64]
    """int64 `[3]`: the cards known in each role."""
    need: NDArray[np.int64]
    """int64 `[3]`: the cards to come in each role."""
    upper: NDArray[np.int64]
    """int64 `[3, S]`: the hands that may fit each role."""
    kinds: NDArray[np.bool_]
    """bool `[3, 4, K]`: the holdings that may fit each role."""
    implied: bool
    """Whether role 2 is one hand, whose condition counts."""
    rest: Rest
    """How role 2 may be divided, if it is two hands."""


class Placements(NamedTuple):
    """The ways to give the free honours of each suit to the roles, sorted by points."""

    honours: NDArray[np.int64]
    """int64 `[4, 243, 3]`: the honours of each role, as bits."""
    numbers: NDArray[np.int64]
    """int64 `[4, 243, 3]`: how many they are."""
    start: NDArray[np.int64]
    """int64 `[4, 122]`: where those with `i` and `j` points in roles 0 and 1 begin, `11 i + j`."""


class Splits(NamedTuple):
    """How many cards of each suit the roles 0 and 1 get."""

    number: NDArray[np.int64]
    """int64 `[4]`: splits of each suit."""
    lengths: NDArray[np.int64]
    """int64 `[4, 120, 2]`: cards of roles 0 and 1."""
    ways: NDArray[np.float64]
    """float64 `[4, 120, 11, 11]`: ways by the points of roles 0 and 1."""


class Halves(NamedTuple):
    """Pairs of splits of two suits."""

    splits: NDArray[np.int32]
    """int32 `[halves, 2]`: the splits of the first and the second suit."""
    ways: NDArray[np.float64]
    """float64 `[halves, P, Q + 1]`: by points of role 0 and 1; summed up along the last axis
    (in the `high` half only)."""


class Matches(NamedTuple):
    """Pairs of halves that fit."""

    halves: NDArray[np.int32]
    """int32 `[matches, 2]`: low and high half."""
    points: NDArray[np.int64]
    """int64 `[matches, 3]`: points that each role may get, as bits; of role 2 from bit 40 down."""
    weights: NDArray[np.float64]
    """float64 `[matches]`: ways to divide role 2."""
    ways: NDArray[np.float64]
    """float64 `[matches]`: ways of this match and all before it."""


def undivided(ways: float) -> Rest:
    """Return the rest that is not divided by shapes, but in so many ways."""
    return Rest(
        np.zeros(2745, dtype=np.int64),
        np.zeros((0, 4), dtype=np.int64),
        np.zeros(0),
        np.full(2744, ways),
        np.full(2744, (1 << _POINTS + 1) - 1, dtype=np.int64),
    )


@jit
def divide_rest(
    free: int, base: NDArray[np.int64], need: NDArray[np.int64], upper: NDArray[np.int64]
) -> Rest:
    """Return the divisions of the rest into two hands.

    Args:
        free: the cards to come, as a mask.
        base: int64 `[2]`: the cards known in each of the two.
        need: int64 `[2]`: the cards to come in each.
        upper: int64 `[2, S]`: the hands that may fit each.
    """
    first = np.zeros(2745, dtype=np.int64)
    total = np.zeros(2744)
    points = np.zeros(2744, dtype=np.int64)
    choose = np.zeros((14, 14))
    for n in range(14):
        choose[n, 0] = 1.0
        for k in range(1, n + 1):
            choose[n, k] = choose[n - 1, k - 1] + choose[n - 1, k]
    there = np.empty(4, dtype=np.int64)
    for suit in range(4):
        there[suit] = _length(free >> 13 * suit & _SUIT)
    one, one_points = _hands_to_come(base[0], need[0], upper[0])
    two, two_points = _hands_to_come(base[1], need[1], upper[1])
    keys = np.full((len(one), len(two)), -1, dtype=np.int32)
    for i in range(len(one)):
        for j in range(len(two)):
            fits = True
            for suit in range(4):
                fits = fits and one[i, suit] + two[j, suit] <= there[suit]
            if fits:
                key = 196 * (one[i, 0] + two[j, 0]) + 14 * (one[i, 1] + two[j, 1])
                key += one[i, 2] + two[j, 2]
                keys[i, j] = key
                first[key + 1] += 1
                points[key] |= _sums(one_points[i], two_points[j])
    for key in range(2744):
        first[key + 1] += first[key]
    lengths = np.empty((first[2744], 4), dtype=np.int64)
    ways = np.empty(first[2744])
    ahead = first.copy()
    for i in range(len(one)):
        for j in range(len(two)):
            key = integer(keys[i, j])
            if key >= 0:
                some = 1.0
                for suit in range(4):
                    some *= choose[one[i, suit] + two[j, suit], one[i, suit]]
                total[key] += some
                lengths[ahead[key]] = one[i]
                ways[ahead[key]] = total[key]
                ahead[key] += 1
    return Rest(first, lengths, ways, total, points)


@jit
def _hands_to_come(
    base: int, need: int, upper: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cards to come in each suit for the shapes that may fit, and points to come."""
    known = np.empty(4, dtype=np.int64)
    held = 0
    for suit in range(4):
        code = integer(CODES[base >> 13 * suit & _SUIT])
        known[suit] = (code & _KIND) >> 5
        held += code >> 9
    lengths = np.empty((560, 4), dtype=np.int64)
    points = np.empty(560, dtype=np.int64)
    found = 0
    for a in range(min(need, 13 - known[0]) + 1):
        for b in range(min(need - a, 13 - known[1]) + 1):
            for c in range(min(need - a - b, 13 - known[2]) + 1):
                d = need - a - b - c
                if d + known[3] > 13:
                    continue
                mask = upper[SHAPE_INDEX[a + known[0], b + known[1], c + known[2]]] >> held
                if mask:
                    lengths[found, 0] = a
                    lengths[found, 1] = b
                    lengths[found, 2] = c
                    lengths[found, 3] = d
                    points[found] = mask
                    found += 1
    return lengths[:found], points[:found]


@inlined
def _sums(one: int, other: int) -> int:
    """Return the sums, up to 40, of a number of one set and one of another, all as bits."""
    result = 0
    for place in range(_POINTS + 1):
        if one >> place & 1:
            result |= other << place
    return result & ((1 << _POINTS + 1) - 1)


@jit
def place_honours(question: PairProblem) -> Placements:
    """Return the placements that the kinds allow for some number of spot cards."""
    honours = np.zeros((4, 243, 3), dtype=np.int64)
    numbers = np.zeros((4, 243, 3), dtype=np.int64)
    start = np.zeros((4, 122), dtype=np.int64)
    given = np.zeros((243, 3), dtype=np.int64)
    counts = np.zeros((243, 3), dtype=np.int64)
    keys = np.zeros(243, dtype=np.int64)
    for suit in range(4):
        there = question.free >> 13 * suit + 8 & 31
        found = 0
        total = 1
        for rank in range(5):
            if there >> rank & 1:
                total *= 3
        for number in range(total):
            given[found] = 0
            counts[found] = 0
            points = np.zeros(3, dtype=np.int64)
            rest = number
            for rank in range(5):
                if there >> rank & 1:
                    role = rest % 3
                    rest //= 3
                    given[found, role] |= 1 << rank
                    counts[found, role] += 1
                    points[role] += rank
            if _can_hold(question, suit, given[found]):
                keys[found] = 11 * points[0] + points[1]
                start[suit, keys[found] + 1] += 1
                found += 1
        for key in range(121):
            start[suit, key + 1] += start[suit, key]
        ahead = start[suit].copy()
        for i in range(found):
            honours[suit, ahead[keys[i]]] = given[i]
            numbers[suit, ahead[keys[i]]] = counts[i]
            ahead[keys[i]] += 1
    return Placements(honours, numbers, start)


@jit
def _can_hold(question: PairProblem, suit: int, honours: NDArray[np.int64]) -> bool:
    """Tell whether each role may hold its honours with some number of spot cards."""
    for role in range(3):
        if role == 2 and not question.implied:
            continue
        together = honours[role] | (question.base[role] >> 13 * suit + 8 & 31)
        possible = False
        for length in range(14):
            if question.kinds[role, suit, 32 * length + together]:
                possible = True
                break
        if not possible:
            return False
    return True


@jit
def _known(question: PairProblem) -> NDArray[np.int64]:
    """Return int64 `[3, 4]`: the cards known in each role and suit."""
    known = np.zeros((3, 4), dtype=np.int64)
    for role in range(3):
        for suit in range(4):
            known[role, suit] = _length(question.base[role] >> 13 * suit & _SUIT)
    return known


@inlined
def _length(holding: int) -> int:
    return (integer(CODES[holding]) & _KIND) >> 5


@jit
def _allowed_lengths(question: PairProblem) -> NDArray[np.bool_]:
    """Return bool `[3, 4, 14]`: the suit lengths of the shapes that may fit each role."""
    allowed = np.zeros((3, 4, 14), dtype=np.bool_)
    for clubs in range(14):
        for diamonds in range(14 - clubs):
            for hearts in range(14 - clubs - diamonds):
                shape = SHAPE_INDEX[clubs, diamonds, hearts]
                for role in range(3):
                    if question.upper[role, shape]:
                        allowed[role, 0, clubs] = True
                        allowed[role, 1, diamonds] = True
                        allowed[role, 2, hearts] = True
                        allowed[role, 3, 13 - clubs - diamonds - hearts] = True
    if not question.implied:
        allowed[2] = True
    return allowed


@jit
def split_suits(question: PairProblem, places: Placements) -> Splits:
    """Return the splits that some shape of each role allows."""
    allowed = _allowed_lengths(question)
    known = _known(question)
    count = np.zeros(4, dtype=np.int64)
    lengths = np.zeros((4, 120, 2), dtype=np.int64)
    ways = np.zeros((4, 120, 11, 11))
    given = np.zeros(3, dtype=np.int64)
    for suit in range(4):
        cards = _length(question.free >> 13 * suit & _SUIT)
        for one in range(min(cards, question.need[0]) + 1):
            for other in range(min(cards - one, question.need[1]) + 1):
                given[0] = one
                given[1] = other
                given[2] = cards - one - other
                good = given[2] <= question.need[2]
                for role in range(3 if question.implied else 2):
                    length = known[role, suit] + given[role]
                    good = good and length < 14 and allowed[role, suit, length]
                if good and _count_split(
                    question, places, suit, given, known, ways[suit, count[suit]]
                ):
                    lengths[suit, count[suit]] = given[:2]
                    count[suit] += 1
    return Splits(count, lengths, ways)


@jit
def _count_split(
    question: PairProblem,
    places: Placements,
    suit: int,
    given: NDArray[np.int64],
    known: NDArray[np.int64],
    ways: NDArray[np.float64],
) -> bool:
    """Fill in the ways of a split; tell whether there are any."""
    found = False
    start = places.start
    for i in range(11):
        for j in range(11 - i):
            some = 0.0
            for place in range(start[suit, 11 * i + j], start[suit, 11 * i + j + 1]):
                some += _place_ways(
                    question.free,
                    question.base,
                    question.kinds,
                    3 if question.implied else 2,
                    places.honours,
                    places.numbers,
                    suit,
                    place,
                    given,
                    known,
                )
            ways[i, j] = some
            found = found or some > 0
    return found


@inlined
def _place_ways(
    free: int,
    base: NDArray[np.int64],
    kinds: NDArray[np.bool_],
    roles: int,
    honours: NDArray[np.int64],
    numbers: NDArray[np.int64],
    suit: int,
    place: int,
    given: NDArray[np.int64],
    known: NDArray[np.int64],
) -> float:
    """Return in how many ways the spot cards fill up what a placement leaves of a split."""
    ways: float = _FACTORIALS[_length(free >> 13 * suit & _SPOTS)]
    for role in range(3):
        spots = given[role] - numbers[suit, place, role]
        if spots < 0:
            return 0.0
        ways /= _FACTORIALS[spots]
        if role < roles:
            together = honours[suit, place, role] | (base[role] >> 13 * suit + 8 & 31)
            if not kinds[role, suit, 32 * (given[role] + known[role, suit]) + together]:
                return 0.0
    return ways


@jit
def match_shapes(
    question: PairProblem, splits: Splits
) -> tuple[NDArray[np.int32], NDArray[np.int32], Matches]:
    """Return the low and the high halves and their matches, without their ways."""
    low = _halves(question, splits, 0)
    high = _halves(question, splits, 2)
    first = np.full((14, 14), -1, dtype=np.int32)
    following = np.full(len(high), -1, dtype=np.int32)
    for half in range(len(high)):
        u = splits.lengths[2, high[half, 0]]
        v = splits.lengths[3, high[half, 1]]
        following[half] = first[u[0] + v[0], u[1] + v[1]]
        first[u[0] + v[0], u[1] + v[1]] = half
    known = _known(question)
    held = np.zeros(3, dtype=np.int64)
    cards = np.zeros(4, dtype=np.int64)
    for suit in range(4):
        cards[suit] = _length(question.free >> 13 * suit & _SUIT)
        for role in range(3):
            held[role] += integer(CODES[question.base[role] >> 13 * suit & _SUIT]) >> 9
    halves = np.empty((_MOST_MATCHES, 2), dtype=np.int32)
    points = np.empty((_MOST_MATCHES, 3), dtype=np.int64)
    weights = np.empty(_MOST_MATCHES)
    found = 0
    for half in range(len(low)):
        p = splits.lengths[0, low[half, 0]]
        q = splits.lengths[1, low[half, 1]]
        other = first[question.need[0] - p[0] - q[0], question.need[1] - p[1] - q[1]]
        while other >= 0:
            u = splits.lengths[2, high[other, 0]]
            one = question.upper[
                0, SHAPE_INDEX[known[0, 0] + p[0], known[0, 1] + q[0], known[0, 2] + u[0]]
            ]
            two = question.upper[
                1, SHAPE_INDEX[known[1, 0] + p[1], known[1, 1] + q[1], known[1, 2] + u[1]]
            ]
            three = 0
            weight = 1.0
            if one and two:
                clubs = cards[0] - p[0] - p[1]
                diamonds = cards[1] - q[0] - q[1]
                hearts = cards[2] - u[0] - u[1]
                if question.implied:
                    shape = SHAPE_INDEX[
                        known[2, 0] + clubs, known[2, 1] + diamonds, known[2, 2] + hearts
                    ]
                    three = question.upper[2, shape] >> held[2]
                else:
                    key = 196 * clubs + 14 * diamonds + hearts
                    weight = question.rest.total[key]
                    three = question.rest.points[key]
            if one >> held[0] and two >> held[1] and three:
                halves[found, 0] = half
                halves[found, 1] = other
                points[found, 0] = one >> held[0]
                points[found, 1] = two >> held[1]
                points[found, 2] = _reversed(three)
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
def _halves(question: PairProblem, splits: Splits, suit: int) -> NDArray[np.int32]:
    """Return the pairs of splits of a suit and the next one that leave no role too many cards."""
    pairs = np.empty((splits.number[suit] * splits.number[suit + 1], 2), dtype=np.int32)
    found = 0
    for p in range(splits.number[suit]):
        for q in range(splits.number[suit + 1]):
            one = splits.lengths[suit, p, 0] + splits.lengths[suit + 1, q, 0]
            two = splits.lengths[suit, p, 1] + splits.lengths[suit + 1, q, 1]
            if one <= question.need[0] and two <= question.need[1]:
                pairs[found, 0] = p
                pairs[found, 1] = q
                found += 1
    return pairs[:found]


@jit
def _reversed(bits: int) -> int:
    """Return bits 0 to 40 in reverse order."""
    result = 0
    for place in range(_POINTS + 1):
        result |= (bits >> place & 1) << (_POINTS - place)
    return result


@jit
def count_halves(
    splits: Splits,
    pairs: NDArray[np.int32],
    used: NDArray[np.bool_],
    suit: int,
    most: NDArray[np.int64],
    summed: bool,
) -> NDArray[np.float64]:
    """Return the ways of the halves that are used, by points up to `most` of roles 0 and 1.

    Args:
        splits: the splits.
        pairs: the halves, of a suit and the next one.
        used: which of them occur in a match.
        suit: the first suit.
        most: int64 `[2]`: the most points that matter.
        summed: whether to sum up along the points of role 1, with a zero in front.
    """
    shift = 1 if summed else 0
    ways = np.zeros((len(pairs), most[0] + 1, most[1] + 1 + shift))
    for half in range(len(pairs)):
        if not used[half]:
            continue
        one = splits.ways[suit, pairs[half, 0]]
        two = splits.ways[suit + 1, pairs[half, 1]]
        here = ways[half]
        for i in range(min(10, most[0]) + 1):
            for j in range(min(10 - i, most[1]) + 1):
                if one[i, j] == 0:
                    continue
                for k in range(min(10, most[0] - i) + 1):
                    for m in range(min(10 - k, most[1] - j) + 1):
                        here[i + k, j + m + shift] += one[i, j] * two[k, m]
        if summed:
            for i in range(most[0] + 1):
                for j in range(most[1] + 1):
                    here[i, j + 1] += here[i, j]
    return ways


@inlined
def _fitting_points(
    points: NDArray[np.int64], match: int, total: int, i: int, j: int, row: int, width: int
) -> int:
    """Return the points of role 1 in the high half that fit, as bits.

    Args:
        points: what each match allows each role.
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
    fitting: int = (points[match, 1] >> j) & (points[match, 2] >> (_POINTS - left))
    return fitting & ((1 << width) - 1)


@inlined
def _row_ways(sums: NDArray[np.float64], half: int, row: int, allowed: int) -> float:
    """Return the ways of a row, given as sums, at the places that are allowed."""
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
def _high_ways(
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
        allowed = _fitting_points(points, match, total, i, j, row, width)
        if allowed:
            some += _row_ways(high, half, row, allowed)
    return some


@jit
def count_matches(
    matches: Matches, low: NDArray[np.float64], high: NDArray[np.float64], total: int
) -> None:
    """Fill in the ways of the matches, each with those of all before it."""
    halves, points, ways = matches.halves, matches.points, matches.ways
    so_far = 0.0
    for match in range(len(halves)):
        one = halves[match, 0]
        other = halves[match, 1]
        for i in range(low.shape[1]):
            for j in range(low.shape[2]):
                if low[one, i, j] > 0:
                    some = _high_ways(high, other, points, match, total, i, j)
                    so_far += matches.weights[match] * low[one, i, j] * some
        ways[match] = so_far


class Walk(NamedTuple):
    """Everything that drawing walks back through."""

    question: PairProblem
    places: Placements
    splits: Splits
    low_splits: NDArray[np.int32]
    high_splits: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    matches: Matches
    total: int
    """Points of all free cards."""


@jit
def draw_pairs(shares: NDArray[np.float64], state: State, walk: Walk) -> NDArray[np.int64]:
    """Draw the free cards of roles 0 and 1.

    Args:
        shares: numbers from 0 to 1, in rising order: which match each draw takes.
        state: random state.
        walk: what was counted.

    Returns:
        int64 `[draws, 2]`: the cards of roles 0 and 1 as masks.
    """
    drawn = np.zeros((len(shares), 2), dtype=np.int64)
    low, high = walk.low, walk.high
    low_splits, high_splits = walk.low_splits, walk.high_splits
    free, base, kinds = walk.question.free, walk.question.base, walk.question.kinds
    honours, numbers, start = walk.places.honours, walk.places.numbers, walk.places.start
    lengths = walk.splits.lengths
    roles = 3 if walk.question.implied else 2
    known = _known(walk.question)
    given = np.empty(3, dtype=np.int64)
    halves, points, match_ways = walk.matches.halves, walk.matches.points, walk.matches.ways
    split_ways = walk.splits.ways
    rows, width = low.shape[1], low.shape[2]
    ways = np.empty(rows * width)
    spots = np.empty((rows * width, 2), dtype=np.int64)
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
            filled = 0
            so_far = 0.0
            for i in range(rows):
                for j in range(width):
                    if low[one, i, j] > 0:
                        some = _high_ways(high, other, points, match, walk.total, i, j)
                        if some > 0:
                            so_far += low[one, i, j] * some
                            ways[filled] = so_far
                            spots[filled, 0] = i
                            spots[filled, 1] = j
                            filled += 1
        target = uniform(state) * ways[filled - 1]
        place = _first_above(ways, filled, target)
        i = spots[place, 0]
        j = spots[place, 1]
        _draw_points(state, low[one, i, j], split_ways, low_splits, one, 0, i, j, suits)
        k, m = _draw_high(state, high, other, points, match, walk.total, i, j)
        some = high[other, k, m + 1] - high[other, k, m]
        _draw_points(state, some, split_ways, high_splits, other, 2, k, m, suits)
        for suit in range(4):
            given[0] = lengths[suit, suits[suit, 0], 0]
            given[1] = lengths[suit, suits[suit, 0], 1]
            given[2] = _length(free >> 13 * suit & _SUIT) - given[0] - given[1]
            key = 11 * suits[suit, 1] + suits[suit, 2]
            target = (
                uniform(state) * split_ways[suit, suits[suit, 0], suits[suit, 1], suits[suit, 2]]
            )
            chosen = 0
            for option in range(start[suit, key], start[suit, key + 1]):
                some = _place_ways(
                    free, base, kinds, roles, honours, numbers, suit, option, given, known
                )
                if some > 0:
                    chosen = option
                    target -= some
                    if target < 0:
                        break
            pool = free >> 13 * suit & _SPOTS
            for role in range(2):
                spot_cards = given[role] - numbers[suit, chosen, role]
                mine = _draw_spots(state, pool, spot_cards)
                pool ^= mine
                mine |= honours[suit, chosen, role] << 8
                drawn[draw, role] |= mine << 13 * suit
    return drawn


@inlined
def _first_above(sums: NDArray[np.float64], count: int, target: float) -> int:
    """Return the first of so many rising sums that is above a target, or the last one."""
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
    target = uniform(state) * _high_ways(high, half, points, match, total, i, j)
    k = 0
    m = 0
    for row in range(high.shape[1]):
        allowed = _fitting_points(points, match, total, i, j, row, width)
        if not allowed:
            continue
        some = _row_ways(high, half, row, allowed)
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
    splits: NDArray[np.int32],
    half: int,
    suit: int,
    i: int,
    j: int,
    suits: NDArray[np.int64],
) -> None:
    """Draw which points of a half are in its first suit; fill in split and points of both."""
    one = splits[half, 0]
    other = splits[half, 1]
    target = uniform(state) * total
    for a in range(max(0, i - 10), min(i, 10) + 1):
        for b in range(max(0, j - 10), min(j, 10 - a) + 1):
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


@inlined
def _draw_spots(state: State, pool: int, count: int) -> int:
    """Draw so many of the cards in a pool."""
    rest = pool
    remaining = _length(pool)
    for _ in range(count):
        bits = rest
        for _ in range(below(state, remaining)):
            bits &= bits - 1
        rest ^= bits & -bits
        remaining -= 1
    return pool ^ rest


@jit
def complete_and_check(
    drawn: NDArray[np.int64],
    deals: NDArray[np.int64],
    state: State,
    seats: NDArray[np.int64],
    need: NDArray[np.int64],
    base: NDArray[np.int64],
    free: int,
    divisions: Rest,
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
        How many deals fit.
    """
    first, lengths, ways = divisions.first, divisions.lengths, divisions.ways
    level = compiled.level
    decided = compiled.decided
    kinds = compiled.kinds
    found = 0
    hands = base.copy()
    for draw in range(len(drawn)):
        rest = free
        left = 0
        for k in range(2, len(seats)):
            left += need[seats[k]]
        good = True
        for k in range(len(seats)):
            seat = seats[k]
            if k < 2:
                hand = drawn[draw, k]
            elif k == len(seats) - 1:
                hand = rest
            elif len(ways):
                hand = _draw_division(state, rest, first, lengths, ways)
            else:
                hand = _draw_cards(state, rest, left, need[seat])
                left -= need[seat]
            rest &= ~hand
            hands[seat] = base[seat] | hand
            answer = verdict(seat, hands[seat], level, decided, kinds)
            if answer == NO or (answer == OPEN and not passes(seat, hands[seat], compiled)):
                good = False
                break
        if good:
            for seat in range(4):
                deals[found, seat] = hands[seat]
            found += 1
    for i in range(found - 1):
        other = i + below(state, found - i)
        for seat in range(4):
            deals[i, seat], deals[other, seat] = deals[other, seat], deals[i, seat]
    return found


@inlined
def _draw_division(
    state: State,
    rest: int,
    first: NDArray[np.int64],
    lengths: NDArray[np.int64],
    ways: NDArray[np.float64],
) -> int:
    """Draw the first of two hands that divide the rest, by a shape that may fit."""
    key = 196 * _length(rest & _SUIT) + 14 * _length(rest >> 13 & _SUIT)
    key += _length(rest >> 26 & _SUIT)
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
        hand |= _draw_spots(state, rest >> 13 * suit & _SUIT, lengths[low, suit]) << 13 * suit
    return hand


@inlined
def _draw_cards(state: State, cards: int, count: int, need: int) -> int:
    """Draw `need` of `count` cards."""
    drawn = 0
    for card in range(52):
        if cards >> card & 1:
            if below(state, count) < need:
                drawn |= 1 << card
                need -= 1
            count -= 1
    return drawn
