"""Settings of A2C and BAD."""

from __future__ import annotations

from dataclasses import dataclass

ENTROPY = {"a2c": 0.001, "bad": 0.02}
"""The coefficient of entropy of each learner, unless its method names another. With 0.02 A2C stays
near chance in `comm-5`: along a game twenty times a nat is more than a random policy earns."""


@dataclass(frozen=True)
class Settings:
    """Epochs and minibatches are the paper's; it does not tell the others.

    Attributes:
        epochs: The number of measurements of the policy, the best of which is kept.
        minibatches: Updates of an epoch.
        batch: Games of a minibatch.
        rate: Learning rate of Adam.
        entropy: Coefficient of a nat of entropy, as a share of the largest payoff, at the
            beginning; falls to 0 over the epochs.
        critic: Weight of the loss of the predicted payoff.
    """

    epochs: int = 100
    minibatches: int = 1000
    batch: int = 32
    rate: float = 1e-3
    entropy: float = 0.02
    critic: float = 0.5
