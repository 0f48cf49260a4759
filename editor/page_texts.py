"""Texts of a page in a browser, edited as an editor edits files: colours, proposals, meanings.

The answers are those of the language server. A page may know the files of the package and its own
texts, and no other file.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypedDict

from lsprotocol import types

from bidwright.bridge.errors import InvalidError
from bidwright.editor.editor_files import Document, EditorFiles, real_path
from bidwright.editor.place_answers import PlaceAnswers
from bidwright.editor.semantic import TYPES
from bidwright.editor.session import Session
from bidwright.editor.workbench import Compiled, Overlay, Workbench
from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.loading.incremental import Looks, ReadOnce, looks_of
from bidwright.kb.loading.load import Parsed, systems_root
from bidwright.kb.loading.search_path import available_systems, includes_in

_MOST_OPEN = 4
"""Texts that are kept open, by their names."""
_MOST_PROPOSALS = 300


def _looks_of_included(text: str) -> Looks:
    """Return the cache of a system of the package that a text includes; empty for none."""
    included = includes_in(text)
    name = next((each for each in available_systems() if each in included), None)
    return Looks() if name is None else looks_of(name)


class PageFiles(Overlay):
    """The files of the package and the texts of pages; there is no other file."""

    def _is_open_to_pages(self, path: Traversable) -> bool:
        # Real paths: a link or `..` in an include leads out of the folder of the package.
        real, root = real_path(str(path)), real_path(str(systems_root()))
        return str(real) in self.texts or real.is_relative_to(root)

    def exists(self, path: Traversable) -> bool:
        """Return True if there is such a file and a page may know it."""
        return self._is_open_to_pages(path) and super().exists(path)

    def text(self, path: Traversable) -> str:
        """Return the text of a file.

        Raises:
            FileNotFoundError: It is no file of the package, and no text of the page.
        """
        if not self._is_open_to_pages(path):
            raise FileNotFoundError(2, "there is no such file")
        return super().text(path)


class PageEditorFiles(EditorFiles):
    """The files of the package and the open texts of the page; there is no other file."""

    def __init__(self) -> None:
        """Start with no text open."""
        super().__init__()
        self._packaged = ReadOnce()
        self._looks = Looks()

    def begin(self, looks: Looks) -> None:
        """Take the trees of a system of the package, which saves parsing them."""
        self._looks = looks
        self._packaged.take(looks.trees)

    def memory(self) -> Memory:
        """Return the findings in the statements of that system."""
        return self._looks.memory

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file parsed; one of the package as a whole, since no page changes it."""
        real = real_path(str(path))
        if real in self.opened or not self._is_open_to_pages(real):
            return super().read(path, name)
        self._places[name] = (real, 0)
        return self._packaged.read(path, name)

    def _is_open_to_pages(self, path: Path) -> bool:
        return path in self.opened or path.is_relative_to(real_path(str(systems_root())))

    def exists(self, path: Traversable) -> bool:
        """Return True if there is such a file and a page may know it."""
        return self._is_open_to_pages(real_path(str(path))) and super().exists(path)

    def document(self, path: Path) -> Document:
        """Return a file as it is now.

        Raises:
            FileNotFoundError: It is no file of the package, and no text of the page.
        """
        if not self._is_open_to_pages(path):
            raise FileNotFoundError(2, "there is no such file")
        return super().document(path)


class ColoursAnswer(TypedDict):
    """The kinds of words: line, character, length, and index of `kinds` of every word."""

    kinds: list[str]
    marks: list[tuple[int, int, int, int]]


class ProposalEntry(TypedDict):
    """Words that may be written, with a few that say what they are."""

    text: str
    detail: str
    about: str


class ProposalsAnswer(TypedDict):
    """Proposals, and the character where the word begins that one of them replaces."""

    start: int
    proposals: list[ProposalEntry]


class PageDesk:
    """Answers about texts of the page, and about places in them.

    Places are lines and characters from 0, characters in units of UTF-16, as JavaScript counts.

    Attributes:
        bench: checks and compiles texts.
    """

    def __init__(self) -> None:
        """Start with no text open."""
        self.bench = Workbench(PageFiles())
        self._files = PageEditorFiles()
        self._session = Session(self._files)
        self._answers = PlaceAnswers(self._session)
        self._loaded: dict[Path, str] = {}

    def compiled(self, root: Path, text: str) -> Compiled | None:
        """Return a text as far as it can be used; see `Workbench.compiled`."""
        if not self.bench.knows(root):
            # Findings of the included system are the package's: the text begins with them, and only
            # what it adds is worked out.
            self.bench.begin(root, _looks_of_included(text))
        return self.bench.compiled(root, {str(root): text})

    def _document(self, root: Path, text: str, *, loaded: bool = False) -> Document:
        """Return a text as a file; the ones used longest ago are closed.

        Args:
            root: the place that stands for the text.
            text: the text.
            loaded: load the system again where the text has changed. It takes most of a second,
                and what is asked at every keystroke does not need it.
        """
        files = self._session.files
        # Taken out first, the last one that is put is the last of the table.
        files.opened.pop(root, None)
        files.opened[root] = text
        if not self._session.projects.of(root):
            self._files.begin(_looks_of_included(text))
        if loaded and self._loaded.get(root) != text:
            self._session.put(root, str(root), text)
            self._loaded[root] = text
        while len(files.opened) > _MOST_OPEN:
            oldest = next(iter(files.opened))
            self._loaded.pop(oldest, None)
            self._session.drop(oldest)
        return files.document(root)

    def _place(self, document: Document, line: int, character: int) -> tuple[int, int]:
        """Return line and column (from 1) of a place."""
        if line >= len(document.lines):
            raise InvalidError(f"expected a line from 0 to {len(document.lines) - 1}, got {line}")
        return self._session.place(document, types.Position(line, character))

    def colours(self, root: Path, text: str) -> ColoursAnswer:
        """Return the kinds of words; what has a mistake has none.

        Args:
            root: the place that stands for the text.
            text: the text.
        """
        document = self._document(root, text)
        marks: list[tuple[int, int, int, int]] = []
        for mark in self._answers.painter.marks(document):
            begin, end = (
                self._session.position(document, mark.line + 1, column + 1).character
                for column in (mark.column, mark.column + mark.width)
            )
            marks.append((mark.line, begin, end - begin, mark.kind))
        return {"kinds": list(TYPES), "marks": marks}

    def proposals(self, root: Path, text: str, line: int, character: int) -> ProposalsAnswer:
        """Return the words that may be written at a place, the likeliest first; see `colours`."""
        document = self._document(root, text)
        items = self._answers.completer.complete(document, *self._place(document, line, character))
        edits = [item.text_edit for item in items if isinstance(item.text_edit, types.TextEdit)]
        return {
            "start": edits[0].range.start.character if edits else character,
            "proposals": [
                {
                    "text": item.label,
                    "detail": item.detail or "",
                    "about": str(item.documentation or ""),
                }
                for item in sorted(items, key=lambda item: item.sort_text or "")[:_MOST_PROPOSALS]
            ],
        }

    def meaning(self, root: Path, text: str, line: int, character: int) -> tuple[str, list[str]]:
        """Return the meaning of the word at a place, as Markdown, or the rules that stand there.

        See `colours`.
        """
        document = self._document(root, text, loaded=True)
        number, column = self._place(document, line, character)
        words = self._answers.word_text(document, number, column)
        return (words, []) if words else ("", self._answers.rules_on(document, number))
