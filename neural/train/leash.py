"""The leash: how much straying costs, held at a target by the auction's age.

A target is a mean at decisions of one age (calls other than passes before them): of the
Kullback-Leibler divergence of the learner from the prior policy, in nats, or of the probability
that the learner gives to calls which the file does not allow. The cost of straying rises where the
learner strays further than its target, and falls, more slowly, where it strays less.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

_LOWEST, _HIGHEST = 1e-3, 30.0
_SLACK = 1.25
"""How far from its target a divergence may be before the cost changes."""
_RISE = 1.3
_FALL = 1.05
"""By how much costs change: one that fell as fast as it rises would let go, and rise too late."""


class Leash:
    """Costs of straying, by age."""

    def __init__(self, targets: Sequence[float], cost: float) -> None:
        """Begin with one cost; the last target is for all older auctions."""
        self.targets = torch.tensor(list(targets))
        self.costs = torch.full((len(targets),), cost)

    def bucket(self, age: Tensor) -> Tensor:
        """Return which target is for decisions of an age, int64 `[N]`."""
        return age.long().clamp(max=len(self.targets) - 1)

    def cost(self, age: Tensor) -> Tensor:
        """Return the costs of decisions of an age, float32 `[N]`."""
        return self.costs.to(age.device)[self.bucket(age)]

    def means(self, age: Tensor, strayed: Tensor) -> Tensor:
        """Return the mean divergence of each bucket; its target where there is no decision."""
        bucket = self.bucket(age).cpu()
        total = torch.zeros(len(self.targets)).index_add_(0, bucket, strayed.float().cpu())
        count = torch.bincount(bucket, minlength=len(self.targets))
        return torch.where(count > 0, total / count.clamp(min=1), self.targets)

    def adapt(self, means: Tensor) -> None:
        """Raise or lower the costs after an update that left these divergences."""
        far, near = means > self.targets * _SLACK, means < self.targets / _SLACK
        change = torch.where(far, _RISE, torch.where(near, 1 / _FALL, 1.0))
        self.costs = (self.costs * change).clamp(_LOWEST, _HIGHEST)
