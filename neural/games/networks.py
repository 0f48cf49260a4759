"""Many small networks of one shape, trained side by side: the seeds are a dimension of tensors."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn


class Networks(nn.Module):
    """`S` networks of fully connected layers with ReLU between them.

    Each weight is one tensor `[S, inputs, outputs]`. Adam updates numbers one by one, so that the
    networks learn as if each were alone, given that the loss is a sum over them.
    """

    def __init__(self, seeds: int, sizes: tuple[int, ...], generator: torch.Generator) -> None:
        """Draw weights as `torch.nn.Linear` does; `generator` is consumed."""
        super().__init__()
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for inputs, outputs in pairwise(sizes):
            bound = inputs**-0.5
            for store, rows in ((self.weights, inputs), (self.biases, 1)):
                drawn = torch.rand(seeds, rows, outputs, generator=generator)
                store.append(nn.Parameter((2 * drawn - 1) * bound))

    def forward(self, seen: Tensor) -> Tensor:
        """Return the outputs `[S, B, outputs]` for inputs `[S, B, inputs]`."""
        last = len(self.weights) - 1
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            seen = torch.baddbmm(bias, seen, weight)
            if k < last:
                seen = torch.relu(seen)
        return seen
