"""Work in several processes: results in the order of the items, nothing left behind.

Workers are started afresh, not forked: threads and solvers do not survive a fork.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, TypeVar

from bidwright.bridge.errors import BidwrightError

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 3
"""Items that wait for each worker."""

_work: Callable[[Any], Any]
"""What a worker process does with an item."""


class WorkerError(BidwrightError):
    """A worker process died."""


def in_order(
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    items: Iterable[Item],
    jobs: int = 1,
) -> Generator[Result]:
    """Yield the result of each item.

    Args:
        prepare: called once in each process with the arguments; returns what does the work. It
            is a function of a module, so that other processes find it.
        arguments: what can be sent to a process.
        items: what can be sent as well.
        jobs: processes; with one, all is done in this one.

    Raises:
        WorkerError: A process died, for want of memory perhaps.
    """
    if jobs == 1:
        yield from map(prepare(*arguments), items)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _start, (prepare, arguments))
    try:
        left = iter(items)
        waiting: list[Future[Result]] = []
        while True:
            waiting += [
                pool.submit(_do, item) for item in islice(left, _AHEAD * jobs - len(waiting))
            ]
            if not waiting:
                return
            yield waiting.pop(0).result()
    except BrokenProcessPool:
        raise WorkerError("a worker process died; what was done before is kept") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start(prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = prepare(*arguments)


def _do(item: Any) -> Any:  # noqa: ANN401 - whatever the caller's items and results are
    return _work(item)
