"""What outer bounds of a hand leave possible: a quick test that refutes many rules at once.

A player limited to 9 HCP has no opening bids left. The test errs on one side only: what it calls
impossible is impossible, what it calls possible may not be.
"""

from __future__ import annotations

from functools import lru_cache

from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.features import FEATURES, HCP, INDEX, LENGTHS, POINTS, suit_feature
from bidwright.kb.logic.formula import Formula, Literal

_HONOUR_RANKS = {"a": 12, "k": 11, "q": 10, "j": 9, "t": 8}
_WIDEST = {"len": 13, "losers": 3, "quick": 4, "short531": 5, "short321": 3, "over4": 9}


def _widest(name: str) -> Interval:
    return (0, _WIDEST.get(name.partition("(")[0], 1))


@lru_cache(maxsize=100_000)
def feature_intervals(bounds: Bounds) -> tuple[Interval, ...]:
    """Return an outer interval of every feature, in feature order."""
    intervals = [_widest(name) for name in FEATURES]
    intervals[HCP], intervals[POINTS] = bounds.hcp, bounds.points
    if bounds.balanced is not None:
        intervals[INDEX["balanced"]] = (int(bounds.balanced), int(bounds.balanced))
    if bounds.balanced:
        intervals[INDEX["semibalanced"]] = (1, 1)
    for suit in range(4):
        low, high = bounds.lengths[suit]
        intervals[LENGTHS[suit]] = (low, high)
        intervals[suit_feature("over4", suit)] = (max(low - 4, 0), max(high - 4, 0))
        for kind, shortage in (("short531", (5, 3, 1, 0)), ("short321", (3, 2, 1, 0))):
            intervals[suit_feature(kind, suit)] = (shortage[min(high, 3)], shortage[min(low, 3)])
        for length, kind in enumerate(("void", "singleton", "doubleton")):
            possible, certain = low <= length <= high, low == length == high
            intervals[suit_feature(kind, suit)] = (int(certain), int(possible))
        for honour, rank in _HONOUR_RANKS.items():
            card = 13 * suit + rank
            held = (int(card in bounds.sure), int(card not in bounds.impossible))
            intervals[suit_feature(f"card_{honour}", suit)] = held
    return tuple(intervals)


def _may_hold(literal: Literal, intervals: tuple[Interval, ...]) -> bool:
    total = 0
    for index, weight in literal.terms:
        low, high = intervals[index]
        total += weight * (high if (weight > 0) is literal.positive else low)
    return (total >= literal.at_least) is literal.positive


def may_hold(formula: Formula, bounds: Bounds) -> bool:
    """Tell whether a hand within the bounds may satisfy a formula; True when in doubt."""
    intervals = feature_intervals(bounds)
    return all(any(_may_hold(literal, intervals) for literal in clause) for clause in formula)
