"""`tm:HOST:PORT`: a program that speaks the table-manager protocol, asked as an agent.

It is the program that connects, as to any table manager; so the agent listens at the address and
waits for it. One connection is enough, since every decision is turned until the player to call
sits where the program sits; several share the work, and a hand stays with the one that bids it. A
board that another request interrupted is begun again, as when a manager is restarted, and the
program repeats its calls: it must bid the same hand in the same way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.agent import AgentError, Answer, Request
from bidwright.match.agents.specs import Context
from bidwright.match.protocol.alerts import ascii_text, disclosed_by
from bidwright.match.protocol.line_parser import LineError
from bidwright.match.protocol.lines import (
    VERSION,
    BoardInfo,
    Called,
    Cards,
    Connecting,
    Seated,
    StartOfBoard,
    Teams,
)
from bidwright.match.protocol.lobby import Fault, Guest, wait_ready
from bidwright.match.protocol.wire import LIMIT, Gone, Late, Wire
from bidwright.match.record.match_lines import AgentCard

TIMEOUT = 120.0
"""Seconds to wait for the program, unless the match says otherwise."""

_ATTEMPTS = 3
"""The number of connections that a request is given to when one is lost."""


@dataclass
class _Desk:
    """A connected program, and the board that it has before it.

    Attributes:
        guest: the connection.
        key: a key that distinguishes boards; `None` without a board.
        calls: the calls that the program has received.
        asked: the number of the last request that it was asked; larger numbers are later.
    """

    guest: Guest
    key: tuple[object, ...] | None = None
    calls: list[Call] = field(default_factory=list)
    asked: int = 0

    def continues(self, request: Request) -> bool:
        """Return True if a request is about the board in hand, at the same call or later."""
        # A board continues only if its calls so far are a beginning of the request's.
        calls = request.auction.calls
        return self.key == _key(request) and list(calls[: len(self.calls)]) == self.calls


def _key(request: Request) -> tuple[object, ...]:
    auction = request.auction
    # The board's number alone would not do: a program may sit at several seats of the same board.
    return request.board, request.hand.mask, request.seat, auction.dealer, auction.vulnerability


class TmAgent:
    """Asks programs that connect to an address."""

    def __init__(self, host: str, port: int, context: Context) -> None:
        """Prepare to listen; that begins with the first request."""
        self.spec = f"tm:{host}:{port}"
        self.system = context.system
        self._host, self._port = host, port
        self._timeout = TIMEOUT if context.timeout is None else context.timeout
        self._runner: asyncio.Runner | None = None
        self._server: asyncio.Server | None = None
        self._desks: list[_Desk] = []
        self._asked = count(1)
        self._came = asyncio.Event()

    def card(self) -> AgentCard:
        """Return the address: nothing else is known of the program."""
        return {"spec": self.spec, "system": self.system}

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the program's answers.

        Raises:
            AgentError: It did not come, was lost, fell silent, or broke the rules.
        """
        # One event loop for the life of the agent: connections belong to the loop that made them.
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(self._answer(requests))

    async def _answer(self, requests: Sequence[Request]) -> list[Answer]:
        if self._server is None:
            await self._listen()
        answers: dict[int, Answer] = {}
        # A program that crashes comes back as a new connection, so the rest is given out again.
        for _ in range(_ATTEMPTS):
            await self._wait()
            waiting = [place for place in range(len(requests)) if place not in answers]
            # Who has waited longest comes first, so that a new hand interrupts none that goes on.
            desks = sorted(self._desks, key=lambda desk: desk.asked)
            work = (self._work(desk, requests, waiting, answers) for desk in desks)
            # Connections share the list of what waits; each takes the next when it is free.
            await asyncio.gather(*work)
            if len(answers) == len(requests):
                return [answers[place] for place in range(len(requests))]
        raise AgentError(f"{self.spec}: the program was lost {_ATTEMPTS} times")

    async def _listen(self) -> None:
        try:
            self._server = await asyncio.start_server(
                self._visit, self._host, self._port, limit=LIMIT
            )
        except OSError as error:
            raise AgentError(
                f"cannot listen at {self._host}:{self._port}: {error.strerror or error}"
            ) from None

    async def _wait(self) -> None:
        """Wait until somebody is connected."""
        self._desks = [desk for desk in self._desks if not desk.guest.wire.ended]
        # The loop may not have run for a while: ends that closed meanwhile are dropped first.
        try:
            async with asyncio.timeout(self._timeout):
                while not self._desks:
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError:
            raise AgentError(
                f"expected a program to connect to {self._host}:{self._port} "
                f"within {self._timeout:g} seconds, none did"
            ) from None

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer, f"the program at {self.spec}")
        try:
            message = await wire.receive(self._timeout)
            if not isinstance(message, Connecting) or message.version < VERSION:
                raise Fault(f"expected a client of protocol version {VERSION}, got '{message}'")
            seat = Seat.SOUTH if message.seat is None else message.seat
            guest = Guest(wire, "open", seat, message.team, message.version, message.system)
            await wire.send(Seated(seat, message.team))
            await wait_ready(guest, "teams", timeout=self._timeout)
            # The program's team is at its seat, whichever side that is.
            teams = [message.team, "opponents"] if seat in (0, 2) else ["opponents", message.team]
            await wire.send(Teams(*teams))
            await wait_ready(guest, "start", timeout=self._timeout)
        except (LineError, Late, Fault) as error:
            wire.remark(str(error))
            await wire.close()
        except (Gone, asyncio.CancelledError):
            await wire.close()
        else:
            self._desks.append(_Desk(guest))
            self._came.set()

    async def _work(
        self,
        desk: _Desk,
        requests: Sequence[Request],
        waiting: list[int],
        answers: dict[int, Answer],
    ) -> None:
        """Answer requests with one connection until none are left or it is lost."""
        while waiting:
            # A connection continues its own board first, then with one that no other has begun.
            place = next(
                (each for each in waiting if desk.continues(requests[each])),
                next(
                    (each for each in waiting if not self._is_elsewhere(desk, requests[each])),
                    None,
                ),
            )
            # What is left is with others: taking it would begin their boards again.
            if place is None:
                return
            waiting.remove(place)
            desk.asked = next(self._asked)
            try:
                answers[place] = await self._ask(desk, requests[place])
            except Gone:
                await desk.guest.wire.close()
                return
            except (Fault, Late, LineError) as error:
                raise AgentError(f"{error} on board {requests[place].board}") from None

    def _is_elsewhere(self, desk: _Desk, request: Request) -> bool:
        return any(other is not desk and other.continues(request) for other in self._desks)

    async def _ask(self, desk: _Desk, request: Request) -> Answer:
        """Return a connection's call: its board is brought up to date, then it bids."""
        guest = desk.guest
        # Everything is turned so that the player to call sits where the program sits.
        turn = (guest.seat - request.seat) % len(Seat)
        if not desk.continues(request):
            await self._deal(desk, request, turn)
        auction = request.auction
        for place in range(len(desk.calls), len(auction.calls)):
            call, seat = auction.calls[place], _turn(auction.seat_of(place), turn)
            if seat is guest.seat:
                # The program's own calls cannot be sent to it: it has to make them again.
                again = (await self._call(desk)).call
                if again != call:
                    raise Fault(
                        f"expected the call {call} that {self.spec} made before, got {again}"
                    )
            else:
                await wait_ready(guest, "bid", seat, timeout=self._timeout)
                await guest.send(_heard(request, place, seat, guest.seat))
            desk.calls.append(call)
        called = await self._call(desk)
        if auction.is_legal(called.call):
            desk.calls.append(called.call)
        else:
            # After an illegal call the board cannot go on: the next request deals it anew.
            desk.key = None
        return Answer(
            called.call,
            note=(called.text or "alert") if called.alert == "Alert" else None,
            meaning=disclosed_by(called),
        )

    async def _deal(self, desk: _Desk, request: Request, turn: int) -> None:
        guest = desk.guest
        desk.key, desk.calls = None, []
        auction = request.auction
        vulnerability = auction.vulnerability
        # Turned by one or three seats, vulnerable sides change.
        if turn % 2:
            vulnerability = vulnerability.turned
        await guest.send(StartOfBoard())
        await wait_ready(guest, "deal", timeout=self._timeout)
        await guest.send(BoardInfo(request.board, _turn(auction.dealer, turn), vulnerability))
        await wait_ready(guest, "cards", timeout=self._timeout)
        await guest.send(Cards(guest.seat, request.hand))
        desk.key = _key(request)

    async def _call(self, desk: _Desk) -> Called:
        message = await desk.guest.wire.receive(self._timeout)
        if not isinstance(message, Called) or message.seat is not desk.guest.seat:
            raise Fault(f"expected a call from {desk.guest.wire.name}, got '{message}'")
        return message

    def close(self) -> None:
        """Hang up."""
        if self._runner is not None:
            self._runner.run(self._close())
            self._runner.close()
            self._runner = None

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for desk in self._desks:
            await desk.guest.wire.close()
        self._desks.clear()


