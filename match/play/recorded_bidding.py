"""Bid the boards of a file: all four hands, with a note on every call.

A run that is cut short goes on: finished boards stand in a file beside the one to write, from
which the same command takes them over.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TypedDict

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.recorded_boards import boards_as_text, full_name
from bidwright.inference.explanation.service import Library
from bidwright.match.agents.agent import AgentError
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import check_jobs
from bidwright.match.play.deals import MatchBoard
from bidwright.match.play.plan import versions
from bidwright.match.play.playroom import BiddingTable, bid_out
from bidwright.match.play.sides import Team, open_team
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.files import check_writable, write_text
from bidwright.runtime.journal import Journal

_BATCH = 8
"""Boards that are bid at the same time, so that agents receive several requests."""
# Beginnings, since tags exist in families such as ScoreIMP and BidSystemNS.
_OF_THE_TABLE = ("Score", "TotalScore", "Room", "HomeTeam", "VisitTeam", "BidSystem")
"""Beginnings of the names of tags about the table of the file."""


@dataclass(frozen=True)
class Partnerships:
    """The agents of both sides.

    Attributes:
        ns: the specification of the agent of North-South, or of two agents joined by ` + `.
        ew: that of East-West.
        ns_system: the system that North-South play, where their agent does not name one.
        ew_system: that of East-West, likewise.
        timeout: seconds to wait for an agent outside; None for its own default.
    """

    ns: str
    ew: str
    ns_system: str | None = None
    ew_system: str | None = None
    timeout: float | None = None


class BidAuction(TypedDict):
    """An auction as it is kept: a line of the unfinished file."""

    calls: list[str]
    notes: dict[str, str]


def bid_boards(
    boards: Sequence[Board],
    bidders: Partnerships,
    *,
    crew: Crew = ALONE,
    unfinished: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Board]:
    """Return boards with the auctions that the bidders have on them, a note on every call.

    The deal, dealer, vulnerability, number and whatever else belongs to the board are kept; what
    tells of the table of the file (players, contract, result, play) is not.

    Args:
        boards: boards with four hands each.
        bidders: the players.
        crew: the workers.
        unfinished: a file that keeps finished boards until all are; it is removed at the end.
        progress: called with the number of boards that are bid, and of all.

    Raises:
        InvalidError: A board lacks hands, a specification or a system cannot be read, or
            `unfinished` is of other boards or bidders.
        AgentError: An agent failed; finished boards are kept in `unfinished`.
    """
    check_jobs((bidders.ns, bidders.ew), crew.jobs)
    # Places in the file instead of numbers on it, which may be missing or come twice.
    laid = [_laid(board, number) for number, board in enumerate(boards, start=1)]
    auctions: list[BidAuction] = []
    with _Bidding(bidders) as bidding:  # opened here as well: mistakes are reported before any work
        about = bidding.about(laid)
        titles = bidding.titles()
    journal = None if unfinished is None else _opened(unfinished, about)
    try:
        # The journal's header has the hash of all boards, so its lines are the first of these.
        if journal is not None:
            auctions += [json.loads(line) for line in journal.content.splitlines()][: len(laid)]
        progress(len(auctions), len(laid))
        left = laid[len(auctions) :]
        rest = [left[start : start + _BATCH] for start in range(0, len(left), _BATCH)]
        # Processes cost more to start than one batch of boards.
        crew = crew if len(rest) > 1 else replace(crew, jobs=1)
        prepare = _Bidding if crew.is_alone else _quiet_bidding
        results = work(
            crew,
            prepare,
            (bidders,),
            rest,
            about,
            AgentError,
            "the boards before are kept" if journal else "nothing is kept without -o",
            describe=lambda batch: [board.number for board in batch],
            place=lambda batch: f"boards {batch[0].number} to {batch[-1].number} of the file",
        )
        # Closing ends the processes when an error stops the loop.
        with closing(results):
            for bid in results:
                if journal is not None:
                    # Written batch by batch, so that a run cut short loses one at most.
                    lines = (json.dumps(each, separators=(",", ":")) + "\n" for each in bid)
                    journal.add("".join(lines).encode())
                auctions += bid
                progress(len(auctions), len(laid))
    finally:
        if journal is not None:
            journal.close()
    return [
        _with_auction(board, auction, bidders, titles)
        for board, auction in zip(boards, auctions, strict=True)
    ]


def bid_file(
    boards: Sequence[Board],
    bidders: Partnerships,
    out: Path,
    *,
    crew: Crew = ALONE,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Board]:
    """Bid boards and write them, as PBN or, by the ending of the name, LIN; or resume that.

    Raises:
        InvalidError: As `bid_boards`, or the file cannot be written.
        AgentError: An agent failed; finished boards are kept.
    """
    # Before the bidding, which may take hours.
    check_writable(out)
    unfinished = out.with_name(out.name + ".part")
    done = bid_boards(boards, bidders, crew=crew, unfinished=unfinished, progress=progress)
    write_text(out, boards_as_text(done, out))
    # Removed only after the whole file stands.
    unfinished.unlink(missing_ok=True)
    return done


def _laid(board: Board, number: int) -> MatchBoard:
    if board.deal is None or not board.deal.is_complete:
        reason = f" ({board.errors[0]})" if board.errors else ""
        raise InvalidError(f"expected four hands on {full_name(board)}{reason}")
    return MatchBoard(number, board.deal, board.dealer, board.vulnerability)


def _opened(path: Path, about: dict[str, object]) -> Journal:
    header = json.dumps(about, sort_keys=True, separators=(",", ":")) + "\n"
    return Journal(path, header.encode(), "unfinished bidding of these boards by these players")


class _Bidding:
    """The players of both sides, who bid boards together."""

    def __init__(self, bidders: Partnerships) -> None:
        from bidwright.kb.loading.compiled import open_system

        self._bidders = bidders
        self._library = Library(open_system)
        self._teams: dict[Side, Team] = {}
        sides = {
            Side.NS: (bidders.ns, bidders.ns_system),
            Side.EW: (bidders.ew, bidders.ew_system),
        }
        for side, (spec, system) in sides.items():
            self._teams[side] = open_team(spec, self._library, system, bidders.timeout)
        systems = (self._teams[side].system for side in Side)
        self._view = Disclosure(self._library, *systems)

    def __enter__(self) -> _Bidding:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def about(self, boards: Sequence[MatchBoard]) -> dict[str, object]:
        """Return as plain values all that decides the auctions."""
        texts = (
            f"{board.number} {board.dealer} {board.vulnerability.value} {board.deal.to_pbn()}\n"
            for board in boards
        )
        return {
            "bidwright": "bidding of a file",
            "boards": sha256("".join(texts).encode()).hexdigest(),
            # Cards have the hashes of systems and weights: a change of either begins anew.
            "ns": self._teams[Side.NS].card(),
            "ew": self._teams[Side.EW].card(),
            "versions": versions(),
        }

    def titles(self) -> dict[Side, str]:
        """Return the titles of the systems, by the side, as far as the systems are known."""
        systems = {side: team.system for side, team in self._teams.items()}
        return {
            side: self._library.system(name).title
            for side, name in systems.items()
            if name is not None
        }

    def __call__(self, boards: Sequence[MatchBoard]) -> list[BidAuction]:
        """Return the auctions on some boards."""
        # Both sides know both systems: notes are for readers, not for opponents.
        views = {side: self._view for side in Side}
        agents = {seat: self._teams[seat.side].at(seat) for seat in Seat}
        # There is one room only, whatever the file's rooms were.
        tables = [BiddingTable(board, "open", agents, views) for board in boards]
        bid_out(tables)
        return [
            {
                "calls": [str(call) for call in table.auction.calls],
                "notes": {str(place): note for place, note in self._notes(table)},
            }
            for table in tables
        ]

    def _notes(self, table: BiddingTable) -> Iterator[tuple[int, str]]:
        for place, answer in enumerate(table.answers):
            # Every call gets a note, not only those that need an alert.
            explained = self._view.explained(table.auction, place)
            note = explained.sentence if explained is not None else answer.note
            if note:
                yield place, note

    def close(self) -> None:
        """Let go of the agents."""
        for team in self._teams.values():
            team.close()


def _quiet_bidding(bidders: Partnerships) -> _Bidding:
    """Return players in a process that leaves warnings to the process that started it."""
    logging.disable(logging.WARNING)
    return _Bidding(bidders)


def _with_auction(
    board: Board, bid: BidAuction, bidders: Partnerships, systems: dict[Side, str]
) -> Board:
    auction = Auction(board.dealer, (), board.vulnerability)
    for call in bid["calls"]:
        auction = auction.with_call(parse_call(call))
    contract = auction.contract()
    # Results of the table on file would contradict the new auction.
    tags = {name: value for name, value in board.tags.items() if not name.startswith(_OF_THE_TABLE)}
    named = {f"BidSystem{side.name}": system for side, system in systems.items()}
    specs = {Side.NS: bidders.ns, Side.EW: bidders.ew}
    return replace(
        board,
        auction=auction,
        notes={int(place): note for place, note in bid["notes"].items()},
        contract=contract,
        passed_out=contract is None,
        players={seat: specs[seat.side] for seat in Seat},
        tags=tags | named,
        # A section belongs to the tag of its name.
        sections={name: lines for name, lines in board.sections.items() if name in tags},
        marks={},
        result=None,
        play=(),
        play_notes={},
        passes_put_back=0,
    )
