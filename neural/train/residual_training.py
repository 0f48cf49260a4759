"""Training a residual belief network on positions whose exact facts are known.

Of each position it learns how far to believe what the calls show and what a plain network says of
who holds which card, and which of the others has departed from the file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from bidwright.neural.data.belief_positions import BeliefPositions
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.residual import ResidualBelief, as_shown
from bidwright.neural.train.belief_measures import by_length, card_losses

_PURPOSE = 10
_PIECE = 8192


class ResidualTask:
    """Positions to learn from; the last auctions are only looked at."""

    def __init__(
        self, positions: BeliefPositions, held_out: int, seed: int, device: torch.device
    ) -> None:
        """Keep the last auctions back.

        Raises:
            InvalidError: If that leaves nothing on one side.
        """
        self._positions, self._seed, self._device = positions, seed, device
        self._cut = positions.split(held_out)

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return bits `[N, 636]`, facts `[N, FACTS]` and departures `[N, 3]`."""
        rng = np.random.default_rng((self._seed, _PURPOSE, step))
        return self._examples(rng.integers(self._cut, size=size))

    def _examples(self, which: NDArray[np.int64]) -> list[Tensor]:
        rows = self._positions.rows[which]
        return [
            torch.from_numpy(np.ascontiguousarray(each))
            for each in (self._positions.seen(which), rows["facts"], rows["departed"])
        ]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of who holds each card, and of a departure."""
        cards, departed = _losses(network, batch)
        return cards.mean() + departed.mean()

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return cross-entropies at positions held out, in all and by the length of auctions.

        `held_out_loss` and `loss_from_*` are of the cards; `shown_loss` is of what the calls show,
        `plain_loss` of what the plain network says; `departed_loss` is of departures,
        `departed_share` how many there are, and `departed_even` what somebody has who knows no more
        than their share.
        """
        assert isinstance(network, ResidualBelief)
        which = np.arange(self._cut, len(self._positions))
        parts = []
        for piece in np.array_split(which, -(-len(which) // _PIECE)):
            batch = [each.to(self._device) for each in self._examples(piece)]
            others = (as_shown(batch[1]), network.plain(batch[0][:, :OBSERVATION]).float())
            found = (*_losses(network, batch), *(card_losses(each, batch[0]) for each in others))
            parts.append([each.cpu().numpy() for each in found])
        cards, departed, shown, plain = (np.concatenate(each) for each in zip(*parts, strict=True))
        rows = self._positions.rows[which]
        share = float(rows["departed"].mean())
        even = -sum(each * np.log(max(each, 1e-9)) for each in (share, 1 - share))
        return {
            **by_length(cards, rows["before"]),
            "shown_loss": float(shown.mean()),
            "plain_loss": float(plain.mean()),
            "departed_loss": float(departed.mean()),
            "departed_share": share,
            "departed_even": float(even),
        }


def _losses(network: nn.Module, batch: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return `[N]` each: the cross-entropy per card and player, and per departure."""
    seen, facts, departed = batch
    cards, doubts = network(seen[:, :OBSERVATION], facts)
    left = binary_cross_entropy_with_logits(doubts, departed.float(), reduction="none")
    return card_losses(cards, seen), left.mean(dim=1)
