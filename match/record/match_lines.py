"""The lines of a match file, their content checked when they are read.

A seal says that a line is as it was written; this says that it was written as it should be, so
that whoever reads the line need not ask again.
"""

from __future__ import annotations

import json
from typing import Any

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import HAND_SIZE, Seat, Side, Vulnerability, parse_seat
from bidwright.bridge.contract import Contract, parse_contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError
from bidwright.match.record.scorers import DOUBLE_DUMMY

Json = dict[str, Any]

OPEN, CLOSED = "open", "closed"
"""Side a sits North-South in the open room, East-West in the closed room."""

ROOMS = (OPEN, CLOSED)
"""Both, in the order of the lines."""


def team_of(room: str, seat: Seat) -> str:
    """Return whether side `a` or side `b` has a seat in a room."""
    return "a" if (seat.side is Side.NS) == (room == OPEN) else "b"


def auction_of(line: Json, room: str) -> Auction:
    """Return the auction of a room."""
    calls = tuple(parse_call(call) for call in line[room]["auction"])
    return Auction(parse_seat(line["dealer"]), calls, Vulnerability(line["vul"]))


def contract_of(line: Json, room: str) -> Contract | None:
    """Return the contract of a room; `None` if the board was passed out."""
    played = line[room]
    if played["contract"] is None:
        return None
    return parse_contract(played["contract"], parse_seat(played["declarer"]))


_VULNERABILITIES = [each.value for each in Vulnerability]

FORMAT = 1
"""The version of the format; another one is not read."""


class MatchFileError(BidwrightError, ValueError):
    """A match file that cannot be read, or that is not what was expected."""


def check_kind(where: str, header: Json) -> None:
    """Check that a line is the header of a match file of a format that is read.

    Raises:
        MatchFileError: It is something else; the text begins with `where`.
    """
    if header.get("bidwright") != "match":
        text = json.dumps(header, ensure_ascii=False)
        raise MatchFileError(
            f'{where}: expected the header of a match file ("bidwright": "match"), '
            f"got {beginning(text.encode())}"
        )
    if header.get("format") != FORMAT:
        raise MatchFileError(
            f"{where}: expected format {FORMAT}, got {header.get('format')!r}: "
            "the file is from another version of the program"
        )


def check_header(where: str, header: Json) -> None:
    """Check what a header holds.

    Raises:
        MatchFileError: Something is missing, or is not what it should be.
    """
    _check_shape(where, header, _HEADER)
    for side in ("a", "b"):
        _check_shape(f"{where} (side {side})", header[side], _SIDE)
    _check_shape(f"{where} (settings)", header["settings"], _SETTINGS)


def check_board(where: str, line: Json, number: int) -> None:
    """Check what the line of a board holds: the deal, two whole legal auctions and their results.

    Raises:
        MatchFileError: Something is missing, or is not what it should be.
    """
    _check_shape(where, line, _BOARD)
    if line["board"] != number:
        raise MatchFileError(f"{where}: expected board {number}, got board {line['board']}")
    if line["vul"] not in _VULNERABILITIES:
        known = ", ".join(_VULNERABILITIES)
        raise MatchFileError(f"{where}: expected a vulnerability ({known}), got {line['vul']!r}")
    try:
        parse_seat(line["dealer"])
        deal = Deal.from_pbn(line["deal"])
    except BidwrightError as error:
        raise MatchFileError(f"{where}: {error}") from None
    if not deal.is_complete:
        raise MatchFileError(f"{where}: expected four hands, got deal '{deal}'")
    for room in ROOMS:
        _check_room(f"{where} ({room} room)", line, room)


def _check_room(where: str, line: Json, room: str) -> None:
    played = line[room]
    _check_shape(where, played, _ROOM)
    for call in played["auction"]:
        if not isinstance(call, str):
            raise MatchFileError(f"{where}: expected a call as text, got {_shown(call)}")
    if (played["contract"] is None) != (played["declarer"] is None):
        raise MatchFileError(
            f"{where}: expected a contract with its declarer, "
            f"got {_shown(played['contract'])} by {_shown(played['declarer'])}"
        )
    try:
        auction = auction_of(line, room)
        contract = contract_of(line, room)
    except BidwrightError as error:
        raise MatchFileError(f"{where}: {error}") from None
    if not auction.is_over:
        raise MatchFileError(f"{where}: expected an auction that has ended, got '{auction}'")
    if len(played["by"]) != len(auction.calls):
        raise MatchFileError(
            f"{where}: expected {len(auction.calls)} deciders as 'by', one for each call, "
            f"got {len(played['by'])}"
        )
    tricks = played["tricks"]
    if contract is None and tricks is None:
        return
    found = tricks.get(DOUBLE_DUMMY) if isinstance(tricks, dict) else None
    if contract is None or not isinstance(found, int) or not 0 <= found <= HAND_SIZE:
        due = "null as 'tricks' of a board passed out"
        if contract is not None:
            due = f"0 to {HAND_SIZE} double-dummy tricks of {contract}"
        raise MatchFileError(f"{where}: expected {due}, got {_shown(tricks)}")


_HEADER: dict[str, type] = {
    "a": dict,
    "b": dict,
    "seed": int,
    "settings": dict,
    "versions": dict,
}
_SIDE: dict[str, type] = {"spec": str, "system": str, "declared": str, "players": list}
_SETTINGS: dict[str, type] = {"disclosure": bool, "leads": int, "scorer": str, "stop": dict}
_BOARD: dict[str, type] = {
    "board": int,
    "dealer": str,
    "vul": str,
    "deal": str,
    "open": dict,
    "closed": dict,
    "imps": dict,
}
_ROOM: dict[str, type] = {
    "auction": list,
    "by": list,
    "notes": dict,
    "contract": str,
    "declarer": str,
    "tricks": dict,
    "score": dict,
}
_MAY_BE_NULL = ("system", "declared", "stop", "contract", "declarer", "tricks")
"""What a side may lack, or a match, or a board that was passed out."""
_KIND_NAMES: dict[Any, str] = {
    bool: "true or false",
    dict: "an object",
    int: "a number",
    list: "a list",
    str: "text",
}


def _check_shape(where: str, content: Json, shape: dict[str, type]) -> None:
    for name, kind in shape.items():
        if name in _MAY_BE_NULL and name in content and content[name] is None:
            continue
        if not isinstance(content.get(name), kind):
            what = _shown(content[name]) if name in content else "nothing"
            raise MatchFileError(f"{where}: expected {_KIND_NAMES[kind]} as {name!r}, got {what}")


def _shown(value: object) -> str:
    return json.dumps(value)[:60]


def beginning(data: bytes) -> str:
    """Return the first characters of a line, as messages quote them."""
    text = data[:60].decode("utf-8", "replace")
    return repr(text + "...") if len(data) > 60 else repr(text) if text else "nothing"
