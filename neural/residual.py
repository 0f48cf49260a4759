"""Residual belief networks: a plain one weighed against exact facts from the calls.

The plain network sees the 480 bits and has learnt the habits of players; the calls show, by the
file, the conditions on deals. Both predict the log-odds of a card with a player over one in three,
and a small network weighs the two for each player. Its inputs are few: moments of the hidden hands,
1 if all calls are believed, the rarity of the deals. It also predicts the probability that each of
the others has deviated from the file: his hand is not among those that his calls possibly show.
Where its outputs are zeros, the prediction is that of the exact facts alone.

Letters in shapes: `N` positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bidwright.bridge.cards import NUM_CARDS
from bidwright.neural.env.layout import HIDDEN_HANDS, OBSERVATION
from bidwright.neural.exact_facts import EVEN, FACTS, OTHERS
from bidwright.neural.networks import Network, NetworkShape

_HALF = 0.5
_RARELY = -3.0
"""The log-odds of a deviation at initialisation."""


@dataclass(frozen=True, slots=True)
class ResidualShape:
    """The size of a residual belief network.

    Attributes:
        width: neurons of each hidden layer of the plain network.
        depth: hidden layers of the plain network.
        weighing: neurons of each of the two hidden layers of the weighing network.
    """

    width: int = 256
    depth: int = 4
    weighing: int = 32


class ResidualBelief(nn.Module):
    """A plain belief network, which does not learn, with a network that weighs it."""

    def __init__(self, shape: ResidualShape) -> None:
        """Initialise with a random plain network, and equal weights for it and the facts."""
        super().__init__()
        self.shape = shape
        self.plain = Network(NetworkShape(OBSERVATION, HIDDEN_HANDS, shape.width, shape.depth))
        self.plain.requires_grad_(False)
        self.weighing = Network(NetworkShape(FACTS - HIDDEN_HANDS, 3 * OTHERS, shape.weighing, 2))
        with torch.no_grad():
            # Equal halves at the start: neither source is believed more before anything is learnt.
            self.weighing.last.bias.copy_(torch.tensor([-_HALF, _HALF, _RARELY]).repeat(OTHERS))

    @classmethod
    def of(cls, plain: Network, weighing: int) -> ResidualBelief:
        """Return a network of `plain` and the exact facts, with half the weight each."""
        network = cls(ResidualShape(plain.shape.width, plain.shape.depth, weighing))
        network.plain.load_state_dict(plain.state_dict())
        return network

    def forward(self, seen: Tensor, facts: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log-odds of each card, float `[N, 156]`, and of deviations, `[N, 3]`.

        Args:
            seen: `[N, 480]`: the observations of the players in turn.
            facts: `[N, FACTS]`: the exact facts from the calls.
        """
        # The plain network is fixed: with few positions it would overfit at once.
        with torch.no_grad():
            plain = self.plain(seen).float() - EVEN
        # Only moments, belief and rarity are weighed: with all 156 odds it overfits 15,000
        # positions.
        outputs = self.weighing(facts[:, HIDDEN_HANDS:]).float().view(-1, OTHERS, 3, 1)
        less, more, deviated = outputs.unbind(dim=2)
        shown, predicted = (
            # Both sources are log-odds over one in three, so their sum is one again.
            each.view(-1, OTHERS, NUM_CARDS)
            for each in (facts[:, :HIDDEN_HANDS], plain)
        )
        cards = shown + less * shown + more * predicted
        # Outputs of zero leave the exact facts alone.
        return cards.flatten(1) + EVEN, deviated.flatten(1)


def as_shown(facts: Tensor) -> Tensor:
    """Return the log-odds of each card by the exact facts alone, `[N, 156]`."""
    return facts[:, :HIDDEN_HANDS] + EVEN
