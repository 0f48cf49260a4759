"""A side of a match: two partners, opened from their specifications or repeated from a match file.

Whoever wrote a match file chose what stands in it. So a file starts no program and opens no
socket: a player of a kind that could do so makes the calls that the file says he made, unless the
user names him on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Agent, Answer, Request
from bidwright.match.agents.specs import (
    Context,
    common_system,
    may_be_named_by_a_file,
    open_agent,
    split_side,
)
from bidwright.match.record.match_file import Match
from bidwright.match.record.match_lines import ROOMS, AgentCard, SideCard, room_of, side_of, team_of


@dataclass(frozen=True)
class Team:
    """Two partners.

    Attributes:
        spec: the specification of the side.
        first: the agent at North or East.
        second: the agent at South or West; the same agent if one specification was given.
        declared: the system that was declared for the side.
    """

    spec: str
    first: Agent
    second: Agent
    declared: str | None = None

    @property
    def system(self) -> str | None:
        """The system that the side discloses."""
        # Agents outside name no system; what was declared for the side speaks for them.
        return common_system(self.first, self.second) or self.declared

    def at(self, seat: Seat) -> Agent:
        """Return the agent at a seat, provided that the side sits there."""
        # North and East are first: the order in which a side of two is written.
        return self.first if seat in (Seat.NORTH, Seat.EAST) else self.second

    def card(self) -> SideCard:
        """Return the record of the side for a match file."""
        players = [self.first] if self.first is self.second else [self.first, self.second]
        return {
            "spec": self.spec,
            "system": self.system,
            "declared": self.declared,
            "players": [player.card() for player in players],
        }

    def close(self) -> None:
        """Close the agents."""
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
        library: opens systems.
        declared: the system of agents whose specifications name none.
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
    agent = opener(first, context)
    # The same specification is one agent, so that its requests come in one batch.
    partner = agent if second == first else opener(second, context)
    # Raises where partners play two systems, since a side discloses one.
    common_system(agent, partner)
    return Team(spec, agent, partner, declared)


SIDES = ("a", "b")
"""The sides of a match, as its header calls them."""


class RecordedAgent:
    """Makes the calls of a match file; passes once an auction is another than the one on file."""

    def __init__(
        self, match: Match, side: str, spec: str, card: AgentCard, system: str | None
    ) -> None:
        """Take the calls on file.

        Args:
            match: the match.
            side: `a` or `b`.
            spec: the specification of the player on file.
            card: the player's record in the header.
            system: the system that explains his calls.
        """
        self.spec = spec
        self.system = system
        self._match, self._side, self._card = match, side, card

    def card(self) -> AgentCard:
        """Return the player's record on file."""
        return self._card

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the calls on file, each with its decider and its alert."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        # Each side sits in both rooms, at another pair of seats: the seat says which.
        room = next(room for room in ROOMS if team_of(room, request.seat) == self._side)
        played = room_of(self._match.boards[request.board - 1], room)
        place = len(request.auction.calls)
        before = tuple(parse_call(call) for call in played["auction"][:place])
        # Another auction than the one on file has no answer there; a pass keeps it going to its
        # end.
        if before != request.auction.calls or place >= len(played["auction"]):
            return Answer(Call.PASS)
        call = parse_call(played["auction"][place])
        return Answer(call, played["by"][place], note=played["notes"].get(str(place)))

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class RecordedSide:
    """Opens the players of a side of a match file: those that a file may name, and no others."""

    def __init__(self, match: Match, side: str) -> None:
        """Take the calls on file.

        Args:
            match: the match.
            side: `a` or `b`.

        Raises:
            InvalidError: The side's specification cannot be read.
        """
        self._match, self._side = match, side
        self._specs = split_side(match.spec(side))

    def open(self, spec: str, context: Context) -> Agent:
        """Return an agent: one that can be asked, or one that repeats the calls on file."""
        if may_be_named_by_a_file(spec):
            return open_agent(spec, context)
        card = self._card(spec)
        # A file may have anything here; only a name is a system.
        system = card.get("system")
        return RecordedAgent(
            self._match, self._side, spec, card, system if isinstance(system, str) else None
        )

    def repeat(self, spec: str, context: Context) -> Agent:
        """Return an agent that repeats the calls on file, without a system: nothing is opened."""
        return RecordedAgent(self._match, self._side, spec, self._card(spec), None)

    def _card(self, spec: str) -> AgentCard:
        # Two partners of one specification share a card.
        place, players = self._specs.index(spec), side_of(self._match.header, self._side)["players"]
        card = players[place] if place < len(players) else None
        # A file may have anything here; what the cards are read for is checked there.
        return cast("AgentCard", card if isinstance(card, dict) else {})
