"""Styles of writing suits."""

from __future__ import annotations

from enum import Enum

from bidwright.bridge.cards import SUITS


class Style(Enum):
    """A way to write suits."""

    WORDS = "words"
    """`5+ spades`"""
    LETTERS = "letters"
    """`5+ S`"""
    SYMBOLS = "symbols"
    """`5+ ♠`"""

    def suit(self, suit: int) -> str:
        """Return the suit's name in the plural."""
        match self:
            case Style.WORDS:
                return SUITS[suit].name.lower()
            case Style.LETTERS:
                return SUITS[suit].letter
            case Style.SYMBOLS:
                return SUITS[suit].symbol

    def one(self, suit: int) -> str:
        """Return the suit's name before a noun: `spade` in `spade stopper`."""
        return self.suit(suit).removesuffix("s") if self is Style.WORDS else self.suit(suit)
