"""Several processes that train one network, as `torchrun` starts them; one where it does not.

torchrun --nproc-per-node 2 -m bidwright train sl --data sayc.npz --out run
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import distributed, nn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes of a run.

    Attributes:
        rank: which of them this is, from 0.
        size: how many there are.
    """

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes files and shows progress."""
        return self.rank == 0

    def average_gradients(self, network: nn.Module) -> None:
        """Replace the gradients of a network by their means over all processes."""
        if self.size == 1:
            return
        grads = [each.grad for each in network.parameters() if each.grad is not None]
        flat = torch.cat([grad.flatten() for grad in grads])
        distributed.all_reduce(flat)
        flat /= self.size
        start = 0
        for grad in grads:
            grad.copy_(flat[start : start + grad.numel()].view_as(grad))
            start += grad.numel()

    def mean(self, values: torch.Tensor) -> torch.Tensor:
        """Return the mean of a tensor over all processes."""
        if self.size == 1:
            return values
        total = values.clone()
        distributed.all_reduce(total)
        return total / self.size

    def total(self, number: int) -> int:
        """Return the sum of a number over all processes."""
        if self.size == 1:
            return number
        total = torch.tensor(number)
        if distributed.get_backend() == "nccl":
            total = total.cuda()
        distributed.all_reduce(total)
        return int(total)

    def gathered(self, value: T) -> list[T]:
        """Return what all processes have of something, by rank; nothing where one only helps."""
        if self.size == 1:
            return [value]
        found: list[Any] | None = [None] * self.size if self.leads else None
        distributed.gather_object(value, found)
        return found or []

    def agreed(self, value: bool) -> bool:
        """Return what the leading process says: clocks differ."""
        if self.size == 1:
            return value
        said = torch.tensor(value)
        if distributed.get_backend() == "nccl":
            said = said.cuda()
        distributed.broadcast(said, 0)
        return bool(said)

    def share(self, count: int) -> int:
        """Return how many of a number of things this process does."""
        return count // self.size + (self.rank < count % self.size)


@contextmanager
def joined(device: torch.device) -> Iterator[Processes]:
    """Join the other processes of the run, if `torchrun` started this one."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Processes()
        return
    if device.type == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Processes(distributed.get_rank(), size)
    finally:
        distributed.destroy_process_group()
