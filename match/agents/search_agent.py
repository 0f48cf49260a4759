"""`bmcs:NAME`: belief Monte-Carlo search on top of a policy, or of the rules alone (`bmcs:rules`).

Each side is rolled out as it is expected to bid: the own side by the policy, with the rules as
prior and shield as far as it has them; the opponents by the members of a population that their
calls make likely, if one was given for them (`theirs`). Without one they bid by the same if they
play the same system, else by a policy that was given for them, else by the own policy if it sees
what they play, else by the rules of the system that they disclosed. If they disclosed none, they
are taken to play the own one, but bid by `theirs` where that is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bidwright.bridge.cards import Side
from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.match.agents.agent import Answer, Request
from bidwright.match.agents.explaining import ExplainedCall, SearchValues
from bidwright.match.agents.opponent_population import RULES, Opponents, open_opponents
from bidwright.match.agents.policy_agents import (
    Whose,
    answer_of,
    cards_of,
    compare_states,
    needed_system,
    plain,
    system_card,
    system_of,
    weighing_json,
    weighing_table,
)
from bidwright.match.agents.rules_agent import own_reading
from bidwright.match.agents.spec_options import read_options, split_options
from bidwright.match.agents.specs import Context
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.match.record.match_lines import AgentCard, WeightsHashes
from bidwright.neural.made_for import MadeFor, made_for

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bidwright.neural.networks import Network
    from bidwright.neural.policies import RuleUse, Weighing
    from bidwright.neural.residual import ResidualBelief
    from bidwright.neural.search.bmcs import Search, SearchResult
    from bidwright.neural.search.models import Model
    from bidwright.neural.search.population import Expected, Population
    from bidwright.neural.search.settings import SearchConfig
    from bidwright.neural.search.work import Work
    from bidwright.neural.tricks import TricksNetwork
    from bidwright.neural.weights import Weights

NONE = "none"
"""Instead of weights: there are to be none."""

_MEMORY = 20_000
"""Readings that roll-outs by rules remember."""


@dataclass(frozen=True)
class Weighted:
    """The other weights of a search, by name or path; `none` for none.

    Attributes:
        belief: predicts the holder of each card, for the proposals `belief` and `both`.
        tricks: predicts double-dummy tricks; without it contracts are solved.
        theirs: the policy of opponents who play another system, or none that is known; or several
            with shares that all opponents may be.
    """

    belief: str = NONE
    tricks: str = "tricks"
    theirs: str = NONE


@dataclass(frozen=True, eq=False)
class Nets:
    """The networks of a search, those that were given."""

    policy: Weights[Network] | None
    belief: Weights[Network] | Weights[ResidualBelief] | None
    tricks: Weights[TricksNetwork] | None
    theirs: Opponents | None

    def digests(self) -> WeightsHashes:
        """Return the hashes of the weights."""
        digests: WeightsHashes = {}
        if self.policy:
            digests["policy"] = self.policy.digest
        if self.belief:
            digests["belief"] = self.belief.digest
        if self.tricks:
            digests["tricks"] = self.tricks.digest
        if self.theirs:
            digests["theirs"] = self.theirs.digests()
        return digests

    @property
    def policies(self) -> list[Weights[Network]]:
        """The policies of both sides, the own one first."""
        return [*filter(None, [self.policy]), *(self.theirs.weights() if self.theirs else ())]


class SearchAgent:
    """Makes the call that gains most over deals that explain the auction."""

    def __init__(
        self,
        spec: str,
        system: str,
        nets: Nets,
        use: RuleUse,
        config: SearchConfig,
        context: Context,
    ) -> None:
        """Take the networks and settings."""
        self.spec = spec
        self.system: str | None = system
        self._nets, self._use, self._config = nets, use, config
        self._library = context.library
        self._readers: dict[tuple[str, str], Reader] = {}
        self._solver = DoubleDummy()

    @property
    def made_for(self) -> MadeFor:
        """The system that the policy was made for."""
        return made_for(self._nets.policy.card) if self._nets.policy else MadeFor()

    def card(self) -> AgentCard:
        """Return the hashes of all weights, all settings, and the system's files."""
        return {
            **system_card(self.spec, self.system, self._library),
            "weights": self._nets.digests(),
            "rules": plain(self._use),
            "search": plain(self._config),
        }

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return a call for each request, searched for one after the other."""
        # One after the other: the deals of a search are the batch.
        return [self._search(request)[0] for request in requests]

    def argue(self, request: Request) -> ExplainedCall:
        """Return the call with the arithmetic that led to it."""
        answer, weighing, result = self._search(request)
        return ExplainedCall(
            answer,
            (weighing_table(weighing), _table(result)),
            _sentences(result),
            {**weighing_json(weighing), "search": found_json(result)},
        )

    def _search(self, request: Request) -> tuple[Answer, Weighing, SearchResult]:
        import numpy as np

        search, reading, weighing = self.prepared(request)
        # The request's seed makes a search repeatable, so `verify` can ask again.
        result = search.find(reading, request.hand, weighing, np.random.default_rng(request.seed))
        # The search agreed with what policy and rules say: then that is the decider.
        if result.call == weighing.call:
            return answer_of(weighing), weighing, result
        return Answer(result.call, "search"), weighing, result

    def prepared(self, request: Request) -> tuple[Search, Reading, Weighing]:
        """Return the search for a call, the reading of the auction, and the prior over calls."""
        from bidwright.neural.search.bmcs import Search
        from bidwright.neural.search.work import Work

        assert self.system is not None
        reading = own_reading(request, self.system, self._library)
        nets, work = self._nets, Work()
        search = Search(
            self._config,
            self._models(reading, request, work),
            nets.belief.network if nets.belief else None,
            nets.tricks.network if nets.tricks else None,
            self._solver.tricks,
            work,
        )
        return search, reading, self._weigh(reading, request)

    def _weigh(self, reading: Reading, request: Request) -> Weighing:
        from bidwright.neural.policies import policy_logs, weigh, weigh_rules

        if self._nets.policy is None:
            return weigh_rules(reading, request.hand, self._use)
        network = self._nets.policy.network
        cards = cards_of(network, [request], self.system, self._library)
        (logs,) = policy_logs(network, [request.auction], [request.hand], cards)
        return weigh(logs, reading, request.hand, self._use)

    def _models(self, reading: Reading, request: Request, work: Work) -> Expected:
        """Return a model of each side's bidding, whose work is added to that of the search."""
        from bidwright.neural.search.models import HybridModel, NetworkModel, RuleModel

        ours = request.seat.side
        # Systems are compared by content: the same file under two names is one system.
        same = len({system.fingerprint for system in reading.reader.systems.values()}) == 1
        disclosed = request.view.system(ours.other) is not None
        about = self._reader(reading), request.auction.dealer, request.auction.vulnerability
        rules = RuleModel(*about, work)
        nets = self._nets
        ours_model: Model = rules
        theirs: Model | Population = rules
        cards, swapped = self._cards(request)
        if nets.policy is not None:
            policy = NetworkModel(nets.policy.network, cards, work)
            # Plain roll-outs take about a ninth of the hybrid's time: 0.3 s of 2.6 s a decision.
            plain = self._use.idle or self._config.rollouts == "policy"
            ours_model = policy if plain else HybridModel(policy, self._use, *about, work)
        if nets.theirs and nets.theirs.is_population:
            theirs = nets.theirs.population(
                rules, lambda system: self._cards_against(system) if system else swapped, work
            )
        # A policy for opponents is meant for those who play something else than we do.
        elif nets.theirs and not (same and disclosed):
            (weights,) = nets.theirs.weights()
            theirs = NetworkModel(weights.network, swapped, work)
        elif same:
            theirs = ours_model
        # A policy with card vectors gets the sides swapped.
        elif nets.policy is not None and nets.policy.network.asks_for_cards:
            theirs = NetworkModel(nets.policy.network, swapped, work)
        return {ours: ours_model, ours.other: theirs}

    def _cards(
        self, request: Request
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]] | tuple[None, None]:
        """Return card vectors of both sides, the agent's first, and the same in the other order."""
        # Any network of the search can have asked; all get the same vectors.
        for weights in self._nets.policies:
            cards = cards_of(weights.network, [request], self.system, self._library)
            if cards is not None:
                # A copy: Torch refuses arrays with negative strides.
                return cards[0], cards[0, ::-1].copy()
        return None, None

    def _cards_against(self, system: str) -> NDArray[np.float32]:
        """Return the card vectors of opponents with a given system, and of the agent's side."""
        from bidwright.neural.card_vectors import side_cards

        assert self.system is not None
        return side_cards(self._library.system(system), self._library.system(self.system))

    def _reader(self, reading: Reading) -> Reader:
        """Return a reader of the same systems for roll-outs, with a smaller cache."""
        systems = reading.reader.systems
        key = systems[Side.NS].fingerprint, systems[Side.EW].fingerprint
        if key not in self._readers:
            self._readers[key] = Reader(systems, reading.reader.engine, _MEMORY)
        return self._readers[key]

    def close(self) -> None:
        """Close the solver."""
        self._solver.close()


