"""A client: sits down at a table manager, bids with an agent, and plays cards if it must.

It goes by the lines it receives: a board that is dropped, a play that never comes or
lines it does not know do not confuse it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Agent, AgentError, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.play.deals import decision_seed
from bidwright.match.protocol.alerts import HeardCall, called_with_alert, disclosed_by
from bidwright.match.protocol.cardplay import Play, guessed_card
from bidwright.match.protocol.dialects import DIALECTS
from bidwright.match.protocol.line_parser import LineError, parse_line
from bidwright.match.protocol.lines import (
    NO_EXPLANATION,
    PORT,
    VERSION,
    BoardInfo,
    Called,
    Cards,
    Connecting,
    EndOfSession,
    Explain,
    Message,
    Played,
    Ready,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)
from bidwright.match.protocol.wire import LIMIT, Gone, Late, Log, Wire, no_log


class SeatError(BidwrightError, ValueError):
    """A manager that refuses the client, or leads the board against the rules."""


@dataclass(frozen=True)
class Manner:
    """The settings of a client.

    Attributes:
        host: the manager's address.
        port: its port.
        seat: the seat to ask for; `None` for any.
        team: the team's name.
        version: the version to announce.
        theirs: the system that the opponents play, if it is known.
        alerts: the style of explanations, one of `alerts.STYLES`.
        infos: explain calls that need no alert as well.
        play: play cards when the manager wants them.
        dialect: the spelling of lines, one of `dialects.DIALECTS`.
        pause: seconds to wait before each line sent.
        wait: seconds to keep trying to connect.
        timeout: seconds to wait for a line; `None` for ever.
        seed: the random seed of agents and of imagined layouts.
        log: notes every line.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    seat: Seat | None = None
    team: str = "bidwright"
    version: int = VERSION
    theirs: str | None = None
    alerts: str = "both"
    infos: bool = False
    play: bool = True
    dialect: str = "plain"
    pause: float = 0
    wait: float = 10
    timeout: float | None = None
    seed: int = 0
    log: Log = no_log


@dataclass
class _Board:
    """The board in hand as the client knows it.

    Attributes:
        info: number, dealer and vulnerability.
        hand: its cards.
        auction: the calls so far.
        heard: the explanations of the calls by their makers.
        play: the cards played, once there is a contract.
        dummy: dummy's hand.
        asked: True once it has said that it is ready for dummy.
        leads: True once the manager has asked it to lead.
    """

    info: BoardInfo | None = None
    hand: Hand | None = None
    auction: Auction | None = None
    heard: list[HeardCall | None] = field(default_factory=list)
    play: Play | None = None
    dummy: Hand | None = None
    asked: bool = False
    leads: bool = False


