"""A table manager that examines a client: three other players who follow a script.

Board 1 has an alerted opening by an opponent and is played to the last card, board 2 is dropped
after the auction, board 3 in the middle of it and then begun again, board 4 is spoken in the
dialects of other managers.
"""

from __future__ import annotations

import asyncio

from bidwright import Auction, Call, Hand, IllegalError, Seat, Vulnerability
from bidwright.lab.conformance.findings import Broken, ConformanceReport, Ear
from bidwright.match.play.deals import MatchBoard, seeded_board
from bidwright.match.protocol.cardplay import Play
from bidwright.match.protocol.lines import (
    VERSION,
    BoardInfo,
    Called,
    Cards,
    Connecting,
    DummyReceived,
    EndOfSession,
    Message,
    Played,
    Ready,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
    seat_word,
)
from bidwright.match.protocol.wire import LIMIT, Gone, Wire

_SEED = 1


async def examine_client(
    host: str, port: int, timeout: float, play: bool = True
) -> ConformanceReport:
    """Wait for a client, lead it through a few boards, and return the findings.

    Args:
        host: the address to listen at.
        port: the port.
        timeout: seconds to wait for a line, and twelve times that for the client to come.
        play: make the client play cards.

    Raises:
        Broken: Nobody came, or the port is taken.
    """
    report = ConformanceReport()
    came = asyncio.Event()
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer, "client", log=report.log)
        if came.is_set():
            await wire.close()  # one client is examined
            return
        came.set()
        try:
            await _Examination(Ear(wire, report, timeout), report, play).run()
        except Broken:
            pass
        except Gone as error:
            report.fail("end", str(error))
        finally:
            await wire.close()
            if not done.done():
                done.set_result(None)

    try:
        server = await asyncio.start_server(visit, host, port, limit=LIMIT)
    except OSError as error:
        raise Broken(f"cannot listen at {host}:{port}: {error.strerror or error}") from None
    async with server:
        try:
            # Shielded: a client that comes at the last moment must not be cancelled.
            await asyncio.wait_for(asyncio.shield(came.wait()), _PATIENCE * timeout)
        except TimeoutError:
            raise Broken(f"expected a client at {host}:{port}, none came") from None
        await done
    return report


_PATIENCE = 12
"""The factor on the time for a line that gives the time for a client to come."""


