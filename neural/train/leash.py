"""The leash: how much straying costs, held at a target by the auction's age.

A target is a mean at decisions of one age (calls other than passes before them): of the
Kullback-Leibler divergence of the learner from the prior policy, in nats, or of the probability
that the learner gives to calls which the file does not allow. The cost of straying rises where the
learner strays further than its target, and falls, more slowly, where it strays less.

Letters in shapes: `N` decisions, `C` = 38 calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Protocol

import torch
from torch import Tensor

from bidwright.bridge.calls import NUM_CALLS
from bidwright.neural.networks import CardVectors, Network, divergence, log_policy

_LOWEST, _HIGHEST = 1e-3, 30.0
_SLACK = 1.25
"""How far from its target a divergence may be before the cost changes."""
_RISE = 1.3
_FALL = 1.05
"""By how much costs change: one that fell as fast as it rises would let go, and rise too late."""


class Leash:
    """Costs of straying, by age."""

    def __init__(self, targets: Sequence[float], cost: float) -> None:
        """Begin with one cost; the last target is for all older auctions.

        Without targets straying costs nothing; its mean is that of all decisions.
        """
        self.targets = torch.tensor(list(targets) or [inf])
        self.costs = torch.full((len(self.targets),), cost if targets else 0.0)

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
        held = self.targets.isfinite()
        self.costs = torch.where(held, (self.costs * change).clamp(_LOWEST, _HIGHEST), 0.0)


class Hold(Protocol):
    """What a policy is held to.

    Attributes:
        name: what the curve calls straying from it.
    """

    name: ClassVar[str]

    @property
    def leash(self) -> Leash:
        """What straying costs."""
        ...

    def reference(self, seen: Tensor, legal: Tensor, told: CardVectors) -> Tensor:
        """Return float32 `[N, C]`: what a policy is compared with at decisions.

        Args:
            seen: uint8 `[N, 480]`: what the players see.
            legal: bool `[N, C]`.
            told: what they know of the systems in play.
        """
        ...

    def strayed(self, logs: Tensor, reference: Tensor) -> Tensor:
        """Return `[N]`: how far a log policy `[N, C]` has strayed."""
        ...


@dataclass(frozen=True, eq=False)
class PriorHold:
    """Holds to another policy: straying is the divergence from it, in nats."""

    name: ClassVar[str] = "strayed"
    leash: Leash
    prior: Network

    def reference(self, seen: Tensor, legal: Tensor, told: CardVectors) -> Tensor:
        """Return the other policy's logarithms."""
        return log_policy(self.prior(seen, told), legal)

    def strayed(self, logs: Tensor, reference: Tensor) -> Tensor:
        """Return the divergence."""
        return divergence(logs, reference)


@dataclass(frozen=True, eq=False)
class FileHold:
    """Holds to a convention file: straying is the probability of calls that it does not allow.

    Attributes:
        allowed: says how likely the file allows each call, in both tiers.
        tier: 0 for the usual one, 1 for the possible one.
        doubt: calls allowed with at least this probability count for nothing; others for what
            they lack of it, as a share.
    """

    name: ClassVar[str] = "outside"
    leash: Leash
    allowed: Network
    tier: int
    doubt: float = 1.0

    def reference(self, seen: Tensor, legal: Tensor, told: CardVectors) -> Tensor:
        """Return by how much each call counts as not allowed, 0 to 1."""
        first = NUM_CALLS * self.tier
        chance: Tensor = self.allowed(seen, told)[:, first : first + NUM_CALLS].sigmoid()
        return (1 - chance / self.doubt).clamp(min=0)

    def strayed(self, logs: Tensor, reference: Tensor) -> Tensor:
        """Return the probability of calls that are not allowed."""
        return (logs.exp() * reference).sum(dim=1)
