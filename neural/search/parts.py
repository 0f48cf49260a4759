"""The parts of a search: settings, models of the players, networks and a solver."""

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
    """The parts of a search.

    Attributes:
        config: the settings.
        models: the models of both sides.
        belief: a belief network, for proposals that need one.
        tricks: a network that predicts tricks; without one contracts are solved.
        solver: the double-dummy solver.
        clock: a function that returns seconds, from any moment.
        race: the settings that leave out calls and deals.
    """

    config: SearchConfig
    models: Expected
    belief: BeliefNetwork | None
    tricks: TricksNetwork | None
    solver: Solver
    clock: Callable[[], float]
    race: Race = field(default_factory=Race)
