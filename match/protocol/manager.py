"""The table manager: seats clients, leads them through the boards, and writes results down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bidwright.bridge.cards import Seat
from bidwright.match.play.deals import MatchBoard
from bidwright.match.protocol.lines import EndOfSession
from bidwright.match.protocol.lobby import Fault, Guest, Lobby, Settings
from bidwright.match.protocol.managed_table import Clock, ManagedTable, TableResult, turned
from bidwright.match.protocol.record import Record, TeamNames, board_line, room_line
from bidwright.match.protocol.wire import Gone, together
from bidwright.match.record.match_lines import CLOSED, OPEN, RoomLine

RESTARTS = 5
"""The number of times that a board is begun again after a client was lost, before the end."""

_SKIPPED_IN_A_ROW = 3
"""The number of boards skipped in a row that ends the session."""


class Manager:
    """A session of a table manager."""

    def __init__(
        self,
        settings: Settings,
        boards: Sequence[MatchBoard],
        record: Record,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Prepare a session.

        Args:
            settings: the settings of the manager.
            boards: the boards, numbered in order.
            record: the files of results.
            say: called with each event, as a sentence.
        """
        self._settings, self._boards, self._record, self._say = settings, boards, record, say
        self._lobby = Lobby(settings)
        self._clocks = {room: Clock() for room in (OPEN, CLOSED)}
        self.skipped: list[int] = []

    async def run(self, started: Callable[[int], None] = lambda port: None) -> None:
        """Wait for the clients and lead them through all boards that are not on record.

        Args:
            started: called with the port once the manager listens.

        Raises:
            Fault: A client broke the rules, or clients did not come; results so far are kept.
        """
        try:
            started(await self._lobby.open())
            # There is no time limit at the start, while the programs are still being started.
            await self._fill(None)
            guests = self._lobby.at(OPEN)
            names = TeamNames(guests[Seat.NORTH].team, guests[Seat.EAST].team)
            self._record.begin(names)
            self._say(f"{names.a} (North-South) against {names.b} (East-West)")
            done = {line["board"] for line in self._record.lines}
            for board in self._boards:
                if board.number not in done:
                    await self._board(board)
            await self._end()
        finally:
            self._record.close()
            await self._lobby.close()

    async def _fill(self, timeout: float | None) -> None:
        """Wait until every seat is taken, however often somebody leaves meanwhile."""
        # Whoever leaves while others come starts the wait again.
        while True:
            try:
                return await self._lobby.full(timeout)
            except Gone as error:
                self._say(str(error))
                await self._sweep()

    async def _sweep(self) -> None:
        """Free the seats of clients that are gone."""
        for room in self._lobby.rooms:
            for guest in self._lobby.present(room):
                if guest.wire.ended:
                    await self._lobby.leave(guest)

    async def _board(self, board: MatchBoard) -> None:
        try:
            outcomes = await self._outcomes(board)
        except Fault as error:
            if self._settings.on_fault == "stop":
                raise
            self._say(f"board {board.number} skipped: {error}")
            self.skipped.append(board.number)
            last = self.skipped[-_SKIPPED_IN_A_ROW:]
            if last == list(range(board.number - _SKIPPED_IN_A_ROW + 1, board.number + 1)):
                raise Fault(
                    f"{len(last)} boards skipped one after the other, lastly: {error}"
                ) from None
            return
        rooms = {room: room_line(board, outcome) for room, outcome in outcomes.items()}
        line = board_line(board, rooms)
        self._record.add(line)
        contracts = ", ".join(_contract(rooms[room]) for room in rooms)
        self._say(f"board {board.number}: {contracts}")

    async def _outcomes(self, board: MatchBoard) -> Mapping[str, TableResult]:
        """Return the auction and the play of each room."""
        if self._settings.rooms == "two":
            results = await self._restarting(
                # Both rooms play at the same time; a client that is lost in one begins the board
                # again in both.
                lambda: together(*(self._table(board, room, room) for room in (OPEN, CLOSED)))
            )
            return dict(zip((OPEN, CLOSED), results, strict=True))
        outcomes = {OPEN: await self._restarting(lambda: self._table(board, OPEN, OPEN))}
        if self._settings.rooms == "swap":
            other = turned(board)
            outcomes[CLOSED] = await self._restarting(lambda: self._table(other, OPEN, CLOSED))
        return outcomes

    def _table(self, board: MatchBoard, seated: str, room: str) -> Any:  # noqa: ANN401 - a coroutine
        guests = self._lobby.at(seated)
        return ManagedTable(board, room, guests, self._settings, self._clocks[room]).run()

    async def _restarting(self, play: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever it returns
        """Return the result of playing; when a client is lost, wait for another and begin again."""
        # A program that crashes on a board would crash on it again for ever.
        for _ in range(RESTARTS):
            try:
                return await play()
            except Gone as error:
                self._say(f"{error}; its seat is kept free")
                await self._sweep()
                await self._fill(self._settings.timeout)
        raise Fault(f"clients were lost {RESTARTS} times on the same board")

    async def _end(self) -> None:
        for room in self._lobby.rooms:
            for guest in self._lobby.present(room):
                await _goodbye(guest)


async def _goodbye(guest: Guest) -> None:
    """Tell a client that there are no more boards; it need not be there any more."""
    try:
        await guest.send(EndOfSession())
    except Gone:
        guest.wire.remark("left before the end")


def _contract(room: RoomLine) -> str:
    return "passed out" if room["contract"] is None else f"{room['contract']} by {room['declarer']}"
