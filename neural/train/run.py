"""A run's folder: configuration, checkpoint, curves; it can be resumed after an interruption.

`config.yaml` has the settings, `checkpoint.pt` the state of the run, `log.jsonl` the curve (one
line of numbers a step), beside TensorBoard's files. A resumed run drops the lines that were logged
after its checkpoint and logs the same again: all randomness comes from the seed and the step.
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from io import BytesIO
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.regular_files import GIB, check_regular, read_regular, read_regular_text
from bidwright.bridge.text_files import MOST_BYTES, parse_json
from bidwright.neural.train.config import RunConfig, to_yaml
from bidwright.neural.train.distributed import Processes
from bidwright.runtime.files import locked, reason_of, replacing_bytes, write_text
from bidwright.runtime.journal import Journal

C = TypeVar("C", bound=RunConfig)

_MOST_CHECKPOINT = 64 * GIB
"""Bytes of a checkpoint."""


class Run:
    """A training run on disk.

    Attributes:
        folder: the folder of its files.
        config: the settings.
        resumed: the state of the checkpoint to resume from, None at the beginning.
    """

    def __init__(self, folder: Path, config: RunConfig, *, writes: bool = True) -> None:
        """Open a run's folder, or make it.

        Args:
            folder: the folder of the run.
            config: the settings.
            writes: False in processes other than the leading one.

        Raises:
            InvalidError: If another run is there, or its checkpoint is damaged.
        """
        self.folder, self.config, self._writes = folder, config, writes
        self._last = time.monotonic()
        self._board: Any = None
        self._log: Journal | None = None
        self._open = ExitStack()
        text, file = to_yaml(config), folder / "config.yaml"
        try:
            is_other = file.exists() and read_regular(file, MOST_BYTES) != text.encode()
        except OSError as error:
            raise InvalidError(f"cannot read {file}: {reason_of(error)}") from None
        # Another configuration would make another run of the same name.
        if is_other:
            raise InvalidError(f"'{folder}' holds a run of another configuration; name another")
        self.resumed = self._read_checkpoint()
        if not writes:
            return
        # Written under the lock, so that two runs cannot begin in one folder.
        with locked(folder):
            write_text(file, text)

    def __enter__(self) -> Run:
        """Begin to write curves, with the folder locked against other processes.

        Raises:
            InvalidError: Another process is writing there, or nothing can be written.
        """
        if self._writes:
            from torch.utils.tensorboard import SummaryWriter

            self._open.enter_context(locked(self.folder))
            start = 0 if self.resumed is None else int(self.resumed["step"]) + 1
            # Lines after the checkpoint are logged again when their steps are repeated.
            self._rewind(start - 1)
            log = Journal(self.folder / "log.jsonl", b"", "the curves of a run")
            self._log = self._open.enter_context(log)
            self._board = SummaryWriter(str(self.folder), purge_step=start)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the writing of curves."""
        with self._open:
            if self._board is not None:
                self._board.close()

    def log(self, step: int, numbers: dict[str, float]) -> None:
        """Add the numbers of a step to the curves."""
        if self._log is None:
            return
        self._log.add(json.dumps({"step": step, **numbers}).encode() + b"\n")
        for name, number in numbers.items():
            self._board.add_scalar(name, number, step)

    def curve(self) -> list[dict[str, float]]:
        """Return the logged numbers, by step."""
        path = self.folder / "log.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in read_regular_text(path, MOST_BYTES).splitlines()]

    def asked(self, config: RunConfig) -> dict[str, object]:
        """Return a configuration for a card; of files only their names, not where they are."""
        return {
            key: [" ".join(map(_unplaced, each.split(" "))) for each in value]
            if isinstance(value, tuple) and value and isinstance(value[0], str)
            else _unplaced(value)
            for key, value in asdict(config).items()
        }

    def is_due(self, processes: Processes) -> bool:
        """Return True if a checkpoint is due, the same in all processes."""
        waited = time.monotonic() - self._last > 60 * self.config.checkpoint_minutes
        # One process decides: clocks differ, and all have to save after the same step.
        return processes.agreed(waited)

    def save(self, step: int, state: Mapping[str, object]) -> None:
        """Write a checkpoint after a step, all at once."""
        self._last = time.monotonic()
        if not self._writes:
            return
        content = BytesIO()  # the archive's writer hides why it fails
        torch.save({"step": step, **state}, content)
        # Written whole and then renamed: a kill must not leave half a checkpoint.
        with replacing_bytes(self._checkpoint) as file:
            file.write(content.getbuffer())

    def _read_checkpoint(self) -> UncheckedObject | None:
        if not self._checkpoint.exists():
            return None
        with self.restoring():
            check_regular(self._checkpoint, _MOST_CHECKPOINT)
            # Only tensors and plain values are read: a checkpoint may come from anybody.
            state = torch.load(self._checkpoint, map_location="cpu", weights_only=True)
            return {**state, "step": int(state["step"])}

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    @contextmanager
    def restoring(self) -> Iterator[None]:
        """Report any error of the `with` block as damage of the checkpoint.

        Raises:
            InvalidError: The file cannot be read, or an entry of it is missing or of another kind.
        """
        try:
            yield
        except Exception as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            message = reason.splitlines()[0][:100] if reason else type(error).__name__
            raise InvalidError(
                f"the checkpoint '{self._checkpoint}' is damaged: {message}; "
                "without it the run begins again"
            ) from None

    def _rewind(self, step: int) -> None:
        """Drop the lines logged after a step, and a last line that was cut short."""
        path = self.folder / "log.jsonl"
        if not path.exists():
            return
        try:
            lines = read_regular_text(path, MOST_BYTES).splitlines(keepends=True)
            # A last line that was cut short is dropped.
            whole = [line for line in lines if line.endswith("\n")]
            lines_kept = [line for line in whole if parse_json(line)["step"] <= step]
        except (OSError, ValueError, KeyError, TypeError):
            raise InvalidError(
                f"expected the curve of a run in '{path}', a line of numbers for each step; "
                "it is damaged, remove it to go on without what it holds"
            ) from None
        write_text(path, "".join(lines_kept))


