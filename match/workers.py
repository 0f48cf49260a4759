"""Playing boards in several processes, their results in the order of the boards."""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from bidwright.match.agents.agent import AgentError
from bidwright.match.plan import Plan
from bidwright.match.playroom import Playroom
from bidwright.runtime.processes import in_order

Json = dict[str, Any]

BATCH = 8
"""Boards that are bid at the same time, at both tables."""


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
    prepare, jobs = (_Player, 1) if len(batches) < 2 or jobs == 1 else (_quiet_player, jobs)
    results = in_order(prepare, (plan,), batches, jobs, AgentError, "the boards before are kept")
    with closing(results):
        for lines in results:
            yield from lines


class _Player:
    """Plays batches of boards in a room of its own."""

    def __init__(self, plan: Plan) -> None:
        self._room = Playroom(plan)

    def __call__(self, numbers: Sequence[int]) -> list[Json]:
        """Return the lines of some boards."""
        return self._room.play(numbers)

    def close(self) -> None:
        """Close the room."""
        self._room.close()


def _quiet_player(plan: Plan) -> _Player:
    """Return a player in a process that leaves warnings to the process that started it."""
    logging.disable(logging.WARNING)
    return _Player(plan)
