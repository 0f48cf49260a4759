"""Training of a residual belief network on positions with exact facts.

At each position it learns the weights of two predictions of the holders of cards, one from the
facts that calls show and one from a plain network, and the probability that each of the others has
deviated from the file.
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
    """The task of a residual belief network; the last auctions are for evaluation only."""

    def __init__(
        self, positions: BeliefPositions, held_out: int, seed: int, device: torch.device
    ) -> None:
        """Hold out the last auctions.

        Raises:
            InvalidError: If that leaves nothing on one side.
        """
        self._positions, self._seed, self._device = positions, seed, device
        self._cut = positions.split(held_out)

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return bits `[N, 636]`, facts `[N, FACTS]` and deviations from the file `[N, 3]`."""
        rng = np.random.default_rng((self._seed, _PURPOSE, step))
        return self._examples(rng.integers(self._cut, size=size))

    def _examples(self, which: NDArray[np.int64]) -> list[Tensor]:
        rows = self._positions.rows[which]
        return [
            torch.from_numpy(np.ascontiguousarray(each))
            for each in (self._positions.seen(which), rows["facts"], rows["departed"])
        ]

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the mean cross-entropy of the holders of cards plus that of deviations."""
        cards, deviations = _losses(network, batch)
        return cards.mean() + deviations.mean()

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return cross-entropies at positions held out, in all and by the length of auctions.

        `held_out_loss` and `loss_from_*` are of the cards; `shown_loss` is that of the facts that
        calls show, `plain_loss` that of the plain network; `departed_loss` is of deviations,
        `departed_share` the share of players who deviate, and `departed_even` the loss of a
        prediction by that share alone.
        """
        assert isinstance(network, ResidualBelief)
        which = np.arange(self._cut, len(self._positions))
        parts = []
        for piece in np.array_split(which, -(-len(which) // _PIECE)):
            batch = [each.to(self._device) for each in self._examples(piece)]
            others = (as_shown(batch[1]), network.plain(batch[0][:, :OBSERVATION]).float())
            losses = (*_losses(network, batch), *(card_losses(each, batch[0]) for each in others))
            parts.append([each.cpu().numpy() for each in losses])
        cards, deviations, shown, plain = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )
        rows = self._positions.rows[which]
        share = float(rows["departed"].mean())
        # The loss of a forecast by the share alone, to compare with.
        even = -sum(each * np.log(max(each, 1e-9)) for each in (share, 1 - share))
        return {
            **by_length(cards, rows["before"]),
            "shown_loss": float(shown.mean()),
            "plain_loss": float(plain.mean()),
            "departed_loss": float(deviations.mean()),
            "departed_share": share,
            "departed_even": float(even),
        }


def _losses(network: nn.Module, batch: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the cross-entropies per card and player, and per deviation, `[N]` each."""
    seen, facts, deviated = batch
    cards, doubts = network(seen[:, :OBSERVATION], facts)
    left = binary_cross_entropy_with_logits(doubts, deviated.float(), reduction="none")
    return card_losses(cards, seen), left.mean(dim=1)
