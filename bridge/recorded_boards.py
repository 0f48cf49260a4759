"""Boards of a file, whichever of the formats it is in."""

from __future__ import annotations

import re
from pathlib import Path

from bidwright.bridge.board import Board
from bidwright.bridge.lin import read_lin
from bidwright.bridge.pbn import read_pbn
from bidwright.bridge.text_files import load

_LIN = re.compile(r"\b(?:md|mb|sv|qx|pn)\|", re.IGNORECASE)


def boards_of(path: Path) -> list[Board]:
    """Return the boards of a PBN or LIN file; its text tells which it is.

    Raises:
        InvalidError: If the file cannot be read or holds no board.
    """
    text, _ = load(path)
    return read_lin(path) if _LIN.search(text) and "[" not in text.lstrip()[:1] else read_pbn(path)
