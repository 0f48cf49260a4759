"""A network that predicts double-dummy tricks, invariant under permutations of the suits.

Each suit is encoded by itself, with a flag for trumps, and then together with the sum of the
others; so all 24 orders of the suits give the same output, and only the seats have to be learnt.

Letters in shapes: `N` deals, 14 the numbers of tricks from 0 to 13.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bidwright.bridge.cards import HAND_SIZE, SUITS, Denomination, Seat

_HELD = len(Seat) * HAND_SIZE
_RESULTS = HAND_SIZE + 1


@dataclass(frozen=True, slots=True)
class TricksShape:
    """The size of the network.

    Attributes:
        width: neurons of the encoding of a suit.
        depth: layers that combine a suit with the others.
    """

    width: int = 192
    depth: int = 2


class TricksNetwork(nn.Module):
    """A network that predicts the tricks of every declarer in one denomination."""

    def __init__(self, shape: TricksShape) -> None:
        """Initialise the weights at random."""
        super().__init__()
        self.shape = shape
        width = shape.width
        self.suit = nn.Sequential(nn.Linear(_HELD + 2, width), nn.GELU(), nn.Linear(width, width))
        self.looks = nn.ModuleList(
            nn.Sequential(nn.Linear(2 * width + 2, width), nn.GELU(), nn.Linear(width, width))
            for _ in range(shape.depth)
        )
        self.last = nn.Sequential(
            nn.LayerNorm(2 * width),
            nn.Linear(2 * width, 2 * width),
            nn.GELU(),
            nn.Linear(2 * width, len(Seat) * _RESULTS),
        )

    def forward(self, owner: Tensor, denomination: Tensor) -> Tensor:
        """Return logits `[N, 4, 14]` of each declarer's tricks.

        Args:
            owner: `[N, 52]`: the seat of each card.
            denomination: `[N]`: trumps, or 4 for notrump.
        """
        dtype = next(self.parameters()).dtype
        held = nn.functional.one_hot(owner.long().view(-1, len(SUITS), HAND_SIZE), len(Seat))
        # One row of a suit: the cards of each seat, in the order of seats.
        cards = held.permute(0, 1, 3, 2).flatten(2).to(dtype)
        notrump = denomination == Denomination.NOTRUMP
        suits = torch.arange(len(SUITS), device=owner.device)
        trumps = (denomination[:, None] == suits).to(dtype)
        flags = torch.stack((trumps, notrump[:, None].expand(-1, len(SUITS)).to(dtype)), dim=2)
        encoded = self.suit(torch.cat((cards, flags), dim=2))
        for look in self.looks:
            # The sum of the other suits does not depend on their order.
            others = encoded.sum(dim=1, keepdim=True) - encoded
            encoded = encoded + look(torch.cat((encoded, others, flags), dim=2))
        # Trumps are summed by themselves as well: the sum alone would not say which suit they are.
        summary = torch.cat((encoded.sum(dim=1), (encoded * flags[:, :, :1]).sum(dim=1)), dim=1)
        logits: Tensor = self.last(summary)
        return logits.view(-1, len(Seat), _RESULTS)


def tricks_probabilities(network: TricksNetwork, owner: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the probability of each number of tricks, float32 `[N, 5, 4, 14]`.

    Axes 1 and 2 are denomination and declarer. The four ways to turn the table are averaged.
    """
    device = next(network.parameters()).device
    cards = torch.from_numpy(owner).to(device).long()
    total = torch.zeros(len(owner), len(Denomination), len(Seat), _RESULTS, device=device)
    with torch.no_grad():
        # Only the seats have to be learnt, so turning the table averages errors out.
        for turn in range(len(Seat)):
            turned = (cards + turn) % len(Seat)
            for denomination in range(len(Denomination)):
                asked = torch.full((len(owner),), denomination, device=device)
                chances = network(turned, asked).float().softmax(dim=2)
                # The result of a turned table is turned back.
                total[:, denomination] += chances.roll(-turn, 1) / len(Seat)
    return np.asarray(total.cpu().numpy())
