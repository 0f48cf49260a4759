"""Seating: clients connect, are given a seat in a room, and wait until every seat is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import BidwrightError
from bidwright.match.protocol.line_parser import LineError
from bidwright.match.protocol.lines import (
    VERSION,
    Connecting,
    DummyReceived,
    Message,
    Ready,
    Seated,
    Teams,
    seat_word,
)
from bidwright.match.protocol.wire import LIMIT, Gone, Late, Log, Wire, no_log, together

NEWEST = 19
"""The newest version with additions that the manager supports."""


@dataclass(frozen=True)
class Settings:
    """The settings of a manager.

    Attributes:
        host: the address to listen at.
        port: the port; 0 for any that is free.
        rooms: `one`; `swap`, both rooms with four clients, who change cards; `two`, with eight.
        play: True if clients play the cards; otherwise boards are scored double dummy.
        play_for: seats whose cards the manager plays, because their clients only bid.
        alerts: pass explanations on to opponents.
        explain: ask the caller's partner, if he speaks version 19, for the meaning of a call
            without an explanation.
        timeout: seconds to wait for a line; `None` for ever.
        pause: seconds to wait before each line sent.
        on_fault: `stop` or `skip` the board when a client breaks the rules or falls silent.
        scoring: the scoring that version 19 receives: `IMP` or `MP`.
        log: notes every line.
    """

    host: str = "127.0.0.1"
    port: int = 2000
    rooms: str = "swap"
    play: bool = False
    play_for: frozenset[Seat] = frozenset()
    alerts: bool = True
    explain: bool = False
    timeout: float | None = 120
    pause: float = 0
    on_fault: str = "stop"
    scoring: str = "IMP"
    log: Log = no_log


class Fault(BidwrightError, ValueError):
    """A client broke the rules, or fell silent."""


@dataclass
class Guest:
    """A client in its seat.

    Attributes:
        wire: its connection.
        room: the room's name.
        seat: its seat.
        team: its team.
        version: the version it speaks.
        system: the text after the version in its first line.
        started: True once it is ready to start.
    """

    wire: Wire
    room: str
    seat: Seat
    team: str
    version: int
    system: str = ""
    started: bool = False

    async def send(self, line: Message | str) -> None:
        """Send it a line."""
        await self.wire.send(line)


class Lobby:
    """The seats of the rooms and the clients in them."""

    def __init__(self, settings: Settings) -> None:
        """Prepare the seats."""
        self.settings = settings
        # One room serves four clients for `one` and `swap`: they sit at both tables one after the
        # other.
        self.rooms = ("open", "closed") if settings.rooms == "two" else ("open",)
        self._guests: dict[tuple[str, Seat], Guest] = {}
        self._ready: set[tuple[str, Seat]] = set()
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._visits: set[asyncio.Task[None]] = set()

    async def open(self) -> int:
        """Listen; return the port.

        Raises:
            Fault: The port cannot be had.
        """
        settings = self.settings
        try:
            self._server = await asyncio.start_server(
                self._visit, settings.host, settings.port, limit=LIMIT
            )
        except OSError as error:
            raise Fault(
                f"cannot listen at {settings.host}:{settings.port}: {error.strerror or error}"
            ) from None
        # Port 0 lets the system choose: the socket knows which it took.
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Close the connections of all clients."""
        if self._server is not None:
            self._server.close()
        # Visits are connections that have no seat yet; a server's close alone would leave them
        # waiting.
        for visit in list(self._visits):
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)
        for guest in self._guests.values():
            await guest.wire.close()
        self._guests.clear()

    def at(self, room: str) -> Mapping[Seat, Guest]:
        """Return the clients in a room, in the order of the seats."""
        return {seat: self._guests[room, seat] for seat in Seat}

    def present(self, room: str) -> list[Guest]:
        """Return the clients in a room, some of whom may be gone."""
        return [guest for (where, _), guest in self._guests.items() if where == room]

    def team(self, room: str, seat: Seat) -> str | None:
        """Return the team that a seat belongs to, once either partner is there."""
        # Either partner settles the name: the second one must announce the same.
        for sharing in (seat, seat.partner):
            if (guest := self._guests.get((room, sharing))) is not None:
                return guest.team
        return None

    async def full(self, timeout: float | None = None) -> None:
        """Wait until every seat is taken, and send the teams to the clients that came since.

        Raises:
            Fault: A seat stayed empty, or a client broke the rules.
            Gone: A client left again.
        """
        try:
            async with asyncio.timeout(timeout):
                while self._empty():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            missing = ", ".join(f"{seat_word(seat)} ({room} room)" for room, seat in self._empty())
            raise Fault(
                f"expected clients at every seat within {timeout:g} seconds, none at {missing}"
            ) from None
        # A client that replaces a lost one is welcomed alone; the others have had the teams.
        newcomers = [guest for guest in self._guests.values() if not guest.started]
        await together(*(self._welcome(guest) for guest in newcomers))

    def _empty(self) -> list[tuple[str, Seat]]:
        return [
            (room, seat) for room in self.rooms for seat in Seat if (room, seat) not in self._ready
        ]

    async def _welcome(self, guest: Guest) -> None:
        ns, ew = (self.team(guest.room, seat) or "" for seat in (Seat.NORTH, Seat.EAST))
        scoring = self.settings.scoring if guest.version >= NEWEST else ""
        await guest.send(Teams(ns, ew, scoring))
        await wait_ready(guest, "start", timeout=self.settings.timeout)
        guest.started = True

    async def leave(self, guest: Guest) -> None:
        """Free the seat of a client that is gone."""
        self._free(guest)
        await guest.wire.close()

    def _free(self, guest: Guest) -> None:
        key = guest.room, guest.seat
        if self._guests.get(key) is guest:
            del self._guests[key]
            self._ready.discard(key)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Seat a client, or send it the reason for the refusal."""
        task = asyncio.current_task()
        assert task is not None, "connections are tasks"
        self._visits.add(task)
        task.add_done_callback(self._visits.discard)
        # Anybody can open connections and say nothing: without a limit they would fill the memory.
        if len(self._visits) > _MOST_VISITS:
            writer.close()
            return
        settings = self.settings
        peer = writer.get_extra_info("peername")
        name = f"{peer[0]}:{peer[1]}" if peer else "a client"
        wire = Wire(reader, writer, name, settings.pause, settings.log)
        guest: Guest | None = None
        try:
            message = await wire.receive(settings.timeout)
            guest = self._place(wire, message)
            wire.name = seat_word(guest.seat)
            if len(self.rooms) > 1:
                wire.name += f" ({guest.room} room)"
            # The seat is reserved before the line is sent, so that two clients cannot be given the
            # same.
            await guest.send(Seated(guest.seat, guest.team))
            await wait_ready(guest, "teams", timeout=settings.timeout)
        except (LineError, Late, Fault) as error:
            await _refuse(wire, error)
        except (Gone, asyncio.CancelledError):
            await wire.close()
        else:
            # A seat counts as taken only after the client asked for the teams: until then it may
            # still leave.
            self._ready.add((guest.room, guest.seat))
            self._changed.set()
            return
        # Whoever failed after he was given a seat leaves it free for the next one.
        if guest is not None:
            self._free(guest)

    def _take_over(self, room: str, seat: Seat) -> None:
        """Free the seat of a client that is gone, before the manager has noticed."""
        old = self._guests.get((room, seat))
        if old is not None:
            self._free(old)
            old.wire.hang_up()

    def _place(self, wire: Wire, message: Message) -> Guest:
        """Return the client with its seat.

        Raises:
            LineError: It did not introduce itself.
            Fault: It cannot be seated.
        """
        if not isinstance(message, Connecting):
            raise LineError(
                'expected a line such as \'Connecting "TEAM" as SEAT using protocol version '
                f"{VERSION}', got '{message}'"
            )
        if message.version < VERSION:
            raise Fault(f"expected protocol version {VERSION} or {NEWEST}, got {message.version}")
        reasons: list[str] = []
        for room in self.rooms:
            for seat in Seat if message.seat is None else (message.seat,):
                reason = self._refusal(room, seat, message.team)
                if reason is None:
                    self._take_over(room, seat)
                    guest = Guest(wire, room, seat, message.team, message.version, message.system)
                    self._guests[room, seat] = guest
                    return guest
                reasons.append(reason)
        raise Fault(reasons[0])

    def _refusal(self, room: str, seat: Seat, team: str) -> str | None:
        there = self._guests.get((room, seat))
        # A connection that has ended does not hold its seat against its own successor.
        if there is not None and not there.wire.ended:
            return f'expected a free seat, {seat_word(seat)} is taken by "{there.team}"'
        # Partners announce the same team, or the boards would have no two sides.
        partners = self.team(room, seat.partner)
        if partners is not None and partners != team:
            return f'expected team "{partners}" as {seat_word(seat)}, got "{team}"'
        # In the closed room a team sits the other way round: our North-South is theirs East-West.
        for other in self.rooms:
            if other == room:
                continue
            theirs = self.team(other, seat.lho)
            if theirs is not None and theirs != team:
                return f'expected team "{theirs}" as {seat_word(seat)} in the {room} room'
        return None


async def _refuse(wire: Wire, error: Exception) -> None:
    try:
        await wire.send(str(error))
    except Gone:
        pass
    finally:
        await wire.close()


_MOST_VISITS = 64
"""Connections that have not taken a seat yet; more are closed at once."""

# The order of a conversation: a line about an earlier stage may still come, one about a later is a
# fault.
_STAGES = ("teams", "start", "deal", "cards", "bid", "card", "dummy")
_MOST_SKIPPED = 500
"""Lines of a dropped board that are passed over."""


async def wait_ready(
    guest: Guest,
    what: str,
    about: Seat | None = None,
    trick: int = 0,
    timeout: float | None = None,
) -> None:
    """Wait until a client says that it is ready for something.

    When a new board begins, whatever a client still had to say about the old one is passed over.

    Raises:
        Fault: It said something else, or nothing in time.
        Gone: It is gone.
    """
    expected = Ready(guest.seat, what, about, trick)
    # A limit, since a client that repeats itself for ever would keep the table waiting.
    for _ in range(_MOST_SKIPPED):
        try:
            message = await guest.wire.receive(timeout)
        except LineError as error:
            # Before a new board anything may still be on its way, even a broken line.
            if what != "deal":
                raise Fault(str(error)) from None
            continue
        except Late as error:
            raise Fault(f"{error}: no '{expected}'") from None
        if isinstance(message, Ready) and message.what == what:
            # A client that waits for the wrong seat's call waits all the same: it gets a remark
            # only.
            if message != expected:
                guest.wire.remark(f"expected '{expected}', got '{message}'")
            return
        if what != "deal" and not _left_over(message, what):
            raise Fault(f"expected '{expected}' from {guest.wire.name}, got '{message}'")
        guest.wire.remark(f"passed over '{message}'")
    raise Fault(f"expected '{expected}' from {guest.wire.name}, got something else again and again")


def _left_over(message: Message, what: str) -> bool:
    """Return True if a line belongs to an earlier stage of the same conversation."""
    if isinstance(message, DummyReceived):
        return True
    return isinstance(message, Ready) and _STAGES.index(message.what) < _STAGES.index(what)
