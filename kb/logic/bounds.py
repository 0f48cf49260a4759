"""Bounds of a hidden hand: the numbers that public facts and renderings read."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.kb.logic.feature_table import STRENGTH_MAX

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Outer bounds of a hidden hand, both ends included.

    Attributes:
        hcp: high-card points, within 0..37.
        points: high-card points plus one for each card over four in each suit.
        lengths: suit lengths in the order C D H S.
        controls: aces count two, kings one.
        aces: number of aces.
        balanced: True or False where certain, None where open.
        sure: honours surely held, as card indices.
        impossible: honours surely not held.

    Example:
        >>> import bidwright
        >>> bounds = bidwright.read("1NT", system="sayc").meanings[0].bounds
        >>> bounds.hcp, bounds.lengths[bidwright.Denomination.SPADES]
        ((15, 17), (2, 5))
    """

    hcp: Interval = (0, STRENGTH_MAX)
    points: Interval = (0, STRENGTH_MAX)
    lengths: tuple[Interval, Interval, Interval, Interval] = ((0, 13),) * 4
    controls: Interval = (0, 12)
    aces: Interval = (0, 4)
    balanced: bool | None = None
    sure: frozenset[int] = frozenset()
    impossible: frozenset[int] = frozenset()


ANYTHING = Bounds()
"""The bounds of a hand before any call."""
