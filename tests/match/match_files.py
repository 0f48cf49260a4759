"""Small match files for the tests: two sides that pass every board out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bidwright.match.record.match_file import MatchWriter, sealed_line

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
SIDE: dict[str, Any] = {"spec": "pass", "system": None, "declared": None, "players": []}
ROOM: dict[str, Any] = {
    "auction": ["P"] * 4,
    "by": [""] * 4,
    "notes": {},
    "contract": None,
    "declarer": None,
    "tricks": None,
    "score": {"dd": 0},
}
HEADER: dict[str, Any] = {
    "bidwright": "match",
    "format": 1,
    "a": SIDE,
    "b": {**SIDE, "spec": "random:0"},
    "seed": 7,
    "boards": None,
    "settings": {"disclosure": True, "leads": 0, "scorer": "dd", "stop": None},
    "versions": {},
}


def board(number: int, **changes: object) -> dict[str, Any]:
    """Return the content of a line."""
    line = {"board": number, "dealer": "N", "vul": "None", "deal": DEAL, "open": ROOM}
    return {**line, "closed": ROOM, "imps": {"dd": 0}, **changes}


def write(path: Path, count: int, header: dict[str, Any] = HEADER) -> bytes:
    """Write a match file, or go on with one; return what it holds."""
    writer = MatchWriter(path, header)
    for number in range(len(writer.boards) + 1, count + 1):
        writer.add(board(number))
    writer.close()
    return path.read_bytes()


def reseal(path: Path, line: int, **changes: object) -> None:
    """Write a file of three boards, one line of which is changed before it is sealed."""
    contents = [HEADER, board(1), board(2), board(3)]
    contents[line - 1] = {**contents[line - 1], **changes}
    seal, text = "", ""
    for content in contents:
        sealed, seal = sealed_line(content, seal)
        text += sealed
    path.write_text(text, encoding="utf-8")
