"""Intervals of the features: an outer bound of the hands that are within bounds or fit a formula.

Intervals are a quick test: hands outside are impossible, hands inside may still be impossible. A
player limited to 9 HCP has no opening bids left; conditions are reduced to their part beyond the
intervals before the solver sees them.

Implications between the features of one suit are found by enumeration of the holdings of a suit,
so they follow from `Feature.compute` for every feature of the table. Those between features of the
whole hand stand in `_implied`.

Shapes: `R` holdings of a suit, `K` features of a suit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.feature_records import HONOUR_LETTERS, SuitHoldings
from bidwright.kb.logic.feature_table import SUIT_FEATURES
from bidwright.kb.logic.features import (
    FEATURES,
    HCP,
    INDEX,
    LARGEST,
    LENGTHS,
    POINTS,
    suit_feature,
)
from bidwright.kb.logic.formula import Clause, Formula, Literal

_SUITS = len(LENGTHS)
_PER_SUIT = len(SUIT_FEATURES) * _SUITS
"""The features of suits come first, the suits of a kind side by side."""

_BALANCED, _SEMIBALANCED = INDEX["balanced"], INDEX["semibalanced"]
_LONGEST = {_BALANCED: 5, _SEMIBALANCED: 6}
"""The longest suit of a hand with this feature; the shortest has two cards."""

_HONOUR_FEATURES = {
    HAND_SIZE * suit + HAND_SIZE - 1 - place: suit_feature(f"card_{honour}", suit)
    for suit in range(_SUITS)
    for place, honour in enumerate(HONOUR_LETTERS)
}
"""Feature index of each honour, by card."""

_HONOUR_POINTS = (4, 3, 2, 1)
_OVER_FOUR = tuple(suit_feature("over4", suit) for suit in range(_SUITS))

Ends = tuple[tuple[int, ...], tuple[int, ...]]
"""The least and the largest value of some features."""


@cache
def _holdings() -> NDArray[np.int16]:
    """Return int16 `[R, K]`, the features of every holding of a suit."""
    # Cards that count for no feature are alike, so only their number matters.
    spots = HAND_SIZE - len(HONOUR_LETTERS)
    rows = [
        (sum(honours) + low, *honours)
        for honours in product((0, 1), repeat=len(HONOUR_LETTERS))
        for low in range(spots + 1)
    ]
    cards = SuitHoldings(*(column[:, None] for column in np.array(rows, dtype=np.int16).T))
    columns = [feature.compute(cards) for feature in SUIT_FEATURES]
    return np.concatenate(columns, axis=1).astype(np.int16)


@lru_cache(maxsize=100_000)
def _within_suit(low: tuple[int, ...], high: tuple[int, ...]) -> Ends | None:
    """Return the smallest intervals of a suit's features within given ones, None for no holding."""
    rows = _holdings()
    fitting = rows[((rows >= low) & (rows <= high)).all(axis=1)]
    # No holding at all: the intervals contradict each other, and so do the calls behind them.
    if not len(fitting):
        return None
    return tuple(fitting.min(axis=0).tolist()), tuple(fitting.max(axis=0).tolist())


