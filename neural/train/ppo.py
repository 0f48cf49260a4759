"""Proximal policy optimisation of a policy and its critic, on a leash to the prior.

Source: Schulman et al., "Proximal policy optimization algorithms", 2017, the clipped objective.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bidwright.neural.networks import entropy, log_policy
from bidwright.neural.train.experience import Experience
from bidwright.neural.train.learner import Learner, SelfPlayConfig
from bidwright.neural.train.run import torch_rng

_PURPOSE = 20


@dataclass(frozen=True)
class PPOConfig(SelfPlayConfig):
    """PPO.

    Attributes:
        epochs: how often each decision is learnt from.
        minibatches: steps of an epoch.
        clip: how far the probability of a call may move before its gain counts no more.
        policy_rate: learning rate of the policy (Adam).
        critic_rate: learning rate of the critic (Adam).
        rate_at_end: share of both learning rates that is left in the last round; they fall
            along a line.
        entropy_weight: worth of a nat of entropy.
    """

    epochs: int = 2
    minibatches: int = 16
    clip: float = 0.2
    policy_rate: float = 3e-4
    critic_rate: float = 1e-3
    rate_at_end: float = 1.0
    entropy_weight: float = 0.003


class PPO(Learner):
    """Learns from each batch of experience once, over a few epochs."""

    config: PPOConfig

    def optimisers(self) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
        """Return the optimisers of policy and critic."""
        config = self.config
        return (
            torch.optim.Adam(self.policy.parameters(), config.policy_rate, eps=1e-5, fused=True),
            torch.optim.Adam(self.critic.parameters(), config.critic_rate, eps=1e-5, fused=True),
        )

    def learn(self, experience: Experience, iteration: int) -> dict[str, float]:
        """Learn from new experience; return what there is to say of it."""
        config, device = self.config, self.device
        self._slow_down(iteration)
        batch = experience.to(device)
        reference = self.reference(batch)
        spread = batch.advantage.std().clamp(min=1e-6)
        advantage = (batch.advantage - batch.advantage.mean()) / spread
        strayed = torch.zeros(len(batch), device=device)
        totals = torch.zeros(3, device=device)
        for epoch in range(config.epochs):
            purpose = _PURPOSE + self.processes.rank
            rng = torch_rng(config, purpose, iteration * config.epochs + epoch)
            order = torch.randperm(len(batch), generator=rng).to(device)
            for which in order.tensor_split(config.minibatches):
                piece = batch[which]
                gone, numbers = self._step(piece, reference[which], advantage[which])
                strayed[which] = gone
                totals += numbers
        means = self.tighten(batch.age, strayed)
        gain, spread_out, missed = (totals / (config.epochs * config.minibatches)).tolist()
        return {
            "policy_loss": gain,
            "entropy": spread_out,
            "critic_loss": missed,
            **{f"strayed_{age}": value for age, value in enumerate(means)},
        }

    def _slow_down(self, iteration: int) -> None:
        config = self.config
        left = 1.0 - (1.0 - config.rate_at_end) * iteration / config.iterations
        rates = (config.policy_rate, config.critic_rate)
        for optimiser, rate in zip(self._steps, rates, strict=True):
            for group in optimiser.param_groups:
                group["lr"] = rate * left

    def _step(
        self, piece: Experience, reference: Tensor, advantage: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Learn from some decisions; return how far they strayed, and three numbers."""
        config = self.config
        with self.precision():
            logs = log_policy(self.policy(piece.own, self.told(piece)), piece.legal)
            foretold = self.critic(piece.for_critic)[:, 0].float()
        call = piece.call[:, None]
        ratio = (logs.gather(1, call) - piece.log_policy.gather(1, call))[:, 0].exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        gain = torch.minimum(ratio * advantage, clipped * advantage).mean()
        spread = entropy(logs).mean()
        strayed = self.strayed(logs, reference)
        missed = (foretold - (piece.value + piece.advantage)).square().mean()
        loss = -gain - config.entropy_weight * spread + self.price(piece.age, strayed)
        self.descend(loss, missed)
        return strayed.detach(), torch.stack((-gain, spread, missed)).detach()
