"""Solver functions run on parts of arrays, here or in several processes."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.errors import BidwrightError
from bidwright.runtime.crew import Crew, Pieces

T = TypeVar("T", bound=np.generic)

_Task = tuple[Callable[..., NDArray[Any]], tuple[NDArray[Any], ...]]


class SolverError(BidwrightError, RuntimeError):
    """A process of the solver died."""


class Pool:
    """Processes that solve; with one job, this process does it itself."""

    def __init__(self, jobs: int) -> None:
        """Prepare for so many processes; they are started when there is enough for them to do."""
        self._jobs = jobs
        self._workers: Pieces[_Task, NDArray[Any]] = Pieces(
            Crew(jobs), _solver, (), SolverError, "what was solved before is kept"
        )

    def run(
        self,
        function: Callable[..., NDArray[T]],
        arrays: tuple[NDArray[Any], ...],
        size: int,
    ) -> Generator[tuple[slice, NDArray[T]]]:
        """Yield results for parts of the arrays, at most `size` rows each, in their order.

        Raises:
            SolverError: If a process died.
        """
        count = len(arrays[0])
        if self._jobs > 1:
            # Small inputs are cut finer, so that no process stays idle.
            size = max(1, min(size, -(-count // self._jobs)))
        parts = [slice(start, min(start + size, count)) for start in range(0, count, size)]
        # Processes cost more to start than one part takes.
        if self._jobs == 1 or len(parts) < 2:
            for part in parts:
                yield part, function(*(array[part] for array in arrays))
            return
        tasks = ((function, tuple(array[part] for array in arrays)) for part in parts)
        with closing(self._workers.results(tasks)) as results:
            yield from zip(parts, results, strict=True)

    def close(self) -> None:
        """End the processes."""
        self._workers.close()


def _solver() -> Callable[[_Task], NDArray[Any]]:
    """Return the work of a process, which calls a function on its arrays."""

    def solve(task: _Task) -> NDArray[Any]:
        function, arrays = task
        return function(*arrays)

    return solve
