"""The words for a hand: those of the table of features, and some that need more than a feature."""

from __future__ import annotations

from bidwright.kb.language.word import Kind, Param, Word
from bidwright.kb.logic.feature_records import FactWord, NumberWord
from bidwright.kb.logic.feature_table import FACTS, LENGTH_MAX, NUMBERS, STRENGTH_MAX

_SUIT = (Param.SUIT,)

SUIT_NAMES: dict[str, str] = {
    "clubs": "C",
    "diamonds": "D",
    "hearts": "H",
    "spades": "S",
}
"""The suits in conditions, and the letters that also name them there."""


def _number(number: NumberWord) -> Word:
    params = _SUIT if number.is_of_suit else ()
    return Word(number.name, Kind.HAND_NUMBER, params, number.meaning, number.low, number.high)


def _fact(fact: FactWord) -> Word:
    return Word(fact.name, Kind.HAND_FACT, _SUIT if fact.is_of_suit else (), fact.meaning)


HAND_NUMBERS: tuple[Word, ...] = (
    *(Word(name, Kind.HAND_NUMBER, (), f"cards in {name}", 0, LENGTH_MAX) for name in SUIT_NAMES),
    *map(_number, NUMBERS),
    Word(
        "fit",
        Kind.HAND_NUMBER,
        _SUIT,
        "cards in S, and the least that partner has shown there",
        0,
        2 * LENGTH_MAX,
    ),
    Word(
        "combined",
        Kind.HAND_NUMBER,
        (Param.STRENGTH,),
        "own hcp or points, and the least that partner has shown",
        0,
        2 * STRENGTH_MAX,
    ),
    Word("max", Kind.HAND_NUMBER, (Param.NUMBERS,), "the largest of some numbers", 0, None),
    Word("min", Kind.HAND_NUMBER, (Param.NUMBERS,), "the smallest of some numbers", 0, None),
)
"""Words that are compared with a range."""

HAND_FACTS: tuple[Word, ...] = (
    *map(_fact, FACTS),
    Word(
        "has",
        Kind.HAND_FACT,
        (Param.CARD,),
        "holds the card: a suit or its letter, and A K Q J or T",
    ),
    Word("first_control", Kind.HAND_FACT, _SUIT, "ace or void in S"),
    Word("second_control", Kind.HAND_FACT, _SUIT, "king or singleton in S"),
    Word("control", Kind.HAND_FACT, _SUIT, "first or second control in S"),
    Word("longest", Kind.HAND_FACT, _SUIT, "no suit is longer than S"),
    Word("longest_unbid", Kind.HAND_FACT, _SUIT, "S is unbid, and no other unbid suit is longer"),
    Word(
        "shape",
        Kind.HAND_FACT,
        (Param.SHAPES,),
        "suit lengths in any order, with = spades first; x is any number",
    ),
)
"""Words that stand alone as a condition."""
