"""The files of a session: a match file, PBN, and a table of results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import cast

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board as PbnBoard
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, Vulnerability, card_name, parse_card, parse_seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.pbn import write_pbn
from bidwright.bridge.scoring import imps
from bidwright.match.play.deals import BoardSource, MatchBoard
from bidwright.match.protocol.managed_table import TableResult
from bidwright.match.record.match_file import MatchWriter
from bidwright.match.record.match_lines import (
    CLOSED,
    FORMAT,
    OPEN,
    AgentCard,
    BoardLine,
    MatchHeader,
    RoomLine,
    SideCard,
    room_of,
    side_of,
    tricks_of,
)
from bidwright.match.record.scorers import DOUBLE_DUMMY, PLAYED, board_imps, score_ns, scores_ns
from bidwright.runtime.sentences import count_of

Systems = tuple[str | None, str | None]
"""The systems of the teams, `a` first; None where one is not known."""

_TEAM = "table:"
"""The prefix in the specification of a side that sat at a table."""


@dataclass(frozen=True)
class TeamNames:
    """The two teams: `a` sits North-South in the open room."""

    a: str
    b: str


def room_line(board: MatchBoard, outcome: TableResult) -> RoomLine:
    """Return the auction and the results of a table, as match files have them."""
    from bidwright.match.double_dummy.dd_solver import DoubleDummy

    calls = tuple(called.call for called in outcome.calls)
    contract = Auction(board.dealer, calls, board.vulnerability).contract()
    # Without a contract there are no tricks, yet a score of 0 has to be on file.
    tricks: dict[str, int] = {DOUBLE_DUMMY: 0}
    if contract is not None:
        taken = DoubleDummy().contract_tricks(board.deal, contract.denomination, contract.declarer)
        tricks = {DOUBLE_DUMMY: taken}
    score = scores_ns(contract, board.vulnerability, tricks)
    line: RoomLine = {
        "auction": [str(call) for call in calls],
        # The maker of calls is unknown: programs at the table do not say who decided.
        "by": ["tm"] * len(calls),
        "notes": {
            str(place): called.text or called.alert.lower()
            for place, called in enumerate(outcome.calls)
            if called.alert
        },
        "contract": None if contract is None else contract.text,
        "declarer": None if contract is None else str(contract.declarer),
        "tricks": None if contract is None else tricks,
        "score": score,
    }
    if outcome.taken is not None and contract is not None:
        line["taken"] = outcome.taken
        line["play"] = [card_name(card) for card in outcome.cards]
        score[PLAYED] = score_ns(contract, board.vulnerability, outcome.taken)
    return line


def board_line(board: MatchBoard, rooms: dict[str, RoomLine]) -> BoardLine:
    """Return the line of a board; without a closed room it has no IMPs."""
    content: dict[str, object] = {
        "board": board.number,
        "dealer": str(board.dealer),
        "vul": board.vulnerability.value,
        "deal": board.deal.to_pbn(),
        **rooms,
        "imps": {},
    }
    line = cast(BoardLine, content)
    if CLOSED in rooms:
        first, second = rooms[OPEN]["score"], rooms[CLOSED]["score"]
        line["imps"] = board_imps(first, second)
        if PLAYED in first or PLAYED in second:
            line["imps"][PLAYED] = imps(points_of(rooms[OPEN]) - points_of(rooms[CLOSED]))
    return line


def points_of(room: RoomLine) -> int:
    """Return North-South's points: as played, or double dummy if the play was skipped."""
    score = room["score"]
    return int(score.get(PLAYED, score[DOUBLE_DUMMY]))


def swing(line: BoardLine) -> int:
    """Return the IMPs of team a on a board."""
    return int(line["imps"].get(PLAYED, line["imps"][DOUBLE_DUMMY]))


def is_session(header: MatchHeader) -> bool:
    """Return True if a match file is the record of a session, by its header."""
    # The prefix tells sessions at a table from matches of our own agents: only these can be bid
    # again.
    return str(header["a"]["spec"]).startswith(_TEAM)


def team_name(header: MatchHeader, side: str) -> str:
    """Return the name of the team that was side `a` or `b` of a session."""
    return str(side_of(header, side)["spec"]).removeprefix(_TEAM)


def _header(names: TeamNames, systems: Systems, source: BoardSource) -> MatchHeader:
    from bidwright.match.play.plan import versions

    return {
        "bidwright": "match",
        "format": FORMAT,
        "a": _side(names.a, systems[0]),
        "b": _side(names.b, systems[1]),
        "seed": source.seed,
        "boards": None if source.path is None else {"file": source.path, "sha256": source.digest},
        # The settings of a table are fixed: nothing is sampled or limited there, unlike in a match.
        "settings": {"disclosure": True, "leads": 0, "scorer": DOUBLE_DUMMY, "stop": None},
        "versions": versions(),
    }


def _side(team: str, system: str | None) -> SideCard:
    from bidwright.kb.loading.compiled import open_system

    spec = f"{_TEAM}{team}"
    player: AgentCard = {"spec": spec, "system": system}
    if system is not None:
        player["sources"] = open_system(system).file_hashes
    return {"spec": spec, "system": system, "declared": system, "players": [player]}


