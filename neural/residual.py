"""Residual belief networks: a plain one weighed against what the calls show, exactly.

The plain network sees the 480 bits and knows how people bid; the calls show, by the file, what a
deal must fit. Where both say how much likelier than one in three a card is with a player, in
log-odds, a small network decides how far each is believed of him. It sees what is short and sound:
moments of the hidden hands, whether all calls are believed, how rare the deals are. It also says
how likely each of the others has departed from the file: his hand is not among those that his
calls possibly show. Where it says zeros, the cards are where the calls show them, exactly.

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
"""The log-odds of a departure before anything is learnt."""


@dataclass(frozen=True, slots=True)
class ResidualShape:
    """The size of a residual belief network.

    Attributes:
        width: neurons of each hidden layer of the plain network.
        depth: its hidden layers.
        weighing: neurons of each of the two hidden layers that weigh it.
    """

    width: int = 256
    depth: int = 4
    weighing: int = 32


class ResidualBelief(nn.Module):
    """A plain belief network, which is not changed, and what weighs it."""

    def __init__(self, shape: ResidualShape) -> None:
        """Believe a plain network of random weights half, and what the calls show half."""
        super().__init__()
        self.shape = shape
        self.plain = Network(NetworkShape(OBSERVATION, HIDDEN_HANDS, shape.width, shape.depth))
        self.plain.requires_grad_(False)
        self.weighing = Network(NetworkShape(FACTS - HIDDEN_HANDS, 3 * OTHERS, shape.weighing, 2))
        with torch.no_grad():
            self.weighing.last.bias.copy_(torch.tensor([-_HALF, _HALF, _RARELY]).repeat(OTHERS))

    @classmethod
    def of(cls, plain: Network, weighing: int) -> ResidualBelief:
        """Return what believes a plain network half, and what the calls show half."""
        found = cls(ResidualShape(plain.shape.width, plain.shape.depth, weighing))
        found.plain.load_state_dict(plain.state_dict())
        return found

    def forward(self, seen: Tensor, facts: Tensor) -> tuple[Tensor, Tensor]:
        """Return float `[N, 156]`, the log-odds of each card, and `[N, 3]`, those of departures.

        Args:
            seen: `[N, 480]`: what the players in turn see.
            facts: `[N, FACTS]`: what the calls show them.
        """
        with torch.no_grad():
            plain = self.plain(seen).float() - EVEN
        said = self.weighing(facts[:, HIDDEN_HANDS:]).float().view(-1, OTHERS, 3, 1)
        less, more, departed = said.unbind(dim=2)
        shown, foretold = (
            each.view(-1, OTHERS, NUM_CARDS) for each in (facts[:, :HIDDEN_HANDS], plain)
        )
        cards = shown + less * shown + more * foretold
        return cards.flatten(1) + EVEN, departed.flatten(1)


def as_shown(facts: Tensor) -> Tensor:
    """Return `[N, 156]`: the log-odds of each card by what the calls show alone."""
    return facts[:, :HIDDEN_HANDS] + EVEN
