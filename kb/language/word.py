"""A word of the language: its kind, what stands in its brackets, its meaning and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What sort of word it is; the value is how messages call it."""

    HAND_NUMBER = "a number of the hand"
    HAND_FACT = "a fact about the hand"
    PUBLIC_NUMBER = "a public number"
    PUBLIC_FACT = "a public fact"
    ACTION = "an action"
    CALL = "a call"

    @property
    def is_number(self) -> bool:
        """Whether it is compared with a range."""
        return self in (Kind.HAND_NUMBER, Kind.PUBLIC_NUMBER)

    @property
    def is_fact(self) -> bool:
        """Whether it stands alone as a condition."""
        return self in (Kind.HAND_FACT, Kind.PUBLIC_FACT)


class Param(Enum):
    """What may stand in the brackets after a word; the value is how messages call it."""

    SUIT = "a suit"
    DENOMINATION = "a suit or NT"
    CARD = "a card such as SA or MQ"
    SHAPES = "shapes such as 5431 or 4=4=3=2"
    STRENGTH = "hcp or points"
    CALL_CLASS = "a kind of call such as X, NT, suit or 2C"
    QUESTION = "what was asked, in one word"
    ALTERNATIVE = "the name of an alternative"
    STEPS = "a number of steps"
    TEXT = "a text in quotes"
    OPTIONAL_TEXT = "a text in quotes, or nothing"
    WHOLE_NUMBER = "a whole number"
    NUMBERS = "two or more numbers"
    BID = "a bid such as 2NT or 3M"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language.

    Attributes:
        name: the word; dotted for public numbers such as `partner.hcp.min`.
        kind: what sort of word it is.
        params: what stands in its brackets, or after an action.
        meaning: one line for players.
        low: the least value of a number; None for no limit.
        high: the greatest value of a number; None for no limit.
    """

    name: str
    kind: Kind
    params: tuple[Param, ...]
    meaning: str
    low: int | None = None
    high: int | None = None

    @property
    def usage(self) -> str:
        """The word as it is written, with a name for each argument."""
        if self.kind is Kind.ACTION or self.params == (Param.SHAPES,):
            return " ".join([self.name, *(_ARGUMENT_NAMES[param] for param in self.params)])
        if not self.params:
            return self.name
        names = [_ARGUMENT_NAMES[param] for param in self.params]
        if names[-2:] == ["S", "S"]:
            names[-1] = "R"
        if self.name == "is":
            return "S is R"
        return f"{self.name}({', '.join(names)})"


_ARGUMENT_NAMES = {
    Param.SUIT: "S",
    Param.DENOMINATION: "D",
    Param.CARD: "SA",
    Param.SHAPES: "5431|4=4=3=2",
    Param.STRENGTH: "hcp",
    Param.CALL_CLASS: "X",
    Param.QUESTION: "aces",
    Param.ALTERNATIVE: "strong",
    Param.STEPS: "n",
    Param.TEXT: '"text"',
    Param.OPTIONAL_TEXT: '["text"]',
    Param.WHOLE_NUMBER: "n",
    Param.BID: "2NT",
    Param.NUMBERS: "hcp, points",
}
