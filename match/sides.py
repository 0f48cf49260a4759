"""A side of a match: two partners, opened from their specifications."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bidwright.bridge.cards import Seat
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Agent
from bidwright.match.agents.specs import Context, common_system, open_agent, split_side


@dataclass(frozen=True)
class Team:
    """Two partners.

    Attributes:
        spec: how the side was specified.
        first: who sits North or East.
        second: who sits South or West; the same agent if one specification was given.
        declared: the system that the side was said to play.
    """

    spec: str
    first: Agent
    second: Agent
    declared: str | None = None

    @property
    def system(self) -> str | None:
        """The system that the side discloses."""
        return common_system(self.first, self.second) or self.declared

    def at(self, seat: Seat) -> Agent:
        """Return who sits at a seat, if the side sits there."""
        return self.first if seat in (Seat.NORTH, Seat.EAST) else self.second

    def card(self) -> dict[str, Any]:
        """Return what a match file records of the side."""
        players = [self.first] if self.first is self.second else [self.first, self.second]
        return {
            "spec": self.spec,
            "system": self.system,
            "declared": self.declared,
            "players": [player.card() for player in players],
        }

    def close(self) -> None:
        """Let go of the agents."""
        self.first.close()
        if self.second is not self.first:
            self.second.close()


def open_team(
    spec: str,
    library: Library,
    declared: str | None = None,
    timeout: float | None = None,
    opener: Callable[[str, Context], Agent] = open_agent,
) -> Team:
    """Return the side of one specification or of two joined by `+`.

    Args:
        spec: the side.
        library: where systems are opened.
        declared: the system it is said to play, where its agents do not say so themselves.
        timeout: seconds to wait for agents outside.
        opener: opens each agent.

    Raises:
        InvalidError: A specification cannot be read, or the partners play different systems.
        AgentError: An agent cannot be started.
    """
    if declared is not None:
        library.system(declared)
    first, second = split_side(spec)
    context = Context(library, declared, timeout)
    one = opener(first, context)
    other = one if second == first else opener(second, context)
    common_system(one, other)
    return Team(spec, one, other, declared)
