"""Populations of bidders: the models that a side may bid by, with their probabilities.

A hypothesis names for both sides a member of their population; partners are the same member. The
probabilities of hypotheses and deals given the calls are joint, since a deal explains the calls
better or worse by the hypothesis.

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
"""Rows that rules bid at a time, between two looks at the deadline."""


@dataclass(frozen=True, eq=False)
class Population:
    """The possible bidders of a side.

    Attributes:
        names: the names of the members.
        shares: their prior probabilities; the sum is 1.
        members: their models.
    """

    names: tuple[str, ...]
    shares: tuple[float, ...]
    members: tuple[Model, ...]


Expected = Mapping[Side, Model | Population]
"""The models of both sides, or populations of models."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A member of a population, with its probabilities.

    Attributes:
        name: the name of the member.
        share: the prior probability.
        chance: the posterior probability, given the calls.
    """

    name: str
    share: float
    chance: float


class Hypotheses:
    """The hypotheses: each member of one side's population with each of the other's."""

    def __init__(self, expected: Expected) -> None:
        """Take the models or populations of both sides."""
        self._sides = {side: _population(expected[side]) for side in Side}
        # Partners are the same member, so a hypothesis is a pair of members.
        places = product(*(range(len(each.members)) for each in self._sides.values()))
        self._member = dict(zip(Side, np.array(list(places)).T, strict=True))
        self.log_shares: NDArray[np.float64] = sum(
            (np.log(each.shares)[self._member[side]] for side, each in self._sides.items()),
            np.zeros(1),
        )

    def chances(self, side: Side, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return the probabilities of a call of a side in some lanes, float64 `[N, H]`."""
        members = self._sides[side].members
        by_member = np.stack([each.chances(lanes, which, call) for each in members], axis=1)
        return np.asarray(by_member[:, self._member[side]])

    def bidders(
        self, side: Side, taken: NDArray[np.int64]
    ) -> Iterator[tuple[Model, NDArray[np.int64]]]:
        """Yield the models of a side's members, each with rows of lanes that it bids in.

        Every row comes once; rows of rules come few at a time, since reading takes long.

        Args:
            side: the side to call.
            taken: int64 `[N]`: the hypothesis of each row.
        """
        sitting = self._member[side][taken]
        for place, member in enumerate(self._sides[side].members):
            rows = np.flatnonzero(sitting == place)
            # Rules are slow: a deadline is looked at between a few rows.
            size = _FEW if isinstance(member, RuleModel) else max(1, len(rows))
            for start in range(0, len(rows), size):
                yield member, rows[start : start + size]

    def identities(self, side: Side, chances: NDArray[np.float64]) -> tuple[Identity, ...]:
        """Return the members of a side with their posterior probabilities, the likeliest first.

        Args:
            side: the side.
            chances: float64 `[H]`: the posterior probabilities of the hypotheses.
        """
        population = self._sides[side]
        totals = np.bincount(self._member[side], chances, len(population.members)).tolist()
        identities = map(Identity, population.names, population.shares, totals)
        return tuple(sorted(identities, key=lambda identity: -identity.chance))


def _population(expected: Model | Population) -> Population:
    if isinstance(expected, Population):
        return expected
    # A single model is a population of one, so that all code is the same.
    return Population(("",), (1.0,), (expected,))
