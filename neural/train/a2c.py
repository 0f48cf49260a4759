"""Advantage actor-critic with prioritised replay, as the BMCS paper trains.

Source: Qiu et al., "Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
2024, Section IV, Table I and Algorithms 1 and 2. Their actors and learner run side by side; here
they take turns: a round of auctions, then `updates` steps, which is their synchronisation.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bidwright.bridge.json_values import UncheckedObject
from bidwright.neural.networks import entropy, log_policy
from bidwright.neural.train.adan import Adan
from bidwright.neural.train.advantages import call_gains
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.learner import Learner, LearnerState, SelfPlayConfig
from bidwright.neural.train.run import torch_rng

OPTIMISERS: dict[str, type[torch.optim.Adam | Adan]] = {"adan": Adan, "adam": torch.optim.Adam}
_PURPOSE = 40
_LEAST = 1e-3
"""Added to the size of an advantage, so that every decision can be drawn."""


@dataclass(frozen=True)
class A2CConfig(SelfPlayConfig):
    """A2C with prioritised replay; the settings of `bmcs2024` are the paper's.

    Attributes:
        replay: decisions of the replay buffers of all processes together.
        burn_in: decisions before learning begins, of all processes together.
        batch: decisions of a step.
        updates: steps after each round of auctions.
        prioritised: draw decisions by the size of their advantage (PR); else all as likely.
        priority_exponent: the exponent of that size in a decision's priority.
        importance_exponent: the exponent of the importance weights; 1 removes the bias of the draw.
        optimiser: `adan`, as in the BMCS paper, or `adam`, as in that of joint policy search.
        policy_rate: learning rate of the policy.
        critic_rate: learning rate of the critic.
        ratio_cap: the largest ratio of a call's probability now to that which drew it, that
            counts; 0 for no cap.
        entropy_weight: the coefficient of the policy's entropy, per nat.
    """

    replay: int = 80_000
    burn_in: int = 20_000
    batch: int = 2048
    updates: int = 10
    prioritised: bool = True
    priority_exponent: float = 0.8
    importance_exponent: float = 0.6
    optimiser: str = "adan"
    policy_rate: float = 1.3e-5
    critic_rate: float = 1.3e-4
    entropy_weight: float = 0.01
    ratio_cap: float = 0.0


class A2C(Learner):
    """Learns from decisions drawn from a replay buffer."""

    config: A2CConfig
    _replay: Experience | None = None

    def optimisers(self) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
        """Return the optimisers of policy and critic."""
        config = self.config
        make = OPTIMISERS[config.optimiser]
        return (
            make(self.policy.parameters(), config.policy_rate),
            make(self.critic.parameters(), config.critic_rate),
        )

    def learn(self, experience: Experience, iteration: int) -> dict[str, float]:
        """Add experience to the replay buffer and learn from it; return numbers for the curve."""
        config = self.config
        self._keep(experience.to(torch.device("cpu")))  # where decisions are drawn
        assert self._replay is not None
        # Counted over all processes: with uneven shares some would learn and others wait for ever.
        decisions = self.processes.total(len(self._replay))
        if decisions < config.burn_in:  # all processes begin to learn at once
            return {"kept": decisions}
        rng = torch_rng(config, _PURPOSE + self.processes.rank, iteration)
        batch = max(1, config.batch // self.processes.size)
        totals = torch.zeros(3)
        ages, strayings = [], []
        for _ in range(config.updates):
            which, weight = self._draw(batch, rng)
            piece = self._replay[which].to(self.device)
            strayed, advantage, numbers = self._step(piece, weight.to(self.device))
            # Priorities follow what the critic says now; others become stale until they are drawn.
            self._replay.advantage[which] = advantage.cpu()
            ages.append(piece.age)
            strayings.append(strayed)
            totals += numbers
        means = self.tighten(torch.cat(ages), torch.cat(strayings))
        gain, spread, missed = (totals / config.updates).tolist()
        return {
            "kept": decisions,
            "policy_loss": gain,
            "entropy": spread,
            "critic_loss": missed,
            **means,
        }

    def _keep(self, new: Experience) -> None:
        joined = new
        if self._replay is not None:
            pairs = [(getattr(self._replay, name), getattr(new, name)) for name in _COLUMNS]
            # Each process keeps its share of the buffer.
            most = max(1, self.config.replay // self.processes.size)
            joined = Experience(*(torch.cat(pair)[-most:] for pair in pairs))
        self._replay = joined

    def _draw(self, count: int, rng: torch.Generator) -> tuple[Tensor, Tensor]:
        """Return places of decisions in the buffer, int64 `[N]`, and importance weights `[N]`."""
        assert self._replay is not None
        size = len(self._replay)
        if not self.config.prioritised:
            return torch.randint(size, (count,), generator=rng), torch.ones(count)
        priority = (self._replay.advantage.abs() + _LEAST) ** self.config.priority_exponent
        which = torch.multinomial(priority, count, replacement=True, generator=rng)
        chance = priority[which] / priority.sum()
        # Weights undo the bias of the draw, fully with an exponent of 1.
        weight = (size * chance) ** -self.config.importance_exponent
        # Divided by the greatest, so that weights only ever shorten steps.
        return which, weight / weight.max()

    def _step(self, piece: Experience, weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Take a step on decisions; return divergences `[N, H]`, advantages `[N]`, three losses."""
        with self.precision():
            logs = log_policy(self.policy(piece.own, self.card_vectors(piece)), piece.legal)
            outputs = self.critic(piece.for_critic).float()
        call = piece.call[:, None]
        predicted = of_call = outputs[:, 0]
        if outputs.shape[1] > 1:
            # A critic of calls learns from the call that was made, whoever chose it.
            of_call = predicted + call_gains(outputs, piece.log_policy).gather(1, call)[:, 0]
        log_chance = logs.gather(1, call)[:, 0]
        # Decisions are older than the policy, so their probability has changed since.
        ratio = (log_chance - piece.log_policy.gather(1, call)[:, 0]).exp().detach()
        if self.config.ratio_cap:
            ratio = ratio.clamp(max=self.config.ratio_cap)
        advantage = (piece.reward - predicted).detach()
        objective = (weight * ratio * log_chance * advantage).mean()
        entropies = entropy(logs).mean()
        strayed = self.strayed(logs, self.references(piece))
        critic_loss = (weight * (of_call - piece.reward).square()).mean()
        loss = -objective - self.config.entropy_weight * entropies + self.price(piece.age, strayed)
        self.descend(loss, critic_loss)
        numbers = torch.stack((-objective, entropies, critic_loss)).detach().cpu()
        return strayed.detach(), advantage, numbers

    def state(self) -> LearnerState:
        """Return all that changes, with the replay buffers of all processes, for a checkpoint."""
        replay = self._replay
        columns = None if replay is None else {name: getattr(replay, name) for name in _COLUMNS}
        return {**super().state(), "replay": self.processes.gathered(columns)}

    def restore(self, state: UncheckedObject) -> None:
        """Resume from the state of a checkpoint.

        Every process takes its replay buffer; with another number of processes than before, each
        takes an equal share of all buffers.
        """
        super().restore(state)
        replay = [Experience(**each) for each in state["replay"] if each is not None]
        if not replay:
            self._replay = None
        elif len(replay) == self.processes.size:
            self._replay = replay[self.processes.rank]
        else:
            pieces = [[getattr(each, name) for each in replay] for name in _COLUMNS]
            share = slice(self.processes.rank, None, self.processes.size)
            self._replay = Experience(*(torch.cat(parts)[share] for parts in pieces))


_COLUMNS = tuple(Experience.__dataclass_fields__)
