"""Boards of a match played at both tables, many at a time, so that agents get many requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import groupby
from typing import cast

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import (
    Denomination,
    Seat,
    Side,
    card_name,
    parse_seat,
    parse_vulnerability,
)
from bidwright.bridge.deal import Deal
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import Agent, AgentError, Answer, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.double_dummy.dd_solver import DoubleDummy, owners_of
from bidwright.match.play.deals import BoardSource, MatchBoard, decision_seed
from bidwright.match.play.plan import Plan
from bidwright.match.play.sides import SIDES, RecordedSide, Team, open_team
from bidwright.match.record.match_file import Match, read_match
from bidwright.match.record.match_lines import CLOSED, OPEN, BoardLine, RoomLine
from bidwright.match.record.scorers import BLIND, DOUBLE_DUMMY, board_imps, scores_ns
from bidwright.runtime.fence import OutsideError, anywhere, only_below


@dataclass
class BiddingTable:
    """A board at a table: four agents, each side's view of the systems, and the auction."""

    board: MatchBoard
    """The board."""
    room: str
    """`open` or `closed`."""
    agents: Mapping[Seat, Agent]
    """The agent at each seat."""
    views: Mapping[Side, Disclosure]
    """The systems as each side knows them."""
    seed: int = 0
    """The seed of the match."""
    answers: list[Answer] = field(default_factory=list)
    """The calls so far, and who decided them."""
    auction: Auction = field(init=False)
    """The calls so far."""

    def __post_init__(self) -> None:
        """Begin the auction."""
        self.auction = Auction(self.board.dealer, (), self.board.vulnerability)

    @property
    def agent(self) -> Agent:
        """The agent in turn."""
        return self.agents[self.auction.turn]

    def request(self) -> Request:
        """Return the request to the player in turn."""
        seat = self.auction.turn
        hand = self.board.deal[seat]
        # Files without four hands were refused when the boards were read.
        assert hand is not None, "boards have four hands"
        return Request(
            self.auction,
            hand,
            self.views[seat.side],
            # Only meanings that players disclosed themselves; the systems are in the view.
            tuple(answer.meaning for answer in self.answers),
            self.board.number,
            decision_seed(self.seed, self.board.number, len(self.answers)),
        )

    def take(self, answer: Answer) -> None:
        """Add a call to the auction.

        Raises:
            AgentError: The call is illegal.
        """
        if not self.auction.is_legal(answer.call):
            raise AgentError(
                f"{self.agent.spec} made the illegal call {answer.call} as {self.auction.turn} "
                f"after {str(self.auction)!r} on board {self.board.number} ({self.room} room)"
            )
        self.auction = self.auction.with_call(answer.call)
        self.answers.append(answer)

    def notes(self) -> dict[int, str]:
        """Return the alerts of the auction, by the index of the call."""
        alerts: dict[int, str] = {}
        for place, answer in enumerate(self.answers):
            side = self.auction.seat_of(place).side
            # The maker's side explains its own call; the agent's note is for those without a
            # system.
            note = self.views[side].alert(self.auction, place) or answer.note
            if note:
                alerts[place] = note
        return alerts


def bid_out(tables: Sequence[BiddingTable]) -> None:
    """Bid every table to the end; an agent gets the decisions of all tables together.

    Raises:
        AgentError: An agent failed, or made an illegal call.
    """
    # Agents need not be hashable, and equal ones are still two players: identity counts.
    order = {id(agent): n for n, agent in enumerate(_agents(tables))}
    while waiting := [table for table in tables if not table.auction.is_over]:
        # `groupby` joins neighbours only.
        waiting.sort(key=lambda table: order[id(table.agent)])
        for _, group in groupby(waiting, key=lambda table: id(table.agent)):
            # All tables where an agent is in turn are one request to it: networks work in batches.
            asked = list(group)
            answers = asked[0].agent.calls([table.request() for table in asked])
            for table, answer in zip(asked, answers, strict=True):
                table.take(answer)


def _agents(tables: Sequence[BiddingTable]) -> list[Agent]:
    """Return the agents at the tables, each once, in the order of the seats."""
    agents = {id(agent): agent for table in tables for agent in table.agents.values()}
    return list(agents.values())


