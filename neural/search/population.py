"""Whom players are taken for: several ways in which a side may bid, and how likely each is.

A hypothesis says for both sides which member of their population they are; partners are the same
member. What the calls tell of hypotheses and deals is told of both together, since either explains
the calls better or worse with the other.

Letters in shapes: `N` lanes, `H` hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.search.models import Model, RuleModel

_FEW = 16
"""Rows in which rules bid before somebody looks at the clock."""


@dataclass(frozen=True, eq=False)
class Population:
    """Those that a side may be.

    Attributes:
        names: what the members are called.
        shares: how likely each is before he has called; they add up to 1.
        members: how each bids.
    """

    names: tuple[str, ...]
    shares: tuple[float, ...]
    members: tuple[Model, ...]


Expected = Mapping[Side, Model | Population]
"""How both sides are expected to bid."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody that a side may be.

    Attributes:
        name: what he is called.
        share: how likely he was before the auction.
        chance: how likely he is by the calls.
    """

    name: str
    share: float
    chance: float


class Hypotheses:
    """Who both sides may be, each member of one with each of the other."""

    def __init__(self, expected: Expected) -> None:
        """Take how both sides are expected to bid."""
        self._sides = {side: _population(expected[side]) for side in Side}
        places = product(*(range(len(each.members)) for each in self._sides.values()))
        self._member = dict(zip(Side, np.array(list(places)).T, strict=True))
        self.log_shares: NDArray[np.float64] = sum(
            (np.log(each.shares)[self._member[side]] for side, each in self._sides.items()),
            np.zeros(1),
        )

    def chances(self, side: Side, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return float64 `[N, H]`: how likely a player of a side makes a call in some lanes."""
        members = self._sides[side].members
        found = np.stack([each.chances(lanes, which, call) for each in members], axis=1)
        return np.asarray(found[:, self._member[side]])

    def bidders(
        self, side: Side, taken: NDArray[np.int64]
    ) -> Iterator[tuple[Model, NDArray[np.int64]]]:
        """Yield how members of a side bid, and rows in which they sit there.

        A row is there once; few are there at a time where rules are read, which takes long.

        Args:
            side: the side to call.
            taken: int64 `[N]`: the hypothesis of each row.
        """
        sitting = self._member[side][taken]
        for place, member in enumerate(self._sides[side].members):
            rows = np.flatnonzero(sitting == place)
            size = _FEW if isinstance(member, RuleModel) else max(1, len(rows))
            for start in range(0, len(rows), size):
                yield member, rows[start : start + size]

    def identities(self, side: Side, chances: NDArray[np.float64]) -> tuple[Identity, ...]:
        """Return whom a side is taken for, the likeliest first.

        Args:
            side: the side.
            chances: float64 `[H]`: how likely the hypotheses are.
        """
        each = self._sides[side]
        totals = np.bincount(self._member[side], chances, len(each.members)).tolist()
        found = map(Identity, each.names, each.shares, totals)
        return tuple(sorted(found, key=lambda identity: -identity.chance))


def _population(expected: Model | Population) -> Population:
    if isinstance(expected, Population):
        return expected
    return Population(("",), (1.0,), (expected,))
