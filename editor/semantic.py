"""Semantic tokens: the kind of every word, so that editors without a grammar can colour it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bidwright.editor.editor_files import Document, PlacedPiece
from bidwright.editor.names import (
    ARGUMENT,
    BLOCK,
    DEFINITION,
    PARAMETER,
    QUESTION,
    SUIT,
    NameFinder,
)
from bidwright.kb.language.parser import tokens
from bidwright.kb.language.vocabulary import condition_words

TYPES = (
    "keyword",
    "string",
    "number",
    "comment",
    "enumMember",
    "modifier",
    "function",
    "parameter",
    "typeParameter",
    "property",
    "label",
    "operator",
)
"""The kinds, by the numbers that the protocol uses."""

_BY_TERMINAL = {
    "STRING": "string",
    "NUMBER": "number",
    "INTEGER": "number",
    "CALL": "enumMember",
    "LEVEL_CALL": "enumMember",
    "RELATIVE_CALL": "enumMember",
    "CALL_CLASS": "enumMember",
    "BID_WORD": "enumMember",
    "HAND": "string",
    "SHAPE_PATTERN": "number",
    "PATH": "string",
    "ID": "label",
    "LABEL": "label",
    "PUBLIC": "property",
    "COMPARISON": "operator",
    "ACTION": "modifier",
    "TIER": "modifier",
    "FORCING": "modifier",
    "GAME": "modifier",
    "ALERT": "modifier",
    "ANNOUNCE": "modifier",
    "AGREES": "modifier",
    "ASKS": "modifier",
    "ANSWERS": "modifier",
    "PRIORITY": "modifier",
    "AS": "modifier",
    "USUALLY": "modifier",
    "SHOWS": "modifier",
}
_BY_SYMBOL = {
    DEFINITION: "function",
    ARGUMENT: "parameter",
    PARAMETER: "parameter",
    SUIT: "typeParameter",
    QUESTION: "enumMember",
    BLOCK: "function",
}


class Mark(NamedTuple):
    """A word with its kind: line and column from 0, characters, place in `TYPES`."""

    line: int
    column: int
    width: int
    kind: int


class Painter:
    """Finds the kinds of words, with a cache by piece."""

    def __init__(self, names: NameFinder) -> None:
        """Take names from an index."""
        self._names = names
        self._known: dict[str, list[Mark]] = {}

    def marks(self, document: Document) -> list[Mark]:
        """Return the words of a file, by place; pieces with mistakes are left out."""
        earlier, self._known = self._known, {}
        by_place: dict[tuple[int, int], Mark] = {}
        for piece in document.pieces:
            marks = earlier.get(piece.name)
            if marks is None:
                marks = list(_marks(piece))
            self._known[piece.name] = marks
            for mark in marks:
                moved = mark._replace(line=mark.line + piece.offset)
                by_place[moved.line, moved.column] = moved
        for name in self._names.in_document(document):
            kind = _BY_SYMBOL.get(name.symbol.kind)
            key = (name.span.line - 1, name.span.column - 1)
            mark_here = by_place.get(key)
            if kind is not None and (mark_here is None or mark_here.kind != _kind("enumMember")):
                width = name.span.end_column - name.span.column
                by_place[key] = Mark(key[0], key[1], width, _kind(kind))
        return _apart(sorted(by_place.values()))


def _kind(name: str) -> int:
    return TYPES.index(name)


def _marks(piece: PlacedPiece) -> Iterator[Mark]:
    # Tokens behind a mistake are guesses; the colours of the editor's own grammar stay there.
    if piece.piece.problems:
        return
    starts = [0]
    for text in piece.text.split("\n"):
        starts.append(starts[-1] + len(text) + 1)
    line = 0
    for token in tokens(piece.text):
        text = token.text
        if token.kind.startswith("_") and not text.isalpha():
            continue
        kind = _BY_TERMINAL.get(token.kind)
        if kind is None and token.kind == "NAME":
            kind = "property" if condition_words(text) else None
        elif kind is None and text.isalpha():
            kind = "keyword"
        if kind is None:
            continue
        while starts[line + 1] <= token.start:
            line += 1
        yield Mark(line, token.start - starts[line], len(text), _kind(kind))


def _apart(marks: list[Mark]) -> list[Mark]:
    """Leave out marks that begin inside another one."""
    apart: list[Mark] = []
    for mark in marks:
        before = apart[-1] if apart else None
        # The protocol forbids marks that overlap.
        if before and before.line == mark.line and before.column + before.width > mark.column:
            continue
        apart.append(mark)
    return apart


def encoded(marks: list[Mark]) -> list[int]:
    """Return marks in the protocol's numbers, each place counted from the one before."""
    data: list[int] = []
    line = column = 0
    for mark in marks:
        column = column if mark.line == line else 0
        data += [mark.line - line, mark.column - column, mark.width, mark.kind, 0]
        line, column = mark.line, mark.column
    return data
