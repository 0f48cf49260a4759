"""Boards of a file in any of the formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bidwright.bridge.board import Board
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.lin import read_lin, write_lin
from bidwright.bridge.pbn import read_pbn, write_pbn
from bidwright.bridge.text_files import load

_LIN = re.compile(r"\b(?:md|mb|sv|qx|pn)\|", re.IGNORECASE)
_ROOM_AND_NUMBER = re.compile(r"([oc])\s*([0-9]{1,6})|([0-9]{1,6})\s*([oc])", re.IGNORECASE)
_MOST_NAMES = 12


def boards_of(path: Path) -> list[Board]:
    """Return the boards of a PBN or LIN file; the format is seen in its text, or else its name.

    Raises:
        InvalidError: If the file cannot be read or holds no board.
    """
    text, _ = load(path)
    if text.lstrip().startswith("["):
        return read_pbn(path)
    is_lin = _LIN.search(text) is not None or path.suffix.lower() == ".lin"
    return read_lin(path) if is_lin else read_pbn(path)


def boards_as_text(boards: Iterable[Board], path: Path) -> str:
    """Return boards in the notation that the ending of a file's name asks for: LIN, or PBN."""
    return write_lin(boards) if path.suffix.lower() == ".lin" else write_pbn(boards)


def pick_boards(
    boards: Sequence[Board], path: Path, name: str | None = None, room: str | None = None
) -> list[Board]:
    """Return the boards of a name and a room; one for each room if none is asked for.

    Args:
        boards: the boards of the file.
        path: the file, for the message.
        name: the board's number or name; `7c` and `c7` are board 7 in the closed room. All boards
            if it is None.
        room: the room, or the beginning of its name; any if it is None.

    Raises:
        InvalidError: If there is none; the message says what there is.
    """
    picked = [board for board in boards if _is_named(board, name) and _is_in(board, room)]
    match = _ROOM_AND_NUMBER.fullmatch(name or "")
    # The name as it is written goes first: a board may be called `7c`.
    if not picked and match and room is None:
        number, letter = match[2] or match[3], match[1] or match[4]
        picked = [board for board in boards if _is_named(board, number) and _is_in(board, letter)]
    if picked:
        return picked
    asked = " of ".join(
        words
        for words in (
            "" if name is None else f"board {name!r}",
            "" if room is None else f"room {room!r}",
        )
        if words
    )
    names = [full_name(board) for board in boards]
    listed = "; ".join(dict.fromkeys(names[:_MOST_NAMES]))
    more = "; ..." if len(names) > _MOST_NAMES else ""
    raise InvalidError(f"expected a board of {path} ({listed}{more}), got {asked}")


def full_name(board: Board) -> str:
    """Return a board's name and room: `board 7, closed room`."""
    name = f"board {board.name}" if board.name else "a board without a number"
    room = board.tags.get("Room", "")
    return f"{name}, {room.lower()} room" if room else name


def _is_named(board: Board, name: str | None) -> bool:
    return name is None or board.name.casefold() == name.strip().casefold()


def _is_in(board: Board, room: str | None) -> bool:
    words = None if room is None else room.strip().casefold()
    if words is None:
        return True
    return bool(words) and board.tags.get("Room", "").casefold().startswith(words)
