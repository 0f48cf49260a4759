"""One hand drawn exactly, the rest dealt at random and checked: the compiled part.

The holdings of a suit are counted by length and points. Two suits together give `low` (clubs
and diamonds) and `high` (hearts and spades), ways by both lengths and by points. A cell is a
shape and the points in its clubs and diamonds. Drawing walks back: cell, points in hearts and
spades, points in one suit of each pair, holdings.

Lengths and points here are those of the cards to be drawn: cards known to be in the hand are
left out of them, but count towards what the hand must fit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._cards import (
    KIND,
    SUIT_POINTS,
    State,
    below,
    code,
    code_length,
    code_points,
    holding,
    lengths_and_points,
    lowest_bit,
    uniform,
)
from bidwright.inference.sampling._conditions import (
    NO,
    OPEN,
    Ceilings,
    passes,
    shape_and_points,
    verdict,
)
from bidwright.inference.sampling.hand_tables import SHAPE_INDEX
from bidwright.inference.sampling.predicate import CompiledPredicates
from bidwright.runtime.jit import inlined, integer, jit

_GUIDES = 1024
"""The number of equal parts of all ways; the guide has the first cell of each."""

_TWO_SUITS = (1 << 21) - 1
"""0 to 20 points, as bits."""

_KEYS = 14 * (SUIT_POINTS + 1)


@inlined
def _key(length: int, points: int) -> int:
    """Return length and points of a holding, packed in one number."""
    return (SUIT_POINTS + 1) * length + points


class HoldingCounts(NamedTuple):
    """The holdings that can be drawn in each suit, and the counts of them."""

    cards: NDArray[np.uint16]
    """uint16 `[4, 8192]`: the holdings, sorted by length and points."""
    start: NDArray[np.int32]
    """int32 `[4, keys + 1]`: where the holdings of each key (length and points) begin."""
    low: NDArray[np.float64]
    """float64 `[14, 14, 21]`: ways to hold so many clubs, diamonds, and points in them."""
    high: NDArray[np.float64]
    """float64 `[14, 14, 21]`: the same for hearts and spades."""


class Cells(NamedTuple):
    """The hands that fit, by shape, points in clubs and diamonds, and weight."""

    lengths: NDArray[np.int32]
    """int32 `[cells, 5]`: cards drawn in C D H S, and points in clubs and diamonds."""
    points: NDArray[np.int64]
    """int64 `[cells]`: points in all, as bits."""
    ways: NDArray[np.float64]
    """float64 `[cells]`: hands in this cell and all before it, by weight."""
    guide: NDArray[np.int32]
    """int32 `[1025]`: for each share of all ways, the first cell that may hold it."""
    hands: float
    """Hands in all cells, each counted as one."""


@jit
def holdings(free: int, base: int, kinds: NDArray[np.bool_]) -> HoldingCounts:
    """Return the holdings of the given kinds that can complete `base` from the free cards.

    Args:
        free: the cards to come, as a mask.
        base: the cards known in the hand, as a mask.
        kinds: bool `[4, K]`: the kinds of the complete holdings that are allowed.
    """
    cards = np.zeros((4, 8192), dtype=np.uint16)
    start = np.zeros((4, _KEYS + 1), dtype=np.int32)
    drawn = np.empty(8192, dtype=np.uint16)
    keys = np.empty(8192, dtype=np.int32)
    for suit in range(4):
        there = holding(free, suit)
        held = holding(base, suit)
        count = 0
        part = there
        while True:
            if kinds[suit, code(part | held, 0) & KIND]:
                packed = code(part, 0)
                key = _key(code_length(packed), code_points(packed))
                drawn[count] = part
                keys[count] = key
                start[suit, key + 1] += 1
                count += 1
            if part == 0:
                break
            # The next smaller subset of the suit's free cards.
            part = (part - 1) & there
        for key in range(_KEYS):
            start[suit, key + 1] += start[suit, key]
        # A counting sort: holdings of a key lie together, so that one is drawn by a random number.
        ahead = start[suit].copy()
        for i in range(count):
            cards[suit, ahead[keys[i]]] = drawn[i]
            ahead[keys[i]] += 1
    low = _pairs(start[0], start[1])
    high = _pairs(start[2], start[3])
    return HoldingCounts(cards, start, low, high)


@jit
def _pairs(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the ways to hold two suits, by both lengths and by points together."""
    ways = np.zeros((14, 14, 21))
    for a in range(14):
        for i in range(SUIT_POINTS + 1):
            first = one[_key(a, i) + 1] - one[_key(a, i)]
            if first:
                for b in range(14 - a):
                    for j in range(SUIT_POINTS + 1):
                        second = other[_key(b, j) + 1] - other[_key(b, j)]
                        # Floats, as counts of hands reach 635,013,559,600: sums of them are exact
                        # up to 2**53.
                        ways[a, b, i + j] += np.float64(first) * second
    return ways


