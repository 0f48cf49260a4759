"""Actors that bid the boards of self-play for a learner: in its process, in others, on a cluster.

A round is cut into parts (`parts`). The auctions of a part depend on the round, the part and the
weights alone, not on the process that bids them, so a run has the same result on any number of
processes. The actors may be ahead of the learner by a bound (`lag`): the boards of a round are bid
with the weights of so many rounds before, no older and no newer, while the learner learns from
earlier rounds. Weights and experience go through the object store of a cluster, the weights once a
round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypedDict

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.solved_deals import load_solved
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.env.tensor_boards import TensorDeals
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import load_allowed
from bidwright.neural.train.alike_deals import AlikeDeals
from bidwright.neural.train.allowed_calls import AllowedCalls
from bidwright.neural.train.distributed import Processes
from bidwright.neural.train.experience import Collector, Experience, joined
from bidwright.neural.train.joint_search import JointSettings, legal_calls
from bidwright.neural.train.league import Member
from bidwright.neural.train.learner import SelfPlayConfig
from bidwright.neural.train.masks import AllowedMask
from bidwright.neural.train.opponents import OpponentPool, State
from bidwright.neural.train.rivals import Opposition, Rivals
from bidwright.neural.train.run import device_of, numpy_rng, suited, torch_rng
from bidwright.neural.weights import load_weights
from bidwright.runtime.crew import Crew, Pieces
from bidwright.runtime.processes import Shared

Arrays = dict[str, NDArray[np.generic]]
"""Weights or experience as arrays, by name."""

Bids = Callable[["Part"], tuple[Experience | Arrays, dict[str, float]]]
"""A function that bids a part and returns its decisions and numbers for the curve."""

MOST_PARTS = 100
"""The most parts of a round, of all processes together; each has a random generator."""

# Offsets that keep random streams of different purposes apart; parts are added to them.
_DEALS, _CALLS, _OPPONENT, _SYSTEMS = 100, 200, 300, 500


@dataclass(frozen=True)
class RoundWeights:
    """The weights that the boards of a round are bid with.

    They are plain arrays: tensors would go to other processes through shared memory, of which
    containers have little.

    Attributes:
        policy: the weights of the learner.
        critic: the weights of its critic.
        past: the weights of the past self drawn for each group of boards; empty where another
            rival plays.
    """

    policy: Arrays
    critic: Arrays
    past: tuple[Arrays, ...]


@dataclass(frozen=True)
class Part:
    """A part of a round, the unit of work of an actor.

    Attributes:
        round: the number of the round.
        number: the number of the part, among those of all processes.
        boards: the number of boards.
        opposition: the learner's opponents.
        weights: the weights of the networks that bid.
    """

    round: int
    number: int
    boards: int
    opposition: Opposition
    weights: Shared[RoundWeights]


@dataclass(frozen=True)
class Shapes:
    """The shapes of the learner's networks."""

    policy: NetworkShape
    critic: NetworkShape


class Actor:
    """An actor, which bids parts of rounds."""

    def __init__(self, config: SelfPlayConfig, shapes: Shapes, folder: Path) -> None:
        """Open deals and rivals.

        Args:
            config: the settings of the run.
            shapes: the shapes of the networks.
            folder: the run's folder; files of variants are put there.

        Raises:
            InvalidError: Deals, rivals or the system cannot be used.
        """
        device = device_of(config)
        torch.set_num_threads(config.threads)
        self._config = suited(config, device)
        self._device = device
        deals = load_solved(Path(config.deals))
        # The last deals are for evaluation, in every actor alike.
        self._deals = TensorDeals.of(deals[: len(deals) - config.evaluation_deals], device)
        self._rivals = Rivals(config, device, folder / "systems")
        self._policy = Network(shapes.policy).to(device).eval()
        groups = config.groups if config.league else 0
        self._past = [Network(shapes.policy).to(device).eval() for _ in range(groups)]
        critic = Network(shapes.critic).to(device)
        self._collector = Collector(
            self._policy,
            critic,
            config.critic,
            config.tables,
            config.reward_scale,
            config.trace,
            device,
            self._config.bf16,
            _joint(config),
            self._rivals.systems,
            mask=_mask(config, self._rivals.systems.vectors, device, bf16=self._config.bf16),
        )

    def __call__(self, part: Part) -> tuple[Experience, dict[str, float]]:
        """Return the decisions of a part, on the device, and numbers for the curve."""
        config, device, weights = self._config, self._device, part.weights.get()
        _load(self._policy, weights.policy)
        _load(self._collector.critic, weights.critic)
        for network, before in zip(self._past, weights.past, strict=True):
            if before:
                _load(network, before)
        # By part and round, not by process: a run is the same on any number of processes.
        deal = torch_rng(config, _DEALS + part.number, part.round, device)
        boards = self._deals.boards(part.boards, deal, vulnerable=config.vulnerable)
        # A second generator: a search that draws more calls must not change the deals.
        chance = torch_rng(config, _CALLS + part.number, part.round, device)
        rivals = self._rivals.bidders(part.opposition, self._collector.bidder, self._past)
        seating = numpy_rng(config, _SYSTEMS + part.number, part.round)
        played = self._rivals.played(part.opposition, part.boards, seating)
        experience = self._collector.collect(boards, rivals, config.against, chance, played)
        return experience, dict(self._collector.numbers)


