"""The base of learners from self-play: networks, optimisers, penalties, precision.

Letters in shapes: `N` decisions, `H` references that the policy is held to, `C` calls.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import torch
from torch import Tensor

from bidwright.bridge.json_values import UncheckedObject
from bidwright.neural.env.card_layout import CARD
from bidwright.neural.networks import CardVectors, Network
from bidwright.neural.train.allowed_training import TIERS
from bidwright.neural.train.config import RunConfig
from bidwright.neural.train.distributed import Processes
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.penalties import AdaptivePenalty, FileHold, Hold, PriorHold


class LearnerState(TypedDict):
    """All of a learner that changes, for a checkpoint.

    Attributes:
        policy: the numbers of the policy.
        critic: those of the critic.
        optimisers: the states of both optimisers.
        costs: the coefficients of each penalty.
        replay: the columns of each process's replay buffer; None for one without.
    """

    policy: dict[str, Tensor]
    critic: dict[str, Tensor]
    optimisers: list[dict[str, object]]
    costs: list[Tensor]
    replay: NotRequired[list[dict[str, Tensor] | None]]


# Decisions at a time for reference networks: the whole round would not fit a device.
_CHUNK = 16_384


@dataclass(frozen=True)
class SelfPlayConfig(RunConfig):
    """The settings of learning from self-play; `width` and `depth` are the critic's.

    Attributes:
        start: weights of the policy to begin with; `new` for random ones, as wide and deep.
        encoding: the input of a new policy: the `full` 480 bits, or a `brief` 267 of them.
        prior: weights of the reference of the KL penalty; the start if empty.
        system: the convention file or system that openings are to conform to; may be empty.
        deals: the data set of solved deals.
        evaluation_deals: how many of them, the last ones, are for evaluation only.
        iterations: rounds of playing and learning.
        boards: boards of a round, of all processes together.
        parts: of each process's boards of a round, which are bid one by one or at once
            (`train rl --jobs`, `--cluster`); each has random numbers of its own.
        lag: rounds that are learnt while the boards of a later one are being bid.
        tables: at which each board is played; a reward is the IMPs against the other ones.
        vulnerable: sides are vulnerable at random, in evaluation as the Laws have it; else neither
            ever is.
        systems: the systems of a policy with card vectors, drawn for each side of each board;
            nothing is disclosed if there is none.
        undisclosed: the share of boards where the other side's system is hidden from the learner.
        league: the opponents, each with a share (`neural.train.league`).
        groups: of the boards of a round, each with an opponent of its own, drawn by the shares;
            advantages are standardised within a group.
        held_out: opponents, written alike, for measurements only; their shares mean nothing.
        against: the share of boards played against one of the league; the others against itself.
        pool_size: past selves that are remembered.
        pool_every: rounds between two of them.
        critic: the critic's input: `own` hand, all `hands`, the `table` of tricks as well, or
            also the scores at the other `tables`.
        critic_of: the critic's outputs: the reward of a `state`, or of all its `calls`.
        reward_scale: IMPs that count as a reward of one.
        trace: the weight of later results against the critic's predictions, 0 to 1: lambda
            (`neural.train.advantages`).
        leash: the references of penalties (`neural.train.penalties`): the `prior`, the `file`
            itself (by `allowed`), or `both`.
        allowed: weights of the network of allowed calls, for a penalty by the file or a mask.
        mask: the learner makes no call that `allowed` gives less than this probability in the tier
            of the penalty, as the shield makes none at the table; 0: no mask.
        leash_tier: the tier of the file for its penalty and mask, `usual` or `possible`.
        leash_doubt: calls that `allowed` gives at least this probability are not penalised, others
            by the share of it that they lack. Below 1, a doubt of that network is no reason to
            leave a call.
        leash_targets: targets of the penalty by the number of calls before: mean KL divergences
            from the prior in nats, or probabilities of calls that the file does not allow; none:
            no penalty.
        file_targets: with `both`, the latter; `leash_targets` are the former.
        leash_cost: the coefficient of the penalty at first.
        evaluate_every: rounds between two evaluations.
        search_share: the share of tables where partners search for a joint change, once each.
        search_least: the search tries calls of each partner above this probability.
        search_depth: 3 if the partner may change with the player, 1 if the player alone.
        search_answers: samples of the opponent's answer to each call.
        search_rollouts: samples of the rest of an auction.
        search_latest: the search begins after fewer calls than this.
        search_allowed: it changes to calls that `system` allows only; else to all legal ones.
        search_weight: the weight of the gain that a critic of calls with the input `own` predicts
            over all deals that look alike, 0 to 1 (lambda).
        search_deals: deals that fit the calls by `system` and hold the player's hand, which a gain
            is the mean over; 0 for the deal on the table.
    """

    start: str = ""
    encoding: str = "full"
    prior: str = ""
    system: str = ""
    deals: str = ""
    evaluation_deals: int = 2000
    iterations: int = 1000
    boards: int = 1024
    parts: int = 1
    lag: int = 0
    tables: int = 2
    vulnerable: bool = True
    systems: tuple[str, ...] = ()
    undisclosed: float = 0.0
    league: tuple[str, ...] = ("1 past",)
    groups: int = 1
    held_out: tuple[str, ...] = ()
    against: float = 0.5
    pool_size: int = 30
    pool_every: int = 20
    critic: str = "table"
    critic_of: str = "state"
    reward_scale: float = 8.0
    trace: float = 0.95
    leash: str = "prior"
    allowed: str = ""
    mask: float = 0.0
    leash_tier: str = "usual"
    leash_doubt: float = 1.0
    leash_targets: tuple[float, ...] = (0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2)
    file_targets: tuple[float, ...] = ()
    leash_cost: float = 0.1
    evaluate_every: int = 20
    search_share: float = 0.0
    search_least: float = 0.05
    search_depth: int = 3
    search_answers: int = 5
    search_rollouts: int = 5
    search_latest: int = 8
    search_allowed: bool = True
    search_weight: float = 0.0
    search_deals: int = 0

    @property
    def tier(self) -> int:
        """The place of the tier among `TIERS`."""
        return TIERS.index(self.leash_tier)


class Learner(ABC):
    """A policy and its critic with their optimisers and penalties."""

    def __init__(
        self,
        config: SelfPlayConfig,
        policy: Network,
        critic: Network,
        prior: Network,
        device: torch.device,
        processes: Processes,
        allowed: Network | None = None,
        table: Tensor | None = None,
    ) -> None:
        """Make a learner of networks that are on the device.

        Args:
            config: the settings of the run.
            policy: the network that learns.
            critic: its critic.
            prior: the reference of the KL penalty.
            device: the device of the networks.
            processes: the processes that learn together.
            allowed: the network of allowed calls, for a penalty by the file.
            table: float32 `[S, V]`: card vectors that experience refers to; None if nothing is
                disclosed.
        """
        self.config = config
        # One row of zeros where nothing is disclosed, so that decisions can refer to it.
        self._table = (torch.zeros(1, CARD) if table is None else table).to(device)
        self.policy, self.critic = policy, critic
        self.device, self.processes = device, processes
        self.holds = self._holds(prior, allowed)
        self._steps = self.optimisers()

    def _holds(self, prior: Network, allowed: Network | None) -> tuple[Hold, ...]:
        """Return the references that the policy is held to."""
        config, cost = self.config, self.config.leash_cost
        holds: list[Hold] = []
        if config.leash != "file":
            holds.append(PriorHold(AdaptivePenalty(config.leash_targets, cost), prior))
        if config.leash != "prior":
            assert allowed is not None, "checked when the run began"
            targets = config.leash_targets if config.leash == "file" else config.file_targets
            holds.append(
                FileHold(AdaptivePenalty(targets, cost), allowed, config.tier, config.leash_doubt)
            )
        return tuple(holds)

    @abstractmethod
    def optimisers(self) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
        """Return the optimisers of policy and critic."""

    @abstractmethod
    def learn(self, experience: Experience, iteration: int) -> dict[str, float]:
        """Learn from new experience; return numbers for the curve, by name."""

    def state(self) -> LearnerState:
        """Return all that changes, for a checkpoint."""
        return {
            "policy": self.policy.state_dict(),
            "critic": self.critic.state_dict(),
            "optimisers": [each.state_dict() for each in self._steps],
            # The coefficients are state too: begun anew they would let the policy go.
            "costs": [hold.penalty.costs for hold in self.holds],
        }

    def restore(self, state: UncheckedObject) -> None:
        """Resume from the state of a checkpoint."""
        self.policy.load_state_dict(state["policy"])
        self.critic.load_state_dict(state["critic"])
        for optimiser, saved in zip(self._steps, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        for hold, costs in zip(self.holds, state["costs"], strict=True):
            hold.penalty.costs = costs

    def precision(self) -> AbstractContextManager[Any]:
        """Return the context that sets the precision of networks."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.config.bf16)

    def card_vectors(self, batch: Experience) -> CardVectors:
        """Return the card vectors of the systems in play at decisions on the device."""
        return CardVectors(self._table, batch.card)

    def references(self, batch: Experience) -> Tensor:
        """Return the reference values of calls for each penalty, float32 `[N, H, C]`."""
        cards = self.card_vectors(batch)
        pieces = []
        # References do not learn, and are computed once a round, not once an epoch.
        with torch.no_grad(), self.precision():
            for start in range(0, len(batch), _CHUNK):
                at = slice(start, start + _CHUNK)
                seen, legal = batch.own[at], batch.legal[at]
                columns = [hold.reference(seen, legal, cards[at]) for hold in self.holds]
                pieces.append(torch.stack(columns, dim=1))
        return torch.cat(pieces)

    def strayed(self, logs: Tensor, references: Tensor) -> Tensor:
        """Return the divergences `[N, H]` of a log policy `[N, C]` from the references."""
        pairs = zip(self.holds, references.unbind(dim=1), strict=True)
        return torch.stack([hold.strayed(logs, reference) for hold, reference in pairs], dim=1)

    def price(self, age: Tensor, strayed: Tensor) -> Tensor:
        """Return the mean sum of the penalties, a number.

        Args:
            age: int64 `[N]`: calls other than passes before.
            strayed: `[N, H]`.
        """
        costs = [hold.penalty.cost(age) for hold in self.holds]
        return (torch.stack(costs, dim=1) * strayed).sum(dim=1).mean()

    def tighten(self, age: Tensor, strayed: Tensor) -> dict[str, float]:
        """Adapt each penalty to the divergences `[N, H]`; return their means by age, by name."""
        out: dict[str, float] = {}
        for hold, column in zip(self.holds, strayed.unbind(dim=1), strict=True):
            # Means over all processes: each has to change its coefficients alike.
            means = self.processes.mean(hold.penalty.means(age, column))
            hold.penalty.adapt(means)
            out |= {f"{hold.name}_{age}": value for age, value in enumerate(means.tolist())}
        return out

    def descend(self, policy_loss: Tensor, critic_loss: Tensor) -> None:
        """Take a step down both losses."""
        pairs = ((policy_loss, self.policy), (critic_loss, self.critic))
        for optimiser, (loss, network) in zip(self._steps, pairs, strict=True):
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.processes.average_gradients(network)
            # A single step may have a gradient that throws a network far; a norm of 1 is usual.
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
