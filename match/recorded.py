"""Players of a match file who may not be opened on its word: they repeat their calls on file.

Whoever wrote a match file chose what stands in it. So a file starts no program and opens no
socket: a player of a kind that could do so makes the calls that the file says he made, unless the
user names him on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat
from bidwright.match.agents.agent import Agent, Answer, Json, Request
from bidwright.match.agents.specs import Context, may_be_named_by_a_file, open_agent, split_side
from bidwright.match.matchfile import Match
from bidwright.match.rooms import ROOMS, team_of

SIDES = ("a", "b")
"""The sides of a match, as its header calls them."""


class RecordedAgent:
    """Makes the calls of a match file; passes once an auction is another than the one on file."""

    def __init__(self, match: Match, side: str, spec: str, card: Json) -> None:
        """Take what is on file.

        Args:
            match: the match.
            side: `a` or `b`.
            spec: of the player, as it is on file.
            card: what the header records of him.
        """
        self.spec = spec
        system = card.get("system")
        self.system: str | None = system if isinstance(system, str) else None
        self._match, self._side, self._card = match, side, card

    def card(self) -> Json:
        """Return what is on file."""
        return self._card

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the calls on file, each with who decided it and its alert."""
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        room = next(room for room in ROOMS if team_of(room, request.seat) == self._side)
        played = self._match.boards[request.board - 1][room]
        place = len(request.auction.calls)
        before = tuple(parse_call(call) for call in played["auction"][:place])
        if before != request.auction.calls or place >= len(played["auction"]):
            return Answer(Call.PASS)
        call = parse_call(played["auction"][place])
        return Answer(call, played["by"][place], note=played["notes"].get(str(place)))

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""


class RecordedSide:
    """Opens the players of a side of a match file: those that a file may name, and no others."""

    def __init__(self, match: Match, side: str) -> None:
        """Take what is on file.

        Args:
            match: the match.
            side: `a` or `b`.

        Raises:
            InvalidError: The side's specification cannot be read.
        """
        self._match, self._side = match, side
        self._specs = split_side(match.spec(side))

    def open(self, spec: str, context: Context) -> Agent:
        """Return a player: one who can be asked, or one who repeats what is on file."""
        if may_be_named_by_a_file(spec):
            return open_agent(spec, context)
        place, players = self._specs.index(spec), self._match.header[self._side]["players"]
        card = players[place] if place < len(players) else None
        card = card if isinstance(card, dict) else {}
        return RecordedAgent(self._match, self._side, spec, card)

    def repeats(self, seat: Seat) -> bool:
        """Tell whether the calls of a seat, if the side sits there, are only repeated."""
        return not may_be_named_by_a_file(self._specs[seat in (Seat.SOUTH, Seat.WEST)])
