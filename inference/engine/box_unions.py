"""Bounds as boxes: which contains which, and unions of few boxes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from bidwright.kb.logic.bounds import Bounds, Interval


def contains(outer: Bounds, inner: Bounds) -> bool:
    """Return True if every hand within the inner bounds is within the outer ones."""
    return (
        all(
            low <= least and most <= high
            for (low, high), (least, most) in zip(_intervals(outer), _intervals(inner), strict=True)
        )
        # `balanced` is None where both are possible, which contains either.
        and outer.balanced in (None, inner.balanced)
        and outer.sure <= inner.sure
        and outer.impossible <= inner.impossible
    )


def hull(first: Bounds, second: Bounds) -> Bounds:
    """Return the smallest bounds around both."""
    clubs, diamonds, hearts, spades = (
        _around(a, b) for a, b in zip(first.lengths, second.lengths, strict=True)
    )
    return Bounds(
        hcp=_around(first.hcp, second.hcp),
        points=_around(first.points, second.points),
        lengths=(clubs, diamonds, hearts, spades),
        controls=_around(first.controls, second.controls),
        aces=_around(first.aces, second.aces),
        balanced=first.balanced if first.balanced == second.balanced else None,
        sure=first.sure & second.sure,
        impossible=first.impossible & second.impossible,
    )


def volume(bounds: Bounds) -> int:
    """Return the number of combinations of lengths and high-card points, a measure of size."""
    size = 1
    for low, high in (bounds.hcp, *bounds.lengths):
        size *= high - low + 1
    return size


def merged(boxes: Iterable[Bounds], limit: int) -> tuple[Bounds, ...]:
    """Return at most `limit` boxes that cover the given ones.

    A box within another one goes; beyond the limit the two whose common box adds least are
    replaced by it.
    """
    outermost = _outermost(list(boxes))
    while len(outermost) > limit:
        _, first, second = min(
            (
                volume(hull(outermost[i], outermost[j]))
                - volume(outermost[i])
                - volume(outermost[j]),
                i,
                j,
            )
            for i, j in combinations(range(len(outermost)), 2)
        )
        common = hull(outermost[first], outermost[second])
        outermost = _outermost([common if i == first else box for i, box in enumerate(outermost)])
    return tuple(outermost)


def _outermost(boxes: list[Bounds]) -> list[Bounds]:
    result: list[Bounds] = []
    for box in boxes:
        if not any(contains(other, box) for other in result):
            result = [other for other in result if not contains(box, other)]
            result.append(box)
    return result


def _intervals(bounds: Bounds) -> tuple[Interval, ...]:
    return (bounds.hcp, bounds.points, *bounds.lengths, bounds.controls, bounds.aces)


def _around(first: Interval, second: Interval) -> Interval:
    return min(first[0], second[0]), max(first[1], second[1])
