"""The files that an editor has open, and the systems they belong to: what every request reads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from bidwright.editor.editor_files import Document, EditorFiles, real_path
from bidwright.editor.places import place_of, position_of, range_of, uri_of
from bidwright.editor.projects import Project, Projects
from bidwright.editor.published import to_client
from bidwright.kb.checks.allow import sift
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.load import SUFFIX

_MOST_FILES = 500
"""Convention files of a folder that are looked at."""


def _convention_files(folder: Path) -> Iterator[Path]:
    """Yield the convention files in a folder, hidden folders and environments left out."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "_")) and name not in ("node_modules", "build", "dist")
        )
        yield from (Path(place) / name for name in sorted(names) if name.endswith(SUFFIX))


@dataclass(frozen=True, slots=True)
class Anchored:
    """A diagnostic that was found some time ago, and that stays with its line.

    Attributes:
        path: its file.
        problem: what is wrong.
        text: the line that it was on.
    """

    path: Path
    problem: Diagnostic
    text: str

    def moved(self, document: Document) -> Diagnostic | None:
        """Return the diagnostic where its line is now; None if that was changed."""
        lines, span = document.lines, self.problem.span
        if span.line <= len(lines) and lines[span.line - 1] == self.text:
            return self.problem
        if lines.count(self.text) != 1:
            return None
        down = lines.index(self.text) + 1 - span.line
        place = span._replace(line=span.line + down, end_line=span.end_line + down)
        return replace(self.problem, span=place)


def _allowed(problems: list[Diagnostic], document: Document) -> list[Diagnostic]:
    """Leave out what the author allows, giving a reason in a comment."""
    if not problems or not document.allowances:
        return problems
    return sift(problems, document.allowances, frozenset()).shown


class Session:
    """One editor at work.

    Attributes:
        files: files as the editor has them.
        projects: the systems they belong to.
        codec: how the editor counts characters.
        uris: what the editor calls its files.
        folders: the folders that the editor shows.
        deep: what took longer to find, by the first file of a system.
    """

    def __init__(self) -> None:
        """Start with nothing open."""
        self.files = EditorFiles()
        self.projects = Projects(self.files)
        self.codec = PositionCodec()
        self.uris: dict[Path, str] = {}
        self.deep: dict[Path, list[Anchored]] = {}
        self.folders: list[Path] = []
        self._surveyed = False
        self._sent: dict[Path, list[types.Diagnostic]] = {}

    # ---------------------------------------------------------------- changes

    def put(self, path: Path, uri: str, text: str) -> None:
        """Take note of the text of a file that is open in the editor."""
        self.uris[path] = uri
        self.files.opened[path] = text.removeprefix("\ufeff")
        self.projects.open(path)

    def drop(self, path: Path) -> None:
        """Take note that a file is not open any more: what counts is on the disk."""
        self.files.opened.pop(path, None)
        self.uris.pop(path, None)
        for project in self.projects.of(path):
            project.refresh()
        self.projects.close()

    def changed_on_disk(self) -> None:
        """Take note that files that are not open were changed, made or deleted."""
        for project in self.projects.all():
            project.refresh()

    def survey(self) -> None:
        """Look at all systems in the editor's folders, the first time that it matters."""
        if self._surveyed:
            return
        self._surveyed = True
        for folder in self.folders:
            for path in islice(_convention_files(folder), _MOST_FILES):
                document = self.document(real_path(str(path)))
                header = document.parsed.tree.header if document else None
                if header is not None and header.kind == "system":
                    self.projects.keep(real_path(str(path)))

    # ---------------------------------------------------------------- reading

    def document(self, path: Path) -> Document | None:
        """Return a file as it is now, None if it cannot be read."""
        try:
            return self.files.document(path)
        except (OSError, UnicodeDecodeError):
            return None

    def project(self, path: Path) -> Project | None:
        """Return the system that a file is looked at in."""
        found = self.projects.of(path) or self.projects.open(path)
        return found[0] if found else None

    def place(self, document: Document, position: types.Position) -> tuple[int, int]:
        """Return line and column (from 1) of a position."""
        return place_of(position, document.lines, self.codec)

    def position(self, document: Document, line: int, column: int) -> types.Position:
        """Return the position of a line and column (from 1)."""
        return position_of(line, column, document.lines, self.codec)

    def range(self, span: ast.Span) -> types.Range:
        """Return the range of a span that has the place of a file."""
        document = self.document(Path(span.file))
        return range_of(span, document.lines if document else (), self.codec)

    def location(self, span: ast.Span) -> types.Location:
        """Return the location of a span that has the place of a file."""
        path = Path(span.file)
        return types.Location(self.uris.get(path) or uri_of(path), self.range(span))

    # ------------------------------------------------------------ diagnostics

    def problems(self, path: Path) -> list[Diagnostic]:
        """Return what is wrong in a file, as far as it is known."""
        projects = self.projects.of(path)
        found = [each for project in projects for each in project.look.problems.get(path, ())]
        document = self.document(path)
        if document is not None:
            found += [
                moved
                for project in projects
                for anchored in self.deep.get(project.root, ())
                if anchored.path == path and (moved := anchored.moved(document)) is not None
            ]
        found = list(dict.fromkeys(found))
        return found if document is None else _allowed(found, document)

    def known_deep(self, root: Path) -> list[Diagnostic]:
        """Return what took longer to find in a system, where it is now."""
        found = []
        for anchored in self.deep.get(root, ()):
            document = self.document(anchored.path)
            if document is not None and (moved := anchored.moved(document)) is not None:
                found.append(moved)
        return found

    def found_deep(self, root: Path, problems: Sequence[Diagnostic]) -> None:
        """Take note of all that the worker found in a system, with places of files."""
        self.deep[root] = []
        for problem in problems:
            path = real_path(problem.span.file)
            document = self.document(path)
            if document is not None and problem.span.line <= len(document.lines):
                text = document.lines[problem.span.line - 1]
                self.deep[root].append(Anchored(path, problem, text))

    def news(self) -> Sequence[tuple[Path, list[types.Diagnostic]]]:
        """Return what the editor has to be sent: diagnostics of each file where they changed."""
        paths = {path for project in self.projects.all() for path in project.look.paths}
        result = []
        for path in sorted(paths | set(self._sent)):
            problems = self.problems(path) if path in paths else []
            known = self._sent.get(path, [])
            if not problems and not known:
                continue
            document = self.document(path)
            lines = document.lines if document else []
            sent = [to_client(each, lines, self.codec, self.location) for each in problems]
            if sent != known:
                self._sent[path] = sent
                result.append((path, sent))
        return result