class Record:
    """Writes boards down as they come, so that nothing is lost when a session is cut short."""

    def __init__(
        self,
        source: BoardSource,
        out: Path | None = None,
        pbn: Path | None = None,
        systems: Systems = (None, None),
    ) -> None:
        """Prepare files.

        Args:
            source: the source of the boards.
            out: the match file; the same session in it is continued.
            pbn: the PBN file; it is written anew.
            systems: the systems of the teams.
        """
        self._systems = systems
        self._source, self._out, self._pbn = source, out, pbn
        self._writer: MatchWriter | None = None
        self._names = TeamNames("", "")
        self.lines: list[BoardLine] = []

    def begin(self, names: TeamNames) -> None:
        """Open the files, now that the teams are known; `lines` are boards already played.

        Raises:
            MatchFileError: The match file cannot be written, or holds another session.
            InvalidError: The PBN file cannot be written.
        """
        self._names = names
        if self._out is not None:
            self._writer = MatchWriter(self._out, _header(names, self._systems, self._source))
            self.lines = list(self._writer.boards)
        if self._pbn is not None:
            # The file is written anew as a whole, since a session that was cut short may have
            # written half a board.
            self._write_pbn(write_pbn(self._boards(self.lines)), "w")

    def add(self, line: BoardLine) -> None:
        """Write a board down."""
        if self._writer is not None:
            self._writer.add(line)
        self.lines.append(line)
        if self._pbn is not None:
            text = write_pbn(self._boards([line]))
            # The first two lines are the file's heading, which stands there already.
            self._write_pbn("".join(text.splitlines(keepends=True)[2:]), "a")

    def _write_pbn(self, text: str, mode: str) -> None:
        assert self._pbn is not None, "there is a file"
        try:
            with self._pbn.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise InvalidError(f"cannot write {self._pbn}: {error.strerror}") from None

    def _boards(self, lines: Sequence[BoardLine]) -> Iterator[PbnBoard]:
        for line in lines:
            for room in (OPEN, CLOSED):
                if room in line:
                    yield _pbn_board(line, room, self._names)

    def close(self) -> None:
        """Close the files."""
        if self._writer is not None:
            self._writer.close()

    # ------------------------------------------------------------------ results

    def table(self) -> str:
        """Return the results as text: a line for each board, and the sum."""
        rows: list[tuple[str, ...]] = [("board", "open", "closed", "IMPs")]
        for line in self.lines:
            cells = [
                _result(room_of(line, room)) if room in line else "" for room in (OPEN, CLOSED)
            ]
            gain = f"{swing(line):+}" if line["imps"] else ""
            rows.append((str(line["board"]), *cells, gain))
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        text = [
            f"{number:>{widths[0]}}  {a:<{widths[1]}}  {b:<{widths[2]}}  {gain:>4}".rstrip()
            for number, a, b, gain in rows
        ]
        return "\n".join([*text, self.summary()])

    def summary(self) -> str:
        """Return the result in a line."""
        names = f"{self._names.a} against {self._names.b}"
        swings = [swing(line) for line in self.lines if line["imps"]]
        if not swings:
            total = sum(points_of(line[OPEN]) for line in self.lines)
            boards = count_of(len(self.lines), "board")
            return f"{names}: {boards} at one table, {total:+} points North-South"
        # One board has no spread: its error is printed as 0 rather than dividing by nothing.
        error = stdev(swings) / len(swings) ** 0.5 if len(swings) > 1 else 0.0
        different = sum(line[OPEN]["auction"] != line[CLOSED]["auction"] for line in self.lines)
        return (
            f"{names}: {count_of(len(swings), 'board')}, {different} bid differently, "
            f"{sum(map(bool, swings))} with a swing; {sum(swings):+} IMPs "
            f"({mean(swings):+.3f} a board, s.e. {error:.3f})"
        )


def _result(room: RoomLine) -> str:
    """Return contract, tricks and points in a few characters."""
    if room["contract"] is None:
        return "passed out 0"
    tricks = room.get("taken", tricks_of(room, DOUBLE_DUMMY))
    return f"{room['contract']} by {room['declarer']}, {tricks} tricks {points_of(room):+}"


def _pbn_board(line: BoardLine, room: str, names: TeamNames) -> PbnBoard:
    played = room_of(line, room)
    dealer, vulnerability = parse_seat(line["dealer"]), Vulnerability(line["vul"])
    auction = Auction(dealer, tuple(map(parse_call, played["auction"])), vulnerability)
    contract = auction.contract()
    # In the closed room North-South are team b, hence the other way round.
    teams = (names.a, names.b) if room == OPEN else (names.b, names.a)
    tags = {"Event": f"{names.a} against {names.b}", "Room": room.capitalize()}
    tags["Score"] = f"NS {points_of(played)}"
    if line["imps"]:
        tags["Scoring"] = "IMP"
        # The tag is North-South's, and in the closed room they are the other team.
        tags["ScoreIMP"] = f"NS {swing(line) * (1 if room == OPEN else -1)}"
    result = None
    if contract is not None:
        result = played.get("taken", tricks_of(played, DOUBLE_DUMMY))
    return PbnBoard(
        number=line["board"],
        deal=Deal.from_pbn(line["deal"]),
        dealer=dealer,
        vulnerability=vulnerability,
        auction=auction,
        notes={int(place): note for place, note in played["notes"].items()},
        contract=contract,
        passed_out=contract is None,
        result=result,
        play=tuple(parse_card(card) for card in played.get("play", ())),
        players={seat: teams[seat.side] for seat in Seat},
        tags=tags,
    )
