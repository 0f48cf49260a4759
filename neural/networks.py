"""Networks: one kind of residual multilayer perceptron for calls, values, cards and tricks."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bidwright.bridge.errors import InvalidError
from bidwright.neural.env.brief import BRIEF, brief
from bidwright.neural.env.layout import OBSERVATION

ENCODINGS = ("full", "brief")


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The size of a network.

    Attributes:
        inputs: numbers that go in.
        outputs: numbers that come out.
        width: neurons of each hidden layer.
        depth: hidden layers, at least one.
        encoding: `full`: what goes in is used as it is; `brief`: of the 480 bits that a player
            sees, the 267 of `env.brief` only.
    """

    inputs: int
    outputs: int
    width: int = 256
    depth: int = 4
    encoding: str = "full"

    def __post_init__(self) -> None:
        """Check that the encoding is known.

        Raises:
            InvalidError: It is not, or it is not for so many numbers.
        """
        if self.encoding not in ENCODINGS:
            raise InvalidError(
                f"expected an encoding ({', '.join(ENCODINGS)}), got {self.encoding!r}"
            )
        if self.encoding == "brief" and self.inputs != OBSERVATION:
            raise InvalidError(f"expected {OBSERVATION} numbers to be brief of, got {self.inputs}")


class Network(nn.Module):
    """Hidden layers, each added to what went into it, and a linear output.

    The hidden part is normalised before each layer but the first, so that deep ones train. The
    output is computed in the precision of the weights, whatever the hidden layers are: what is
    rounded there changes probabilities by several per cent.
    """

    def __init__(self, shape: NetworkShape) -> None:
        """Begin with random weights, the output's small: a new policy is nearly uniform."""
        super().__init__()
        self.shape = shape
        inputs = BRIEF if shape.encoding == "brief" else shape.inputs
        self.first = nn.Linear(inputs, shape.width)
        self.hidden = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(shape.width), nn.Linear(shape.width, shape.width), nn.GELU())
            for _ in range(shape.depth - 1)
        )
        self.norm = nn.LayerNorm(shape.width)
        self.last = nn.Linear(shape.width, shape.outputs)
        with torch.no_grad():
            self.last.weight.mul_(0.1)
            self.last.bias.zero_()

    def forward(self, seen: Tensor) -> Tensor:
        """Return `[N, outputs]` for `[N, inputs]` of any number type."""
        if self.shape.encoding == "brief":
            seen = brief(seen)
        state = nn.functional.gelu(self.first(seen.to(self.first.weight.dtype)))
        for layer in self.hidden:
            state = state + layer(state)
        state = self.norm(state)
        with torch.autocast(state.device.type, enabled=False):
            found: Tensor = self.last(state.to(self.last.weight.dtype))
        return found


_NEVER = -1e9
"""The logarithm that stands for a probability of zero; infinity would spoil gradients."""


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """Return the logarithms of the probabilities of calls, about -1e9 for illegal ones.

    Args:
        logits: `[N, C]`.
        legal: bool `[N, C]`: True where a call is legal.
    """
    return logits.float().masked_fill(~legal, _NEVER).log_softmax(dim=1)


def divergence(log_own: Tensor, log_other: Tensor) -> Tensor:
    """Return `[N]`: the Kullback-Leibler divergence of own from other calls, both log policies."""
    return (log_own.exp() * (log_own - log_other)).sum(dim=1)


def entropy(log_own: Tensor) -> Tensor:
    """Return `[N]`: the entropy of log policies."""
    return -(log_own.exp() * log_own).sum(dim=1)
