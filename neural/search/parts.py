"""What a search is made with: settings, models of the players, networks and a solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bidwright.bridge.cards import Side
from bidwright.neural.search.believed import BeliefNetwork
from bidwright.neural.search.contract_values import Solver
from bidwright.neural.search.models import Model
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.tricks import TricksNetwork


@dataclass(frozen=True, eq=False)
class SearchParts:
    """What a search is made with.

    Attributes:
        config: its settings.
        models: how both sides are expected to bid.
        belief: a belief network, for proposals that need one.
        tricks: a network that foretells tricks; without one contracts are solved.
        solver: solves contracts.
        clock: seconds, from any moment.
    """

    config: SearchConfig
    models: Mapping[Side, Model]
    belief: BeliefNetwork | None
    tricks: TricksNetwork | None
    solver: Solver
    clock: Callable[[], float]
