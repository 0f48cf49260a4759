"""Every word of the language with a meaning of its own.

The checker reads the words to know names and arguments, the documentation is checked against
them, and a test holds the compiler to them. The meanings are for bridge players.
"""

from __future__ import annotations

from collections.abc import Iterable

from bidwright.kb.language.word import Kind, Param, Word
from bidwright.kb.language.words_of_calls import (
    ACTIONS,
    CALL_CLASSES,
    CALLS,
    LAST_CALL_CLASSES,
    TIERS,
)
from bidwright.kb.language.words_of_hands import HAND_FACTS, HAND_NUMBERS, SUIT_NAMES
from bidwright.kb.language.words_of_positions import PUBLIC_FACTS, PUBLIC_NUMBERS, SUIT_WORD
from bidwright.kb.logic.feature_table import LENGTH_MAX

__all__ = [
    "ACTION_NAMES",
    "CALL_CLASSES",
    "DENOMINATION_WORDS",
    "FIXED_SUITS",
    "LAST_CALL_CLASSES",
    "LENGTH_MAX",
    "SUIT_NAMES",
    "SUIT_VARIABLES",
    "SUIT_WORD",
    "SUIT_WORDS",
    "TIERS",
    "WORDS",
    "Kind",
    "Param",
    "Word",
    "condition_words",
    "names",
    "public_number",
    "table",
]

WORDS: tuple[Word, ...] = (
    *HAND_NUMBERS,
    *HAND_FACTS,
    *PUBLIC_NUMBERS,
    *PUBLIC_FACTS,
    *ACTIONS,
    *CALLS,
)
"""Every word, in the order of the documentation."""

SUIT_VARIABLES: dict[str, str] = {
    "M": "a major",
    "oM": "the other major, when M is known",
    "m": "a minor",
    "om": "the other minor, when m is known",
    "X": "a suit",
    "Y": "another suit",
    "Z": "another suit",
    "W": "another suit",
}
"""Letters that stand for a suit; different letters are different suits."""

FIXED_SUITS = frozenset({*SUIT_NAMES, *SUIT_NAMES.values()})
"""Every word that is one of the four suits."""

SUIT_WORDS = frozenset({*SUIT_NAMES, *SUIT_NAMES.values(), *SUIT_VARIABLES})
"""Every word that can stand for a suit in a condition."""

DENOMINATION_WORDS = frozenset({*SUIT_WORDS, "NT"})
"""Every word that can stand for a denomination."""

_CONDITION_WORDS: dict[str, list[Word]] = {}
for _word in WORDS:
    if _word.kind.is_number or _word.kind.is_fact:
        _CONDITION_WORDS.setdefault(_word.name, []).append(_word)

SAID_OTHERWISE = {
    **{"honors": "top5", "honours": "top5", "tops": "top3", "ltc": "losers", "qt": "quick_tricks"},
    **{"tricks": "playing_tricks", "high_cards": "hcp", "hcps": "hcp", "shortage": "shortness"},
    **{"support": "fit", "stop": "stopper", "stops": "stopper", "guard": "stopper"},
    **{"bal": "balanced", "vul": "vulnerable"},
}
"""What players and other programs write, and the language's word for it."""


def condition_words(name: str) -> tuple[Word, ...]:
    """Return the words of that name that conditions may use: none, one, or with two uses."""
    return tuple(_CONDITION_WORDS.get(name, ()))


def names(kinds: Iterable[Kind]) -> list[str]:
    """Return the names of the words of some kinds, each once."""
    wanted = set(kinds)
    return list(dict.fromkeys(word.name for word in WORDS if word.kind in wanted))


ACTION_NAMES: tuple[str, ...] = tuple(names([Kind.ACTION]))
"""The words that may stand after `;`."""


def public_number(path: tuple[str, ...]) -> Word | None:
    """Return the word for a dotted number, whatever its suit; None if there is none.

    Example:
        >>> public_number(("partner", "M", "max")).name
        'partner.spades.max'
    """
    parts = [SUIT_WORD if part in SUIT_WORDS else part for part in path]
    found = condition_words(".".join(parts))
    return found[0] if found else None


def table(*kinds: Kind) -> str:
    """Return the words of some kinds as a Markdown table, for the documentation."""
    rows = [(word.usage, word.meaning) for word in WORDS if word.kind in kinds]
    return "".join(
        f"| {first} | {second} |\n"
        for first, second in [
            ("word", "meaning"),
            ("---", "---"),
            *((f"`{usage}`".replace("|", "\\|"), meaning) for usage, meaning in rows),
        ]
    )