_WEIGHTS = {"prior": "0", "shield": "off"}
"""Options of `bmcs:WEIGHTS` by default: those that are measured, the policy alone."""
_RULES = {"shield": "promises"}
"""Options of `bmcs:rules` by default: rules have no shield but their promises."""


def open_bmcs(argument: str, context: Context) -> SearchAgent:
    """Open `bmcs:NAME|rules[,OPTION=VALUE...]`; `docs/neural_agents.md` lists the options."""
    from bidwright.neural.requirements import need

    need("torch", "safetensors")
    from bidwright.neural import policies
    from bidwright.neural.residual import ResidualBelief
    from bidwright.neural.search.settings import SearchConfig

    policies.use_one_thread()
    name, options = split_options(argument)
    if not name:
        raise InvalidError("expected weights after 'bmcs:', a name or a path, or bmcs:rules")
    options = {**(_RULES if name == RULES else _WEIGHTS), **options}
    whose, weighted, use, config = read_options(
        options, Whose, Weighted, policies.RuleUse, SearchConfig
    )
    # The check is here, since the search's settings do not know the weights.
    if config.proposals in ("belief", "both") and weighted.belief == NONE:
        raise InvalidError(f"expected belief=WEIGHTS with proposals={config.proposals}")
    nets = Nets(
        None if name == RULES else policies.load_policy(name),
        None if weighted.belief == NONE else policies.load_belief(weighted.belief),
        None if weighted.tricks == NONE else policies.load_tricks(weighted.tricks),
        None if weighted.theirs == NONE else open_opponents(weighted.theirs, context),
    )
    is_residual = nets.belief is not None and isinstance(nets.belief.network, ResidualBelief)
    # Only a residual network says who is believed to have deviated, which `wide=belief` needs.
    if config.wide == "belief" and not is_residual:
        raise InvalidError("expected belief=WEIGHTS of a residual network with wide=belief")
    spec = f"bmcs:{argument}"
    declared = system_of(whose.system, context, nets.policy.card if nets.policy else {})
    system = needed_system(spec, declared)
    for which, weights in ((name, nets.policy), (weighted.belief, nets.belief)):
        if weights is not None:
            compare_states(which, weights.card, system, context)
    return SearchAgent(spec, system, nets, use, config, context)


