"""Adaptive penalties that hold a policy near a prior policy, or to a convention file.

The KL penalty is on the Kullback-Leibler divergence of the learner from the prior policy, in nats;
the file's penalty is on the probability that the learner gives to calls which the file does not
allow. Both have a target for the mean of that divergence at decisions of one age (the number of
calls other than passes before them). The coefficient of the penalty rises where the mean is above
its target, and falls, more slowly, where it is below.

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
"""Ratio of a mean divergence to its target, or its inverse, within which a coefficient stays."""
# A coefficient that fell as fast as it rises would let the policy go, and rise again too late.
_RISE = 1.3
_FALL = 1.05
"""The factors of a coefficient's rise, and of its fall, after an update."""


class AdaptivePenalty:
    """Coefficients of a penalty, one for each age of auctions, adapted to reach targets.

    Attributes:
        targets: float32 `[A]`: mean divergences; infinite without a penalty.
        costs: float32 `[A]`: the coefficients.
    """

    def __init__(self, targets: Sequence[float], cost: float) -> None:
        """Set all coefficients to `cost`; the last target holds for all older auctions.

        Without targets the coefficient is 0 and there is one mean, over all decisions.
        """
        # Infinite targets are never reached, so nothing is ever priced.
        self.targets = torch.tensor(list(targets) or [inf])
        self.costs = torch.full((len(self.targets),), cost if targets else 0.0)

    def bucket(self, age: Tensor) -> Tensor:
        """Return the index of the target for decisions of an age, int64 `[N]`."""
        return age.long().clamp(max=len(self.targets) - 1)

    def cost(self, age: Tensor) -> Tensor:
        """Return the coefficients for decisions of an age, float32 `[N]`."""
        return self.costs.to(age.device)[self.bucket(age)]

    def means(self, age: Tensor, strayed: Tensor) -> Tensor:
        """Return the mean divergence at each age, float32 `[A]`; the target where none was seen."""
        # Sums on the processor: index_add on a device adds in any order, and runs would differ.
        bucket = self.bucket(age).cpu()
        total = torch.zeros(len(self.targets)).index_add_(0, bucket, strayed.float().cpu())
        count = torch.bincount(bucket, minlength=len(self.targets))
        # Ages that were not seen keep their coefficient.
        return torch.where(count > 0, total / count.clamp(min=1), self.targets)

    def adapt(self, means: Tensor) -> None:
        """Raise or lower the coefficients after an update with these mean divergences, `[A]`."""
        far, near = means > self.targets * _SLACK, means < self.targets / _SLACK
        change = torch.where(far, _RISE, torch.where(near, 1 / _FALL, 1.0))
        # Without a target the coefficient stays 0.
        held = self.targets.isfinite()
        # Bounded both ways: a coefficient of 0 would never rise again.
        self.costs = torch.where(held, (self.costs * change).clamp(_LOWEST, _HIGHEST), 0.0)


class Hold(Protocol):
    """A reference that a policy is held to by a penalty.

    Attributes:
        name: the name of the divergence in curves.
    """

    name: ClassVar[str]

    @property
    def penalty(self) -> AdaptivePenalty:
        """The penalty on the divergence."""
        ...

    def reference(self, seen: Tensor, legal: Tensor, cards: CardVectors) -> Tensor:
        """Return the reference values of calls that a policy is compared with, float32 `[N, C]`.

        Args:
            seen: uint8 `[N, 480]`: the observations.
            legal: bool `[N, C]`: True for legal calls.
            cards: the card vectors of the systems in play.
        """
        ...

    def strayed(self, logs: Tensor, reference: Tensor) -> Tensor:
        """Return the divergences `[N]` of a log policy `[N, C]` from the reference `[N, C]`."""
        ...


@dataclass(frozen=True, eq=False)
class PriorHold:
    """Holds a policy to another one by the KL divergence from it, in nats."""

    name: ClassVar[str] = "strayed"
    penalty: AdaptivePenalty
    prior: Network

    def reference(self, seen: Tensor, legal: Tensor, cards: CardVectors) -> Tensor:
        """Return the log policy of the prior."""
        return log_policy(self.prior(seen, cards), legal)

    def strayed(self, logs: Tensor, reference: Tensor) -> Tensor:
        """Return the KL divergences in nats."""
        # From the learner to the prior: calls that the prior never makes cost most.
        return divergence(logs, reference)


@dataclass(frozen=True, eq=False)
class FileHold:
    """Holds a policy to a convention file by the probability of calls that it does not allow.

    Attributes:
        penalty: the penalty on that probability.
        allowed: a network that predicts for each call whether the file allows it, in both tiers.
        tier: 0 for the usual tier, 1 for the possible one.
        doubt: calls that are allowed with at least this probability count 0; others count the
            share of it that they lack.
    """

    name: ClassVar[str] = "outside"
    penalty: AdaptivePenalty
    allowed: Network
    tier: int
    doubt: float = 1.0

    def reference(self, seen: Tensor, legal: Tensor, cards: CardVectors) -> Tensor:
        """Return the weight of each call as one that is not allowed, 0 to 1."""
        first = NUM_CALLS * self.tier
        chance: Tensor = self.allowed(seen, cards)[:, first : first + NUM_CALLS].sigmoid()
        return (1 - chance / self.doubt).clamp(min=0)

    def strayed(self, logs: Tensor, reference: Tensor) -> Tensor:
        """Return the probability of calls that are not allowed."""
        return (logs.exp() * reference).sum(dim=1)
