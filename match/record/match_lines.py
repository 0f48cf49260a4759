"""The lines of a match file, their content checked when they are read.

A seal shows that a line is unchanged; these checks show that it was well formed when it was
written, so that readers of the line need no checks of their own.
"""

from __future__ import annotations

import json
from typing import Final, NotRequired, TypedDict, cast

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import HAND_SIZE, Seat, Side, Vulnerability, parse_seat
from bidwright.bridge.contract import Contract, parse_contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.json_values import JsonValue, UncheckedObject, misfit, shown
from bidwright.match.record.scorers import DOUBLE_DUMMY

OPEN: Final = "open"
CLOSED: Final = "closed"
"""Side a sits North-South in the open room, East-West in the closed room."""

ROOMS = (OPEN, CLOSED)
"""Both, in the order of the lines."""


class RoomLine(TypedDict):
    """The auction and the results of a table.

    Attributes:
        auction: the calls, from the dealer's.
        by: the decider of each call.
        notes: alerts and other texts, by the index of the call.
        contract: without declarer; None if the board was passed out.
        declarer: the seat; None if the board was passed out.
        lead: the blind leader's card, where one was asked for.
        tricks: declarer's tricks by the kind of lead; None if the board was passed out.
        score: North-South's points, by the scorer.
        taken: declarer's tricks at a table where cards were played.
        play: the cards that were played.
    """

    auction: list[str]
    by: list[str]
    notes: dict[str, str]
    contract: str | None
    declarer: str | None
    lead: NotRequired[str | None]
    tricks: dict[str, int] | None
    score: dict[str, int]
    taken: NotRequired[int]
    play: NotRequired[list[str]]


class BoardLine(TypedDict):
    """The line of a board.

    Attributes:
        board: its number, from 1.
        dealer: the seat.
        vul: the vulnerability, as PBN has it.
        deal: four hands as in PBN.
        open: the table where side a sits North-South.
        closed: the table where it sits East-West.
        imps: IMPs of side a, by the scorer.
        seal: the hash of the line and of the seal before it.
    """

    board: int
    dealer: str
    vul: str
    deal: str
    open: RoomLine
    closed: RoomLine
    imps: dict[str, int]
    seal: NotRequired[str]


class WeightsHashes(TypedDict, total=False):
    """The hashes of an agent's weights; of a population of opponents one for each member."""

    policy: str
    belief: str
    tricks: str
    theirs: str | dict[str, str]


class AgentCard(TypedDict):
    """The record of an agent, with hashes of all that its calls depend on.

    Attributes:
        spec: the text it is opened by.
        system: the system it plays and discloses; None if it has none.
        title: the title of that system.
        sources: the SHA-256 of each of its files.
        weights: the hashes of its networks.
        rules: the part of the rules in its decisions.
        search: the settings of its search.
        files: the SHA-256 of each file that its command line names.
    """

    spec: str
    system: str | None
    title: NotRequired[str]
    sources: NotRequired[dict[str, str]]
    weights: NotRequired[WeightsHashes]
    rules: NotRequired[dict[str, JsonValue]]
    search: NotRequired[dict[str, JsonValue]]
    files: NotRequired[dict[str, str]]


class SideCard(TypedDict):
    """A side of a match.

    Attributes:
        spec: its specification.
        system: the system that it discloses.
        declared: the system that it was said to play.
        players: the cards of its agents: one for both partners, or two.
    """

    spec: str
    system: str | None
    declared: str | None
    players: list[AgentCard]


class StopValues(TypedDict):
    """A stopping rule: the fields of `StoppingRule`."""

    level: float
    margin: float | None
    within: float | None


class BoardsOnFile(TypedDict):
    """The path and the SHA-256 of a file with the boards of a match."""

    file: str
    sha256: str | None


class MatchSettings(TypedDict):
    """The settings of a match.

    Attributes:
        disclosure: True if each side knows the other's system.
        leads: deals that a blind leader imagines; 0 for no blind leads.
        scorer: the one that decides.
        stop: the stopping rule, if there is one.
    """

    disclosure: bool
    leads: int
    scorer: str
    stop: StopValues | None


class MatchHeader(TypedDict):
    """The first line of a match file.

    Attributes:
        bidwright: `match`.
        format: the version of the format.
        a: the side that sits North-South in the open room.
        b: the other side.
        seed: the seed of the boards.
        boards: path and SHA-256 of the file of the boards, if they come from one.
        settings: everything else that decides the lines.
        versions: the versions of the programs.
        seal: the hash of the line.
    """

    bidwright: str
    format: int
    a: SideCard
    b: SideCard
    seed: int
    boards: BoardsOnFile | None
    settings: MatchSettings
    versions: dict[str, str]
    seal: NotRequired[str]


def room_of(line: BoardLine, room: str) -> RoomLine:
    """Return the line of the open or the closed room."""
    return line["open"] if room == OPEN else line["closed"]


def tricks_of(room: RoomLine, lead: str) -> int:
    """Return declarer's tricks by a kind of lead; the board was not passed out."""
    assert room["tricks"] is not None, "a contract has tricks: `check_board`"
    return room["tricks"][lead]


