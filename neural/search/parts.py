"""What a search is made with: settings, models of the players, networks and a solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bidwright.neural.search.believed import BeliefNetwork
from bidwright.neural.search.contract_values import Solver
from bidwright.neural.search.population import Expected
from bidwright.neural.search.settings import Race, SearchConfig
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
        race: what calls and deals it may leave out.
    """

    config: SearchConfig
    models: Expected
    belief: BeliefNetwork | None
    tricks: TricksNetwork | None
    solver: Solver
    clock: Callable[[], float]
    race: Race = field(default_factory=Race)
