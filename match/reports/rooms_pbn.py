"""A match as PBN: each board twice, open and closed room, alerts as notes of the auction."""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.bridge.board import Board
from bidwright.bridge.cards import Seat, Vulnerability, parse_seat
from bidwright.bridge.deal import Deal
from bidwright.match.record.match_file import Match
from bidwright.match.record.match_lines import (
    CLOSED,
    ROOMS,
    BoardLine,
    SideCard,
    auction_of,
    contract_of,
    room_of,
    side_of,
    tricks_of,
)
from bidwright.match.record.scorers import BLIND, DOUBLE_DUMMY


def match_boards(match: Match) -> Iterator[Board]:
    """Yield the boards of a match as PBN has them, the open room's before the closed room's."""
    scorer = match.header["settings"]["scorer"]
    lead = BLIND if scorer.startswith(BLIND) else DOUBLE_DUMMY
    for line in match.boards:
        for room in ROOMS:
            yield _board(match, line, room, lead, scorer)


def _board(match: Match, line: BoardLine, room: str, lead: str, scorer: str) -> Board:
    played = room_of(line, room)
    contract = contract_of(line, room)
    swapped = room == CLOSED
    north, east = (side_of(match.header, side) for side in ("ba" if swapped else "ab"))
    sides = (north, east)
    # Tags are North-South's, and the file has side A's.
    imps = line["imps"][scorer] * (-1 if swapped else 1)
    tags = {
        "Event": f"{match.spec('a')} against {match.spec('b')}",
        "Scoring": "IMP",
        "Room": room.capitalize(),
        "Score": f"NS {played['score'][scorer]}",
        "ScoreIMP": f"NS {imps}",
        **{
            f"BidSystem{name}": side["players"][0].get("title") or side["system"]
            for name, side in zip(("NS", "EW"), sides, strict=True)
            if side["system"]
        },
    }
    return Board(
        number=line["board"],
        deal=Deal.from_pbn(line["deal"]),
        dealer=parse_seat(line["dealer"]),
        vulnerability=Vulnerability(line["vul"]),
        auction=auction_of(line, room),
        notes={int(place): note for place, note in played["notes"].items()},
        contract=contract,
        passed_out=contract is None,
        result=None if contract is None else tricks_of(played, lead),
        players={seat: _player(sides[seat.side], seat) for seat in Seat},
        tags=tags,
    )


def _player(side: SideCard, seat: Seat) -> str:
    players = side["players"]
    # A side of one agent has one entry, which is the first and the last.
    return str(players[0 if seat in (Seat.NORTH, Seat.EAST) else -1]["spec"])
