"""Learning to play by policy gradients: A2C and BAD.

Both play games with their present policy, take the payoff less its prediction as the advantage of
each call, and keep the best of the policies after each epoch, made pure. One network plays for both
players; its last output is the predicted payoff.

A2C (advantage actor-critic) sees the calls, the caller and his holding, and knows nothing of
beliefs. Source: Mnih et al., "Asynchronous Methods for Deep Reinforcement Learning" (2016), in
step.

BAD (Bayesian action decoder) is a public agent that chooses a call for each holding. It sees the
calls and the holdings that they leave possible for both players, draws a call for every holding of
the caller at once, and only then does the caller's own holding pick one. As the draw is public, the
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
        """Play a minibatch; return the numbers of rows and of decisions."""
        return _learning.play(self.room, self._rng)

    def learn(self, minibatches: int, entropy: float, settings: Settings) -> None:
        """Play so many minibatches, and learn from each."""
        first, self._steps = self._steps, self._steps + minibatches
        _learning.learn(
            self.room, self._rng, first, self._steps, settings.rate, entropy, settings.critic
        )

    def policy(self) -> Floats:
        """Return the pure policy `[K]` of the likeliest calls."""
        beliefs = beliefs_of(self.public.table, len(self.public.table.end))
        return self.public.policy_of(_learning.choose(self.room, beliefs))


def _agent(public: Public, kind: Kind) -> Agent:
    """Return an agent's use of inputs and outputs."""
    table = public.table
    # All holdings share the outputs (a stride of 0), because the holding is among the inputs.
    if kind == "a2c":
        none = np.zeros(2, np.int32)
        return Agent(False, public.features, none, none, int(table.columns.max()) + 1)
    sizes = table.holdings * table.columns
    offset = np.array([0, sizes[0]], np.int32)
    return Agent(True, public.features, offset, table.columns, int(sizes.sum()) + 1)


@dataclass(frozen=True)
class Learned:
    """The results of learning: the best pure policies `[S, K]` of any epoch, and their values."""

    policies: Floats
    values: Floats


def learn(
    tree: Tree, kind: Kind, seeds: int, rng: np.random.Generator, settings: Settings
) -> Learned:
    """Return the best policy of each seed.

    Args:
        tree: A dealt game for two.
        kind: The learner.
        seeds: The number of learners, each alone.
        rng: The source of all random numbers; consumed.
        settings: The settings of learning.
    """
    public = public_of(tree)
    # A stream for each seed: a seed's result does not depend on how many run with it.
    learned = [learn_seed(tree, public, kind, one, settings) for one in rng.spawn(seeds)]
    return Learned(np.stack(learned), policies.values(tree, np.stack(learned)))


def learn_seed(
    tree: Tree, public: Public, kind: Kind, rng: np.random.Generator, settings: Settings
) -> Floats:
    """Return the best pure policy `[K]` of any epoch of one learner.

    Args:
        tree: A dealt game for two.
        public: The same, by what is publicly known.
        kind: The learner.
        rng: The source of all random numbers; consumed.
        settings: The settings of learning.
    """
    learner = Learner(public, kind, settings.batch, rng)
    best, value = np.zeros(tree.slots), -np.inf
    for epoch in range(settings.epochs):
        # Exploration fades out: the policy that is measured is pure, so late epochs sharpen it.
        entropy = settings.entropy * (1 - epoch / settings.epochs)
        learner.learn(settings.minibatches, entropy, settings)
        policy = learner.policy()
        if (reached := policies.values(tree, policy[None])[0]) > value:
            best, value = policy, reached
    return best
