"""Learning to play by policy gradients: what A2C and BAD have in common.

Both play games with the policy that they have, take the payoff less what was expected as the worth
of each move, and keep the best of the policies that they had after each epoch, made pure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from bidwright.neural.games import policies
from bidwright.neural.games.networks import Networks
from bidwright.neural.games.public import Public, public_of
from bidwright.neural.games.settings import Settings
from bidwright.neural.games.tree import Floats, Tree

HIDDEN = (80, 80)
"""Sizes of the hidden layers: those of the paper's BAD."""
NEVER = -1e9
"""The logit of what is not legal."""


class Learner(ABC):
    """`S` players of one game, who learn side by side."""

    def __init__(self, public: Public, seeds: int, generator: torch.Generator) -> None:
        """Draw the networks; `generator` is used for all games, too."""
        self.public, self.seeds, self.generator = public, seeds, generator
        self.networks = Networks(seeds, self._sizes(), generator)

    @abstractmethod
    def _sizes(self) -> tuple[int, ...]:
        """Return the sizes of the layers."""

    @abstractmethod
    def loss(self, batch: int, entropy: float, critic: float) -> Tensor:
        """Play `batch` games and return the loss, summed over the seeds."""

    @abstractmethod
    def chosen(self) -> Tensor:
        """Return the likeliest call of every position and holding, int64 `[S, P, H]`."""

    def deal(self, batch: int) -> Tensor:
        """Return what both players hold, int64 `[2, S, B]`."""
        return torch.stack(
            [
                torch.randint(held, (self.seeds, batch), generator=self.generator)
                for held in self.public.holdings
            ]
        )

    def paid(self, place: Tensor, held: Tensor) -> Tensor:
        """Return what games pay that ended at positions `[S, B]`, as shares of the most."""
        return self.public.rewards[self.public.end[place], held[0], held[1]]

    def drawn(self, logits: Tensor) -> Tensor:
        """Return columns drawn by their odds, int64, from logits `[..., A]`."""
        noise = torch.rand(logits.shape, generator=self.generator).clamp_min(1e-20)
        return (logits - torch.log(-torch.log(noise))).argmax(dim=-1)


@dataclass(frozen=True)
class Learned:
    """What learning came to: the best pure policies `[S, K]` of any epoch, and their values."""

    policies: Floats
    values: Floats


def learn(
    tree: Tree,
    make: Callable[[Public, int, torch.Generator], Learner],
    seeds: int,
    rng: np.random.Generator,
    settings: Settings,
) -> Learned:
    """Return the best policy of each seed.

    Args:
        tree: A dealt game for two.
        make: Makes the learner, of a game, seeds and a generator.
        seeds: How many learn side by side.
        rng: Seeds all that is drawn; consumed.
        settings: How long, and how.
    """
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    learner = make(public_of(tree), seeds, generator)
    optimiser = torch.optim.Adam(learner.networks.parameters(), settings.rate)
    best = np.full(seeds, -np.inf)
    kept = np.zeros((seeds, tree.slots))
    for epoch in range(settings.epochs):
        entropy = settings.entropy * (1 - epoch / settings.epochs)
        for _ in range(settings.minibatches):
            optimiser.zero_grad(set_to_none=True)
            loss = learner.loss(settings.batch, entropy, settings.critic)
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        with torch.no_grad():
            found = learner.public.policy_of(learner.chosen())
        now = policies.values(tree, found)
        kept[now > best] = found[now > best]
        best = np.maximum(best, now)
    return Learned(kept, best)
