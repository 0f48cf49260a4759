"""Checks the record of a session at a table by computing its results again.

The programs that sat there are not ours to start, so their calls are taken as they are on file;
reading the file has already held them to the Laws. Deals, contracts, the play of the cards, tricks,
points and IMPs are worked out anew. A team whose agent can be opened here is asked for its
calls again, each after the auction on file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat, Side, parse_card
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.play.deals import BoardSource, MatchBoard, decision_seed
from bidwright.match.play.plan import plan_of
from bidwright.match.play.sides import Team, open_team
from bidwright.match.play.verify import (
    Mismatch,
    Verification,
    changed_versions,
    deal_difference,
    differences,
    numbers_of,
)
from bidwright.match.protocol.alerts import HeardCall, disclosed_by
from bidwright.match.protocol.cardplay import Play
from bidwright.match.protocol.lines import Called
from bidwright.match.protocol.managed_table import TableResult
from bidwright.match.protocol.record import board_line, room_line, team_name
from bidwright.match.record.match_file import Match
from bidwright.match.record.match_lines import (
    OPEN,
    ROOMS,
    BoardLine,
    RoomLine,
    auction_of,
    room_of,
    side_of,
    team_of,
)
from bidwright.runtime.fence import only_below
from bidwright.runtime.sentences import count_of

SIDES = ("a", "b")
# Decisions are only repeated if the client was run with its default seed.
_SEED = 0
"""The default random seed of `bidwright seat`."""


@dataclass(frozen=True)
class Guess:
    """The way to ask a team for its calls again.

    Attributes:
        agent: the specification that its clients bid with; `None` if it is not known.
        theirs: the opponents' system as they heard it.
    """

    agent: str | None = None
    theirs: str | None = None


@dataclass
class _Count:
    """The numbers of checks.

    Attributes:
        calls: calls on file.
        again: calls that were asked for again, by side.
        left: calls that were not asked for again, by side.
        notes: calls with an explanation.
        plays: contracts that were played out.
    """

    calls: int = 0
    again: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    left: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    notes: int = 0
    plays: int = 0


def verify_session(
    match: Match,
    boards: Sequence[int] | None = None,
    guesses: Mapping[str, Guess] | None = None,
    on_board: Callable[[int], None] = lambda number: None,
    below: Sequence[Path] | None = None,
) -> Verification:
    """Check the record of a session.

    Args:
        match: the record.
        boards: numbers of the boards to check, all if not given.
        guesses: for sides `a` and `b`, how to ask for their calls again.
        on_board: called after each board.
        below: the folders below which files that the record names may be opened; its own if not
            given.

    Raises:
        MatchFileError: There is no such board.
        OutsideError: A team that is asked again plays a system that lies elsewhere.
        InvalidError: An agent or a system cannot be opened.
        AgentError: An agent failed.
    """
    numbers = numbers_of(match, boards)
    guesses = guesses or {}
    # A file may name any path: only those below allowed folders are opened.
    check = _Check(match, guesses, (match.path.parent,) if below is None else tuple(below))
    mismatches: list[Mismatch] = []
    try:
        for number in numbers:
            line = match.boards[number - 1]
            mismatches += [Mismatch(number, what) for what in check.board(line)]
            on_board(number)
    finally:
        check.close()
    return Verification(
        match,
        len(numbers),
        sum(check.count.again.values()),
        tuple(mismatches),
        changed_versions(match),
        tuple(check.done(len(numbers))),
        tuple(check.open_questions()),
    )


class _Check:
    def __init__(self, match: Match, guesses: Mapping[str, Guess], folders: Sequence[Path]) -> None:
        from bidwright.kb.loading.compiled import open_system

        self._match, self._guesses = match, guesses
        with only_below(folders):
            self._source, self._no_source = _source(match)
        self._library = Library(open_system)
        self._teams: dict[str, Team] = {}
        self.count = _Count()
        # Systems are opened first, so that a wrong name is reported before boards are played.
        for side, guess in guesses.items():
            if guess.theirs is not None:
                self._library.system(guess.theirs)
            if guess.agent is not None:
                declared = side_of(match.header, side)["declared"]
                # The declared system stands in the file, unlike that of the guess, which the user
                # typed.
                if declared is not None:
                    with only_below(folders):
                        self._library.system(declared)
                self._teams[side] = open_team(guess.agent, self._library, declared)

    def close(self) -> None:
        """Close the agents."""
        for team in self._teams.values():
            team.close()

    # ------------------------------------------------------------------- boards

    def board(self, line: BoardLine) -> Iterator[str]:
        """Yield the differences of a board from the one on file, in sentences."""
        auctions = {room: auction_of(line, room) for room in ROOMS}
        board = _board_of(line, auctions[OPEN])
        if self._source is not None:
            given = board_line(self._source.board(board.number), {})
            if (difference := deal_difference(line, given)) is not None:
                yield difference
                # With other cards everything else would differ as well: one sentence is enough.
                return
        rooms: dict[str, RoomLine] = {}
        for room in ROOMS:
            try:
                rooms[room] = self._again(board, line, room, auctions[room])
            except BidwrightError as error:
                yield f"{room} room, {error}"
                return
            self.count.calls += len(auctions[room].calls)
            self.count.notes += len(room_of(line, room)["notes"])
        yield from differences(line, board_line(board, rooms))
        for room in ROOMS:
            for side in SIDES:
                yield from self._calls(board, line, room, side, auctions[room])

    def _again(self, board: MatchBoard, line: BoardLine, room: str, auction: Auction) -> RoomLine:
        """Return the line of a room, worked out from its calls and cards.

        Raises:
            IllegalError: A card may not be played.
        """
        played = room_of(line, room)
        calls = [Called(auction.seat_of(at), call) for at, call in enumerate(auction.calls)]
        outcome = TableResult(calls)
        contract = auction.contract()
        if contract is not None and "play" in played:
            play = Play(contract)
            for card in map(parse_card, played["play"]):
                # A card has to be legal for the hand on file.
                hand = board.deal[play.turn]
                assert hand is not None, "boards have four hands"
                play.add(card, hand.cards)
            outcome.cards, outcome.taken = play.cards, play.tricks
            self.count.plays += 1
        return {**room_line(board, outcome), "by": played["by"], "notes": played["notes"]}

    def _calls(
        self, board: MatchBoard, line: BoardLine, room: str, side: str, auction: Auction
    ) -> Iterator[str]:
        """Yield the calls of a side that its agent would not make again."""
        team = self._teams.get(side)
        places = [
            at for at in range(len(auction.calls)) if team_of(room, auction.seat_of(at)) == side
        ]
        if team is None:
            # Calls nobody can repeat are counted, so that the report says how much was not checked.
            self.count.left[side] += len(places)
            return
        for at in places:
            notes, theirs = room_of(line, room)["notes"], self._guesses[side].theirs
            request = self._request(board, notes, auction, at, team, theirs)
            again = team.at(request.seat).calls([request])[0].call
            if again is not auction.calls[at]:
                before = str(request.auction) or "no calls"
                yield (
                    f"{room} room, call {at + 1} after {before} is {auction.calls[at]} on file, "
                    f"{team.at(request.seat).spec} bids {again}"
                )
        self.count.again[side] += len(places)

    def _request(
        self,
        board: MatchBoard,
        notes: Mapping[str, str],
        auction: Auction,
        at: int,
        team: Team,
        theirs: str | None,
    ) -> Request:
        """Return the request that a client of the team received."""
        seat = auction.seat_of(at)
        hand = board.deal[seat]
        assert hand is not None, "boards have four hands"
        systems = (team.system if side is seat.side else theirs for side in Side)
        heard = (_disclosed(auction, place, seat, notes.get(str(place))) for place in range(at))
        return Request(
            # The agent sees the calls on file, even after one that it would not have made.
            Auction(auction.dealer, auction.calls[:at], auction.vulnerability),
            hand,
            Disclosure(self._library, *systems),
            tuple(heard),
            board.number,
            decision_seed(_SEED, board.number, at),
        )

    # --------------------------------------------------------------- statements

    def done(self, boards: int) -> Iterator[str]:
        """Yield the checks in sentences."""
        count = self.count
        if self._source is not None:
            where = f"drawn from seed {self._match.header['seed']}"
            if self._source.path is not None:
                where = f"read from {self._source.path}"
            yield f"{count_of(boards, 'board')}: deal, dealer and vulnerability, {where} again"
        yield f"{count_of(count.calls, 'call')}: legal, each auction ended"
        yield f"{2 * boards:,} contracts: double-dummy tricks, points and IMPs worked out again"
        if count.plays:
            played = count_of(count.plays, "contract")
            yield f"{played} played out: every card legal, tricks counted again"
        for side, team in self._teams.items():
            calls = count_of(count.again[side], "call")
            yield f"{calls} of {self._name(side)}: bid again by {team.spec}"

    def open_questions(self) -> Iterator[str]:
        """Yield the checks that were impossible, in sentences."""
        if self._no_source:
            yield self._no_source
        for side in SIDES:
            if side not in self._teams:
                calls = count_of(self.count.left[side], "call")
                yield (
                    f"{calls} of {self._name(side)}: the program that made "
                    f"them is not here; if it was ours, --agent-{side} SPEC bids them again"
                )
        if self.count.notes:
            yield f"{count_of(self.count.notes, 'explanation')}: as the programs gave them"

    def _name(self, side: str) -> str:
        return f"side {side.upper()} ({team_name(self._match.header, side)})"


def _source(match: Match) -> tuple[BoardSource | None, str]:
    """Return the source of the deals if it can be opened again; otherwise None and the reason."""
    recorded = match.header["boards"]
    try:
        source = plan_of(match.header).source()
    except BidwrightError as error:
        return None, f"deals, dealers and vulnerability: {error}"
    # The same path with another content is not the source: the digest decides.
    if recorded is not None and recorded["sha256"] != source.digest:
        return None, f"deals, dealers and vulnerability: {source.path} has changed since"
    return source, ""


def _board_of(line: BoardLine, auction: Auction) -> MatchBoard:
    """Return a board as it is on file."""
    deal = Deal.from_pbn(line["deal"])
    return MatchBoard(line["board"], deal, auction.dealer, auction.vulnerability)


def _disclosed(auction: Auction, place: int, listener: Seat, note: str | None) -> HeardCall | None:
    """Return the explanation of an earlier call as a player heard it: only those of opponents."""
    seat = auction.seat_of(place)
    # Players heard explanations of opponents only, so the request has no others.
    if note is None or seat.side is listener.side:
        return None
    return disclosed_by(Called(seat, auction.calls[place], "Alert", note))
