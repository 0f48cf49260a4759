"""An index of patterns: which of many can match some calls, told by the calls one by one.

A system has hundreds of patterns of a length, and a few of them match. For each place, counted
from the end, and each call there is the set of the patterns that admit the call at that place,
whatever their variables stand for. The patterns that admit every call are few; only they are
matched.

A set of patterns is an integer, a bit for each pattern.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.rules.patterns import may_match


class PatternIndex:
    """Which of some patterns can match calls."""

    def __init__(self, patterns: Sequence[ast.Pattern]) -> None:
        """Index patterns, which are named by their places."""
        self._patterns = [each.elements for each in patterns]
        self._longest = max(map(len, self._patterns), default=0)
        self._every = (1 << len(self._patterns)) - 1
        self._admitting: dict[tuple[int, Call], int] = {}

    def candidates(self, calls: Sequence[Call]) -> Iterator[int]:
        """Yield the places of the patterns that may match some calls; the others do not."""
        left = self._every
        for place, call in enumerate(reversed(calls[-self._longest :]), 1):
            left &= self._admit(place, call)
        while left:
            lowest = left & -left
            yield lowest.bit_length() - 1
            left ^= lowest

    def _admit(self, place: int, call: Call) -> int:
        """Return the patterns that admit a call at a place from the end, or do not reach it."""
        known = self._admitting.get((place, call))
        if known is None:
            known = self._admitting[place, call] = sum(
                1 << index
                for index, elements in enumerate(self._patterns)
                if place > len(elements) or may_match(elements[-place], call)
            )
        return known
