"""Interval bounds of the features: what cannot hold within them, and what must.

A box is a cheap outer bound of the hands that satisfy a condition. Conditions are cut down to what
they ask beyond a box before the solver sees them.
"""

from __future__ import annotations

from collections.abc import Iterable

from bidwright.bridge.cards import HAND_SIZE
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import (
    FEATURES,
    HCP,
    HONOUR_LETTERS,
    INDEX,
    LENGTHS,
    POINTS,
    suit_feature,
)
from bidwright.kb.logic.formula import Clause, Formula, Literal

_LARGEST = {"hcp": 37, "points": 37, "len": 13, "over4": 9, "losers": 3}
_LARGEST |= {"quick": 4, "short531": 5, "short321": 3}
LARGEST: tuple[int, ...] = tuple(_LARGEST.get(name.split("(")[0], 1) for name in FEATURES)
"""The largest value of each feature; the smallest is 0."""

GIVEN = frozenset(
    index
    for index, name in enumerate(FEATURES)
    if name.partition("(")[0] in {"len", "card", "hcp", "points", "balanced"}
)
"""Features that every program defines from the start; the others are defined when asked for."""

_BY_LENGTH = {
    "over4": tuple(max(length - 4, 0) for length in range(14)),
    "void": (1,) + (0,) * 13,
    "singleton": (0, 1) + (0,) * 12,
    "doubleton": (0, 0, 1) + (0,) * 11,
    "short531": (5, 3, 1) + (0,) * 11,
    "short321": (3, 2, 1) + (0,) * 11,
}
"""Features that depend on the length of the suit only, by length."""

_BALANCED = INDEX["balanced"]
_CARD_INDEX = {
    HAND_SIZE * suit + HAND_SIZE - 1 - place: suit_feature(f"card_{honour}", suit)
    for suit in range(len(LENGTHS))
    for place, honour in enumerate(HONOUR_LETTERS)
}
"""Feature index of each honour, by card."""

_LONGEST = {_BALANCED: 5, INDEX["semibalanced"]: 6}


class Box:
    """Interval bounds of the features: a cheap outer bound of the hands that satisfy a formula."""

    __slots__ = ("high", "low")

    def __init__(self, low: Iterable[int], high: Iterable[int]) -> None:
        """Make a box from the least and largest value of every feature."""
        self.low = list(low)
        self.high = list(high)

    @classmethod
    def around(cls, bounds: Bounds) -> Box:
        """Return the box of the features that follows from bounds."""
        box = cls([0] * len(FEATURES), LARGEST)
        low, high = box.low, box.high
        low[HCP], high[HCP] = bounds.hcp
        low[POINTS], high[POINTS] = bounds.points
        for index, (least, most) in zip(LENGTHS, bounds.lengths, strict=True):
            low[index], high[index] = least, most
        if bounds.balanced is not None:
            low[_BALANCED] = high[_BALANCED] = int(bounds.balanced)
        for card in bounds.sure:
            low[_CARD_INDEX[card]] = 1
        for card in bounds.impossible:
            high[_CARD_INDEX[card]] = 0
        box._propagate()
        return box

    def cut(self, formula: Formula) -> Box:
        """Return the box cut by the clauses that are a single threshold on a single feature."""
        box = Box(self.low, self.high)
        low, high = box.low, box.high
        for clause in formula:
            if len(clause) == 1 and len(clause[0].terms) == 1:
                literal = clause[0]
                index = literal.terms[0][0]
                if literal.positive:
                    low[index] = max(low[index], literal.at_least)
                else:
                    high[index] = min(high[index], literal.at_least - 1)
        box._propagate()
        return box

    def _propagate(self) -> None:
        low, high = self.low, self.high
        for shape, longest in _LONGEST.items():
            if low[shape]:
                for index in LENGTHS:
                    low[index] = max(low[index], 2)
                    high[index] = min(high[index], longest)
        slack = HAND_SIZE - sum(low[index] for index in LENGTHS)
        excess = sum(high[index] for index in LENGTHS) - HAND_SIZE
        for index in LENGTHS:
            low[index], high[index] = (
                max(low[index], high[index] - excess),
                min(high[index], low[index] + slack),
            )
        high[HCP] = min(high[HCP], high[POINTS])
        low[POINTS] = max(low[POINTS], low[HCP])
        for suit, index in enumerate(LENGTHS):
            least, most = low[index], high[index]
            for kind, values in _BY_LENGTH.items():
                feature = suit_feature(kind, suit)
                between = values[max(least, 0) : most + 1] or (0,)
                low[feature] = max(low[feature], min(between))
                high[feature] = min(high[feature], max(between))

    def union(self, other: Box) -> Box:
        """Return the smallest box around both."""
        return Box(map(min, self.low, other.low), map(max, self.high, other.high))

    def allows(self, literal: Literal) -> bool:
        """Tell whether the literal can hold in the box, as far as intervals show."""
        total = 0
        if literal.positive:
            for index, weight in literal.terms:
                total += weight * (self.high if weight > 0 else self.low)[index]
            return total >= literal.at_least
        for index, weight in literal.terms:
            total += weight * (self.low if weight > 0 else self.high)[index]
        return total < literal.at_least

    def reduce(self, formula: Formula) -> Formula | None:
        """Return what the formula asks beyond the box: an equivalent within it, often shorter.

        None stands for a formula that cannot hold there.
        """
        clauses: list[Clause] = []
        for clause in formula:
            if len(clause) == 1:
                if not self.allows(clause[0]):
                    return None
                if self.allows(clause[0].negated()):
                    clauses.append(clause)
                continue
            if not all(self.allows(literal.negated()) for literal in clause):
                continue
            kept = tuple(literal for literal in clause if self.allows(literal))
            if not kept:
                return None
            clauses.append(kept)
        return tuple(clauses)


ANYTHING = Box([0] * len(FEATURES), LARGEST)
"""The box of every hand."""
