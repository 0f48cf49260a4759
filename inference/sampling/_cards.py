"""Sets of cards as masks, and cards drawn from them at random, in compiled code.

A set of cards is a mask: bit `13 * suit + rank`. A *holding* is the part of one suit, 13 bits, of
which the low 8 are spot cards (two to nine) and the high 5 honours (ten to ace). Its *code* packs
points, length and honours: `points << 9 | length << 5 | honours`; without the points that is its
*kind* (see `hand_tables`).

`largest` is the most that a sum over the holdings of a hand can reach. Random numbers are those of
xoroshiro128++, seeded from a numpy generator.
"""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.hand_tables import (
    CODES,
    KIND_EXISTS,
    NUM_HONOURS,
    NUM_SPOTS,
    POINTS_SHIFT,
    SHAPES,
)
from bidwright.runtime.jit import inlined, integer, jit

_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONES = np.uint64(0x0101010101010101)


@inlined
def lowest_bit(bits: int) -> int:
    """Return the place of the lowest bit that is set; 64 if none is."""
    # numba has no count of trailing zeros: the bits below the lowest one are counted in parallel,
    # by pairs, fours and bytes (Hacker's Delight, 5-1).
    below = np.uint64((bits & -bits) - 1)
    below -= (below >> np.uint64(1)) & _PAIRS
    below = (below & _FOURS) + ((below >> np.uint64(2)) & _FOURS)
    below = (below + (below >> np.uint64(4))) & _BYTES
    return integer((below * _ONES) >> np.uint64(56))


State = NDArray[np.uint64]


def new_state(rng: np.random.Generator) -> State:
    """Return a state, uint64 `[2]`; `rng` is consumed."""
    # From 1: a state of zeros would yield zeros for ever.
    return rng.integers(1, 1 << 63, 2, dtype=np.uint64)


@jit
def _turn(x: np.uint64, bits: int) -> np.uint64:
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@jit
def random_bits(state: State) -> np.uint64:
    """Return 64 random bits."""
    a = state[0]
    b = state[1]
    # The state is the caller's array. That of numba's own generator is hidden: two samplers of one
    # thread would disturb each other.
    result: np.uint64 = _turn(a + b, 17) + a
    b ^= a
    state[0] = _turn(a, 49) ^ b ^ (b << np.uint64(21))
    state[1] = _turn(b, 28)
    return result


