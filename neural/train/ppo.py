"""Proximal policy optimisation of a policy and its critic, with adaptive penalties.

Source: Schulman et al., "Proximal policy optimization algorithms", 2017, the clipped objective.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bidwright.neural.networks import entropy, log_policy
from bidwright.neural.train.advantages import call_gains
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.learner import Learner, SelfPlayConfig
from bidwright.neural.train.run import torch_rng

_PURPOSE = 20


@dataclass(frozen=True)
class PPOConfig(SelfPlayConfig):
    """The settings of PPO.

    Attributes:
        epochs: passes over the decisions of a round.
        minibatches: steps of an epoch.
        clip: the bound on the ratio of a call's new probability to its old one, as a distance
            from 1, beyond which a gain counts no more.
        policy_rate: learning rate of the policy (Adam).
        critic_rate: learning rate of the critic (Adam).
        rate_at_end: share of both learning rates that is left in the last round; they fall
            along a line.
        critic_first: rounds at the beginning in which the critic learns alone: advantages by a
            critic that knows nothing lead a policy astray that knows much.
        entropy_weight: the coefficient of the policy's entropy, per nat.
        all_calls: learn from the predictions of a critic of calls for every legal call, corrected
            by the result of the call that was made; else from that call alone.
    """

    epochs: int = 2
    minibatches: int = 16
    clip: float = 0.2
    policy_rate: float = 3e-4
    critic_rate: float = 1e-3
    rate_at_end: float = 1.0
    critic_first: int = 0
    entropy_weight: float = 0.003
    all_calls: bool = False


class PPO(Learner):
    """Learns from each batch of experience once, over a few epochs."""

    config: PPOConfig

    def optimisers(self) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
        """Return the optimisers of policy and critic."""
        config = self.config
        return (
            # Fused: one pass over all parameters, which is faster for many small ones.
            torch.optim.Adam(self.policy.parameters(), config.policy_rate, eps=1e-5, fused=True),
            torch.optim.Adam(self.critic.parameters(), config.critic_rate, eps=1e-5, fused=True),
        )

    def learn(self, experience: Experience, iteration: int) -> dict[str, float]:
        """Learn from new experience; return numbers for the curve, by name."""
        config, device = self.config, self.device
        self._slow_down(iteration)
        batch = experience.to(device)
        # Once for the round: references do not change while it is learnt from.
        references = self.references(batch)
        # Standardised, so that the step does not depend on the scale of rewards: within groups, so
        # that an opponent who makes all boards cost more does not decide the step.
        mean, spread = spread_by_group(batch.advantage, batch.group)
        advantage = (batch.advantage - mean) / spread
        # Only divided: gains already average to 0 by the policy.
        gains = batch.gains / spread[:, None] if config.all_calls else None
        strayed = torch.zeros(len(batch), len(self.holds), device=device)
        totals = torch.zeros(3, device=device)
        for epoch in range(config.epochs):
            purpose = _PURPOSE + self.processes.rank
            rng = torch_rng(config, purpose, iteration * config.epochs + epoch, device)
            order = torch.randperm(len(batch), generator=rng, device=device)
            for which in order.tensor_split(config.minibatches):
                piece = batch[which]
                predicted = None if gains is None else gains[which]
                gone, numbers = self._step(piece, references[which], advantage[which], predicted)
                strayed[which] = gone
                totals += numbers
        means = self.tighten(batch.age, strayed)
        missed_before = (batch.reward - batch.value).square().mean()
        # 1 means that the critic explains nothing of the rewards.
        unexplained = missed_before / batch.reward.var().clamp(min=1e-6)
        gain, spread_out, missed = (totals / (config.epochs * config.minibatches)).tolist()
        return {
            "policy_loss": gain,
            "entropy": spread_out,
            "critic_loss": missed,
            "unexplained": float(self.processes.mean(unexplained)),
            "advantage_spread": float(self.processes.mean(spread.mean())),
            **means,
        }

    def _slow_down(self, iteration: int) -> None:
        config = self.config
        left = 1.0 - (1.0 - config.rate_at_end) * iteration / config.iterations
        # A critic that knows nothing yet would lead astray a policy that knows much.
        policy_rate = config.policy_rate if iteration >= config.critic_first else 0.0
        rates = (policy_rate, config.critic_rate)
        for optimiser, rate in zip(self._steps, rates, strict=True):
            for group in optimiser.param_groups:
                group["lr"] = rate * left

    def _step(
        self, piece: Experience, references: Tensor, advantage: Tensor, gains: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Take a step on decisions; return their divergences `[N, H]`, and three losses."""
        config = self.config
        with self.precision():
            logs = log_policy(self.policy(piece.own, self.card_vectors(piece)), piece.legal)
            outputs = self.critic(piece.for_critic).float()
        predicted = outputs[:, 0]
        if outputs.shape[1] > 1:
            more = call_gains(outputs, piece.log_policy).gather(1, piece.call[:, None])
            predicted = predicted + more[:, 0]
        gain = surrogate(logs, piece, advantage, config.clip, gains).mean()
        spread = entropy(logs).mean()
        strayed = self.strayed(logs, references)
        # The target of the critic: its prediction at the time and what it missed.
        missed = (predicted - (piece.value + piece.advantage)).square().mean()
        loss = -gain - config.entropy_weight * spread + self.price(piece.age, strayed)
        self.descend(loss, missed)
        return strayed.detach(), torch.stack((-gain, spread, missed)).detach()


def spread_by_group(numbers: Tensor, group: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of numbers `[N]` within groups, int64 `[N]`.

    Returns:
        Two tensors `[N]`: the mean of the group of each number, and its standard deviation, at
        least 1e-6.
    """
    mean, spread = torch.empty_like(numbers), torch.empty_like(numbers)
    # One by one: sums by index are added in any order on a device, and runs would differ.
    for number in range(int(group.max()) + 1 if len(group) else 0):
        rows = torch.nonzero(group == number)[:, 0]
        some = numbers[rows]
        mean[rows] = some.mean()
        # One number alone has no spread.
        spread[rows] = some.std() if len(rows) > 1 else 0.0
    return mean, spread.clamp(min=1e-6)


def surrogate(
    logs: Tensor, piece: Experience, advantage: Tensor, clip: float, gains: Tensor | None = None
) -> Tensor:
    """Return the clipped objective `[N]` of a policy at decisions, to be maximised.

    Args:
        logs: `[N, C]`: the log policy.
        piece: the decisions.
        advantage: `[N]`: of the calls that were made.
        clip: the largest distance from 1 of a ratio of probabilities that counts.
        gains: `[N, C]`: the critic's advantage of each call. If given, every call counts by its
            probability, and the call that was made for the rest of its advantage besides
            (`neural.train.advantages`).
    """
    call = piece.call[:, None]
    moved = (logs.gather(1, call) - piece.log_policy.gather(1, call))[:, 0].exp()
    if gains is None:
        return _clipped(moved, advantage, clip)
    chance = piece.log_policy.exp()
    # A call that was never made counts for nothing; its ratio may be infinite, times 0 no number.
    ratio = (logs - piece.log_policy).masked_fill(chance == 0, 0.0).exp()
    over_calls = (chance * _clipped(ratio, gains, clip)).sum(dim=1)
    return over_calls + _clipped(moved, advantage - gains.gather(1, call)[:, 0], clip)


def _clipped(ratio: Tensor, gain: Tensor, clip: float) -> Tensor:
    # The worse of the two: a gain beyond the bound counts no more, a loss counts in full.
    return torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)
