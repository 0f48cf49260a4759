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
        rank: the number of this process, from 0.
        size: the number of processes.
    """

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """True in the process that writes files and shows progress."""
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
        # The backend of GPUs moves only what is on one.
        if distributed.get_backend() == "nccl":
            total = total.cuda()
        distributed.all_reduce(total)
        return int(total)

    def gathered(self, value: T) -> list[T]:
        """Return the values of all processes, by rank, in the leading one; elsewhere nothing."""
        if self.size == 1:
            return [value]
        values: list[Any] | None = [None] * self.size if self.leads else None
        distributed.gather_object(value, values)
        return values or []

    def agreed(self, value: bool) -> bool:
        """Return the leading process's value; by their own clocks processes may differ."""
        if self.size == 1:
            return value
        answer = torch.tensor(value)
        if distributed.get_backend() == "nccl":
            answer = answer.cuda()
        distributed.broadcast(answer, 0)
        return bool(answer)

    def share(self, count: int) -> int:
        """Return this process's share of a number of pieces of work."""
        # The first processes have one more where it does not divide evenly.
        return count // self.size + (self.rank < count % self.size)


@contextmanager
def joined(device: torch.device) -> Iterator[Processes]:
    """Join the other processes of the run, if `torchrun` started this one."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Processes()
        return
    if device.type == "cuda":
        # Each process of a machine uses its own GPU.
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    # gloo works on processors, nccl on GPUs only.
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Processes(distributed.get_rank(), size)
    finally:
        distributed.destroy_process_group()