class Intervals:
    """An interval of every feature.

    What is asked of one is kept by its identity: `around` returns the same one for equal bounds.

    Attributes:
        low: the least value of each feature.
        high: the largest value of each feature.
    """

    __slots__ = ("high", "low")

    def __init__(self, low: Iterable[int], high: Iterable[int]) -> None:
        """Make intervals from the least and largest value of every feature."""
        self.low = tuple(low)
        self.high = tuple(high)

    @staticmethod
    @lru_cache(maxsize=100_000)
    def around(bounds: Bounds) -> Intervals:
        """Return the intervals of the features that follow from bounds."""
        # From the widest: a feature that bounds say nothing of keeps its range.
        low, high = [0] * len(FEATURES), list(LARGEST)
        low[HCP], high[HCP] = bounds.hcp
        low[POINTS], high[POINTS] = bounds.points
        for index, (least, most) in zip(LENGTHS, bounds.lengths, strict=True):
            low[index], high[index] = least, most
        if bounds.balanced is not None:
            low[_BALANCED] = high[_BALANCED] = int(bounds.balanced)
        for card in bounds.sure:
            low[_HONOUR_FEATURES[card]] = 1
        for card in bounds.impossible:
            high[_HONOUR_FEATURES[card]] = 0
        return _implied(low, high)

    def cut(self, formula: Formula) -> Intervals:
        """Return the intervals cut by the clauses that are one threshold on one feature."""
        return _cut(self, formula)

    @staticmethod
    def union(several: Sequence[Intervals]) -> Intervals:
        """Return the smallest intervals around some others, at least one."""
        # The very object: what was asked of it before is found by its identity.
        if len(several) == 1:
            return several[0]
        lows, highs = [each.low for each in several], [each.high for each in several]
        return Intervals(map(min, *lows), map(max, *highs))

    def allows(self, literal: Literal) -> bool:
        """Return True if the literal may hold within the intervals."""
        total = 0
        if literal.positive:
            for index, weight in literal.terms:
                total += weight * (self.high if weight > 0 else self.low)[index]
            return total >= literal.at_least
        for index, weight in literal.terms:
            total += weight * (self.low if weight > 0 else self.high)[index]
        return total < literal.at_least

    def allows_not(self, literal: Literal) -> bool:
        """Return True if the literal may fail within the intervals."""
        total = 0
        if literal.positive:
            for index, weight in literal.terms:
                total += weight * (self.low if weight > 0 else self.high)[index]
            return total < literal.at_least
        for index, weight in literal.terms:
            total += weight * (self.high if weight > 0 else self.low)[index]
        return total >= literal.at_least

    def may_hold(self, formula: Formula) -> bool:
        """Return True if a formula may hold within the intervals, or in doubt."""
        return _may_hold(self, formula)

    def reduce(self, formula: Formula) -> Formula | None:
        """Return a formula that is equivalent within the intervals, and often shorter.

        None stands for a formula that cannot hold there.
        """
        clauses: list[Clause] = []
        for clause in formula:
            if len(clause) == 1:
                literal = clause[0]
                # In lowest terms a single feature has weight 1.
                if len(literal.terms) == 1 and literal.terms[0][1] == 1:  # most are
                    index, bound = literal.terms[0][0], literal.at_least
                    reached, missed = self.high[index] >= bound, self.low[index] < bound
                    may, may_not = (reached, missed) if literal.positive else (missed, reached)
                else:
                    may, may_not = self.allows(literal), self.allows_not(literal)
                if not may:
                    return None
                if may_not:
                    clauses.append(clause)
                continue
            # A literal that is certain makes the clause say nothing.
            if not all(map(self.allows_not, clause)):
                continue
            possible = tuple(literal for literal in clause if self.allows(literal))
            if not possible:
                return None
            clauses.append(possible)
        return tuple(clauses)


# Nine of ten cuts and tests were made before for the same bounds, so both are kept.
@lru_cache(maxsize=16_384)
def _cut(intervals: Intervals, formula: Formula) -> Intervals:
    low, high = list(intervals.low), list(intervals.high)
    for clause in formula:
        if len(clause) == 1 and len(clause[0].terms) == 1:
            literal = clause[0]
            # In lowest terms a single feature has weight 1, so the threshold is its value.
            index = literal.terms[0][0]
            if literal.positive:
                low[index] = max(low[index], literal.at_least)
            else:
                high[index] = min(high[index], literal.at_least - 1)
    return _implied(low, high)


@lru_cache(maxsize=131_072)
def _may_hold(intervals: Intervals, formula: Formula) -> bool:
    allows = intervals.allows
    for clause in formula:
        for literal in clause:
            if allows(literal):
                break
        else:
            return False
    return True


def _implied(low: list[int], high: list[int]) -> Intervals:
    """Return the intervals with their implications; the lists are changed."""
    if low[_BALANCED]:
        low[_SEMIBALANCED] = 1
    for shape, longest in _LONGEST.items():
        if low[shape]:
            for index in LENGTHS:
                low[index] = max(low[index], 2)
                high[index] = min(high[index], longest)
    _share_cards(low, high)
    for suit in range(_SUITS):
        column = slice(suit, _PER_SUIT, _SUITS)
        implied = _within_suit(tuple(low[column]), tuple(high[column]))
        if implied is not None:
            low[column], high[column] = implied
    # Once more, since features of a suit may have cut its length.
    _share_cards(low, high)
    # Points are high-card points and the cards over four of each suit.
    low[POINTS] = max(low[POINTS], low[HCP] + sum(low[index] for index in _OVER_FOUR))
    high[HCP] = min(high[HCP], high[POINTS] - sum(low[index] for index in _OVER_FOUR))
    return Intervals(low, high)


def _share_cards(low: list[int], high: list[int]) -> None:
    """Cut the lengths down to those that add up to a hand with some lengths of the others."""
    slack = HAND_SIZE - sum(low[index] for index in LENGTHS)
    excess = sum(high[index] for index in LENGTHS) - HAND_SIZE
    for index in LENGTHS:
        least, most = low[index], high[index]
        low[index], high[index] = max(least, most - excess), min(most, least + slack)


def may_hold(formula: Formula, bounds: Bounds) -> bool:
    """Return True if a hand within the bounds may satisfy a formula, or in doubt."""
    return Intervals.around(bounds).may_hold(formula)


ALL_HANDS = Intervals([0] * len(FEATURES), LARGEST)
"""The intervals of the features over all hands."""
