"""One board at one table, as the manager leads it: deal, auction, and the play if wanted."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Card, Seat, Side
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import Hand
from bidwright.match.play.deals import MatchBoard
from bidwright.match.protocol.cardplay import Play, best_card
from bidwright.match.protocol.line_parser import LineError
from bidwright.match.protocol.lines import (
    NO_EXPLANATION,
    BoardInfo,
    Called,
    Cards,
    DummyReceived,
    Explain,
    Message,
    Played,
    Ready,
    StartOfBoard,
    Timing,
    ToLead,
    seat_word,
)
from bidwright.match.protocol.lobby import NEWEST, Fault, Guest, Settings, wait_ready
from bidwright.match.protocol.wire import Late, together

TRIES = 3
"""Calls or cards that may be illegal before a client has broken the rules."""


def turned(board: MatchBoard) -> MatchBoard:
    """Return a board turned by one seat: North gets the cards that East had.

    So the same four clients can play a board again, as the other side.
    """
    hands = board.deal.hands
    return MatchBoard(
        board.number,
        Deal(*(hands[seat.lho] for seat in Seat)),
        # The dealer moves with his cards: East's go to North, who sits on his right.
        board.dealer.rho,
        board.vulnerability.turned,
    )


@dataclass
class Clock:
    """Seconds that each side has thought, in one room."""

    board: dict[Side, float] = field(default_factory=lambda: dict.fromkeys(Side, 0.0))
    total: dict[Side, float] = field(default_factory=lambda: dict.fromkeys(Side, 0.0))

    def start(self) -> None:
        """Begin a board."""
        self.board = dict.fromkeys(Side, 0.0)

    def add(self, side: Side, seconds: float) -> None:
        """Add time to a side."""
        self.board[side] += seconds
        self.total[side] += seconds

    def line(self) -> Timing:
        """Return the line at the end of a board."""
        # Side by side in the order of the line: each side's board first, then its total.
        return Timing(*(int(each[side]) for side in Side for each in (self.board, self.total)))


@dataclass
class TableResult:
    """The auction and the play of a table.

    Attributes:
        calls: the calls with their explanations.
        cards: the cards in the order played; empty if the play was skipped.
        signals: the meanings of players' signals, by the card's index.
        taken: declarer's tricks; `None` if the play was skipped.
    """

    calls: list[Called] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    signals: dict[int, str] = field(default_factory=dict)
    taken: int | None = None


class ManagedTable:
    """A board in a room."""

    def __init__(
        self,
        board: MatchBoard,
        room: str,
        guests: Mapping[Seat, Guest],
        settings: Settings,
        clock: Clock,
    ) -> None:
        """Prepare a board for the four clients of a room."""
        self._board, self._room, self._guests = board, room, guests
        self._settings, self._clock = settings, clock
        self._outcome = TableResult()

    async def run(self) -> TableResult:
        """Lead a board from its start to its end.

        Raises:
            Fault: A client broke the rules, or fell silent.
            Gone: A client is gone.
        """
        self._clock.start()
        await together(*(self._deal(guest) for guest in self._guests.values()))
        board = self._board
        auction = Auction(board.dealer, (), board.vulnerability)
        while not auction.is_over:
            auction = await self._turn(auction)
        contract = auction.contract()
        if contract is not None and self._settings.play:
            await self._play(Play(contract))
        # Without play a board ends with its auction, and there is nothing to time.
        if contract is None or self._settings.play:
            for guest in self._guests.values():
                await guest.send(self._clock.line())
        return self._outcome

    def _hand(self, seat: Seat) -> Hand:
        hand = self._board.deal[seat]
        assert hand is not None, "boards have four hands"
        return hand

    async def _ready(
        self, seat: Seat, what: str, about: Seat | None = None, trick: int = 0
    ) -> None:
        await wait_ready(self._guests[seat], what, about, trick, self._settings.timeout)

    async def _deal(self, guest: Guest) -> None:
        board = self._board
        # The room is announced only if both teams speak version 19, which has it.
        newest = self._guests[Seat.NORTH].version >= NEWEST <= self._guests[Seat.EAST].version
        room = self._room if newest and guest.version >= NEWEST else ""
        await guest.send(StartOfBoard())
        await self._ready(guest.seat, "deal")
        await guest.send(BoardInfo(board.number, board.dealer, board.vulnerability, room))
        await self._ready(guest.seat, "cards")
        await guest.send(Cards(guest.seat, self._hand(guest.seat)))

    # ------------------------------------------------------------------ auction

    async def _turn(self, auction: Auction) -> Auction:
        seat = auction.turn
        others = [each for each in Seat if each is not seat]
        # All four are read at the same time: the others may say before or after the call that they
        # wait.
        waits = (self._ready(each, "bid", seat) for each in others)
        message, *_ = await together(self._call(auction), *waits)
        assert isinstance(message, Called)
        called = await self._explained(message)
        self._outcome.calls.append(called)
        heard = called if self._settings.alerts else called.bare()
        for listener in others:
            # Partner never hears an explanation (Law 20); opponents do if the table wants alerts.
            await self._guests[listener].send(heard.bare() if listener is seat.partner else heard)
        return auction.with_call(called.call)

    async def _explained(self, called: Called) -> Called:
        """Return a call with the explanation of the caller's partner, if he is asked and knows."""
        guest = self._guests[called.seat.partner]
        # It is the caller's partner who explains, as players do: he knows the system, not the hand.
        if not self._settings.explain or called.alert or guest.version < NEWEST:
            return called
        await guest.send(Explain(called.seat, called.call))
        try:
            text = await guest.wire.receive_text(self._settings.timeout)
        except (LineError, Late) as error:
            raise Fault(f"{error} on board {self._board.number}") from None
        return called if text == NO_EXPLANATION else replace(called, alert="Infos", text=text)

    async def _call(self, auction: Auction) -> Called:
        seat = auction.turn
        reason = ""
        for _ in range(TRIES):
            message = await self._answer(seat)
            if not isinstance(message, Called) or message.seat is not seat:
                reason = f"expected a call of {seat_word(seat)}, got '{message}'"
            elif not auction.is_legal(message.call):
                reason = f"illegal call {message.call} after {str(auction)!r}"
            else:
                return message
            await self._guests[seat].send(f"Error: {reason}")
        raise Fault(f"{reason} from {self._guests[seat].wire.name} on board {self._board.number}")

    async def _answer(self, seat: Seat) -> Message:
        """Return the next line that is not about waiting; the time goes to its side."""
        guest = self._guests[seat]
        began = time.monotonic()
        try:
            while True:
                message = await guest.wire.receive(self._settings.timeout)
                if not isinstance(message, Ready | DummyReceived):
                    return message
                guest.wire.remark(f"passed over '{message}'")
        except (LineError, Late) as error:
            raise Fault(f"{error} on board {self._board.number}") from None
        # Time is counted for failures as well, or a client could think for free.
        finally:
            self._clock.add(seat.side, time.monotonic() - began)

    # --------------------------------------------------------------------- play

    async def _play(self, play: Play) -> None:
        while not play.is_over:
            await self._card(play)
            # Law 41: dummy's cards are shown when the opening lead is faced.
            if len(play.cards) == 1:
                shown = Cards(None, self._hand(play.dummy))
                await together(
                    *(self._show(each, shown) for each in Seat if each is not play.dummy)
                )
        self._outcome.cards = play.cards
        self._outcome.taken = play.tricks

    async def _show(self, seat: Seat, dummy: Cards) -> None:
        if seat not in self._settings.play_for:
            await self._ready(seat, "dummy")
            await self._guests[seat].send(dummy)

    async def _card(self, play: Play) -> None:
        turn, player, trick = play.turn, play.player, play.trick
        silent = self._settings.play_for
        # Seats played by the manager are not waited for: their clients do not follow the play.
        others = [each for each in Seat if each is not player and each not in silent]
        about = None if turn is play.dummy else turn
        waits = (self._ready(each, "card", about, trick) for each in others)
        played, *_ = await together(self._chosen(play), *waits)
        assert isinstance(played, Played)
        if played.text:
            self._outcome.signals[len(play.cards)] = played.text
        play.add(played.card)
        for listener in others:
            explained = (
                # A signal's meaning belongs to version 19 and to opponents only, as explanations of
                # calls do.
                listener.side is not player.side and self._guests[listener].version >= NEWEST
            )
            await self._guests[listener].send(played if explained else played.bare())

    async def _chosen(self, play: Play) -> Played:
        turn, player = play.turn, play.player
        if player in self._settings.play_for:
            hands = {seat: self._hand(seat).cards for seat in Seat}
            return Played(turn, best_card(play, hands))
        # Only a lead is asked for; later cards follow from the turn.
        if play.is_lead:
            await self._guests[player].send(ToLead(None if turn is play.dummy else turn))
        reason = ""
        for _ in range(TRIES):
            message = await self._answer(player)
            # A client may name declarer, dummy or itself as the player of dummy's card.
            if not isinstance(message, Played) or message.seat not in (turn, player, None):
                reason = f"expected a card of {seat_word(turn)}, got '{message}'"
            else:
                reason = _illegal(play, message.card, self._hand(turn))
                if not reason:
                    return Played(turn, message.card, message.text)
            await self._guests[player].send(f"Error: {reason}")
        raise Fault(f"{reason} from {self._guests[player].wire.name} on board {self._board.number}")


def _illegal(play: Play, card: Card, hand: Hand) -> str:
    """Return the reason why a card may not be played; an empty text if it may."""
    # A copy, so that an illegal card leaves the play as it was.
    copy = Play(play.contract, list(play.cards), list(play.players))
    try:
        copy.add(card, hand.cards)
    except BidwrightError as error:
        return str(error)
    return ""
