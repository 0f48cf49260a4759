"""The small change of sentences: nouns that agree with a number, lists of words, numbers in words.

Everything that speaks to a reader takes them from here, so that all of it speaks alike. How hands
and bounds read is a matter of `kb.wording`.
"""

from __future__ import annotations

from collections.abc import Iterable

NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
"""The numbers from 0 to 20 in words."""

COUNTS = ("no", *NUMBER_WORDS[1:14])
"""The words for numbers of cards in a hand, before a noun: `four` of `four spades`."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The first eight ordinal numbers."""


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun: `1 board`, `1,024 boards`.

    Args:
        number: the number of things.
        noun: the noun in the singular.
    """
    return f"{number:,} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """Return a noun, given in the singular, as it agrees with a number: `board`, `classes`."""
    if number == 1:
        return noun
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def listed(words: Iterable[str], last: str) -> str:
    """Return words as a list, empty ones left out: `a, b and c`.

    Args:
        words: the words.
        last: the word before the last of several: `and` or `or`.
    """
    shown = [word for word in words if word]
    return f" {last} ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
