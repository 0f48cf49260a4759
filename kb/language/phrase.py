"""A way to say something that is not in the language, and the pieces that such ways are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

SUIT_OF_WORD = {
    "club": "clubs",
    "diamond": "diamonds",
    "heart": "hearts",
    "spade": "spades",
    "\u2663": "clubs",
    "\u2666": "diamonds",
    "\u2665": "hearts",
    "\u2660": "spades",
}
DIGITS = {
    word: str(value)
    for value, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}

SUIT = r"(?:clubs?|diamonds?|hearts?|spades?|[\u2660\u2663\u2665\u2666])"
NOUN = rf"(?:{SUIT}|hcp|HCP|points|losers|controls|aces|kings|queens|(?<!\d)[CDHSMmXYZW](?!\w))"
DASH = r"(?:-|\u2013|\u2014|~|/|\.\.\.|\bto\b|\bthrough\b)"
ACTION = (
    r"(?:forcing(?: to)? game|forcing to [1-7](?:NT|N|[CDHSMmXYZW])|forcing|"
    r"artificial|natural|invitational|signoff|nonforcing|"
    r"(?:agrees|asks|answers) \w+|alert|announce)"
)


def noun_of(text: str) -> str:
    """Return what is counted as the language calls it: `hearts` for a heart sign."""
    lower = text.lower()
    return SUIT_OF_WORD.get(lower.removesuffix("s"), lower if lower == "hcp" else text)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say something that is not in the language.

    Attributes:
        code: the code of the mistake.
        pattern: how it reads; the group `span`, or all of it, is what is marked.
        message: what is wrong.
        write: what takes its place; None if only the author knows.
        help: what to do then.
    """

    code: str
    pattern: re.Pattern[str]
    message: str
    write: Callable[[re.Match[str]], str] | None = None
    help: str | None = None


def phrase(
    code: str,
    pattern: str,
    message: str,
    write: Callable[[re.Match[str]], str] | None = None,
    help: str | None = None,
) -> Phrase:
    """Return a phrase; its pattern is a regular expression."""
    return Phrase(code, re.compile(pattern), message, write, help)
