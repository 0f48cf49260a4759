"""Places and diagnostics, translated between convention files and editors.

We count lines and characters from 1; editors count both from 0, and characters in the units that
client and server agreed on, as a rule UTF-16.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec

from bidwright.editor.editor_files import real_path
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Severity


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
    # No unit stands in the middle of a character, so a position inside one is its end.
    while column < len(text) and codec.client_num_units(text[:column]) < position.character:
        column += 1
    return position.line + 1, column + 1


SOURCE = "bidwright"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_UNUSED = ("W201",)


def to_client(
    diagnostic: Diagnostic,
    lines: Sequence[str],
    codec: PositionCodec,
    location: Callable[[ast.Span], types.Location],
) -> types.Diagnostic:
    """Return a diagnostic for the editor.

    Args:
        diagnostic: the diagnostic, with places of files.
        lines: the lines of its file.
        codec: the editor's way of counting characters.
        location: turns a span of any file into a location.
    """
    text = diagnostic.message
    if diagnostic.expected:
        text += f"\nexpected: {diagnostic.expected}"
    if diagnostic.note:
        text += f"\n{diagnostic.note}"
    if diagnostic.help:
        text += f"\n{diagnostic.help}"
    related = [
        types.DiagnosticRelatedInformation(location(each.span), each.message)
        for each in diagnostic.related
    ]
    return types.Diagnostic(
        range=range_of(diagnostic.span, lines, codec),
        message=text,
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        source=SOURCE,
        related_information=related or None,
        tags=[types.DiagnosticTag.Unnecessary] if diagnostic.code in _UNUSED else None,
    )