class Player:
    """A client at a table."""

    def __init__(self, agent: Agent, library: Library | None, manner: Manner) -> None:
        """Prepare a client that bids with an agent.

        Args:
            agent: the agent that bids.
            library: opens systems, for alerts; `None` to alert only by the agent's notes.
            manner: the settings.
        """
        self._agent, self._library, self._manner = agent, library, manner
        self._seat = Seat.NORTH
        self._board = _Board()
        self.boards = 0

    async def run(self) -> None:
        """Sit down and stay until the session ends.

        Raises:
            SeatError: There is no manager, it refused, or broke the rules.
            Gone: The connection was lost within a board.
            AgentError: The agent failed or made an illegal call.
        """
        self._wire = await self._connect()
        try:
            await self._introduce()
            while await self._step():
                pass
        finally:
            await self._wire.close()

    async def _connect(self) -> Wire:
        manner = self._manner
        deadline = asyncio.get_running_loop().time() + manner.wait
        # Programs of a table are started together, and the manager may be the last to listen.
        while True:
            try:
                streams = await asyncio.open_connection(manner.host, manner.port, limit=LIMIT)
            except OSError as error:
                if asyncio.get_running_loop().time() >= deadline:
                    where = f"{manner.host}:{manner.port}"
                    raise SeatError(
                        f"expected a table manager at {where}, found none: "
                        f"{error.strerror or error}"
                    ) from None
                await asyncio.sleep(0.2)
            else:
                return Wire(
                    *streams,
                    name="the table manager",
                    pause=manner.pause,
                    log=manner.log,
                    spoken=DIALECTS[manner.dialect],
                )

    async def _introduce(self) -> None:
        manner = self._manner
        wire, timeout = self._wire, manner.timeout
        await wire.send(Connecting(manner.team, manner.seat, manner.version))
        text = await self._answer()
        # A refusal is free text by the protocol, so the first answer is read as text, then as a
        # line.
        try:
            seated = parse_line(text)
        except LineError:
            seated = None
        if not isinstance(seated, Seated):
            raise SeatError(f"the table manager refused: {text}")
        self._seat = seated.seat
        await wire.send(Ready(self._seat, "teams"))
        teams = await wire.receive(timeout)
        if not isinstance(teams, Teams):
            raise SeatError(f"expected the teams from the table manager, got '{teams}'")
        await wire.send(Ready(self._seat, "start"))

    async def _answer(self) -> str:
        """Return the manager's first line; one that hangs up has refused as well."""
        try:
            return await self._wire.receive_text(self._manner.timeout)
        except Gone as error:
            raise SeatError(f"the table manager refused: {error}") from None

    async def _step(self) -> bool:
        """Take a line; return False at the end of the session."""
        try:
            message = await self._wire.receive(self._manner.timeout)
        except LineError as error:
            # Managers send lines that no description has; most of them need no answer.
            self._wire.remark(str(error))
            return True
        except Gone:
            # Some managers hang up without `End of session`: between boards that is an end, not a
            # loss.
            if self._idle:
                return False
            raise
        except Late as error:
            raise SeatError(str(error)) from None
        if isinstance(message, EndOfSession):
            return False
        await self._take(message)
        return True

    @property
    def _idle(self) -> bool:
        """True if nothing is lost when the manager hangs up."""
        board = self._board
        # After the auction nothing is lost until a card is played: a manager may skip the play.
        return board.auction is None or (board.auction.is_over and not _is_played(board.play))

    async def _take(self, message: Message) -> None:
        board = self._board
        match message:
            case StartOfBoard():
                self._board = _Board()
                await self._wire.send(Ready(self._seat, "deal"))
            case BoardInfo():
                board.info = message
                await self._wire.send(Ready(self._seat, "cards"))
            # Dummy's cards have no seat, so this case has to come before that of the own hand.
            case Cards(owner=None):
                board.dummy = message.hand
                await self._go_on()
            case Cards():
                await self._begin(message)
            case Called():
                await self._heard(message)
            case ToLead():
                board.leads = True
                await self._lead()
            case Played():
                await self._saw(message)
            case Timing():
                # `Timing` ends a board, so that a manager who hangs up after it has not cut one
                # short.
                self._board = _Board()
            case Explain():
                await self._wire.send(self._explained(message))
            case _:
                self._wire.remark(f"passed over '{message}'")

    async def _begin(self, cards: Cards) -> None:
        board = self._board
        if board.info is None:
            raise SeatError(f"expected the board before '{cards}'")
        board.hand = cards.hand
        board.auction = Auction(board.info.dealer, (), board.info.vulnerability)
        self.boards += 1
        await self._go_on()

    async def _go_on(self) -> None:
        """Take the next step: call or play in turn, or send the line of a client that waits."""
        board = self._board
        if board.auction is None:
            return
        while not board.auction.is_over:
            if board.auction.turn is not self._seat:
                about = board.auction.turn
                await self._wire.send(Ready(self._seat, "bid", about))
                return
            await self._call(board.auction)
            assert board.auction is not None, "a call was added"
        if board.play is None:
            contract = board.auction.contract()
            if contract is None or not self._manner.play:
                return
            board.play = Play(contract)
        await self._go_on_playing(board.play)

    # ------------------------------------------------------------------ auction

    def _view(self) -> Disclosure:
        side = self._seat.side
        systems = {side: self._agent.system, side.other: self._manner.theirs}
        return Disclosure(self._library, systems[Side.NS], systems[Side.EW])

    async def _call(self, auction: Auction) -> None:
        board = self._board
        assert board.info is not None, "the board has come"
        assert board.hand is not None, "the cards have come"
        number, place = board.info.number, len(auction.calls)
        # The seed depends on the board and the call, so both tables and every replay decide alike.
        seed = decision_seed(self._manner.seed, number, place)
        view = self._view()
        request = Request(auction, board.hand, view, tuple(board.heard), number, seed)
        answer = self._agent.calls([request])[0]
        # A manager would answer an illegal call with an error line and wait; the client ends at
        # once.
        if not auction.is_legal(answer.call):
            raise AgentError(
                f"{self._agent.spec} made the illegal call {answer.call} "
                f"after {str(auction)!r} on board {number}"
            )
        after = auction.with_call(answer.call)
        alerts = self._manner.alerts
        # With alerts off, nothing is worked out that would not be sent.
        disclosed = view.explained(after, place) if alerts != "none" else None
        called = called_with_alert(
            self._seat, answer.call, disclosed, answer.note, alerts, self._manner.infos
        )
        board.auction = after
        board.heard.append(None)
        await self._wire.send(called)

    async def _heard(self, called: Called) -> None:
        board = self._board
        auction = board.auction
        if auction is None or called.seat is not auction.turn or called.seat is self._seat:
            raise SeatError(f"expected no such call from the table manager now: '{called}'")
        board.auction = auction.with_call(called.call)
        board.heard.append(
            # Only opponents' explanations count: partner's are for them, not for us (Law 20).
            disclosed_by(called) if called.seat.side is not self._seat.side else None
        )
        await self._go_on()

    def _explained(self, asked: Explain) -> str:
        """Return the meaning of a call: the last one of its seat, or else one that is made now."""
        auction = self._board.auction
        if auction is None:
            return NO_EXPLANATION
        places = [at for at in range(len(auction.calls)) if auction.seat_of(at) is asked.seat]
        # Version 19 asks before the call is sent to others, so it may not be part of the auction
        # yet.
        if auction.turn is asked.seat and auction.is_legal(asked.call):
            auction, places = auction.with_call(asked.call), [len(auction.calls)]
        if not places or auction.calls[places[-1]] is not asked.call:
            return NO_EXPLANATION
        disclosed = self._view().explained(auction, places[-1])
        style = self._manner.alerts
        answer = called_with_alert(asked.seat, asked.call, disclosed, None, style, infos=True)
        return answer.text or NO_EXPLANATION

    # --------------------------------------------------------------------- play

    async def _lead(self) -> None:
        board = self._board
        if board.play is not None and board.play.player is self._seat:
            await self._go_on_playing(board.play)

    async def _saw(self, played: Played) -> None:
        board = self._board
        play = board.play
        if play is None or play.is_over or played.seat not in (play.turn, play.player, None):
            raise SeatError(f"expected no such card from the table manager now: '{played}'")
        play.add(played.card)
        await self._go_on_playing(play)

    async def _go_on_playing(self, play: Play) -> None:
        board = self._board
        me = self._seat
        while not play.is_over:
            # Dummy himself sees no dummy; the leader plays first, and only then are the cards
            # shown.
            if play.cards and me is not play.dummy and board.dummy is None:
                if not board.asked:
                    board.asked = True
                    await self._wire.send(Ready(me, "dummy"))
                return
            if play.player is not me:
                about = None if play.turn is play.dummy else play.turn
                await self._wire.send(Ready(me, "card", about, play.trick))
                return
            if play.is_lead and not board.leads:
                return
            board.leads = False
            await self._play_card(play)

    async def _play_card(self, play: Play) -> None:
        board = self._board
        assert board.info is not None, "the board has come"
        assert board.hand is not None, "the cards have come"
        hands = {self._seat: board.hand.cards}
        if board.dummy is not None:
            hands[play.dummy] = board.dummy.cards
        turn = play.turn
        # The seed is the board's: the number of cards enters the draws in `guessed_card`.
        card = guessed_card(play, hands, decision_seed(self._manner.seed, board.info.number, 0))
        play.add(card)
        await self._wire.send(Played(turn, card))


def _is_played(play: Play | None) -> bool:
    """Return True if the play has begun and is not over."""
    return play is not None and bool(play.cards) and not play.is_over
