"""Solver functions run on parts of arrays, here or in several processes."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.errors import BidwrightError

T = TypeVar("T", bound=np.generic)

_AHEAD = 3
"""Parts handed out for each process."""


class SolverError(BidwrightError, RuntimeError):
    """A process of the solver died."""


class Pool:
    """Processes that solve; with one job, this process does it itself."""

    def __init__(self, jobs: int) -> None:
        """Prepare for so many processes; they are started when there is enough for them to do."""
        self._jobs = jobs
        self._executor: ProcessPoolExecutor | None = None

    def run(
        self,
        function: Callable[..., NDArray[T]],
        arrays: tuple[NDArray[Any], ...],
        size: int,
    ) -> Generator[tuple[slice, NDArray[T]]]:
        """Yield results for parts of the arrays, at most `size` rows each, as they come.

        Raises:
            SolverError: If a process died.
        """
        count = len(arrays[0])
        if self._jobs > 1:
            size = max(1, min(size, -(-count // self._jobs)))
        parts = [slice(start, min(start + size, count)) for start in range(0, count, size)]
        if self._jobs == 1 or len(parts) < 2:
            for part in parts:
                yield part, function(*(array[part] for array in arrays))
            return
        try:
            yield from self._spread(function, arrays, parts)
        except BrokenProcessPool:
            self.close()
            raise SolverError(
                "a process of the double-dummy solver died; what was solved before is kept"
            ) from None

    def _spread(
        self,
        function: Callable[..., NDArray[T]],
        arrays: tuple[NDArray[Any], ...],
        parts: list[slice],
    ) -> Generator[tuple[slice, NDArray[T]]]:
        if self._executor is None:
            # Fresh processes, not forks: the solver's threads do not survive a fork.
            self._executor = ProcessPoolExecutor(
                self._jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts
            )
        running: dict[Future[NDArray[T]], slice] = {}
        waiting = iter(parts)
        try:
            while True:
                while len(running) < _AHEAD * self._jobs:
                    part = next(waiting, None)
                    if part is None:
                        break
                    task = self._executor.submit(function, *(array[part] for array in arrays))
                    running[task] = part
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
        finally:
            for task in running:
                task.cancel()

    def close(self) -> None:
        """End the processes, once they have solved what they are at."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
