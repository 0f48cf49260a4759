"""What a name at a place stands for, and everywhere else that it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from bidwright.editor.editor_files import Document
from bidwright.editor.index import (
    ARGUMENT,
    BLOCK,
    INCLUDE,
    MODULE,
    PARAMETER,
    RULE,
    SUIT,
    Occurrence,
    Symbol,
    occurrences,
)
from bidwright.editor.projects import Project
from bidwright.editor.session import Session
from bidwright.kb.language import ast
from bidwright.kb.language.walk import PlacedRule, walk
from bidwright.kb.loading.load import SUFFIX, included_file

_MOST = 20_000
"""Pieces whose names are remembered, those of older texts among them."""

LOCAL = (ARGUMENT, SUIT)
"""Kinds of names that mean something in one statement only."""


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """A name in a file.

    Attributes:
        symbol: what it stands for; the home of a parameter or module is its file.
        path: the file.
        span: the place of the name.
        defines: whether it gets its meaning here.
    """

    symbol: Symbol
    path: Path
    span: ast.Span
    defines: bool


class NameFinder:
    """Finds names in the files of an editor."""

    def __init__(self, session: Session) -> None:
        """Look at the files of a session."""
        self._session = session
        self._known: dict[str, tuple[tuple[str, tuple[str, ...]], list[Occurrence]]] = {}

    def in_document(self, document: Document) -> Iterator[NameOccurrence]:
        """Yield the names in a file, by place."""
        header = document.parsed.tree.header
        module = header.name if header else document.path.name.removesuffix(SUFFIX)
        parameters = tuple(each.name for each in header.parameters) if header else ()
        for piece in document.pieces:
            key = (module, parameters)
            known = self._known.get(piece.name)
            if known is None or known[0] != key:
                if len(self._known) > _MOST:
                    self._known.clear()
                known = self._known[piece.name] = (key, occurrences(piece, *key))
            for each in known[1]:
                yield self._found(document, piece.offset, each)

    def _found(self, document: Document, offset: int, each: Occurrence) -> NameOccurrence:
        span = each.span._replace(
            file=document.path.as_posix(),
            line=each.span.line + offset,
            end_line=each.span.end_line + offset,
        )
        symbol = each.symbol
        if symbol.kind in (PARAMETER, MODULE, BLOCK) and not symbol.home:
            symbol = symbol._replace(home=document.path.as_posix())
        elif symbol.kind == PARAMETER or symbol.kind == INCLUDE:
            include = symbol.home or symbol.name
            project = self._session.project(document.path)
            root = project.root if project else None
            target = included_file(document.path, include, self._session.files.exists, root)
            home = "" if target is None else target.resolve().as_posix()
            if symbol.kind == PARAMETER:
                symbol = symbol._replace(home=home)
            else:
                symbol = Symbol(MODULE, "", home)
        if symbol.kind == MODULE:
            symbol = symbol._replace(name="")
        return NameOccurrence(symbol, document.path, span, each.defines)

    # ----------------------------------------------------------------- at a place

    def at(self, document: Document, line: int, column: int) -> NameOccurrence | None:
        """Return the name at a place (from 1); a rule's call stands for the rule."""
        for each in self.in_document(document):
            span = each.span
            if span.line == line and span.column <= column <= span.end_column:
                return each
        placed = next(iter(self.written_at(document, line)), None)
        if placed is not None:
            place = self._session.files.locate(placed.rule.call.span)
            if place and place.line == line and place.column <= column <= place.end_column:
                symbol = Symbol(RULE, placed.id)
                return NameOccurrence(symbol, document.path, place, True)
        return None

    def written_at(self, document: Document, line: int) -> list[PlacedRule]:
        """Return the rules, before any override, whose call is on a line."""
        project = self._session.project(document.path)
        piece = document.piece_at(line)
        if project is None:
            return []
        wanted = (piece.name, line - piece.offset)
        return [
            placed
            for placed in walk(project.look.system.written)
            if (placed.rule.call.span.file, placed.rule.call.span.line) == wanted
        ]

    # ----------------------------------------------------------------- everywhere

    def documents(self, path: Path) -> list[Document]:
        """Return the files of the systems that a file is part of."""
        self._session.survey()
        projects: list[Project] = self._session.projects.of(path)
        paths = dict.fromkeys(each for project in projects for each in project.look.paths)
        found = (self._session.document(each) for each in [path, *paths])
        return list({each.path: each for each in found if each is not None}.values())

    def everywhere(self, symbol: Symbol, document: Document) -> list[NameOccurrence]:
        """Return every place where a symbol of a file is written."""
        if symbol.kind in LOCAL:
            documents: Iterable[Document] = [document]
        else:
            documents = self.documents(document.path)
        found = [
            each
            for one in documents
            for each in self.in_document(one)
            if _same(each.symbol, symbol)
        ]
        if symbol.kind == RULE and not any(each.defines for each in found):
            found += self._rules_called(symbol, document.path)
        return list(dict.fromkeys(found))

    def home_of(self, found: NameOccurrence) -> list[types.Location]:
        """Return the beginning of a module that has no header of its own."""
        if found.symbol.kind != MODULE or not found.symbol.home:
            return []
        return [self._session.location(ast.Span(found.symbol.home, 1, 1, 1, 1))]

    def _rules_called(self, symbol: Symbol, path: Path) -> Iterator[NameOccurrence]:
        """Yield the calls of the rules without a label that have an id."""
        for project in self._session.projects.of(path):
            for placed in walk(project.look.system.written):
                place = self._session.files.locate(placed.rule.call.span)
                if placed.id == symbol.name and place is not None:
                    yield NameOccurrence(symbol, Path(place.file), place, True)


def _same(one: Symbol, other: Symbol) -> bool:
    if one.kind == RULE and other.kind == RULE:
        return one.name.partition("#")[0] == other.name.partition("#")[0]
    return one == other
