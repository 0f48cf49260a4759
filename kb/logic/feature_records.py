"""The records of the table of features: see `kb.logic.feature_table`.

Shapes: `B` hands, `S` suits (four, or one where a suit stands alone).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

SUIT_LETTERS = ("c", "d", "h", "s")
HONOUR_LETTERS = ("a", "k", "q", "j", "t")
HONOUR_RANKS = (12, 11, 10, 9, 8)
"""The rank of each honour, 0 for the two to 12 for the ace."""


@dataclass(frozen=True, slots=True)
class SuitHoldings:
    """The cards of hands, by suit.

    Attributes:
        length: int16 `[B, S]`, cards in the suit.
        ace, king, queen, jack, ten: int16 `[B, S]`, 1 where the card is held.
    """

    length: NDArray[np.int16]
    ace: NDArray[np.int16]
    king: NDArray[np.int16]
    queen: NDArray[np.int16]
    jack: NDArray[np.int16]
    ten: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Feature:
    """A number of the feature vector; the smallest value is 0.

    Attributes:
        kind: the feature's name, for a feature of a suit without the suit.
        high: the largest value.
        compute: the values, `[B, S]` for a feature of a suit, otherwise `[B]`.
        given: True if every answer-set program defines it; the others are defined on demand.
        adds: True for a feature of the whole hand that is the sum of its values for the suits;
            the other ones follow from the lengths of the suits alone.
        noun: the noun of a count, the suit in place of `{}`; empty if a word of the language or
            `kb.wording` has the reading.
    """

    kind: str
    high: int
    compute: Callable[[SuitHoldings], NDArray[np.generic]]
    given: bool = False
    adds: bool = False
    noun: str = ""

    def term(self, suit: int | None = None) -> str:
        """Return the term that names the feature in the answer-set programs."""
        if suit is None:
            return self.kind
        if self.kind.startswith("card_"):
            return f"card({SUIT_LETTERS[suit]},{self.kind[-1]})"
        return f"{self.kind}({SUIT_LETTERS[suit]})"


@dataclass(frozen=True, slots=True)
class Longest:
    """The place of a suit when some suits are put in order of length, longest first.

    Attributes:
        suits: the suits that are compared (0..3).
        place: 0 for the longest of them, -1 for the shortest, 1 for the second longest.
        count: the number of suits that are added up, from that place on.
    """

    suits: tuple[int, ...] = (0, 1, 2, 3)
    place: int = 0
    count: int = 1


Weights = Mapping[str, int | Fraction]
"""The weight of each kind of feature in a sum."""


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A word that conditions compare with a range: a sum of features, or a suit by its length.

    Attributes:
        name: the word.
        low: the least value.
        high: the greatest value.
        meaning: one line for players; `S` is the suit of a number of one suit.
        noun: the noun of a count, the suit in place of `{}`; empty if `kb.wording` has a reading
            of its own for it.
        exchanged: its words in exchanged notes, where they are not its noun.
        hand: features added up over all suits, or features of the whole hand.
        suit: features of the suit in the brackets; the number is one of a suit if not empty.
        elsewhere: features added up over the other suits; likewise.
        constant: a constant that is added.
        longest: the suit that it is the length of, in place of a sum.
    """

    name: str
    low: int
    high: int
    meaning: str
    noun: str = ""
    exchanged: str = ""
    hand: Weights = field(default_factory=dict)
    suit: Weights = field(default_factory=dict)
    elsewhere: Weights = field(default_factory=dict)
    constant: int = 0
    longest: Longest | None = None

    @property
    def is_of_suit(self) -> bool:
        """True if the word takes a suit in brackets."""
        return bool(self.suit or self.elsewhere)


@dataclass(frozen=True, slots=True)
class FactWord:
    """A word that holds or does not hold for a hand.

    Attributes:
        name: the word.
        feature: the feature that decides by its value.
        meaning: one line for players; `S` is the suit.
        holds: the words if it holds, `{}` the suit in the plural, `{one}` in the singular.
        fails: the words if it does not hold.
        exchanged: its words in exchanged notes, the suit after them.
        value: the value of the feature if the fact holds.
        is_of_suit: True if the word takes a suit in brackets.
    """

    name: str
    feature: str
    meaning: str
    holds: str
    fails: str
    exchanged: str
    value: int = 1
    is_of_suit: bool = False
