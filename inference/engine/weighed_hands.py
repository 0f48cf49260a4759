"""Hands of some cells, each with the number of hands that it stands for: weights of rules.

A listed hand is a shape with its honours; the other cards are any, so it stands for as many hands
as there are ways to choose them. Where the hands of the cells are few all of them are listed, and
what is counted is exact. Where they are many some are taken, always the same ones: from each cell
in proportion to its share of the hands, spread evenly over its placements; a share that is
counted then is an estimate, off by a percent or two.

Shapes: `B` hands listed, `C` cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE
from bidwright.inference.engine.cells import in_cells
from bidwright.inference.engine.hull import SUITS
from bidwright.inference.engine.information import hands_by_cell
from bidwright.inference.engine.listed_hands import (
    MOST_SPOTS,
    TEN,
    ListedHands,
    Places,
    placements,
)
from bidwright.kb.logic.features import HONOUR_LETTERS

# Golden and silver steps never fall into a rhythm with the sizes of cells.
_GOLDEN = (5**0.5 - 1) / 2
"""The step, as a part of a cell, by which hands of one cell are spread."""

_SILVER = 2**0.5 - 1
"""The step that spreads choices over placements, independent of the golden one."""

_CANDIDATES = 4
"""Placements of a cell that one is chosen from."""

_HOLDINGS = 1 << len(HONOUR_LETTERS)

Weights = NDArray[np.float64]


@cache
def _ways() -> tuple[Weights, Weights]:
    """Return float64 `[448]` each: ways to choose the other cards of a holding.

    Returns:
        The ways where the ten is one of the honours, and where it is one of the other cards.
    """
    with_ten, without_ten = (
        np.zeros(_HOLDINGS * (HAND_SIZE + 1)),
        np.zeros(_HOLDINGS * (HAND_SIZE + 1)),
    )
    for length in range(HAND_SIZE + 1):
        for honours in range(_HOLDINGS):
            place = _HOLDINGS * length + honours
            # Without the ten among the honours it counts as one of the other cards.
            spots, others = (length - each.bit_count() for each in (honours, honours & ~TEN))
            with_ten[place] = comb(MOST_SPOTS, spots) if spots >= 0 else 0
            without_ten[place] = comb(MOST_SPOTS + 1, others) if others >= 0 else 0
    return with_ten, without_ten


def _all_ways(shapes: Places, places: Places) -> Weights:
    """Return float64 `[...]`: how many hands have some shapes and placements."""
    _, untold = _ways()
    ways: Weights = placements().has_room[shapes, placements().counts[places]].astype(np.float64)
    for suit in range(SUITS):
        ways = (
            ways * untold[placements().lengths[suit][shapes] + placements().honours[suit][places]]
        )
    return ways


def _chosen(shapes: Places, start: Places, sizes: Places) -> tuple[Places, Weights]:
    """Return a placement in each of some cells, likelier the more hands it stands for.

    Of a few placements that are spread over the cell one is chosen.

    Args:
        shapes: int `[C]`, the shapes.
        start: int `[C]`, the first placement of each.
        sizes: int `[C]`, how many there are.

    Returns:
        The placements, int `[C]`, and how many hands each has; 0 where none has room.
    """
    number = np.arange(len(shapes))
    spread = (number[:, None] * _GOLDEN + np.arange(_CANDIDATES) / _CANDIDATES) % 1
    places = start[:, None] + (spread * sizes[:, None]).astype(np.intp)
    ways = _all_ways(shapes[:, None], places)
    ends = ways.cumsum(axis=1)
    # Chosen in proportion to the hands that each placement stands for.
    wanted = (number * _SILVER % 1) * ends[:, -1]
    best = np.minimum((ends <= wanted[:, None]).sum(axis=1), _CANDIDATES - 1)
    return places[number, best], ways[number, best]


class WeighedHands(ListedHands):
    """Hands of some cells, and how many hands each of them stands for.

    Attributes:
        weights: float64 `[B]`, how many hands each stands for.
        is_complete: whether all hands of the cells are listed.
    """

    def __init__(self, cells: int, tens: Iterable[int], most: int) -> None:
        """List hands.

        Args:
            cells: the cells.
            tens: the suits whose tens are distinguished.
            most: the largest number of hands listed, tens not distinguished.
        """
        with_ten, without_ten = _ways()
        tens = set(tens)
        shapes, hcp = in_cells(cells)
        first = placements().first
        start = first[hcp, 0]
        sizes = first[hcp, -1] - start
        # Few enough: then the weights are exact.
        self.is_complete = int(sizes.sum()) <= most
        if self.is_complete:
            cell = np.arange(len(sizes)).repeat(sizes)
            placement = np.arange(len(cell)) - (sizes.cumsum() - sizes - start)[cell]
            ways = _all_ways(shapes[cell], placement)
            base = np.ones(len(cell))
        else:
            ends = hands_by_cell()[shapes, hcp].cumsum()
            stands_for = ends[-1] / most
            # In the middle of equal shares, so that no cell is favoured.
            cell = ends.searchsorted((np.arange(most) + 0.5) * stands_for)
            cell = np.minimum(cell, len(ends) - 1)
            placement, ways = _chosen(shapes[cell], start[cell], sizes[cell])
            base = np.full(most, stands_for)
        # A placement without room stands for no hand.
        nonzero = np.flatnonzero(ways)
        shape, placement, base = shapes[cell][nonzero], placement[nonzero], base[nonzero]
        self._base = base
        super().__init__(shape, placement, tens)
        weights: Weights = self._base
        for suit in range(SUITS):
            holding: Places = self._holding(suit)
            if self.is_complete:
                weights = weights * (with_ten if suit in tens else without_ten)[holding]
            elif suit in tens:
                # A sample's weight is split between the hands with the ten and without it.
                weights = weights * with_ten[holding] / without_ten[holding & ~TEN]
        self.weights = weights

    def _tell_apart(self, suit: int) -> None:
        """Take hands with and without a ten for two, each with what it stands for."""
        spots = placements().spots[holding := self._holding(suit)]
        both = np.flatnonzero((spots > 0) & (holding & TEN == 0))
        # Both hands keep the base; what they stand for is divided by their ways.
        self._base = np.concatenate([self._base, self._base[both]])
        super()._tell_apart(suit)


@dataclass(frozen=True)
class Makers:
    """The hands that make a call, by the rule that makes it for them.

    Attributes:
        hands: the hands listed.
        by_rule: those of each rule, a bit each, by its place among the steps of the turn: a hand
            belongs to the first rule for the call that it fits.
    """

    hands: WeighedHands
    by_rule: Mapping[int, int]

    def places(self, rules: Iterable[int]) -> NDArray[np.intp]:
        """Return the places of the hands that some rules make the call for."""
        bits = 0
        for index in rules:
            bits |= self.by_rule.get(index, 0)
        return self.hands.places(bits)

    def sums(self, terms: Iterable[tuple[int, int]], places: NDArray[np.intp]) -> NDArray[np.int_]:
        """Return int `[H]`, a weighted sum of features of the hands at some places."""
        total = np.zeros(len(places), dtype=np.int_)
        for index, weight in terms:
            total += weight * self.hands.column(index)[places]
        return total
