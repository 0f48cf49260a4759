"""Learning to play by policy gradients: A2C and BAD.

Both play games with the policy that they have, take the payoff less what was expected as the worth
of each call, and keep the best of the policies that they had after each epoch, made pure. One
network plays for both players; its last output is what it expects to be paid.

A2C (advantage actor-critic) sees the calls, who is to call and what he holds, and knows nothing of
beliefs. Source: Mnih et al., "Asynchronous Methods for Deep Reinforcement Learning" (2016), in
step.

BAD (Bayesian action decoder) is a public agent that says what each holding would call. It sees the
calls and what the calls leave possible for both players, draws a call for every holding of the
caller at once, and only then does the caller's own holding pick one. As the draw is public, the
belief after it is exact: the holdings for which this call was drawn. The gradient takes the draw of
all holdings that are possible ("counterfactual" in the source). Source: Foerster et al., "Bayesian
Action Decoder for Deep Multi-Agent Reinforcement Learning" (2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bidwright.lab.games import _learning, policies
from bidwright.lab.games.public import Public, public_of
from bidwright.lab.games.room import Agent, beliefs_of, room_of
from bidwright.lab.games.settings import Settings
from bidwright.lab.games.tree import Floats, Tree

HIDDEN = 80
"""Units of each of two hidden layers: those of the paper's BAD."""

Kind = Literal["a2c", "bad"]


class Learner:
    """One player of a game, who plays for both sides.

    Attributes:
        public: The game.
        room: His network, and room for what he computes.
    """

    def __init__(self, public: Public, kind: Kind, batch: int, rng: np.random.Generator) -> None:
        """Draw the weights as torch does for linear layers; `rng` is used for all games, too."""
        self.public, self._rng, self._steps = public, rng, 0
        self.room = room_of(public.table, _agent(public, kind), HIDDEN, batch)
        inputs = len(self.room.net.first)
        for weights, fan_in in zip(self.room.net, (inputs, inputs, *[HIDDEN] * 4), strict=True):
            weights[...] = rng.uniform(-1, 1, weights.shape) * fan_in**-0.5

    def play(self) -> tuple[int, int]:
        """Play a minibatch; return how many rows there are, and how many decisions."""
        return _learning.play(self.room, self._rng)

    def learn(self, minibatches: int, entropy: float, settings: Settings) -> None:
        """Play so many minibatches, and learn from each."""
        first, self._steps = self._steps, self._steps + minibatches
        _learning.learn(
            self.room, self._rng, first, self._steps, settings.rate, entropy, settings.critic
        )

    def policy(self) -> Floats:
        """Return the pure policy `[K]` of the likeliest calls."""
        known = beliefs_of(self.public.table, len(self.public.table.end))
        return self.public.policy_of(_learning.choose(self.room, known))


def _agent(public: Public, kind: Kind) -> Agent:
    """Return how a network is used."""
    table = public.table
    if kind == "a2c":
        none = np.zeros(2, np.int32)
        return Agent(False, public.features, none, none, int(table.columns.max()) + 1)
    said = table.holdings * table.columns
    offset = np.array([0, said[0]], np.int32)
    return Agent(True, public.features, offset, table.columns, int(said.sum()) + 1)


@dataclass(frozen=True)
class Learned:
    """What learning came to: the best pure policies `[S, K]` of any epoch, and their values."""

    policies: Floats
    values: Floats


def learn(
    tree: Tree, kind: Kind, seeds: int, rng: np.random.Generator, settings: Settings
) -> Learned:
    """Return the best policy of each seed.

    Args:
        tree: A dealt game for two.
        kind: Who learns.
        seeds: How many learn, each alone.
        rng: Seeds all that is drawn; consumed.
        settings: How long, and how.
    """
    public = public_of(tree)
    kept, best = np.zeros((seeds, tree.slots)), np.full(seeds, -np.inf)
    for seed, own in enumerate(rng.spawn(seeds)):
        learner = Learner(public, kind, settings.batch, own)
        for epoch in range(settings.epochs):
            entropy = settings.entropy * (1 - epoch / settings.epochs)
            learner.learn(settings.minibatches, entropy, settings)
            found = learner.policy()
            if (value := policies.values(tree, found[None])[0]) > best[seed]:
                kept[seed], best[seed] = found, value
    return Learned(kept, best)
