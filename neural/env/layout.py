"""What networks see: where each bit of an observation stands.

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
"""Own side not vulnerable, own side vulnerable, the same of the other side."""
OPENING_PASSES = VULNERABILITY + 2 * 2
"""Who passed before the first bid."""
HISTORY = OPENING_PASSES + len(Seat)
"""For each bid who made it, who doubled it, who redoubled it."""
BLOCK = 3 * len(Seat)
"""Bits of a bid in the history."""
HAND = HISTORY + BLOCK * NUM_BIDS
"""The own hand, by rank and suit: two of clubs, two of diamonds, ..."""
OBSERVATION = HAND + NUM_CARDS
"""Bits that a player sees: 480."""
HIDDEN_HANDS = 3 * NUM_CARDS
"""Bits of the other hands, clockwise: 156."""
CRITIC = OBSERVATION + HIDDEN_HANDS
"""Bits that a critic sees: 636."""
TABLE_FACTS = len(Denomination) * len(Seat) + 3
"""Numbers on the cards' value that a critic may be shown as well.

Tricks over 13 by denomination and declarer (clockwise from the player to call), then in thousands
of points the best undoubled contract of the own side, of the other side, and the own side's score
if all pass now.
"""
POINTS_SCALE = 1000.0
"""Points that count as one in the table facts."""


def card_bit(card: int) -> int:
    """Return the bit of a card within a hand."""
    return card % HAND_SIZE * len(SUITS) + card // HAND_SIZE


CARD_BITS: NDArray[np.uint8] = np.array([card_bit(card) for card in range(NUM_CARDS)], np.uint8)
"""uint8 `[52]`: the bit of each card within a hand."""

CARD_OF_BIT: NDArray[np.uint8] = np.argsort(CARD_BITS).astype(np.uint8)
"""uint8 `[52]`: the card of each bit of a hand."""
