"""Work in several processes: results in the order of the items, nothing left behind.

Workers are started afresh, not forked: threads and solvers do not survive a fork. Each has a pipe
of its own and ends when the pipe does, so that none outlives a run that is killed.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from bidwright.bridge.errors import BidwrightError

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 3
"""Results that may be finished before one that comes first, for each worker."""


class WorkerError(BidwrightError):
    """A worker process failed, or died."""


def in_order(
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    items: Iterable[Item],
    jobs: int = 1,
) -> Generator[Result]:
    """Yield the result of each item.

    Args:
        prepare: called once in each process with the arguments; returns what does the work. With
            several processes it is a function of a module, so that they find it.
        arguments: what can be sent to a process.
        items: what can be sent as well.
        jobs: processes; with one, all is done in this one.

    Raises:
        WorkerError: A process failed, or died, for want of memory perhaps.
    """
    if jobs == 1:
        yield from map(prepare(*arguments), items)
        return
    workers = _Workers(prepare, arguments, jobs)
    try:
        yield from workers.work(items)
    finally:
        workers.stop()


class _Workers:
    """Processes that do the same work on one item after the other."""

    def __init__(
        self, prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...], jobs: int
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._processes: dict[Connection, SpawnProcess] = {}
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, prepare, arguments), daemon=True)
            process.start()
            theirs.close()
            self._processes[ours] = process

    def work(self, items: Iterable[Any]) -> Generator[Any]:
        """Yield the results, in the order of the items."""
        left = enumerate(items)
        finished: dict[int, Any] = {}
        busy: dict[Connection, int] = {}
        told = 0
        more = True
        while True:
            for pipe in self._processes.keys() - busy.keys() if more else ():
                if len(finished) > _AHEAD * len(self._processes):
                    break
                number, item = next(left, (-1, None))
                if number < 0:
                    more = False
                    break
                with suppress(OSError):  # it died; receiving will say so
                    pipe.send(item)
                busy[pipe] = number
            while told in finished:
                yield finished.pop(told)
                told += 1
            if not busy and not more:
                return
            ready = wait(list(busy)) if busy else ()
            for pipe in [each for each in ready if isinstance(each, Connection)]:
                finished[busy.pop(pipe)] = self._receive(pipe)

    def _receive(self, pipe: Connection) -> Any:  # noqa: ANN401 - whatever the work results in
        try:
            failed, result = pipe.recv()
        except (EOFError, OSError):
            process = self._processes[pipe]
            process.join(timeout=2)
            raise WorkerError(
                f"a worker process died (exit status {process.exitcode}); "
                "what was done before is kept"
            ) from None
        if failed:
            raise WorkerError(result)
        return result

    def stop(self) -> None:
        """End the processes, whatever they are doing."""
        for pipe in self._processes:
            pipe.close()
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            process.join()


def _serve(
    pipe: Connection,
    prepare: Callable[..., Callable[[Any], Any]],
    arguments: tuple[Any, ...],
) -> None:
    """Work until the pipe ends; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work: Callable[[Any], Any] | None = None
    with suppress(EOFError, OSError):
        while True:
            item = pipe.recv()
            try:
                work = work or prepare(*arguments)
                pipe.send((False, work(item)))
            except BidwrightError as error:
                pipe.send((True, str(error)))
