"""Playing boards in several processes, their results in the order of the boards.

Each worker has a pipe of its own: it ends when the pipe does, so that none outlives a match
that is killed. Workers are started afresh, not forked: threads and solvers do not survive a fork.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from bidwright.bridge.errors import BidwrightError
from bidwright.match.agents.agent import AgentError
from bidwright.match.plan import Plan
from bidwright.match.playroom import Playroom

Json = dict[str, Any]

BATCH = 8
"""Boards that are bid at the same time, at both tables."""

_AHEAD = 4
"""Batches that may be finished before one is that comes first, for each worker."""


def play_boards(
    plan: Plan, numbers: Sequence[int], jobs: int = 1, batch: int = BATCH
) -> Generator[Json]:
    """Yield the lines of boards, in the order of the numbers.

    Args:
        plan: what is played.
        numbers: of the boards.
        jobs: processes; with one, this process plays itself.
        batch: boards that are bid at the same time.

    Raises:
        AgentError: An agent failed, or made an illegal call, or a worker died.
    """
    batches = [numbers[start : start + batch] for start in range(0, len(numbers), batch)]
    if jobs == 1 or len(batches) < 2:
        yield from _play_here(plan, batches)
        return
    workers = _Workers(plan, min(jobs, len(batches)))
    try:
        yield from workers.play(batches)
    finally:
        workers.stop()


def _play_here(plan: Plan, batches: Sequence[Sequence[int]]) -> Generator[Json]:
    room = Playroom(plan)
    try:
        for numbers in batches:
            yield from room.play(numbers)
    finally:
        room.close()


class _Workers:
    """Processes with a playroom each."""

    def __init__(self, plan: Plan, jobs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._processes: dict[Connection, SpawnProcess] = {}
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, plan), daemon=True)
            process.start()
            theirs.close()
            self._processes[ours] = process

    def play(self, batches: Sequence[Sequence[int]]) -> Generator[Json]:
        """Yield the lines of the batches, in order."""
        finished: dict[int, list[Json]] = {}
        busy: dict[Connection, int] = {}
        sent = written = 0
        limit = _AHEAD * len(self._processes)
        while written < len(batches):
            for pipe in self._processes.keys() - busy.keys():
                if sent < min(len(batches), written + limit):
                    _send(pipe, batches[sent])
                    busy[pipe] = sent
                    sent += 1
            for pipe in [pipe for pipe in wait(list(busy)) if isinstance(pipe, Connection)]:
                finished[busy[pipe]] = self._receive(pipe)
                del busy[pipe]
            while written in finished:
                yield from finished.pop(written)
                written += 1

    def _receive(self, pipe: Connection) -> list[Json]:
        try:
            failed, result = pipe.recv()
        except (EOFError, OSError):
            process = self._processes[pipe]
            process.join(timeout=2)
            raise AgentError(
                f"a worker process died (exit status {process.exitcode}); "
                "the boards before are kept"
            ) from None
        if failed:
            raise AgentError(result)
        lines: list[Json] = result
        return lines

    def stop(self) -> None:
        """End the processes, whatever they are doing."""
        for pipe in self._processes:
            pipe.close()
        for process in self._processes.values():
            process.join(timeout=0.5)
            if process.is_alive():
                process.terminate()
                process.join()


def _send(pipe: Connection, numbers: Sequence[int]) -> None:
    try:
        pipe.send(list(numbers))
    except OSError:
        return  # the worker died; receiving will say so


def _serve(pipe: Connection, plan: Plan) -> None:
    """Play batches until the pipe ends; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.WARNING)  # the process that began the match has said it
    room: Playroom | None = None
    try:
        while True:
            numbers = pipe.recv()
            try:
                room = room or Playroom(plan)
                result: tuple[bool, Any] = False, room.play(numbers)
            except BidwrightError as error:
                result = True, str(error)
            pipe.send(result)
    except (EOFError, OSError):
        pass
    finally:
        if room is not None:
            room.close()
