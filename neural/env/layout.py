"""The layout of observations: the meaning of each bit that networks see.

The first 480 bits are those of the auction phase in OpenSpiel's bridge (its tensor without the
leading phase bits); the next 156 show the hidden hands to a critic. Players are counted clockwise
from the one to call. Source: the papers' Table VI; OpenSpiel, `bridge.cc`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import NUM_BIDS
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, SUITS, Denomination, Seat

VULNERABILITY = 0
"""The first of four bits: own side not vulnerable, vulnerable, the same of the other side."""
OPENING_PASSES = VULNERABILITY + 2 * 2
"""The first bit of the passes before the first bid, one bit a player."""
HISTORY = OPENING_PASSES + len(Seat)
"""The first bit of the history: for each bid the players who made, doubled and redoubled it."""
BLOCK = 3 * len(Seat)
"""Bits of a bid in the history."""
HAND = HISTORY + BLOCK * NUM_BIDS
"""The first bit of the own hand, by rank and suit: two of clubs, two of diamonds, ..."""
OBSERVATION = HAND + NUM_CARDS
"""The number of bits that a player sees: 480."""
HIDDEN_HANDS = 3 * NUM_CARDS
"""The number of bits of the other hands, clockwise: 156."""
CRITIC = OBSERVATION + HIDDEN_HANDS
"""The number of bits that a critic sees: 636."""
TABLE_FACTS = len(Denomination) * len(Seat) + 3
"""The number of table facts, about the value of the cards, that a critic may see as well.

Tricks over 13 by denomination and declarer (clockwise from the player to call), then in thousands
of points the best undoubled contract of the own side, of the other side, and the own side's score
if all pass now.
"""
POINTS_SCALE = 1000.0
"""Points that count as one in the table facts."""


def card_bit(card: int) -> int:
    """Return the bit of a card within a hand."""
    # By rank first, then by suit, as in OpenSpiel's tensor.
    return card % HAND_SIZE * len(SUITS) + card // HAND_SIZE


CARD_BITS: NDArray[np.uint8] = np.array([card_bit(card) for card in range(NUM_CARDS)], np.uint8)
"""The bit of each card within a hand, uint8 `[52]`."""

CARD_OF_BIT: NDArray[np.uint8] = np.argsort(CARD_BITS).astype(np.uint8)
"""The card of each bit of a hand, uint8 `[52]`."""
