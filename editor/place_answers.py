"""Answers about places in the open files that need no engine: words, rules, proposals, colours.

The language server and the editor of the explorer's page both ask here, so they cannot differ.
"""

from __future__ import annotations

from bidwright.editor import hover as words
from bidwright.editor.completion import Completer
from bidwright.editor.editor_files import Document
from bidwright.editor.names import RULE, NameFinder
from bidwright.editor.semantic import Painter
from bidwright.editor.session import Session


class PlaceAnswers:
    """Answers about places in the files of a session.

    Attributes:
        names: the names in the files.
        completer: proposes what may be written.
        painter: finds the kinds of words.
    """

    def __init__(self, session: Session) -> None:
        """Answer for the files of a session."""
        self._session = session
        self.names = NameFinder(session)
        self.completer = Completer(session)
        self.painter = Painter(self.names)

    def word_text(self, document: Document, line: int, column: int) -> str | None:
        """Return the meaning of the word or name at a place, as Markdown; None for none and rules.

        Args:
            document: the file.
            line: the line, from 1.
            column: the column, from 1.
        """
        before = document.lines[line - 1][: column - 1] if line <= len(document.lines) else ""
        occurrence = self.names.at(document, line, column)
        word = words.word_at(document, line, column)
        if occurrence is not None:
            if occurrence.symbol.kind == RULE:
                return None
            if word and not word[0].isdigit():
                return words.name_text(self._session, self.names, document, occurrence)
        if word:
            return words.word_text(word, actions=";" in before)
        return None

    def rules_on(self, document: Document, line: int) -> list[str]:
        """Return the ids of the rules that stand on a line (from 1)."""
        project = self._session.project(document.path)
        if project is None:
            return []
        return [placed.id for placed in project.look.rules_at(document, line)]
