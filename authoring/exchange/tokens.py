"""Descriptions of calls as tokens: words, suits, ranges (`15-17`, `5+`, `at most 11`), phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from bidwright.bridge.cards import SUIT_WORDS, WORD_OF_SUIT
from bidwright.kb.language import ast

_TOKEN = re.compile(
    r"""
      (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<suit>![cdhsCDHS](?![A-Za-z])|!(?:oM|om|[MmXYZ])(?![A-Za-z])|[\u2660-\u2667]
        |(?<=[0-9][-+])(?:oM|om|[MmCDHS])(?![A-Za-z])|(?<=[0-9]\+)[dhs](?![A-Za-z]))
    | (?P<number>[0-9]{1,4}(?:\.[0-9]{1,2})?(?![0-9]))
    | (?P<word>[A-Za-z]+(?:[-'/][A-Za-z]+)*|[0-9]+)
    | (?P<sign>>=|<=|!=|\S)
    """,
    re.VERBOSE,
)
_SYMBOLS = dict(zip("♠♥♦♣♤♡♢♧", SUIT_WORDS[::-1] * 2, strict=True))
_LETTERS = {letter.lower(): word for letter, word in WORD_OF_SUIT.items()}
_WORDS = {
    **{name: name for name in _LETTERS.values()},
    **{name.removesuffix("s"): name for name in _LETTERS.values()},
}
_VARIABLES = frozenset({"M", "m", "oM", "om", "X", "Y", "Z"})


@dataclass(frozen=True, slots=True)
class DescriptionToken:
    """A piece of a description.

    Attributes:
        kind: `quoted`, `suit`, `number`, `word` or `sign`.
        text: as it was written; without its quotes if quoted.
        value: a suit's word in the language, a word in small letters, else the text.
        start: where it begins in the description.
        end: where it ends.
    """

    kind: str
    text: str
    value: str
    start: int
    end: int


def tokens_of(text: str) -> list[DescriptionToken]:
    """Return the tokens of a description; nothing but blanks is left out."""
    return [_token(match) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str]) -> DescriptionToken:
    kind, text = str(match.lastgroup), match.group()
    value = text
    if kind == "suit":
        name = text.removeprefix("!")
        value = name if name in _VARIABLES else _SYMBOLS.get(name) or _LETTERS[name.lower()]
    elif kind == "word":
        value = text.lower()
        if value in _WORDS:
            kind, value = "suit", _WORDS[value]
    elif kind == "quoted":
        value = text = re.sub(r"\\(.)", r"\1", text[1:-1])
    return DescriptionToken(kind, text, value, match.start(), match.end())


Tokens = Sequence[DescriptionToken]
_Range = tuple[ast.Range, int] | None

_LONGEST = 7
"""A range that reaches further counts points, as suits of notes are seldom longer."""

_BOUNDS = (
    (("at", "most"), False, 0),
    (("up", "to"), False, 0),
    (("max",), False, 0),
    (("maximum",), False, 0),
    (("<=",), False, 0),
    (("<",), False, -1),
    (("less", "than"), False, -1),
    (("fewer", "than"), False, -1),
    (("at", "least"), True, 0),
    (("min",), True, 0),
    (("minimum",), True, 0),
    ((">=",), True, 0),
    ((">",), True, 1),
    (("more", "than"), True, 1),
)
"""Words before a number, whether it is then the least, and what is added to it."""

_COUNTED = {"hcp", "hcps", "p", "pt", "pts", "point", "points"}


def starts(tokens: Tokens, at: int, words: Sequence[str]) -> bool:
    """Return True if some words stand at a place."""
    end = at + len(words)
    # The first word alone decides most of the time.
    if end > len(tokens) or tokens[at].value != words[0]:
        return False
    return all(
        token.value == word and token.kind != "quoted"
        for token, word in zip(tokens[at:end], words, strict=True)
    )


def is_at(tokens: Tokens, at: int, kind: str, *values: str) -> bool:
    """Return True if a token of a kind, and of one of some values if any, stands at a place."""
    return (
        at < len(tokens) and tokens[at].kind == kind and (not values or tokens[at].value in values)
    )


def suit_at(tokens: Tokens, at: int) -> str | None:
    """Return the suit word at a place."""
    return tokens[at].value if is_at(tokens, at, "suit") else None


def _one_range(tokens: Tokens, at: int) -> _Range:
    for words, is_low, step in _BOUNDS:
        end = at + len(words)
        if starts(tokens, at, words) and is_at(tokens, end, "number"):
            value = Fraction(tokens[end].value) + step
            return ast.Range(value if is_low else None, None if is_low else value), end + 1
    if is_at(tokens, at, "word", "exactly", "precisely") and is_at(tokens, at + 1, "number"):
        exact = Fraction(tokens[at + 1].value)
        return ast.Range(exact, exact), at + 2
    if not is_at(tokens, at, "number"):
        return None
    low_end = Fraction(tokens[at].value)
    if is_at(tokens, at + 1, "sign", "+"):
        if is_at(tokens, at + 2, "sign", "-", "\u2013") or starts(tokens, at + 2, ("to",)):
            # A good 14 to 17: a plus within a range of points is finer than a bound can be.
            high = tokens[at + 3] if is_at(tokens, at + 3, "number") else None
            if high is not None and min(low_end, Fraction(high.value)) > _LONGEST:
                return ast.Range(low_end, Fraction(high.value)), at + 4
        return ast.Range(low_end, None), at + 2
    # `5=!h`: exactly five.
    if is_at(tokens, at + 1, "sign", "=") and is_at(tokens, at + 2, "suit"):
        return ast.Range(low_end, low_end), at + 2
    dashes = at + 1
    while is_at(tokens, dashes, "sign", "-", "\u2013", "\u2014"):
        dashes += 1
    # `12 to 14`.
    if dashes == at + 1 and starts(tokens, at + 1, ("to",)):
        dashes += 1
    if dashes > at + 1 and is_at(tokens, dashes, "number"):
        high_end = Fraction(tokens[dashes].value)
        return ast.Range(low_end, high_end), dashes + 1
    # `-5!h` after a number, or `11-`: at most so many.
    if dashes == at + 2 and (
        is_at(tokens, dashes, "suit") or is_at(tokens, dashes, "word", *_COUNTED)
    ):
        return ast.Range(None, low_end), dashes
    for words, upward in (
        (("or", "more"), True),
        (("or", "less"), False),
        (("or", "fewer"), False),
    ):
        if starts(tokens, at + 1, words):
            return ast.Range(low_end if upward else None, None if upward else low_end), at + 3
    return ast.Range(low_end, low_end), at + 1


def ranges_at(tokens: Tokens, at: int) -> tuple[tuple[ast.Range, ...], int] | None:
    """Return one or more ranges with `|` between them, or `12-14 or 18-19` and `12-14/18-19`."""
    read = _one_range(tokens, at)
    if read is None:
        return None
    ranges = [read[0]]
    # Ranges of the same sort alone: `12-14 or 5+` is of points and of cards.
    while is_at(tokens, read[1], "sign", "|") or _goes_on(tokens, read):
        more = _one_range(tokens, read[1] + 1)
        if more is None:
            break
        read = more
        ranges.append(read[0])
    return tuple(ranges), read[1]


def _goes_on(tokens: Tokens, found: tuple[ast.Range, int]) -> bool:
    """Return True if `or` and a second range of the same sort come next."""
    first, at = found
    if not (is_at(tokens, at, "sign", "/") or starts(tokens, at, ("or",))):
        return False
    more = _one_range(tokens, at + 1)
    if more is None or first.low is None or more[0].low is None:
        return False
    return (
        first.low != first.high
        and first.low < more[0].low
        and more[0].low != more[0].high
        and _is_strength(first) is _is_strength(more[0])
    )


def _is_strength(one: ast.Range) -> bool:
    """Return True if a range is more likely of points than of cards."""
    return (one.high or one.low or 0) > _LONGEST


_Value = TypeVar("_Value")


class PhraseTable(Generic[_Value]):
    """Values by phrases, each a run of words in small letters."""

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], _Value]]) -> None:
        """Keep entries; of equal phrases the first one counts."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], _Value]]] = {}
        for words, value in entries:
            self._by_first.setdefault(words[0], []).append((words, value))
        for entries_of_word in self._by_first.values():
            # The longest phrase first: "transfer to" before "transfer".
            entries_of_word.sort(key=lambda entry: -len(entry[0]))

    def longest(self, tokens: Tokens, at: int) -> tuple[_Value, int] | None:
        """Return the value of the longest phrase that stands at a place, and the place after it."""
        if at >= len(tokens):
            return None
        for words, value in self._by_first.get(tokens[at].value, ()):
            if starts(tokens, at, words):
                return value, at + len(words)
        return None