def _joint(config: SelfPlayConfig) -> JointSettings | None:
    """Return the settings of the search for joint changes; None without a search."""
    if not config.search_share:
        return None
    allowed, drawn = legal_calls, None
    if config.system and config.search_allowed:
        allowed = AllowedCalls(open_system(config.system)).at
    if config.search_deals:
        tricks = load_weights("tricks", "tricks").network
        drawn = AlikeDeals(open_system(config.system), tricks).draw
    return JointSettings(
        config.search_share,
        allowed,
        config.search_least,
        config.search_depth,
        config.search_answers,
        config.search_rollouts,
        config.search_latest,
        config.search_weight,
        config.search_deals,
        drawn,
    )


def _mask(
    config: SelfPlayConfig, table: Tensor, device: torch.device, *, bf16: bool
) -> AllowedMask | None:
    """Return the mask of calls that the learner may make; None without one."""
    if not config.mask:
        return None
    network = load_allowed(config.allowed).network.to(device)
    return AllowedMask(network, config.tier, config.mask, table, device, bf16)


class Elsewhere:
    """An actor in another process, which returns experience as arrays."""

    def __init__(self, config: SelfPlayConfig, shapes: Shapes, folder: Path) -> None:
        """Open deals and rivals, as an actor does."""
        self._actor = Actor(config, shapes, folder)

    def __call__(self, part: Part) -> tuple[Arrays, dict[str, float]]:
        """Return the decisions of a part as arrays, and numbers for the curve."""
        experience, numbers = self._actor(part)
        # Plain arrays: tensors would travel through shared memory, of which containers have 64 MB.
        return {name: each.cpu().numpy() for name, each in vars(experience).items()}, numbers


class RoundState(TypedDict):
    """A round in progress, for a checkpoint.

    Attributes:
        round: the number of the round.
        weights: the numbers of policy, critic and past selves.
        rivals: share, name and system of the learner's opponents.
    """

    round: int
    weights: list[dict[str, Tensor]]
    rivals: list[tuple[float, str, str]]


@dataclass(frozen=True)
class Asked:
    """A round in progress.

    Attributes:
        round: the number of the round.
        weights: the weights of the networks that bid.
        opposition: the learner's opponents.
    """

    round: int
    weights: RoundWeights
    opposition: Opposition

    def state(self) -> RoundState:
        """Return the round as plain values and tensors, for a checkpoint."""
        return {
            "round": self.round,
            "weights": [
                _tensors(each)
                for each in (self.weights.policy, self.weights.critic, *self.weights.past)
            ],
            "rivals": [(each.share, each.name, each.system) for each in self.opposition.rivals],
        }

    @classmethod
    def of(cls, state: UncheckedObject) -> Asked:
        """Return the round of a checkpoint, from the value of `state`."""
        policy, critic, *past = map(_arrays, state["weights"])
        rivals = tuple(Member(*each) for each in state["rivals"])
        return cls(state["round"], RoundWeights(policy, critic, tuple(past)), Opposition(rivals))