def _turn(seat: Seat, turn: int) -> Seat:
    return Seat((seat + turn) % len(Seat))


def _heard(request: Request, place: int, seat: Seat, listener: Seat) -> Called:
    """Return another player's call as the program hears it: with its alert, if an opponent's."""
    auction: Auction = request.auction
    called = Called(seat, auction.calls[place])
    # Partner's calls are heard without explanation (Law 20).
    if seat.side is listener.side:
        return called
    explanation = request.heard[place] if place < len(request.heard) else None
    text = request.view.alert(auction, place)
    if text is None and explanation is not None and explanation.get("alert"):
        text = str(explanation.get("text") or "")
    return called if text is None else Called(seat, called.call, "Alert", ascii_text(text))


def _is_name(host: str) -> bool:
    """Return True if a text can be the name of a host; an empty name is the machine itself."""
    # A name that cannot be encoded would be a UnicodeError of the resolver later.
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def open_tm(argument: str, context: Context) -> TmAgent:
    """Open `tm:HOST:PORT`, or `tm:PORT` for the machine itself.

    Raises:
        InvalidError: That is no address.
    """
    host, _, port = argument.rpartition(":")
    # `isdecimal` and a length keep `int` from scripts and sizes that it should not see.
    if not (port.isdecimal() and len(port) < 6 and 0 < int(port) < 2**16 and _is_name(host)):
        raise InvalidError(f"expected an address such as tm:127.0.0.1:2000, got 'tm:{argument}'")
    return TmAgent(host or "127.0.0.1", int(port), context)
