"""Phrases by their first word: which of many stands at a place is found without trying each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from bidwright.authoring.exchange.ranges import Tokens, starts

_Value = TypeVar("_Value")


class PhraseTable(Generic[_Value]):
    """Values by phrases, each a run of words in small letters."""

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], _Value]]) -> None:
        """Keep entries; of equal phrases the first one counts."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], _Value]]] = {}
        for words, value in entries:
            self._by_first.setdefault(words[0], []).append((words, value))
        for found in self._by_first.values():
            found.sort(key=lambda entry: -len(entry[0]))

    def longest(self, tokens: Tokens, at: int) -> tuple[_Value, int] | None:
        """Return the value of the longest phrase that stands at a place, and the place after it."""
        if at >= len(tokens):
            return None
        for words, value in self._by_first.get(tokens[at].value, ()):
            if starts(tokens, at, words):
                return value, at + len(words)
        return None
