"""Measures of belief networks: the cross-entropy of the holders of cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS
from bidwright.neural.env.layout import HAND, OBSERVATION

LENGTHS = (0, 4, 8, 12)
"""The first number of calls before a position of each group of measurements."""

_UNKNOWN = 3 * (NUM_CARDS - HAND_SIZE)
"""Cards not in the own hand, times the players who may hold them."""


def card_losses(logits: Tensor, seen: Tensor) -> Tensor:
    """Return the cross-entropy `[N]` per card not in the own hand and other player, in nats.

    Args:
        logits: `[N, 156]`: the log-odds that each of the other players holds each card.
        seen: `[N, 636]`: the positions, with all hands.
    """
    true = seen[:, OBSERVATION:].float()
    unknown = (1 - seen[:, HAND:OBSERVATION].float()).repeat(1, 3)
    lost = binary_cross_entropy_with_logits(logits, true, reduction="none") * unknown
    return lost.sum(dim=1) / _UNKNOWN


def by_length(losses: NDArray[np.floating], before: NDArray[np.integer]) -> dict[str, float]:
    """Return the mean loss, in all and by the number of calls before each position."""
    group = np.searchsorted(LENGTHS, before, side="right") - 1
    numbers = {"held_out_loss": float(losses.mean()), "positions": len(losses)}
    for index, start in enumerate(LENGTHS):
        if (group == index).any():
            numbers[f"loss_from_{start}"] = float(losses[group == index].mean())
    return numbers