def side_of(header: MatchHeader, side: str) -> SideCard:
    """Return side `a` or side `b`."""
    return header["a"] if side == "a" else header["b"]


def team_of(room: str, seat: Seat) -> str:
    """Return `a` or `b`, the side that has a seat in a room."""
    return "a" if (seat.side is Side.NS) == (room == OPEN) else "b"


def auction_of(line: BoardLine, room: str) -> Auction:
    """Return the auction of a room."""
    calls = tuple(parse_call(call) for call in room_of(line, room)["auction"])
    return Auction(parse_seat(line["dealer"]), calls, Vulnerability(line["vul"]))


def contract_of(line: BoardLine, room: str) -> Contract | None:
    """Return the contract of a room; `None` if the board was passed out."""
    played = room_of(line, room)
    # Both are null or neither: `check_board`.
    if played["contract"] is None or played["declarer"] is None:
        return None
    return parse_contract(played["contract"], parse_seat(played["declarer"]))


_VULNERABILITIES = [each.value for each in Vulnerability]

FORMAT = 1
"""The version of the format; another one is not read."""


class MatchFileError(BidwrightError, ValueError):
    """A match file that cannot be read, or that is not what was expected."""


def check_kind(where: str, header: UncheckedObject) -> None:
    """Check that a line is the header of a match file of a format that is read.

    Raises:
        MatchFileError: It is something else; the text begins with `where`.
    """
    if header.get("bidwright") != "match":
        text = json.dumps(header, ensure_ascii=False)
        raise MatchFileError(
            f'{where}: expected the header of a match file ("bidwright": "match"), '
            f"got {beginning(text.encode(errors='replace'))}"
        )
    if header.get("format") != FORMAT:
        raise MatchFileError(
            f"{where}: expected format {FORMAT}, got {header.get('format')!r}: "
            "the file is from another version of the program"
        )


def check_header(where: str, header: UncheckedObject) -> None:
    """Check the content of a header.

    Raises:
        MatchFileError: Something is missing, or is not what it should be.
    """
    _check_shape(where, header, _HEADER)
    for side in ("a", "b"):
        _check_shape(f"{where} (side {side})", header[side], _SIDE)
    _check_shape(f"{where} (settings)", header["settings"], _SETTINGS)


def check_board(where: str, content: UncheckedObject, number: int) -> None:
    """Check the line of a board: the deal, two whole legal auctions and their results.

    Raises:
        MatchFileError: Something is missing, or is not what it should be.
    """
    _check_shape(where, content, _BOARD)
    line = cast(BoardLine, content)
    # Boards are numbered without gaps, so that board n is line n + 1.
    if line["board"] != number:
        raise MatchFileError(f"{where}: expected board {number}, got board {line['board']}")
    if line["vul"] not in _VULNERABILITIES:
        words = ", ".join(_VULNERABILITIES)
        raise MatchFileError(f"{where}: expected a vulnerability ({words}), got {line['vul']!r}")
    try:
        parse_seat(line["dealer"])
        deal = Deal.from_pbn(line["deal"])
    except BidwrightError as error:
        raise MatchFileError(f"{where}: {error}") from None
    if not deal.is_complete:
        raise MatchFileError(f"{where}: expected four hands, got deal '{deal}'")
    for room in ROOMS:
        _check_room(f"{where} ({room} room)", line, room)


def _check_room(where: str, line: BoardLine, room: str) -> None:
    played = room_of(line, room)
    _check_shape(where, played, _ROOM)
    for call in played["auction"]:
        if not isinstance(call, str):
            raise MatchFileError(f"{where}: expected a call as text, got {shown(call)}")
    # A contract without declarer cannot be scored.
    if (played["contract"] is None) != (played["declarer"] is None):
        raise MatchFileError(
            f"{where}: expected a contract with its declarer, "
            f"got {shown(played['contract'])} by {shown(played['declarer'])}"
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
    taken = tricks.get(DOUBLE_DUMMY) if isinstance(tricks, dict) else None
    # Other kinds of leads may be missing; double dummy is what every match has.
    if contract is None or not isinstance(taken, int) or not 0 <= taken <= HAND_SIZE:
        due = "null as 'tricks' of a board passed out"
        if contract is not None:
            due = f"0 to {HAND_SIZE} double-dummy tricks of {contract}"
        raise MatchFileError(f"{where}: expected {due}, got {shown(tricks)}")


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
# The key decides, not its place: no key is nullable in one record and not in another.
_MAY_BE_NULL = ("system", "declared", "stop", "contract", "declarer", "tricks")
"""Keys that may be null: of a side, of a match, or of a board that was passed out."""


def _check_shape(where: str, content: UncheckedObject, shape: dict[str, type]) -> None:
    fault = misfit(content, shape, _MAY_BE_NULL)
    if fault is not None:
        raise MatchFileError(f"{where}: {fault}")


def beginning(data: bytes) -> str:
    """Return the first characters of a line, as messages quote them."""
    text = data[:60].decode("utf-8", "replace")
    return repr(text + "...") if len(data) > 60 else repr(text) if text else "nothing"
