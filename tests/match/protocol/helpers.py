"""Helpers of the tests of the protocol: agents with a script, and sessions on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.match.agents.agent import Answer, Request
from bidwright.match.play.deals import BoardSource, MatchBoard
from bidwright.match.protocol.lobby import Settings
from bidwright.match.protocol.manager import Manager
from bidwright.match.protocol.record import Record
from bidwright.match.protocol.seat import Manner, Player
from bidwright.match.record.match_lines import AgentCard

LIMIT = 60
"""Seconds until a conversation is given up; it takes a small part of that."""


class Scripted:
    """An agent that makes calls as a function of the request."""

    spec = "scripted"
    system: str | None = None

    def __init__(self, choose: Callable[[Request], Answer]) -> None:
        """Bid by a function."""
        self._choose = choose
        self.requests: list[Request] = []

    def card(self) -> AgentCard:
        """Return nothing much."""
        return {"spec": self.spec, "system": None}

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the function's answers."""
        self.requests += requests
        return [self._choose(request) for request in requests]

    def close(self) -> None:
        """Do nothing."""


def opener(request: Request) -> Answer:
    """Open one club with an alert if nobody has; otherwise pass."""
    if request.auction.last_bid is None and request.hand.hcp > 7:
        return Answer(Call.C1C, note="eight or more; HCP=8-37")
    return Answer(Call.PASS)


def passer(request: Request) -> Answer:
    """Pass."""
    return Answer(Call.PASS)


def run(conversation: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - whatever it returns
    """Run a conversation that must come to its end."""

    async def bounded() -> Any:  # noqa: ANN401 - whatever it returns
        try:
            return await asyncio.wait_for(conversation, LIMIT)
        finally:
            await asyncio.gather(*(raw.close() for raw in Raw.all), return_exceptions=True)
            Raw.all.clear()

    return asyncio.run(bounded())


def seeded(count: int, seed: int = 7) -> list[MatchBoard]:
    """Return boards."""
    source = BoardSource(seed)
    return [source.board(number) for number in range(1, count + 1)]


class Raw:
    """A client that sends given lines."""

    all: ClassVar[list[Raw]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak over a stream; `run` closes it."""
        self._reader, self.writer = reader, writer
        self.all.append(self)

    async def ask(self, *lines: str) -> str:
        """Send lines and return the next one received, nothing at the end."""
        for line in lines:
            self.writer.write(f"{line}\r\n".encode("latin-1"))
        await self.writer.drain()
        return (await asyncio.wait_for(self._reader.readline(), 20)).decode("ascii").strip()

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        await self.writer.wait_closed()


class Session:
    """A manager on a free port, and what it said."""

    def __init__(self, boards: Sequence[MatchBoard], record: Record, **settings: Any) -> None:  # noqa: ANN401
        """Prepare a manager with some settings."""
        self.lines: list[str] = []
        self.said: list[str] = []
        self.record = record
        settings.setdefault("timeout", 20)
        chosen = Settings(port=0, log=self._log, **settings)
        self.manager = Manager(chosen, boards, record, self.said.append)

    def _log(self, direction: str, name: str, text: str) -> None:
        self.lines.append(f"{direction} {name}: {text}")

    async def start(self) -> tuple[asyncio.Task[None], int]:
        """Start the manager; return its task and its port."""
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self.manager.run(port.set_result))
        while not port.done() and not task.done():
            await asyncio.sleep(0.01)
        if task.done():
            await task
        return task, await port


def player(port: int, seat: Seat | None, team: str, agent: Scripted, **manner: Any) -> Player:  # noqa: ANN401
    """Return a client for a session."""
    return Player(agent, None, Manner(port=port, seat=seat, team=team, timeout=30, **manner))


async def play_out(session: Session, rooms: int = 1, **manner: Any) -> None:  # noqa: ANN401
    """Play a session with team A, who open, against team B, who pass."""
    task, port = await session.start()
    seats = [(seat, "AB"[seat.side]) for seat in Seat]
    if rooms == 2:
        seats += [(seat, "BA"[seat.side]) for seat in Seat]
    clients = [
        player(port, seat, team, Scripted(opener if team == "A" else passer), **manner)
        for seat, team in seats
    ]
    await asyncio.gather(task, *(client.run() for client in clients))