# ------------------------------------------------------------------ arithmetic


def _table(result: SearchResult) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("call", "before", "IMPs", "+-", "deals")]
    for candidate in result.candidates:
        rows.append(
            (
                str(candidate.call),
                f"{candidate.chance:.1%}",
                f"{candidate.imps:+.2f}",
                f"{candidate.error:.2f}",
                str(candidate.deals),
            )
        )
    return rows


def _sentences(result: SearchResult) -> tuple[str, ...]:
    drawn = (
        f"{result.proposed} deals proposed ({result.source}), effective size {result.effective:.1f}"
    )
    if not result.proposed:
        drawn = "no deals were needed"
    taken = " or ".join(f"{each.name} ({each.chance:.1%})" for each in result.opponents)
    return (
        f"IMPs are those gained over {result.own}, the call before the search.",
        *([f"The opponents are taken for {taken}."] if taken else []),
        f"{drawn}; {result.solved} contracts solved; {result.seconds:.2f} s.",
        f"Stopped: {result.reason}.",
    )


def found_json(result: SearchResult) -> SearchValues:
    """Return the arithmetic of a search as plain values."""
    return {
        "call": str(result.call),
        "own": str(result.own),
        "rules": str(result.rules),
        "candidates": [
            {
                "call": str(each.call),
                "chance": each.chance,
                "imps": each.imps,
                "error": each.error,
                "deals": each.deals,
            }
            for each in result.candidates
        ],
        "proposed": result.proposed,
        "effective": result.effective,
        "source": result.source,
        "solved": result.solved,
        "reason": result.reason,
        "seconds": result.seconds,
        "opponents": [
            {"name": each.name, "share": each.share, "chance": each.chance}
            for each in result.opponents
        ],
    }
