"""Work in several processes: results in the order of the items, nothing left behind.

Workers are started afresh, not forked: threads and solvers do not survive a fork. Each has a pipe
of its own and ends when the pipe does, so that no worker outlives a run that is killed. Workers
ignore SIGINT; the process that started them ends them.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from bidwright.bridge.errors import BidwrightError
from bidwright.runtime.garbage import collect_rarely

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 3
"""Results that may be finished before one that comes first, for each worker."""

_PATIENCE = 0.5
"""Seconds that workers get to end by themselves, all together."""

KEPT = "what was done before is kept"


class WorkerError(BidwrightError):
    """A worker process failed, or died."""


class Workers(Generic[Item, Result]):
    """Processes that do the same work, each on one item at a time.

    A process starts with the first item that it is given, also after `close`.
    """

    def __init__(
        self,
        prepare: Callable[..., Callable[[Item], Result]],
        arguments: tuple[Any, ...],
        jobs: int,
        error: type[BidwrightError] = WorkerError,
        kept: str = KEPT,
    ) -> None:
        """Choose the work.

        Args:
            prepare: a function of a module, so that other processes find it. It is called with
                the arguments once in each process, before the first item, and returns the function
                that does the work. If that has a method `close`, it is called at the end.
            arguments: what `prepare` needs; it must be possible to pickle them, and the items.
            jobs: the number of processes.
            error: what is raised when the work raises a `BidwrightError`, with its message, or
                when a process dies.
            kept: what the message about a process that died says of the results until then.
        """
        self._prepare, self._arguments, self._jobs = prepare, arguments, jobs
        self._error, self._kept = error, kept
        self._pipes: dict[int, Connection] = {}
        self._processes: dict[int, SpawnProcess] = {}
        self._busy: set[int] = set()

    def __len__(self) -> int:
        """Return the number of processes."""
        return self._jobs

    def idle(self) -> list[int]:
        """Return the numbers of the workers that have no item."""
        return [number for number in range(self._jobs) if number not in self._busy]

    def send(self, worker: int, item: Item) -> None:
        """Give an item to a worker that has none, by the worker's number."""
        if worker not in self._processes:
            self._start(worker)
        with suppress(OSError):  # it died; `receive` reports it
            self._pipes[worker].send(item)
        self._busy.add(worker)

    def receive(self) -> list[tuple[int, Result]]:
        """Wait for results; return those there are, each with the number of its worker.

        Raises:
            BidwrightError: Of the type `error`: the work failed, or a process died.
        """
        numbers = {self._pipes[number]: number for number in self._busy}
        ready = [numbers[pipe] for pipe in wait(list(numbers)) if isinstance(pipe, Connection)]
        self._busy -= set(ready)
        return [(number, self._receive(number)) for number in sorted(ready)]

    def in_order(self, items: Iterable[Item]) -> Generator[Result]:
        """Yield the result of each item, in the order of the items.

        The processes stay for further items; they end if the generator is closed early.

        Raises:
            BidwrightError: Of the type `error`: the work failed, or a process died.
        """
        left = enumerate(items)
        finished: dict[int, Result] = {}
        item_of: dict[int, int] = {}
        first, more = 0, True
        try:
            while True:
                for worker in self.idle() if more else ():
                    if len(finished) > _AHEAD * self._jobs:
                        break
                    entry = next(left, None)
                    if entry is None:
                        more = False
                        break
                    item_of[worker] = entry[0]
                    self.send(worker, entry[1])
                while first in finished:
                    yield finished.pop(first)
                    first += 1
                if item_of:
                    for worker, result in self.receive():
                        finished[item_of.pop(worker)] = result
                elif not more and not finished:
                    return
        finally:
            if item_of:
                self.close()

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for pipe in self._pipes.values():
            pipe.close()
        deadline = time.monotonic() + _PATIENCE
        for process in self._processes.values():
            process.join(timeout=max(0.0, deadline - time.monotonic()))
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join()
        self._pipes, self._processes, self._busy = {}, {}, set()

    def _start(self, worker: int) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        arguments = (theirs, self._prepare, self._arguments)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        theirs.close()
        self._pipes[worker], self._processes[worker] = ours, process

    def _receive(self, worker: int) -> Result:
        try:
            failed, result = self._pipes[worker].recv()
        except (EOFError, OSError):
            process = self._processes[worker]
            process.join(timeout=2)
            raise self._error(
                f"a worker process died (exit status {process.exitcode}); {self._kept}"
            ) from None
        if failed:
            raise self._error(result)
        value: Result = result
        return value


def in_order(
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    items: Iterable[Item],
    jobs: int = 1,
    error: type[BidwrightError] = WorkerError,
    kept: str = KEPT,
) -> Generator[Result]:
    """Yield the result of each item, in the order of the items.

    Args:
        prepare: as for `Workers`; with one process it may be any function.
        arguments: what `prepare` needs.
        items: what is worked on.
        jobs: the number of processes; with one, the work is done in this one.
        error: as for `Workers`.
        kept: as for `Workers`.

    Raises:
        BidwrightError: The work failed. With several processes it is of the type `error`, as it is
            if a process died, perhaps for want of memory.
    """
    if jobs == 1:
        work = prepare(*arguments)
        try:
            yield from map(work, items)
        finally:
            close(work)
        return
    workers = Workers(prepare, arguments, jobs, error, kept)
    try:
        yield from workers.in_order(items)
    finally:
        workers.close()


def close(work: object) -> None:
    """End what `prepare` returned, if it can be ended."""
    close = getattr(work, "close", None)
    if close is not None:
        close()


def _serve(
    pipe: Connection, prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]
) -> None:
    """Work until the pipe ends; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    work: Callable[[Any], Any] | None = None
    try:
        while True:
            item = pipe.recv()
            try:
                work = work or prepare(*arguments)
                pipe.send((False, work(item)))
            except BidwrightError as error:
                pipe.send((True, str(error)))
    except (EOFError, OSError):
        pass  # the other end is closed
    finally:
        close(work)
