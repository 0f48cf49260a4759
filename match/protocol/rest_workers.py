"""Processes that answer the queries of a seat over HTTP.

Each opens agent and systems for itself, remembers what it has read within a bound on memory, and
answers one query at a time. One that does not answer in time, or has ended, is replaced; the query
gets a sentence, and the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from bidwright.match.protocol.rest import GRACE, Query, Reply, SeatAnswerer, SeatService
from bidwright.runtime.garbage import collect_rarely

Opens = Callable[..., SeatService]
"""A function of a module that opens the service in a process of its own."""

_LEAST, _MOST = 2, 8
"""Processes where nobody chose a number."""
_ENDED = "the process that worked it out has ended: try again"


def usual_processes() -> int:
    """Return the number of processes where nobody chose one: one a core, from 2 to 8."""
    return min(max(os.cpu_count() or 1, _LEAST), _MOST)


class SeatProcess:
    """Answers queries by a process, which starts at once and again when it has ended."""

    def __init__(self, opens: Opens, arguments: tuple[object, ...], seconds: float) -> None:
        """Start; the process calls `opens` with the arguments, which it must be possible to pickle.

        Args:
            opens: opens the service.
            arguments: its arguments.
            seconds: until a query gets no answer, counted from when it came.
        """
        self._opens, self._arguments, self._seconds = opens, arguments, seconds
        self._is_closed = self._is_ready = False
        self._pipe, self._process = self._started()

    def __call__(self, path: str, query: Query, begun: float) -> Reply:
        """Return the status of HTTP and the answer to a query that came at a monotonic time."""
        late: Reply = (503, {"error": f"no answer was found within {self._seconds:g} seconds"})
        try:
            # One that is slow to start is let start: the next query finds it ready.
            if not self._is_ready and not self._pipe.poll(self._left(begun)):
                return late
            if not self._is_ready:
                self._pipe.recv()
                self._is_ready = True
            self._pipe.send((path, dict(query), time.monotonic() - begun))
            if self._pipe.poll(self._left(begun)):
                reply: Reply = self._pipe.recv()
                return reply
        except (EOFError, OSError):
            self._replace()
            return 500, {"error": _ENDED}
        self._replace()
        return late

    def _left(self, begun: float) -> float:
        """Return the seconds that an answer may still take, with those to notice their end."""
        return max(0.0, begun + self._seconds - time.monotonic()) + GRACE

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._is_closed = True
        self._pipe.close()
        self._process.terminate()
        self._process.join()

    def _started(self) -> tuple[Connection, SpawnProcess]:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        arguments = (theirs, self._opens, self._arguments, self._seconds)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        theirs.close()
        return ours, process

    def _replace(self) -> None:
        if not self._is_closed:
            self.close()
            self._is_closed = self._is_ready = False
            self._pipe, self._process = self._started()


def _serve(pipe: Connection, opens: Opens, arguments: tuple[object, ...], seconds: float) -> None:
    """Answer queries until the pipe ends; the body of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    answerer = SeatAnswerer(opens(*arguments), seconds)
    with suppress(EOFError, OSError):  # the other end is closed
        pipe.send(None)  # it is ready
        while True:
            path, query, since = pipe.recv()
            pipe.send(answerer(path, query, time.monotonic() - since))
