"""The two rooms of a board, as lines of match files have them."""

from __future__ import annotations

from typing import Any

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat
from bidwright.bridge.contract import Contract, parse_contract

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