@jit
def cells(
    base: int,
    need: int,
    tables: NDArray[np.int64],
    weights: NDArray[np.float64],
    drawn: HoldingCounts,
) -> Cells:
    """Count the ways to complete a hand by `need` cards so that it is in one of some tables.

    Args:
        base: the cards known in the hand.
        need: the number of cards to come.
        tables: int64 `[T, S]`: tables without a hand in common.
        weights: float64 `[T]`: the weight of a way that leads to a hand of each table.
        drawn: the holdings that can be drawn.
    """
    held_lengths, held_points = lengths_and_points(base)
    most = 560 * 21 * len(tables)
    lengths = np.empty((most, 5), dtype=np.int32)
    points = np.empty(most, dtype=np.int64)
    ways = np.empty(most)
    count = 0
    total = 0.0
    # In the same pass: counting the cells once more with weights of 1 took as long again.
    hands = 0.0
    for a in range(min(need, 13 - held_lengths[0]) + 1):
        for b in range(min(need - a, 13 - held_lengths[1]) + 1):
            for c in range(min(need - a - b, 13 - held_lengths[2]) + 1):
                d = need - a - b - c
                if d + held_lengths[3] > 13:
                    continue
                shape = SHAPE_INDEX[a + held_lengths[0], b + held_lengths[1], c + held_lengths[2]]
                for place in range(len(tables) * 21):
                    table = place // 21
                    i = place % 21
                    mask = tables[table, shape] >> held_points
                    # Cells without ways are left out: what is walked through, and drawn from, are
                    # hands that exist.
                    if mask == 0 or drawn.low[a, b, i] == 0:
                        continue
                    some = 0.0
                    for j in range(21):
                        if mask >> (i + j) & 1:
                            some += drawn.high[c, d, j]
                    if some > 0:
                        here = some * drawn.low[a, b, i]
                        hands += here
                        total += here * weights[table]
                        lengths[count, 0] = a
                        lengths[count, 1] = b
                        lengths[count, 2] = c
                        lengths[count, 3] = d
                        lengths[count, 4] = i
                        points[count] = mask
                        ways[count] = total
                        count += 1
    # A table of starting places instead of a search: about one cell is looked at for a draw.
    guide = np.zeros(_GUIDES + 1, dtype=np.int32)
    cell = 0
    for g in range(_GUIDES):
        while cell < count - 1 and ways[cell] < total * g / _GUIDES:
            cell += 1
        guide[g] = cell
    return Cells(lengths[:count].copy(), points[:count].copy(), ways[:count].copy(), guide, hands)


@inlined
def draw_hand(
    state: State,
    cards: NDArray[np.uint16],
    start: NDArray[np.int32],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    lengths: NDArray[np.int32],
    points: NDArray[np.int64],
    ways: NDArray[np.float64],
    guide: NDArray[np.int32],
) -> int:
    """Draw one of the counted sets of cards, each with a chance by its weight."""
    share = uniform(state)
    cell = integer(guide[integer(share * _GUIDES)])
    target = share * ways[-1]
    # Never beyond the last: rounding may put the target at the very end.
    while cell < len(ways) - 1 and ways[cell] <= target:
        cell += 1
    clubs = lengths[cell, 0]
    diamonds = lengths[cell, 1]
    hearts = lengths[cell, 2]
    spades = lengths[cell, 3]
    low_points = integer(lengths[cell, 4])
    mask = points[cell] >> low_points
    total = 0.0
    bits = mask & _TWO_SUITS
    while bits:
        total += high[hearts, spades, lowest_bit(bits)]
        bits &= bits - 1
    target = uniform(state) * total
    high_points = 0
    bits = mask & _TWO_SUITS
    while bits:
        some = high[hearts, spades, lowest_bit(bits)]
        if some > 0:
            high_points = lowest_bit(bits)
            target -= some
            if target < 0:
                break
        bits &= bits - 1
    low_ways: float = low[clubs, diamonds, low_points]
    high_ways: float = high[hearts, spades, high_points]
    minors = _draw_pair(state, start, cards, integer(0), clubs, diamonds, low_points, low_ways)
    majors = _draw_pair(state, start, cards, integer(2), hearts, spades, high_points, high_ways)
    return minors | majors