@jit
def uniform(state: State) -> float:
    """Return a number from 0 up to, but not including, 1."""
    # 53 bits, as many as a float64 holds: 2**-53 is the step.
    return np.float64(random_bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@jit
def below(state: State, bound: int) -> int:
    """Return an integer from 0 to `bound - 1`, each with exactly the same chance."""
    n = np.uint64(bound)
    low_half = np.uint64(0xFFFFFFFF)
    product = (random_bits(state) >> np.uint64(32)) * n
    # Lemire's way: a multiplication instead of a division, and a rejection only in the few cases
    # that would make some numbers more likely.
    if (product & low_half) < n:
        least = (np.uint64(1 << 32) - n) % n
        while (product & low_half) < least:
            product = (random_bits(state) >> np.uint64(32)) * n
    return integer(product >> np.uint64(32))


@jit
def uniforms(state: State, count: int) -> NDArray[np.float64]:
    """Return so many numbers from 0 up to, but not including, 1."""
    result = np.empty(count)
    for i in range(count):
        result[i] = uniform(state)
    return result


HOLDING = (1 << 13) - 1
"""The cards of clubs; shifted by `13 * suit`, those of another suit."""

SPOTS = (1 << NUM_SPOTS) - 1
"""The spot cards of a holding."""

HONOURS = (1 << NUM_HONOURS) - 1
"""The honours of a holding, shifted down by `NUM_SPOTS`; or of a kind."""

KIND = (1 << POINTS_SHIFT) - 1
"""The kind in a code."""

SUIT_POINTS = 10
"""The high-card points of a suit."""

DECK_POINTS = 40
"""The high-card points of the deck."""

_NEVER = -10_000
"""Less than any value of a sum."""

ANY_POINTS = (1 << DECK_POINTS + 1) - 1
"""Every number of points that some of the cards can have, as bits."""


@inlined
def holding(cards: int, suit: int) -> int:
    """Return the holding of a suit in a set of cards."""
    return cards >> 13 * suit & HOLDING


@inlined
def honours(cards: int, suit: int) -> int:
    """Return the honours of a suit in a set of cards, 5 bits."""
    return cards >> 13 * suit + NUM_SPOTS & HONOURS


@inlined
def code(cards: int, suit: int) -> int:
    """Return the code of the holding of a suit in a set of cards."""
    return integer(CODES[cards >> 13 * suit & HOLDING])


@inlined
def code_length(one: int) -> int:
    """Return the number of cards of a holding, given its code."""
    return (one & KIND) >> NUM_HONOURS


@inlined
def code_points(one: int) -> int:
    """Return the high-card points of a holding, given its code."""
    return one >> POINTS_SHIFT


@inlined
def length(cards: int) -> int:
    """Return the number of cards of a holding."""
    return (integer(CODES[cards]) & KIND) >> NUM_HONOURS


@inlined
def kind(cards: int, together: int) -> int:
    """Return the kind of a holding of so many cards with these honours."""
    return (cards << NUM_HONOURS) + together


@jit
def lengths_and_points(cards: int) -> tuple[NDArray[np.int64], int]:
    """Return int64 `[4]`, the lengths of the suits in a set of cards, and its points."""
    lengths = np.empty(4, dtype=np.int64)
    points = 0
    for suit in range(4):
        packed = code(cards, suit)
        lengths[suit] = code_length(packed)
        points += code_points(packed)
    return lengths, points


@inlined
def draw_of_suit(state: State, pool: int, count: int) -> int:
    """Draw `count` cards of a pool, which is a part of one suit (13 bits)."""
    rest = pool
    remaining = length(pool)
    for _ in range(count):
        bits = rest
        for _ in range(below(state, remaining)):
            # The card drawn is found by dropping the lower ones: pools are a few cards, a table
            # would not pay.
            bits &= bits - 1
        rest ^= bits & -bits
        remaining -= 1
    return pool ^ rest


@inlined
def draw_of_deck(state: State, pool: int, size: int, count: int) -> int:
    """Draw `count` cards of a pool of `size` cards of any suits (52 bits)."""
    drawn = 0
    for card in range(52):
        if pool >> card & 1:
            # Each card is taken with the chance that the cards still wanted have among those left:
            # one pass, every set of cards with the same chance, and no shuffle.
            if below(state, size) < count:
                drawn |= 1 << card
                count -= 1
            size -= 1
    return drawn


@jit
def owners(deals: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 52]`, the seat of each card, for int64 `[D, 4]`, the hands as masks."""
    result = np.empty((len(deals), 52), dtype=np.uint8)
    for deal in range(len(deals)):
        east = deals[deal, 1]
        south = deals[deal, 2]
        west = deals[deal, 3]
        for card in range(52):
            result[deal, card] = (
                (east >> card & 1) + 2 * (south >> card & 1) + 3 * (west >> card & 1)
            )
    return result


@jit
def largest(by_kind: NDArray[np.int16], by_shape: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return int16 `[S, 38]`: the largest value of hands of each shape and number of points.

    Args:
        by_kind: int16 `[4, K]`: what the holding of a suit adds.
        by_shape: int16 `[S]`: what the shape adds.
    """
    # Over kinds, then pairs of suits, then shapes: all four suits at once would be 448**4 hands.
    best = np.full((4, 14, 11), _NEVER, dtype=np.int64)
    for kind in range(len(KIND_EXISTS)):
        if KIND_EXISTS[kind]:
            points = 0
            for rank in range(1, 5):
                points += rank * (kind >> rank & 1)
            for suit in range(4):
                value = integer(by_kind[suit, kind])
                best[suit, kind >> 5, points] = max(best[suit, kind >> 5, points], value)
    low = _together(best[0], best[1])
    high = _together(best[2], best[3])
    result = np.full((len(SHAPES), 38), _NEVER, dtype=np.int16)
    for shape in range(len(SHAPES)):
        clubs, diamonds, hearts, spades = SHAPES[shape]
        for i in range(21):
            for j in range(min(21, 38 - i)):
                value = low[clubs, diamonds, i] + high[hearts, spades, j] + by_shape[shape]
                if value > result[shape, i + j]:
                    result[shape, i + j] = value
    return result


@jit
def _together(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the largest values of two suits, by their lengths and their points together."""
    best = np.full((14, 14, 21), 2 * _NEVER, dtype=np.int64)
    for a in range(14):
        for b in range(14 - a):
            for i in range(11):
                for j in range(11):
                    best[a, b, i + j] = max(best[a, b, i + j], one[a, i] + other[b, j])
    return best
