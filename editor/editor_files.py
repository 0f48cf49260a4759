"""Convention files as the editor has them, read again only where they changed.

A file is cut at its left margin, and each piece is parsed once for its text. The spans of a piece
count from its own first line, under a name of its own, so a piece that moves down is still the
same piece with the same tree; `Files.locate` turns its spans into places of the file.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path

from bidwright.bridge.regular_files import read_regular_text
from bidwright.kb.checks.allow import Allowance, allowances
from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related
from bidwright.kb.language.foreign import FIRST_LINE
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.language.line_groups import code_of
from bidwright.kb.language.parser import Piece, assemble, parse, pieces_of, read_piece
from bidwright.kb.loading.load import Files, Parsed

_TABS = re.compile(r"^ *\t[ \t]*[^\s#]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece of a file with its present place.

    Attributes:
        name: the name of the file in its spans.
        offset: the number of lines of the file before it.
        text: its lines.
        piece: its tree, as far as it could be parsed.
    """

    name: str
    offset: int
    text: str
    piece: Piece


@dataclass(frozen=True)
class Document:
    """A file as it is now.

    Attributes:
        path: the file.
        text: all of its text.
        pieces: the text again, cut at the left margin.
        parsed: its tree and what is wrong with it.
    """

    path: Path
    text: str
    pieces: tuple[PlacedPiece, ...]
    parsed: Parsed

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.text.split("\n")

    @cached_property
    def allowances(self) -> list[Allowance]:
        """The suppressions in the author's comments."""
        return allowances({self.path.as_posix(): self.text})

    def piece_at(self, line: int) -> PlacedPiece:
        """Return the piece that a line (from 1) is in."""
        return [each for each in self.pieces if each.offset < line][-1]


@lru_cache(maxsize=10_000)
def real_path(path: str) -> Path:
    """Return the path that stands for a file however it is reached."""
    return Path(os.path.realpath(path))


class EditorFiles(Files):
    """Files of the editor and of the disk.

    Attributes:
        opened: the texts of the files that are open in the editor.
    """

    def __init__(self) -> None:
        """Start with nothing open."""
        self.opened: dict[Path, str] = {}
        self._documents: dict[Path, Document] = {}
        self._stamps: dict[Path, tuple[int, int]] = {}
        self._pieces: dict[Path, dict[tuple[str, int, bool], tuple[str, Piece]]] = {}
        self._places: dict[str, tuple[Path, int]] = {}
        self._serial = count(1)

    # ------------------------------------------------------------- for loading

    def exists(self, path: Traversable) -> bool:
        """Return True if there is such a file."""
        return real_path(str(path)) in self.opened or path.is_file()

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file parsed; places under its own name are those of the file."""
        document = self.document(real_path(str(path)))
        self._places[name] = (document.path, 0)
        return document.parsed

    def memory(self) -> Memory:
        """Return the findings of before in statements, for a system that is loaded first."""
        return Memory()

    def document(self, path: Path) -> Document:
        """Return a file as it is now.

        Raises:
            OSError: it cannot be read.
            UnicodeDecodeError: it is not text.
        """
        earlier = self._documents.get(path)
        text = self.opened.get(path)
        # Of a file that is not open the time and the size tell whether it changed; reading all
        # files of a system at each keystroke is too slow.
        if text is None:
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            if earlier is not None and self._stamps.get(path) == stamp:
                return earlier
            text = read_regular_text(path, MOST_BYTES)
            self._stamps[path] = stamp
        else:
            # The text of the editor is no state of the disk: once closed, the file is read again.
            self._stamps.pop(path, None)
        if earlier is None or earlier.text != text:
            earlier = self._documents[path] = self._read_text(path, text)
        return earlier

    def _read_text(self, path: Path, text: str) -> Document:
        pieces = tuple(self._cut(path, text.replace("\r\n", "\n")))
        tree, problems = assemble(each.piece for each in pieces)
        texts = {each.name: each.text for each in pieces}
        return Document(path, text, pieces, Parsed(tree, problems, texts))

    def _cut(self, path: Path, text: str) -> Iterator[PlacedPiece]:
        earlier = self._pieces.get(path, {})
        now: dict[tuple[str, int, bool], tuple[str, Piece]] = {}
        copies: Counter[str] = Counter()
        # Places of the text before; those that stay are entered again below.
        for name, _ in earlier.values():
            self._places.pop(name, None)
        # What is reported once for all lines of a file needs it as a whole: tabs, another language.
        as_whole = _TABS.search(text) or FIRST_LINE.match(text)
        cut = [(0, text)] if as_whole else pieces_of(text)
        last = max((i for i, (_, each) in enumerate(cut) if _has_code(each)), default=0)
        for index, (offset, piece_text) in enumerate(cut):
            # Equal pieces differ by their number, for each has places of its own. The last one
            # reports what the end of a file lacks.
            key = (piece_text, copies[piece_text], index >= last)
            copies[piece_text] += 1
            if key not in earlier:
                name = f"{path.as_posix()}@{next(self._serial)}"
                earlier[key] = (name, _read(piece_text, name, final=index >= last))
            name, piece = now[key] = earlier[key]
            self._places[name] = (path, offset)
            yield PlacedPiece(name, offset, piece_text, piece)
        self._pieces[path] = now

    # ------------------------------------------------------------------ places

    def home(self, name: str) -> Path | None:
        """Return the file that spans call by a name; None if it is of an older text."""
        place = self._places.get(name)
        return None if place is None else place[0]

    def locate(self, span: ast.Span) -> ast.Span | None:
        """Return a span with the file's path and lines; None if it is of an older text."""
        place = self._places.get(span.file)
        if place is None:
            return None
        path, offset = place
        return span._replace(
            file=path.as_posix(),
            line=span.line + offset,
            end_line=span.end_line + offset,
        )

    def located(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """Return a diagnostic with places of files; None if it is about an older text."""
        span = self.locate(diagnostic.span)
        if span is None:
            return None
        related = [(each.message, self.locate(each.span)) for each in diagnostic.related]
        placed = tuple(Related(text, place) for text, place in related if place is not None)
        return replace(diagnostic, span=span, related=placed)


def _has_code(text: str) -> bool:
    return any(map(code_of, text.split("\n")))


def _read(text: str, name: str, *, final: bool) -> Piece:
    if not _TABS.search(text) and not FIRST_LINE.match(text):
        return read_piece(text, name, final=final)
    tree, problems = parse(text, name)
    if tree is None:
        return Piece(None, (), tuple(problems))
    return Piece(tree.header, tree.statements, tuple(problems))