_LEAD_SEED = -1
"""The place of a call in `decision_seed`, for the random deals of the blind leader."""

_Tricks = dict[tuple[int, Denomination, Seat], int]
"""Declarer's tricks, by the board's number, the denomination and declarer."""


def _played(table: BiddingTable) -> tuple[int, Denomination, Seat] | None:
    contract = table.auction.contract()
    if contract is None:
        return None
    return table.board.number, contract.denomination, contract.declarer


def _boards_on_file(match: Match, plan: Plan) -> BoardSource:
    """Return the boards of a match file as they stand there."""
    header = match.header["boards"]
    # Boards from a seed are drawn again; only a file's boards may lie outside the folders.
    assert header is not None, "boards from a seed lie in no folder"
    boards = tuple(
        MatchBoard(
            line["board"],
            Deal.from_pbn(line["deal"]),
            parse_seat(line["dealer"]),
            parse_vulnerability(line["vul"]),
        )
        for line in match.boards
    )
    return BoardSource(plan.seed, header["file"], header["sha256"], boards)


class Playroom:
    """Two sides and their tables.

    Attributes:
        outside: reasons why names in a match file that is checked may not be opened, by `a`, `b`
        and `boards`. Boards are then taken from the match file; for a side, both sides repeat
        their calls on file, since each can be bid again only with the other's system.
    """

    def __init__(self, plan: Plan) -> None:
        """Open the agents.

        Raises:
            InvalidError: A specification or a system cannot be read.
            MatchFileError: The file to be checked cannot be read.
            AgentError: An agent cannot be started.
        """
        from bidwright.kb.loading.compiled import open_system

        self.plan = plan
        self.outside: dict[str, OutsideError] = {}
        self._match = None if plan.record is None else read_match(plan.record)
        self._library = Library(open_system)
        with self._fenced():
            self.source = self._open_source()
            teams = self._open_teams()
        self.a, self.b = teams["a"], teams["b"]
        self._solver = DoubleDummy(plan.known)

    def _fenced(self) -> AbstractContextManager[None]:
        """Keep to the folders of the plan, if the names are those of a match file."""
        return nullcontext() if self._match is None else only_below(self.plan.below)

    def _open_source(self) -> BoardSource:
        # What the user typed on the command line may lie anywhere.
        try:
            # Boards of the record stand in for those of a file that may not be opened.
            return self.plan.source()
        except OutsideError as error:
            if self._match is None:
                raise
            self.outside["boards"] = error
            return _boards_on_file(self._match, self.plan)

    def _open_teams(self) -> dict[str, Team]:
        teams: dict[str, Team] = {}
        for side in SIDES:
            try:
                teams[side] = self._open_team(side)
            except OutsideError as error:
                if side not in self.plan.recorded:
                    raise
                self.outside[side] = error
        # A side that may not be opened closes the other one too: each bids by both systems.
        closed = next((self.outside[side] for side in SIDES if side in self.outside), None)
        if closed is None:
            return teams
        # Agents that were opened already must not be left running.
        for team in teams.values():
            team.close()
        if self.plan.recorded != frozenset(SIDES) or self.plan.leads:
            raise closed  # who is asked, or who leads blindly, goes by the other side's system
        assert self._match is not None, "without a file nothing lies outside"
        specs = {"a": self.plan.a, "b": self.plan.b}
        return {
            side: open_team(
                specs[side], self._library, opener=RecordedSide(self._match, side).repeat
            )
            for side in SIDES
        }

    def _open_team(self, side: str) -> Team:
        spec, declared = {
            "a": (self.plan.a, self.plan.system_a),
            "b": (self.plan.b, self.plan.system_b),
        }[side]
        if declared is not None:
            # The system is opened here, so that a wrong name is reported before an agent starts.
            self._library.system(declared)
        if self._match is None:
            return open_team(spec, self._library, declared, self.plan.timeout)
        if side in self.plan.recorded:
            opener = RecordedSide(self._match, side).open
            return open_team(spec, self._library, declared, self.plan.timeout, opener)
        # The user named this side himself, so it is not kept to the folders of the file.
        with anywhere():
            return open_team(spec, self._library, declared, self.plan.timeout)

    def table(self, board: MatchBoard, room: str) -> BiddingTable:
        """Return a table with a board before its first call."""
        sides = (self.a, self.b) if room == OPEN else (self.b, self.a)
        teams: dict[Side, Team] = dict(zip(Side, sides, strict=True))
        disclosure = Disclosure(self._library, *(teams[side].system for side in Side))
        # Without disclosure each side sees its own system only.
        views = {
            side: disclosure if self.plan.disclosure else disclosure.seen_by(side) for side in Side
        }
        agents = {seat: teams[seat.side].at(seat) for seat in Seat}
        return BiddingTable(board, room, agents, views, self.plan.seed)

    def bid(self, boards: Sequence[MatchBoard]) -> list[tuple[BiddingTable, BiddingTable]]:
        """Return the tables of some boards, open and closed room, their auctions over.

        Raises:
            AgentError: An agent failed, or made an illegal call.
        """
        pairs = [(self.table(board, OPEN), self.table(board, CLOSED)) for board in boards]
        # Both rooms of all boards together: the batches of the agents are as large as can be.
        bid_out([table for pair in pairs for table in pair])
        return pairs

    def play(self, numbers: Sequence[int]) -> list[BoardLine]:
        """Return the lines of some boards, in their order.

        Raises:
            AgentError: An agent failed, or made an illegal call.
        """
        with self._fenced():
            boards = [self.source.board(number) for number in numbers]
            pairs = self.bid(boards)
            tricks = self._tricks([table for pair in pairs for table in pair])
            return [self._line(*pair, tricks) for pair in pairs]

    def _tricks(self, tables: Sequence[BiddingTable]) -> _Tricks:
        """Return declarers' tricks in all contracts that were reached."""
        # Both tables often reach the same contract; it is solved once.
        asked = {key: table for table in tables if (key := _played(table)) is not None}
        if not asked:
            return {}
        owner = owners_of([table.board.deal for table in asked.values()])
        _, denominations, declarers = zip(*asked, strict=True)
        return dict(
            zip(asked, self._solver.tricks(owner, denominations, declarers).tolist(), strict=True)
        )

    def _line(self, first: BiddingTable, second: BiddingTable, tricks: _Tricks) -> BoardLine:
        board = first.board
        rooms = {table.room: self._room(table, tricks) for table in (first, second)}
        return {
            "board": board.number,
            "dealer": str(board.dealer),
            "vul": board.vulnerability.value,
            "deal": board.deal.to_pbn(),
            "open": rooms[OPEN],
            "closed": rooms[CLOSED],
            "imps": board_imps(rooms[OPEN]["score"], rooms[CLOSED]["score"]),
        }

    def _room(self, table: BiddingTable, tricks: _Tricks) -> RoomLine:
        """Return the auction and the results of a table, as a match file has them."""
        contract = table.auction.contract()
        played = _played(table)
        # Passed-out boards count as 0 tricks for the scorers, which then give 0 points.
        result = {DOUBLE_DUMMY: 0 if played is None else tricks[played]}
        lead: str | None = None
        if self.plan.leads:
            card, result[BLIND] = self._blind(table)
            lead = None if card is None else card_name(card)
        content = {
            "auction": [str(call) for call in table.auction.calls],
            "by": [answer.decider for answer in table.answers],
            "notes": {str(place): note for place, note in table.notes().items()},
            "contract": None if contract is None else contract.text,
            "declarer": None if contract is None else str(contract.declarer),
            # The key is left out rather than null where no lead was asked for.
            **({"lead": lead} if self.plan.leads else {}),
            "tricks": None if contract is None else result,
            "score": scores_ns(contract, table.board.vulnerability, result),
        }
        return cast(RoomLine, content)

    def _blind(self, table: BiddingTable) -> tuple[int | None, int]:
        from bidwright.match.play.blind_leads import blind_result

        contract = table.auction.contract()
        if contract is None:
            return None, 0
        # The leader goes by what his own side knows of the systems.
        view = table.views[contract.declarer.lho.side]
        seed = decision_seed(self.plan.seed, table.board.number, _LEAD_SEED)
        result = blind_result(table.auction, table.board.deal, view, self.plan.leads, seed)
        assert result is not None, "there is a contract"
        return result

    def close(self) -> None:
        """Close the agents and the file of known results."""
        self._solver.close()
        self.a.close()
        self.b.close()