@inlined
def _draw_pair(
    state: State,
    start: NDArray[np.int32],
    cards: NDArray[np.uint16],
    suit: int,
    one: int,
    other: int,
    points: int,
    ways: float,
) -> int:
    """Draw the holdings of a suit and the next one, of given lengths and points together."""
    target = uniform(state) * ways
    here = 0
    there = 0
    for i in range(max(0, points - SUIT_POINTS), min(SUIT_POINTS, points) + 1):
        a = _key(one, i)
        b = _key(other, points - i)
        some = np.float64(start[suit, a + 1] - start[suit, a]) * (
            start[suit + 1, b + 1] - start[suit + 1, b]
        )
        if some > 0:
            here = a
            there = b
            target -= some
            if target < 0:
                break
    first = start[suit, here]
    left = cards[suit, first + below(state, start[suit, here + 1] - first)]
    first = start[suit + 1, there]
    right = cards[suit + 1, first + below(state, start[suit + 1, there + 1] - first)]
    return (integer(left) | integer(right) << 13) << 13 * suit


@jit
def deal_and_check(
    deals: NDArray[np.int64],
    most: int,
    state: State,
    order: NDArray[np.int64],
    need: NDArray[np.int64],
    base: NDArray[np.int64],
    free: int,
    drawn: HoldingCounts,
    ready: Cells,
    compiled: CompiledPredicates,
    ceilings: Ceilings,
    floors: NDArray[np.float64],
) -> tuple[int, int]:
    """Fill `deals` with deals that fit, trying at most `most` times.

    Where deals have weights, a proposal whose hands cannot weigh enough is dropped at the first
    hand that shows it. It has to weigh more than its floor: a random part of the most that the
    hand drawn first can weigh, since that hand is drawn by that bound.

    Args:
        deals: int64 `[D, 4]`: the hands as masks, by seat.
        most: proposals to make.
        state: random state.
        order: the seats with cards to come, the one to draw exactly first.
        need: cards to come, by seat.
        base: cards known to be in the hand, by seat.
        free: all cards to come.
        drawn: the holdings of the first seat.
        ready: the cells of the first seat.
        compiled: what the hands must fit.
        ceilings: upper bounds of the weights of hands; empty if all weigh the same.
        floors: float64 `[D]`: filled with the weight that each deal has to exceed.

    Returns:
        The number of deals found, and the number of proposals made.
    """
    places = ceilings.places
    bounds = ceilings.weights
    weighted = len(bounds) > 0
    floor = 0.0
    product = 1.0
    level = compiled.level
    decided = compiled.decided
    kinds = compiled.kinds
    cards, start, low, high = drawn
    lengths, points, ways, guide, _ = ready
    pool = np.zeros(53, dtype=np.int64)
    hands = base.copy()
    count = 0
    tries = 0
    while count < len(deals) and tries < most:
        tries += 1
        some = draw_hand(state, cards, start, low, high, lengths, points, ways, guide)
        rest = free & ~some
        left = 0
        place = 0
        good = True
        if weighted:
            floor = uniform(state)
            product = 1.0
        for k in range(len(order)):
            seat = order[k]
            hand = base[seat]
            if k == 0:
                hand |= some
            elif k == len(order) - 1:
                hand |= rest
            else:
                # The rest is shuffled only as far as hands need cards, and only if the first hand
                # passed.
                if k == 1:
                    for card in range(52):
                        pool[left] = card
                        left += rest >> card & 1
                for here in range(place, place + need[seat]):
                    other = here + below(state, left - here)
                    card = pool[other]
                    pool[other] = pool[here]
                    hand |= 1 << card
                place += need[seat]
                rest &= ~hand
            hands[seat] = hand
            if weighted:
                shape, total = shape_and_points(hand)
                bound = bounds[seat, places[seat, shape, total]]
                if k == 0:
                    floor *= bound
                product *= bound
                if product <= floor:
                    good = False
                    break
            answer = verdict(seat, hand, level, decided, kinds)
            if answer == NO or (answer == OPEN and not passes(seat, hand, compiled)):
                good = False
                break
        if good:
            for seat in range(4):
                deals[count, seat] = hands[seat]
            floors[count] = floor
            count += 1
    return count, tries