class Actors:
    """The actors of a run, which bid some rounds ahead of the learner.

    Attributes:
        asked: the rounds in progress, the earliest first.
    """

    def __init__(
        self,
        config: SelfPlayConfig,
        shapes: Shapes,
        folder: Path,
        rivals: Rivals,
        crew: Crew,
        processes: Processes,
    ) -> None:
        """Assemble the actors.

        Args:
            config: the settings of the run.
            shapes: the shapes of the networks.
            folder: the run's folder.
            rivals: the source of opponents.
            crew: the processes or the cluster that bid.
            processes: the processes that learn together; each has its own actors.

        Raises:
            InvalidError: Deals, rivals or the system cannot be used, there is no cluster, or there
                are too many parts: more than `MOST_PARTS` or than boards.
        """
        # Every part has a generator and at least one board.
        most = min(MOST_PARTS, config.boards) // processes.size
        if config.parts > most:
            raise InvalidError(f"expected 1 to {most} parts, got {config.parts}")
        # Every part has all groups, so that parts differ by chance alone.
        boards = config.boards // (processes.size * config.parts)
        if not 1 <= config.groups <= boards:
            raise InvalidError(f"expected 1 to {boards} groups of boards, got {config.groups}")
        self._config, self._rivals, self._processes = config, rivals, processes
        self._device = device_of(config)
        work: Callable[..., Bids] = Actor if crew.is_alone else Elsewhere
        self._pieces = Pieces(crew, work, (config, shapes, folder))
        self.asked: deque[Asked] = deque()

    def begin(self, number: int, policy: Network, critic: Network, pool: OpponentPool) -> None:
        """Begin to bid the boards of a round with a copy of the present weights."""
        rng = numpy_rng(self._config, _OPPONENT + self._processes.rank, number)
        opposition = self._rivals.drawn(rng)
        past = [
            _arrays(pool.drawn(rng) or {}) if each.is_past else {} for each in opposition.rivals
        ]
        weights = RoundWeights(_copied(policy), _copied(critic), tuple(past))
        self.ask(Asked(number, weights, opposition))

    def ask(self, asked: Asked) -> None:
        """Begin to bid the boards of a round, or resume it after a checkpoint."""
        config, processes = self._config, self._processes
        self.asked.append(asked)
        weights = self._pieces.share(asked.weights)
        boards = processes.share(config.boards)
        for part in range(config.parts):
            # Parts differ by one board at most.
            count = boards // config.parts + (part < boards % config.parts)
            number = processes.rank * config.parts + part
            self._pieces.begin(Part(asked.round, number, count, asked.opposition, weights))

    def experience(self) -> tuple[Experience, dict[str, float]]:
        """Return the decisions of the earliest round in progress, and numbers for the curve.

        The numbers are means over the parts; the call waits until all parts are bid.

        Raises:
            BidwrightError: An actor failed.
        """
        self.asked.popleft()
        # Results come in the order in which parts were asked for.
        results = [self._pieces.result() for _ in range(self._config.parts)]
        parts = [_experience(decisions, self._device) for decisions, _ in results]
        curves = [numbers for _, numbers in results]
        return joined(parts), {name: fmean(each[name] for each in curves) for name in curves[0]}

    def close(self) -> None:
        """End the actors."""
        self._pieces.close()


def _copied(network: Network) -> Arrays:
    """Return a copy of a network's present weights."""
    # A copy: the learner goes on changing its weights while the boards are bid.
    return {n: each.detach().cpu().numpy().copy() for n, each in network.state_dict().items()}


def _load(network: Network, weights: Arrays) -> None:
    network.load_state_dict(_tensors(weights))


def _tensors(arrays: Arrays) -> State:
    """Return arrays as tensors; arrays of a cluster's store are read-only, and copied."""
    # Arrays of a cluster's store are read-only, and tensors over them must not be written.
    return {n: torch.from_numpy(np.require(each, None, "W")) for n, each in arrays.items()}


def _arrays(tensors: State) -> Arrays:
    """Return tensors as arrays that share their memory."""
    return {name: each.numpy() for name, each in tensors.items()}


def _experience(decisions: Experience | Arrays, device: torch.device) -> Experience:
    if isinstance(decisions, Experience):
        return decisions
    return Experience(**_tensors(decisions)).to(device)