def _unplaced(value: Any) -> Any:  # noqa: ANN401 - any setting
    """Return a setting, of a file only its name; of `WEIGHTS as SYSTEM`, of both."""
    if not isinstance(value, str):
        return value
    parts = (Path(each).name if "/" in each else each for each in value.split(" as "))
    return " as ".join(parts)


@contextmanager
def interrupted_between_steps(processes: Processes) -> Iterator[Callable[[], bool]]:
    """Delay Ctrl-C to the end of a step, so that a checkpoint is always one between two steps.

    A second Ctrl-C does not wait. Yields a function that returns True if the run is to stop.
    """
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        # A second Ctrl-C does not wait for the step.
        if asked:
            raise KeyboardInterrupt
        asked = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # signals go to the main thread
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: processes.agreed(asked)
    finally:
        signal.signal(signal.SIGINT, before)


def device_of(config: RunConfig) -> torch.device:
    """Return the device to compute on.

    Raises:
        InvalidError: If there is no such device.
    """
    name = config.device
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=name).item()  # on `meta`, which computes nothing, there is no number
    except (RuntimeError, AssertionError):
        raise InvalidError(f"expected a device of this machine, got {name!r}") from None
    return torch.device(name)


def check_learnt(network: nn.Module) -> None:
    """Check that the parameters of a network are finite.

    Raises:
        InvalidError: Some are infinite or NaN, so nothing could open them as weights.
    """
    if not all(bool(each.isfinite().all()) for each in network.parameters()):
        raise InvalidError(
            "the network has no numbers any more, some are infinite or NaN: learn more slowly "
            "(learning_rate, policy_rate), in another folder"
        )


def computes_bf16(device: torch.device) -> bool:
    """Return True if a device has instructions for bfloat16; without, it is forty times slower."""
    if device.type != "cpu":
        return True
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    # Private functions of torch: where they are missing the answer is no.
    asks: list[Callable[[], bool]] = [getattr(torch.cpu, each, bool) for each in names]
    return any(ask() for ask in asks)


def suited(config: C, device: torch.device) -> C:
    """Return a configuration with bfloat16 only where the device computes with it."""
    return replace(config, bf16=config.bf16 and computes_bf16(device))


def numpy_rng(config: RunConfig, purpose: int, step: int) -> np.random.Generator:
    """Return the generator of a purpose at a step; the same again after a resumption."""
    # Three numbers make a generator: nothing depends on what was drawn before a resumption.
    return np.random.default_rng((config.seed, purpose, step))


def torch_rng(
    config: RunConfig, purpose: int, step: int, device: torch.device | str = "cpu"
) -> torch.Generator:
    """Return the generator of a purpose at a step; the same again after a resumption."""
    seed = int(numpy_rng(config, purpose, step).integers(2**62))
    # By way of NumPy, so that neighbouring steps have unrelated seeds.
    return torch.Generator(device).manual_seed(seed)
