"""Work in several processes that leave nothing behind.

Workers are started afresh, not forked: threads and solvers do not survive a fork. Each has a pipe
of its own and ends when the pipe does, so that no worker outlives a run that is killed. Workers
ignore SIGINT; the process that started them ends them.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, NamedTuple, TypeVar

from bidwright.bridge.errors import BidwrightError
from bidwright.runtime.garbage import collect_rarely

Value = TypeVar("Value")

AHEAD = 3
"""Results that may be finished before one that comes first, for each worker."""

_PATIENCE = 0.5
"""Seconds that workers get to end by themselves, all together."""

KEPT = "what was done before is kept"


class WorkerError(BidwrightError):
    """A worker process failed, or died."""


@dataclass(frozen=True, slots=True)
class Failures:
    """The errors and words for failures of other processes.

    Attributes:
        error: raised when the work raises a `BidwrightError`, with its message, or when a worker
            dies.
        earlier: the words on earlier results in the message about a worker that died.
        place: returns the piece in words, for the same message.
    """

    error: type[BidwrightError] = WorkerError
    earlier: str = KEPT
    place: Callable[[Any], str] | None = None

    def died(self, event: str, item: object) -> BidwrightError:
        """Return the error about a worker that died at a piece."""
        place = f" at {self.place(item)}" if self.place else ""
        return self.error(f"{event}{place}; {self.earlier}")


class Done(NamedTuple):
    """The result of a piece, with the number of the piece and that of its worker."""

    number: int
    result: Any
    worker: int = 0


@dataclass(frozen=True, slots=True)
class Shared(Generic[Value]):
    """A value that many pieces need.

    Attributes:
        value: the value; None where the cluster has it.
        stored: the cluster's reference to it, in a list so that Ray passes the reference on.
    """

    value: Value | None
    stored: list[Any] | None = None

    def get(self) -> Value:
        """Return the value; a machine of a cluster fetches it once."""
        if self.stored is not None:
            import ray

            value: Value = ray.get(self.stored[0])
            return value
        assert self.value is not None
        return self.value


class Workers:
    """Processes that do the same work, each on one piece at a time.

    A process starts with the first piece that it is given, also after `close`.
    """

    def __init__(
        self,
        prepare: Callable[..., Callable[[Any], Any]],
        arguments: tuple[Any, ...],
        jobs: int,
        failures: Failures,
    ) -> None:
        """Choose the work.

        Args:
            prepare: a function of a module, so that other processes find it. It is called with
                the arguments once in each process, before the first piece, and returns the function
                that does the work. If that has a method `close`, it is called at the end.
            arguments: for `prepare`; it must be possible to pickle them, and the pieces.
            jobs: the number of processes.
            failures: the errors and words for failures.
        """
        self._prepare, self._arguments, self._failures = prepare, arguments, failures
        self.room, self.ahead = jobs, AHEAD * jobs
        self._pipes: dict[int, Connection] = {}
        self._processes: dict[int, SpawnProcess] = {}
        self._doing: dict[int, tuple[int, Any]] = {}
        self._waiting: deque[tuple[int, Any]] = deque()
        self._queues: list[deque[tuple[int, Any]]] = [deque() for _ in range(jobs)]

    def begin(self, number: int, item: Any, worker: int | None = None) -> None:  # noqa: ANN401
        """Have a piece done by the worker of choice, or by the first that is free.

        A worker's own pieces begin with the next `receive`, when all of them are known.
        """
        if worker is not None:
            self._queues[worker % self.room].append((number, item))
            return
        self._waiting.append((number, item))
        self._employ()

    def receive(self) -> list[Done]:
        """Wait for results; return those there are.

        Raises:
            BidwrightError: Of the type of `failures`: the work failed, or a process died.
        """
        self._employ()
        workers = {self._pipes[worker]: worker for worker in self._doing}
        ready = [workers[pipe] for pipe in wait(list(workers)) if isinstance(pipe, Connection)]
        done = [self._receive(worker, *self._doing.pop(worker)) for worker in sorted(ready)]
        self._employ()
        return done

    def share(self, value: Value) -> Shared[Value]:
        """Return a value in a form for pieces: it travels with each."""
        return Shared(value)

    def _employ(self) -> None:
        """Give pieces to the workers that have none."""
        for worker in range(self.room):
            if worker not in self._doing and (entry := self._next(worker)) is not None:
                if worker not in self._processes:
                    self._start(worker)
                with suppress(OSError):  # it died; `receive` reports it
                    self._pipes[worker].send(entry[1])
                self._doing[worker] = entry

    def _next(self, worker: int) -> tuple[int, Any] | None:
        """Return the next piece of a worker, or the last one of the worker that has most left."""
        for queue in (self._queues[worker], self._waiting):
            if queue:
                return queue.popleft()
        longest = max(self._queues, key=len)
        return longest.pop() if len(longest) > 1 else None

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
        self._pipes, self._processes, self._doing = {}, {}, {}
        for queue in (self._waiting, *self._queues):
            queue.clear()

    def _start(self, worker: int) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        arguments = (theirs, self._prepare, self._arguments)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        # While this end is open here, the pipe does not end when the worker dies.
        theirs.close()
        self._pipes[worker], self._processes[worker] = ours, process

    def _receive(self, worker: int, number: int, item: object) -> Done:
        try:
            failed, result = self._pipes[worker].recv()
        except (EOFError, OSError):
            process = self._processes[worker]
            # For its exit status: the pipe ends a moment before the process does.
            process.join(timeout=2)
            event = f"a worker process died (exit status {process.exitcode})"
            raise self._failures.died(event, item) from None
        if failed:
            raise self._failures.error(result)
        return Done(number, result, worker)


def close(work: object) -> None:
    """Close the function that `prepare` returned, if it has a method for that."""
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
