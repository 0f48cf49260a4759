"""The loop of supervised training, shared by policies, beliefs, allowed calls and tricks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypedDict

import torch
from torch import Tensor, nn

from bidwright.neural.train.config import RunConfig
from bidwright.neural.train.distributed import Processes, joined
from bidwright.neural.train.run import (
    Run,
    check_learnt,
    device_of,
    interrupted_between_steps,
    numpy_rng,
    suited,
)
from bidwright.neural.weights import AnyNetwork, CardEntries, FitCard, save_weights


@dataclass(frozen=True)
class FitConfig(RunConfig):
    """The settings of supervised training.

    Attributes:
        steps: batches to learn from.
        batch: examples in a batch, of all processes together.
        learning_rate: the highest learning rate of AdamW.
        warmup: steps until it is reached; then it falls along a cosine.
        rate_at_end: the share of it that is left at the end.
        weight_decay: the weight decay of AdamW.
        evaluate_every: steps between two evaluations on examples held out.
    """

    steps: int = 20_000
    batch: int = 512
    learning_rate: float = 1e-3
    warmup: int = 200
    rate_at_end: float = 0.01
    weight_decay: float = 0.01
    evaluate_every: int = 1000


class Task(Protocol):
    """A task to learn from examples."""

    def batch(self, step: int, size: int) -> Sequence[Tensor]:
        """Return the examples of a step, the same at each call."""
        ...

    def loss(self, network: nn.Module, batch: Sequence[Tensor]) -> Tensor:
        """Return the loss of a network on examples, a number."""
        ...

    def measure(self, network: nn.Module) -> dict[str, float]:
        """Return measurements of a network on examples held out, by name."""
        ...


class FitState(TypedDict):
    """All that changes while a network is fitted, for a checkpoint."""

    network: dict[str, Tensor]
    optimiser: dict[str, object]
    measured: dict[str, float]


Show = Callable[[int, str], None]

_FORGOTTEN = 1000
"""The purpose of the random numbers that networks draw, at each step and in each process."""


def train_by_examples(
    weights: Path,
    config: FitConfig,
    kind: str,
    begin: Callable[[torch.device], tuple[AnyNetwork, Task]],
    origin: CardEntries,
    command: str,
    show: Show,
    finish: Callable[[AnyNetwork], None] | None = None,
) -> FitCard:
    """Train a network in a run's folder; write its weights there and return their card.

    Args:
        weights: the file to write. Its folder is the run's; a checkpoint there is resumed.
        config: the settings of the run.
        kind: the kind of the network, as `save_weights` takes it.
        begin: makes the new network and its task on a device.
        origin: the entries of the card about the examples.
        command: the command of the user, for the card.
        show: called with the step and a line of progress.
        finish: changes the network at the end.

    Raises:
        InvalidError: If the folder cannot be used, `begin` says so, or learning went astray.
    """
    device = device_of(config)
    used = suited(config, device)
    torch.set_num_threads(config.threads)
    with joined(device) as processes:
        # Every process begins with the same network.
        torch.manual_seed(config.seed)
        network, task = begin(device)
        with Run(weights.parent, config, writes=processes.leads) as run:
            measured = fit(run, used, task, network, device, processes, show)
            check_learnt(network)
            if finish is not None:
                finish(network)
                # Measured again: the numbers on file are those of the network on file.
                measured = _measure(task, network)
            card: FitCard = {
                "config": run.asked(used),
                **origin,
                "measured": measured,
                "command": command,
            }
        if processes.leads:
            save_weights(weights, network, kind, card)
    return card


def fit(
    run: Run,
    config: FitConfig,
    task: Task,
    network: nn.Module,
    device: torch.device,
    processes: Processes,
    show: Show,
) -> dict[str, float]:
    """Train a network, from the run's checkpoint if there is one; return the last measurement.

    Interrupted (Ctrl-C), it ends its step and writes a checkpoint first.
    """
    network.to(device)
    optimiser = torch.optim.AdamW(
        network.parameters(),
        config.learning_rate,
        weight_decay=config.weight_decay,
        fused=True,
    )
    step, measured = 0, {}
    if run.resumed is not None:
        with run.restoring():
            network.load_state_dict(run.resumed["network"])
            optimiser.load_state_dict(run.resumed["optimiser"])
            step, measured = run.resumed["step"], dict(run.resumed["measured"])

    def state() -> FitState:
        return {
            "network": network.state_dict(),
            "optimiser": optimiser.state_dict(),
            "measured": measured,
        }

    with interrupted_between_steps(processes) as stopped:
        while step < config.steps:
            for group in optimiser.param_groups:
                group["lr"] = _rate(config, step)
            loss = _learn(config, task, network, optimiser, processes, step, device)
            step += 1
            if step % config.evaluate_every == 0 or step == config.steps:
                measured = _measure(task, network)
                run.log(step, {"loss": float(processes.mean(loss)), **measured})
            if step % 20 == 0:
                show(step, f"loss {float(loss):.3f}")
            if run.is_due(processes):
                run.save(step, state())
            if stopped():
                run.save(step, state())
                raise KeyboardInterrupt
    run.save(step, state())
    return measured


def _learn(
    config: FitConfig,
    task: Task,
    network: nn.Module,
    optimiser: torch.optim.Optimizer,
    processes: Processes,
    step: int,
    device: torch.device,
) -> Tensor:
    # Hidden positions of card vectors are drawn from here: the same again after a resumption.
    torch.manual_seed(int(numpy_rng(config, _FORGOTTEN + processes.rank, step).integers(2**62)))
    # Every process takes other examples of the same batch.
    batch = [each[processes.rank :: processes.size] for each in task.batch(step, config.batch)]
    with torch.autocast(device.type, torch.bfloat16, enabled=config.bf16):
        loss = task.loss(network, [each.to(device) for each in batch])
    optimiser.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    processes.average_gradients(network)
    # A norm of 1: single odd batches must not throw the network far.
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    return loss.detach()


def _measure(task: Task, network: nn.Module) -> dict[str, float]:
    network.eval()
    with torch.inference_mode():
        measured = task.measure(network)
    network.train()
    return measured


def _rate(config: FitConfig, step: int) -> float:
    if step < config.warmup:
        # Rising at first: Adam's averages are poor in the first steps.
        return config.learning_rate * (step + 1) / config.warmup
    done = (step - config.warmup) / max(1, config.steps - config.warmup)
    end = config.rate_at_end
    return config.learning_rate * (end + (1 - end) * 0.5 * (1 + math.cos(math.pi * done)))
