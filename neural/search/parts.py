"""The parts of a search: settings, models of the players, networks and a solver."""

from __future__ import annotations

from dataclasses import dataclass, field

from bidwright.neural.search.believed import BeliefNetwork
from bidwright.neural.search.contract_values import Solver
from bidwright.neural.search.population import Expected
from bidwright.neural.search.settings import Race, SearchConfig
from bidwright.neural.search.work import Work
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
        work: the work done so far for a decision, by the search and the models.
        race: the settings that leave out calls and deals.
    """

    config: SearchConfig
    models: Expected
    belief: BeliefNetwork | None
    tricks: TricksNetwork | None
    solver: Solver
    work: Work
    race: Race = field(default_factory=Race)
