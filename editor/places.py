"""Between places as convention files count them and places as editors count them.

We count lines and characters from 1; editors count both from 0, and characters in the units that
client and server agreed on, as a rule UTF-16.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec

from bidwright.editor.editor_files import real_path
from bidwright.kb.language import ast


def path_of(uri: str) -> Path | None:
    """Return the file of a URI; None for what is no file."""
    path = to_fs_path(uri)
    return None if path is None else real_path(path)


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return from_fs_path(str(path)) or path.as_uri()


def range_of(span: ast.Span, lines: Sequence[str], codec: PositionCodec) -> types.Range:
    """Return the range of a span of a file that has these lines."""
    return types.Range(
        position_of(span.line, span.column, lines, codec),
        position_of(span.end_line, span.end_column, lines, codec),
    )


def position_of(
    line: int, column: int, lines: Sequence[str], codec: PositionCodec
) -> types.Position:
    """Return the position of a line and column (from 1)."""
    text = lines[line - 1] if 1 <= line <= len(lines) else ""
    before = text[: column - 1]
    width = len(before) if before.isascii() else codec.client_num_units(before)
    return types.Position(max(0, line - 1), width)


def place_of(
    position: types.Position, lines: Sequence[str], codec: PositionCodec
) -> tuple[int, int]:
    """Return line and column (from 1) of a position."""
    if position.line >= len(lines):
        return len(lines) + 1, 1
    text = lines[position.line]
    if text.isascii():
        return position.line + 1, min(position.character, len(text)) + 1
    column = 0
    while column < len(text) and codec.client_num_units(text[:column]) < position.character:
        column += 1
    return position.line + 1, column + 1