class _Examination:
    """The examination of one client."""

    def __init__(self, ear: Ear, report: ConformanceReport, play: bool) -> None:
        self._ear, self._report, self._plays = ear, report, play
        self._seat = Seat.SOUTH
        self._loud = False

    async def run(self) -> None:
        """Lead the client through the boards."""
        await self._introduction()
        me = self._seat
        # The same deals in each examination, so that two reports can be compared line by line.
        boards = [seeded_board(_SEED, number) for number in (1, 2, 3, 4)]
        # Dealt by the right-hand opponent: his alerted opening comes to the client before its own
        # call.
        await self._board(_dealt_by(boards[0], me.rho), play=self._plays)
        await self._board(_dealt_by(boards[1], me), play=False)
        await self._board(_dealt_by(boards[2], me), play=False, stop_after=2)
        await self._board(_dealt_by(boards[2], me), play=False)
        await self._tolerates(_dealt_by(boards[3], me.partner))
        await self._send(EndOfSession())

    async def _tolerates(self, board: MatchBoard) -> None:
        """Test the client's understanding of dialects, which the rules do not ask for."""
        self._loud = True
        try:
            await self._board(board, play=False)
        except Broken:
            # The dialects are outside the rules: what broke becomes a habit of the client.
            finding = self._report.findings.pop()
            self._report.note("tolerance", f"a dialect is not understood: {finding.text}")
        else:
            self._report.keep("tolerance")
        self._loud = False

    async def _send(self, line: Message) -> None:
        text = str(line)
        if self._loud:
            text = text.upper() if not isinstance(line, Called) else f"{text}."
            text = text.replace(" ", "  ", 1)
        await self._ear.wire.send(text)

    async def _introduction(self) -> None:
        message = await self._ear.message("connecting", 'Connecting "TEAM" as SEAT ...')
        if not isinstance(message, Connecting):
            self._report.fail("connecting", f"expected 'Connecting', got '{message}'")
            raise Broken
        if message.version < VERSION:
            self._report.fail("connecting", f"expected version 18 or 19, got {message.version}")
            raise Broken
        self._report.keep("connecting")
        self._seat = Seat.SOUTH if message.seat is None else message.seat
        await self._send(Seated(self._seat, message.team))
        await self._ear.expect("teams", Ready(self._seat, "teams"))
        names = [message.team, "examiner"]
        await self._send(Teams(*(names if self._seat in (Seat.NORTH, Seat.SOUTH) else names[::-1])))
        await self._ear.expect("teams", Ready(self._seat, "start"))

    async def _board(self, board: MatchBoard, play: bool, stop_after: int | None = None) -> None:
        me = self._seat
        await self._send(StartOfBoard())
        await self._after_start()
        await self._send(BoardInfo(board.number, board.dealer, board.vulnerability))
        await self._ear.expect("cards", Ready(me, "cards"))
        hand = board.deal[me]
        assert hand is not None, "boards have four hands"
        await self._send(Cards(me, hand))
        auction = Auction(board.dealer, (), board.vulnerability)
        while not auction.is_over:
            if stop_after is not None and len(auction.calls) >= stop_after:
                return
            auction = await self._turn(auction, board)
        contract = auction.contract()
        if contract is not None and play:
            await self._play(Play(contract), board)
        # Managers send the times after a board that was ended; one that is dropped has none.
        if contract is None or play:
            await self._send(Timing(1, 1, 2, 2))

    async def _after_start(self) -> None:
        """Wait until the client is ready for the deal; its other lines are passed over."""
        expected = Ready(self._seat, "deal")
        for _ in range(4):
            message = await self._ear.message("deal", f"'{expected}'")
            if message == expected:
                self._report.keep("deal")
                return
            if not isinstance(message, Ready | DummyReceived | Called):
                break
        self._report.fail("deal", f"expected '{expected}', got '{message}'")
        raise Broken

    async def _turn(self, auction: Auction, board: MatchBoard) -> Auction:
        me, turn = self._seat, auction.turn
        if turn is not me:
            await self._ear.expect("wait-bid", Ready(me, "bid", turn))
            call, text = Call.PASS, ""
            if not auction.calls and board.number == 1:
                call, text = Call.C1C, "strong or short; C=2-13,HCP=12-21"
            await self._send(Called(turn, call, "Alert" if text else "", text))
            return auction.with_call(call)
        message = await self._ear.message("call", f"a call of {seat_word(me)}")
        if not isinstance(message, Called) or message.seat is not me:
            self._report.fail("call", f"expected a call of {seat_word(me)}, got '{message}'")
            raise Broken
        if not auction.is_legal(message.call):
            self._report.fail("call", f"illegal call {message.call} after {str(auction)!r}")
            raise Broken
        self._report.keep("call")
        return auction.with_call(message.call)

    async def _play(self, play: Play, board: MatchBoard) -> None:
        me = self._seat
        while not play.is_over:
            turn, player, trick = play.turn, play.player, play.trick
            hand = board.deal[turn]
            assert hand is not None, "boards have four hands"
            about = None if turn is play.dummy else turn
            if player is me:
                if play.is_lead:
                    await self._send(ToLead(about))
                await self._card(play, turn, hand)
            else:
                await self._wait_card(Ready(me, "card", about, trick), turn)
                play.add(play.legal(hand.cards)[0])
                await self._send(Played(turn, play.cards[-1]))
            if len(play.cards) == 1 and me is not play.dummy:
                await self._wait_dummy()
                dummy = board.deal[play.dummy]
                assert dummy is not None, "boards have four hands"
                await self._send(Cards(None, dummy))

    async def _card(self, play: Play, turn: Seat, hand: Hand) -> None:
        message = await self._skipping("card", f"a card of {seat_word(turn)}")
        if not isinstance(message, Played) or message.seat not in (turn, self._seat, None):
            self._report.fail("card", f"expected a card of {seat_word(turn)}, got '{message}'")
            raise Broken
        try:
            play.add(message.card, hand.cards)
        except IllegalError as error:
            self._report.fail("card", str(error))
            raise Broken from None
        self._report.keep("card")

    async def _wait_card(self, expected: Ready, turn: Seat) -> None:
        """Expect the client to wait for a card; dummy's may be named by its seat."""
        message = await self._skipping("wait-card", f"'{expected}'")
        named = Ready(expected.seat, "card", turn, expected.trick)
        if message not in (expected, named):
            self._report.fail("wait-card", f"expected '{expected}', got '{message}'")
            raise Broken
        self._report.keep("wait-card")

    async def _wait_dummy(self) -> None:
        await self._ear.expect("dummy", Ready(self._seat, "dummy"))

    async def _skipping(self, rule: str, expected: str) -> Message:
        """Return the next line that is not about having received dummy."""
        while True:
            message = await self._ear.message(rule, expected)
            if not isinstance(message, DummyReceived):
                return message


def _dealt_by(board: MatchBoard, dealer: Seat) -> MatchBoard:
    return MatchBoard(board.number, board.deal, dealer, Vulnerability.NS)
