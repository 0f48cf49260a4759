"""How long and how A2C and BAD learn; without torch, so that results can be read without it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Epochs and minibatches are the paper's; it does not tell the others.

    Attributes:
        epochs: How often the policy is measured, and the best kept.
        minibatches: Updates of an epoch.
        batch: Games of a minibatch.
        rate: Learning rate of Adam.
        entropy: Worth of a nat of entropy, as a share of the largest payoff, at the beginning;
            falls to nothing over the epochs.
        critic: Weight of the loss of what is expected.
    """

    epochs: int = 100
    minibatches: int = 1000
    batch: int = 32
    rate: float = 1e-3
    entropy: float = 0.02
    critic: float = 0.5
