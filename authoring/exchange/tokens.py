"""Descriptions of calls as words, numbers, suits and signs."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
      (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<suit>![cdhsCDHS](?![A-Za-z])|!(?:oM|om|[MmXYZ])(?![A-Za-z])|[\u2660-\u2667]
        |(?<=[0-9][-+])(?:oM|om|[MmCDHS])(?![A-Za-z]))
    | (?P<number>\d{1,4}(?:\.\d{1,2})?(?!\d))
    | (?P<word>[A-Za-z]+(?:[-'/][A-Za-z]+)*|\d+)
    | (?P<sign>>=|<=|!=|\S)
    """,
    re.VERBOSE,
)
_SYMBOLS = dict(zip("♠♥♦♣♤♡♢♧", ("spades", "hearts", "diamonds", "clubs") * 2, strict=True))
_LETTERS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
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
