"""Boards played in several processes, with results in the order of the boards."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from itertools import groupby

from bidwright.match.agents.agent import AgentError
from bidwright.match.play.plan import Plan, header_of
from bidwright.match.play.playroom import Playroom
from bidwright.match.record.match_file import first_difference
from bidwright.match.record.match_lines import BoardLine, MatchHeader
from bidwright.runtime.crew import ALONE, Crew, work

BATCH = 8
"""Boards that are bid at the same time, at both tables."""


def play_boards(
    plan: Plan,
    numbers: Sequence[int],
    crew: Crew = ALONE,
    batch: int = BATCH,
    header: MatchHeader | None = None,
    on_batch: Callable[[str, Sequence[BoardLine]], None] = lambda worker, lines: None,
) -> Generator[BoardLine]:
    """Yield the lines of boards, in the order of the numbers.

    Args:
        plan: the plan of the match.
        numbers: the numbers of the boards.
        crew: the processes that play.
        batch: boards that are bid at the same time.
        header: the match file's header, if it is known: other processes play only if all that
            decides the calls is the same where they are.
        on_batch: called with the name of the worker and its lines before they are yielded.

    Raises:
        AgentError: An agent failed, or made an illegal call, or a worker died, or it plays other
            systems or has another program.
    """
    # Cut at multiples of the size, so that a resumed match asks for the same pieces.
    batches = [list(each) for _, each in groupby(numbers, lambda number: (number - 1) // batch)]
    # One batch is no work for several processes.
    if crew.cluster is None and crew.shards is None and len(batches) < 2:
        crew = ALONE
    prepare = _Player if crew.is_alone else _quiet_player
    results = work(
        crew,
        prepare,
        (plan, header),
        batches,
        header,
        AgentError,
        "the boards before are kept",
        place=lambda numbers: f"boards {numbers[0]} to {numbers[-1]}",
    )
    with closing(results):
        for worker, lines in results:
            on_batch(worker, lines)
            yield from lines


class _Player:
    """Plays batches of boards in a room of its own."""

    def __init__(self, plan: Plan, header: MatchHeader | None) -> None:
        self._room = Playroom(plan)
        # Host and process: on a cluster processes on several machines can have the same number.
        self._name = f"{socket.gethostname()}:{os.getpid()}"
        if header is not None:
            cards = (self._room.a.card(), self._room.b.card())
            here = header_of(plan, self._room.source, *cards)
            # On another machine the same name may be another file: its hashes decide.
            difference = first_difference(header, here)
            if difference is not None:
                self._room.close()
                raise AgentError(f"a process plays another match: its {difference}")

    def __call__(self, numbers: Sequence[int]) -> tuple[str, list[BoardLine]]:
        """Return the name of this worker, and the lines of some boards."""
        return self._name, self._room.play(numbers)

    def close(self) -> None:
        """Close the room."""
        self._room.close()


def _quiet_player(plan: Plan, header: MatchHeader | None) -> _Player:
    """Return a player in a process that leaves warnings to the process that started it."""
    # Otherwise each of many processes would print the same warning.
    logging.disable(logging.WARNING)
    return _Player(plan, header)
