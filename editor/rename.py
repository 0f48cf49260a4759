"""Renaming across files: the changes, or one sentence with the reason against it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.editor.editor_files import Document
from bidwright.editor.names import (
    ARGUMENT,
    DEFINITION,
    MODULE,
    PARAMETER,
    QUESTION,
    RULE,
    SUIT,
    NameFinder,
    NameOccurrence,
)
from bidwright.editor.session import Session
from bidwright.kb.checks.condition_checks import is_reserved
from bidwright.kb.language import ast
from bidwright.kb.language.vocabulary import condition_words

_NAME = re.compile(r"[A-Za-z_]\w*")
# M and m stand for one major and one minor, so that only the others may take each other's place.
_FREE_LETTERS = ("X", "Y", "Z", "W")


class UnsafeRenameError(InvalidError):
    """A name that cannot be changed, or not to this one."""


class Renamer:
    """Renames the symbol at a place."""

    def __init__(self, session: Session, names: NameFinder) -> None:
        """Rename in the files of a session."""
        self._session = session
        self._names = names

    def target(self, document: Document, line: int, column: int) -> NameOccurrence:
        """Return the name at a place, if it can be changed.

        Raises:
            UnsafeRenameError: it cannot.
        """
        named = self._names.at(document, line, column)
        if named is None:
            word = _word_at(document, line, column)
            if condition_words(word):
                raise UnsafeRenameError(f"'{word}' is a word of the language")
            raise UnsafeRenameError("there is no name here that could be changed")
        symbol = named.symbol
        if symbol.kind == MODULE:
            raise UnsafeRenameError(
                "a module goes by the name of its file: rename the file and what includes it"
            )
        if symbol.kind == SUIT and symbol.name not in _FREE_LETTERS:
            what = "major" if symbol.name == "M" else "minor"
            raise UnsafeRenameError(f"'{symbol.name}' is the only letter that stands for a {what}")
        if symbol.kind == RULE and "." not in symbol.name.partition("#")[0].partition(":")[0]:
            raise UnsafeRenameError(_NO_LABEL)
        if symbol.kind == RULE and not self._labelled(named, document):
            raise UnsafeRenameError(_NO_LABEL)
        return named

    def _labelled(self, found: NameOccurrence, document: Document) -> bool:
        places = self._names.everywhere(found.symbol, document)
        return any(each.defines and _is_label(self._session, each) for each in places)

    def edits(
        self, found: NameOccurrence, document: Document, new: str
    ) -> list[tuple[NameOccurrence, str]]:
        """Return the new text of each occurrence.

        Raises:
            UnsafeRenameError: the new name cannot be used.
        """
        places = self._names.everywhere(found.symbol, document)
        self._check_files(places)
        self._check_name(found, document, new)
        if found.symbol.kind != RULE:
            return [(each, new) for each in places]
        module = found.symbol.name.rpartition(".")[0]
        return [(each, _rule_name(each, module, new)) for each in places]

    # ------------------------------------------------------------------ checks

    def _check_files(self, places: Iterable[NameOccurrence]) -> None:
        for path in dict.fromkeys(each.path for each in places):
            parsed = self._session.document(path)
            # A file that cannot be parsed has names that were not found.
            problems = parsed.parsed.problems if parsed else ()
            if any(problem.code.startswith("E1") for problem in problems):
                raise UnsafeRenameError(f"{path.name} has mistakes: mend them before renaming")
            # Without a workspace every file may be changed.
            folders = self._session.folders
            inside = not folders or any(path.is_relative_to(folder) for folder in folders)
            if not inside or (path not in self._session.files.opened and not _writable(path)):
                raise UnsafeRenameError(
                    f"it is also written in {path}, which is not part of this workspace"
                )

    def _check_name(self, found: NameOccurrence, document: Document, new: str) -> None:
        kind = found.symbol.kind
        if kind == SUIT:
            self._check_letter(found, document, new)
            return
        if not _NAME.fullmatch(new):
            raise UnsafeRenameError(f"expected a name of letters, digits and _, got '{new}'")
        if kind in (DEFINITION, ARGUMENT, PARAMETER) and is_reserved(new):
            raise UnsafeRenameError(f"'{new}' is a word of the language")
        documents = self._names.documents(document.path)
        clashing = {
            DEFINITION: (DEFINITION, ARGUMENT, PARAMETER),
            ARGUMENT: (DEFINITION, ARGUMENT, PARAMETER),
            PARAMETER: (DEFINITION, ARGUMENT, PARAMETER),
            RULE: (RULE,),
            QUESTION: (QUESTION,),
        }[kind]
        name = f"{found.symbol.name.rpartition('.')[0]}.{new}" if kind == RULE else new
        for other in documents:
            for occurrence in self._names.in_document(other):
                if occurrence.symbol.kind in clashing and occurrence.symbol.name == name:
                    # Parameters of different files may have the same name.
                    if {kind, occurrence.symbol.kind} == {PARAMETER} and occurrence.symbol.home != (
                        found.symbol.home
                    ):
                        continue
                    # So may arguments of different definitions.
                    if {kind, occurrence.symbol.kind} == {ARGUMENT} and occurrence.symbol.home != (
                        found.symbol.home
                    ):
                        continue
                    place = f"{other.path.name}:{occurrence.span.line}"
                    raise UnsafeRenameError(f"'{name}' is already a name, in {place}")

    def _check_letter(self, found: NameOccurrence, document: Document, new: str) -> None:
        if new not in _FREE_LETTERS:
            raise UnsafeRenameError(f"expected X, Y, Z or W for a suit, got '{new}'")
        piece = document.piece_at(found.span.line)
        lines = range(piece.offset + 1, piece.offset + piece.text.count("\n") + 2)
        here = [each for each in self._names.in_document(document) if each.span.line in lines]
        # Scopes of letters lie within a piece; two suits would become one.
        if any(each.symbol.kind == SUIT and each.symbol.name == new for each in here):
            raise UnsafeRenameError(f"'{new}' stands for another suit in these rules already")
        self._check_overrides(document, lines)

    def _check_overrides(self, document: Document, lines: Sequence[int]) -> None:
        """Refuse a letter of a rule that another file replaces, using the letter."""
        # The letters of an override are bound in the rule that it replaces, in another file.
        ids = {p.id for line in lines for p in self._names.written_at(document, line)}
        for other in self._names.documents(document.path):
            for statement in other.parsed.tree.statements:
                if isinstance(statement, ast.Override) and statement.target in ids:
                    raise UnsafeRenameError(
                        f"{other.path.name} replaces a rule of this block and may use its letters"
                    )


_NO_LABEL = "this rule has no label: its id follows from its auction"


def _rule_name(place: NameOccurrence, module: str, new: str) -> str:
    """Return the new text of a label, or of the id in an override."""
    if place.defines:
        return new
    number = place.symbol.name.partition("#")[2]
    return f"{module}.{new}" + (f"#{number}" if number else "")


def _is_label(session: Session, found: NameOccurrence) -> bool:
    document = session.document(found.path)
    line = document.lines[found.span.line - 1] if document else ""
    return line[found.span.end_column - 1 :].lstrip().startswith(":")


def _word_at(document: Document, line: int, column: int) -> str:
    text = document.lines[line - 1] if line <= len(document.lines) else ""
    words = (m[0] for m in re.finditer(r"[\w.]+", text) if m.start() < column <= m.end() + 1)
    return next(words, "")


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK)
