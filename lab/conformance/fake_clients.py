"""Four clients that examine a table manager, with a script for the auction.

Two clients that must be refused come first. On odd boards the dealer opens with an alert, his
left-hand opponent overcalls after an illegal attempt, and all pass; even boards are passed out.
If the manager wants the cards played, each plays the first one that is legal.
"""

from __future__ import annotations

import asyncio
from typing import NoReturn

from bidwright import Auction, Call, Hand, Seat
from bidwright.lab.conformance.findings import Broken, ConformanceReport, Ear
from bidwright.match.protocol.cardplay import Play
from bidwright.match.protocol.line_parser import LineError, parse_line
from bidwright.match.protocol.lines import (
    BoardInfo,
    Called,
    Cards,
    Connecting,
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

_QUIET = 0.05
"""Seconds of silence that are checked."""
_ALERT = "strong; HCP=16-37"
_TEAMS = ("examiner A", "examiner B")


async def examine_server(
    host: str, port: int, timeout: float, boards: int = 2, illegal: bool = True
) -> ConformanceReport:
    """Sit down at a manager with four clients and return the findings.

    Args:
        host: the manager's address.
        port: its port.
        timeout: seconds to wait for a line.
        boards: the number of boards to go through.
        illegal: try an illegal call; the protocol leaves the manager's reaction open.

    Raises:
        Broken: There is no manager.
    """
    report = ConformanceReport()
    examination = _Examination(host, port, timeout, report, illegal)
    try:
        await examination.run(boards)
    except Broken as error:
        # A broken rule was reported already; only without a manager is there a text.
        if str(error):
            raise
    except Gone as error:
        report.fail("end", str(error))
    finally:
        await examination.close()
    return report


class _Examination:
    def __init__(
        self, host: str, port: int, timeout: float, report: ConformanceReport, illegal: bool
    ) -> None:
        self._host, self._port, self._timeout = host, port, timeout
        self._report, self._illegal = report, illegal
        self._ears: dict[Seat, Ear] = {}
        self._strays: list[Wire] = []

    async def run(self, boards: int) -> None:
        """Sit down and go through some boards."""
        # North sits alone at first: the refusals need one taken seat, and a team that partner must
        # share.
        await self._sit(Seat.NORTH)
        await self._refused(Connecting("somebody else", Seat.NORTH), "a seat that is taken")
        await self._refused(Connecting("somebody else", Seat.SOUTH), "another team than partner's")
        for seat in (Seat.EAST, Seat.SOUTH, Seat.WEST):
            await self._sit(seat)
        for seat in Seat:
            message = await self._ears[seat].message("who", "the teams")
            if not isinstance(message, Teams) or (message.ns, message.ew) != _TEAMS:
                self._stop("who", f"expected '{Teams(*_TEAMS)}', got '{message}'")
            self._report.keep("who")
        await self._say("start")
        for number in range(boards):
            if not await self._board(opens=number % 2 == 0):
                return

    async def close(self) -> None:
        """Leave."""
        for wire in [*self._strays, *(ear.wire for ear in self._ears.values())]:
            await wire.close()

    def _stop(self, rule: str, text: str) -> NoReturn:
        self._report.fail(rule, text)
        raise Broken

    async def _connect(self, name: str) -> Wire:
        try:
            streams = await asyncio.open_connection(self._host, self._port, limit=LIMIT)
        except OSError as error:
            where = f"{self._host}:{self._port}"
            raise Broken(
                f"expected a table manager at {where}, found none: {error.strerror or error}"
            ) from None
        return Wire(*streams, name=name, log=self._report.log)

    async def _sit(self, seat: Seat) -> None:
        wire = await self._connect(seat_word(seat))
        ear = self._ears[seat] = Ear(wire, self._report, self._timeout)
        # Both players of a side give the same team, as the protocol has it: the refusal of another
        # one is tested apart.
        team = _TEAMS[seat.side]
        await wire.send(Connecting(team, seat))
        await ear.expect("seated", Seated(seat, team))
        await wire.send(Ready(seat, "teams"))

    async def _refused(self, line: Connecting, what: str) -> None:
        wire = await self._connect("stray")
        self._strays.append(wire)
        await wire.send(line)
        text = await Ear(wire, self._report, self._timeout).text("refuse", "a text")
        if isinstance(_read(text), Seated):
            self._report.fail("refuse", f"expected {what} to be refused, got {text!r}")
        else:
            self._report.keep("refuse")
        await wire.close()

    async def _say(self, what: str) -> None:
        for seat in Seat:
            await self._ears[seat].wire.send(Ready(seat, what))

    # -------------------------------------------------------------------- board

    async def _board(self, opens: bool) -> bool:
        """Go through a board; return False if there was none."""
        for seat in Seat:
            message = await self._next(seat)
            # A manager may have fewer boards than were asked for; that breaks no rule.
            if isinstance(message, EndOfSession):
                return False
            if not isinstance(message, StartOfBoard):
                self._stop("start", f"expected '{StartOfBoard()}', got '{message}'")
            self._report.keep("start")
        last = self._ears[Seat.WEST]
        # West is last to say that it is ready, so nothing may come to it before.
        await last.silence("patience", _QUIET, "before it was ready for the deal")
        await self._say("deal")
        infos = [await self._ears[seat].message("board", "the board") for seat in Seat]
        info = infos[0]
        if not isinstance(info, BoardInfo) or any(each != info for each in infos):
            self._stop("board", f"expected the same board for all, got '{infos[0]}'")
        self._report.keep("board")
        await self._say("cards")
        hands = await self._hands()
        auction = Auction(info.dealer, (), info.vulnerability)
        while not auction.is_over:
            auction = await self._turn(auction, opens)
        contract = auction.contract()
        if contract is not None:
            await self._after(Play(contract), hands)
        return True

    async def _next(self, seat: Seat) -> Message:
        """Return the next line that is not about the time."""
        while True:
            message = await self._ears[seat].message("start", "the next board")
            if not isinstance(message, Timing):
                return message

    async def _hands(self) -> dict[Seat, Hand]:
        hands: dict[Seat, Hand] = {}
        for seat in Seat:
            message = await self._ears[seat].message("hand", "thirteen cards")
            if not isinstance(message, Cards) or message.owner is not seat:
                self._stop("hand", f"expected {seat_word(seat)}'s cards, got '{message}'")
            hands[seat] = message.hand
        # The union is a deck only if no card was dealt twice.
        cards = [hand.cards for hand in hands.values()]
        if len(frozenset().union(*cards)) != sum(map(len, cards)):
            self._stop("hand", "expected four hands that make a deck, a card was dealt twice")
        self._report.keep("hand")
        return hands

    async def _turn(self, auction: Auction, opens: bool) -> Auction:
        turn, place = auction.turn, len(auction.calls)
        others = [seat for seat in Seat if seat is not turn]
        line = Called(turn, Call.PASS)
        if opens and place == 0:
            line = Called(turn, Call.C1C, "Alert", _ALERT)
        elif opens and place == 1:
            line = Called(turn, Call.C1D)
            if self._illegal:
                await self._try_illegal(turn)
        # The alert is in the client's own line, as the protocol writes it; the manager has to split
        # it off for the partner.
        await self._ears[turn].wire.send(line)
        if place == 0:
            # Nobody has said that he is ready for the call, so a manager that waits says nothing.
            for seat in others:
                await self._ears[seat].silence(
                    "patience", _QUIET, f"before it was ready for {seat_word(turn)}'s bid"
                )
        for seat in others:
            await self._ears[seat].wire.send(Ready(seat, "bid", turn))
        for seat in others:
            await self._relayed(seat, line)
        return auction.with_call(line.call)

    async def _try_illegal(self, turn: Seat) -> None:
        ear = self._ears[turn]
        await ear.wire.send(Called(turn, Call.REDOUBLE))
        text = await ear.text("illegal", "a text about the illegal call")
        if isinstance(_read(text), Called):
            self._stop("illegal", f"expected a text about the illegal call, got {text!r}")
        self._report.keep("illegal")

    async def _relayed(self, seat: Seat, line: Called) -> None:
        message = await self._ears[seat].message("relay", f"'{line.bare()}'")
        # Without the explanation: managers may write it in their own way.
        if not isinstance(message, Called) or message.bare() != line.bare():
            self._stop("relay", f"expected '{line.bare()}', got '{message}'")
        self._report.keep("relay")
        if not line.alert:
            return
        partner = line.seat.partner is seat
        if partner and message.alert:
            self._report.fail("partner", f"expected no explanation for partner, got '{message}'")
        # A full stop at the end is added by some managers.
        elif not partner and message.text.rstrip(".") != line.text:
            self._report.note("partner", f"the explanation {line.text!r} does not reach opponents")
        else:
            self._report.keep("partner")

    # --------------------------------------------------------------------- play

    async def _after(self, play: Play, hands: dict[Seat, Hand]) -> None:
        """Play the cards if the manager asks for a lead; otherwise the next board is up."""
        leader = play.turn
        ear = self._ears[leader]
        text = await ear.text("end", "a lead to be asked for, or the next board")
        # The line has to be read to see which way it goes on, and is then read again.
        ear.put_back(text)
        if not isinstance(_read(text), ToLead):
            return
        while not play.is_over:
            await self._card(play, hands)
            if len(play.cards) == 1:
                await self._dummy(play, hands)

    async def _card(self, play: Play, hands: dict[Seat, Hand]) -> None:
        turn, player, trick = play.turn, play.player, play.trick
        # Declarer plays dummy's cards and is asked for them without a seat.
        about = None if turn is play.dummy else turn
        if play.is_lead:
            await self._ears[player].expect("lead", ToLead(about))
        # Any legal card will do: the manager is examined, not the play.
        card = Played(turn, play.legal(hands[turn].cards)[0])
        others = [seat for seat in Seat if seat is not player]
        await self._ears[player].wire.send(card)
        for seat in others:
            await self._ears[seat].wire.send(Ready(seat, "card", about, trick))
        for seat in others:
            await self._ears[seat].expect("relay-card", card)
        play.add(card.card)

    async def _dummy(self, play: Play, hands: dict[Seat, Hand]) -> None:
        for seat in Seat:
            if seat is not play.dummy:
                # Dummy need not ask for its own hand.
                await self._ears[seat].wire.send(Ready(seat, "dummy"))
                await self._ears[seat].expect("dummy", Cards(None, hands[play.dummy]))


def _read(text: str) -> Message | None:
    try:
        return parse_line(text)
    except LineError:
        return None
