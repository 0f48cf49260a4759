"""Sets of cards as masks, and the codes of the holdings in them, in compiled code.

A set of cards is a mask: bit `13 * suit + rank`. A *holding* is the part of one suit, 13 bits, of
which the low 8 are spot cards (two to nine) and the high 5 honours (ten to ace). Its *code* packs
points, length and honours: `points << 9 | length << 5 | honours`; without the points that is its
*kind* (see `hand_tables`).
"""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._jit import inlined, integer, jit
from bidwright.inference.sampling.hand_tables import CODES, NUM_HONOURS, NUM_SPOTS, POINTS_SHIFT

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
        one = code(cards, suit)
        lengths[suit] = code_length(one)
        points += code_points(one)
    return lengths, points
