"""The files that an editor has open and the systems they belong to: the state of every request."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from bidwright.bridge.errors import BidwrightError
from bidwright.editor.editor_files import Document, EditorFiles, real_path
from bidwright.editor.places import place_of, position_of, range_of, to_client, uri_of
from bidwright.kb.checks.allow import sift
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import PlacedRule, walk
from bidwright.kb.loading.load import MAIN, SUFFIX, load
from bidwright.kb.loading.search_path import packaged_systems_around


class SystemSnapshot:
    """A system at one moment.

    Attributes:
        root: its first file.
        system: the system as it was loaded.
        paths: its files, in the order of the includes.
        problems: the diagnostics by file, with places of the files.
    """

    def __init__(self, root: Path, system: System, files: EditorFiles) -> None:
        """Sort the diagnostics of a loaded system by file."""
        self.root = root
        self.system = system
        self._files = files
        homes = (files.home(name) for name in system.texts)
        self.paths = tuple(dict.fromkeys(home for home in homes if home is not None))
        self.problems: dict[Path, list[Diagnostic]] = {}
        for diagnostic in system.diagnostics:
            located = files.located(diagnostic)
            if located is not None:
                self.problems.setdefault(Path(located.span.file), []).append(located)

    @property
    def lacks_files(self) -> bool:
        """True if a file that is included was not there."""
        return any(each.code in ("E301", "E302") for each in self.system.diagnostics)

    @cached_property
    def rules(self) -> tuple[PlacedRule, ...]:
        """Every rule, with its id and the calls before it."""
        return tuple(walk(self.system.statements))

    @cached_property
    def _by_place(self) -> dict[tuple[str, int], list[PlacedRule]]:
        by_place: dict[tuple[str, int], list[PlacedRule]] = {}
        for placed in self.rules:
            span = placed.rule.span
            by_place.setdefault((span.file, span.line), []).append(placed)
        return by_place

    def rules_at(self, document: Document, line: int) -> list[PlacedRule]:
        """Return the rules that begin on a line of a file: several if it is included several times.

        A rule that goes on over several lines is found from any of them.
        """
        piece = document.piece_at(line)
        inside = line - piece.offset
        for back in range(inside, 0, -1):
            placed = self._by_place.get((piece.name, back), [])
            if placed:
                return placed if placed[0].rule.span.end_line >= inside else []
        return []


class Project:
    """A system that is loaded again after each change."""

    def __init__(self, root: Path, files: EditorFiles) -> None:
        """Load the system with the first file `root`."""
        self.root = root
        self._files = files
        self._memory = files.memory()
        self.look = self._load()

    def refresh(self) -> None:
        """Load the system as it is now."""
        self.look = self._load()

    @property
    def is_system(self) -> bool:
        """True if the first file says that it is a system."""
        try:
            header = self._files.document(self.root).parsed.tree.header
        except (OSError, UnicodeDecodeError):
            return False
        return header is not None and header.kind == "system"

    def _load(self) -> SystemSnapshot:
        return SystemSnapshot(self.root, load(self.root, self._files, self._memory), self._files)


class Projects:
    """The systems that the open files belong to.

    Attributes:
        files: the files.
    """

    def __init__(self, files: EditorFiles) -> None:
        """Start with no system."""
        self.files = files
        self._projects: dict[Path, Project] = {}
        self._apart: set[tuple[Path, Path]] = set()
        self._kept: set[Path] = set()

    def all(self) -> list[Project]:
        """Return the systems that are open."""
        return list(self._projects.values())

    def of(self, path: Path) -> list[Project]:
        """Return the systems that a file is part of, the one in its folder first.

        A file is a system by itself only if it is part of no other, or says that it is one.
        """
        containing = [each for each in self._projects.values() if path in each.look.paths]
        of_root = [each for each in containing if each.root == path and each.is_system]
        wider = [each for each in containing if each.root != path]
        return sorted(
            of_root + wider or containing,
            key=lambda each: (each.root != path, each.root.parent != path.parent),
        )

    def open(self, path: Path) -> list[Project]:
        """Return the systems that a file is part of, after it was opened or changed."""
        for project in self._projects.values():
            if path in project.look.paths or project.look.lacks_files:
                project.refresh()
        main = path.parent / MAIN
        if not any(each.root.parent == path.parent for each in self.of(path)):
            self._try(main, path)
        for whole in packaged_systems_around(path):
            if not self.of(path):
                self._try(whole, path)
        if not self.of(path):
            self._try(path, path)
        return self.of(path)

    def keep(self, root: Path) -> None:
        """Keep a system from now on, even without an open file of it."""
        self._kept.add(root)
        if root not in self._projects:
            self._try(root, root)

    def _try(self, root: Path, path: Path) -> None:
        """Load the system of a first file, and keep it if the file is part of it."""
        if (root, path) in self._apart or root in self._projects or not self.files.exists(root):
            return
        try:
            project = Project(root, self.files)
        except BidwrightError:
            return
        if path in project.look.paths:
            self._projects[root] = project
        else:
            self._apart.add((root, path))

    def close(self) -> None:
        """Forget the systems without an open file."""
        self._apart.clear()
        for root, project in list(self._projects.items()):
            if root not in self._kept and not any(
                path in self.files.opened for path in project.look.paths
            ):
                del self._projects[root]


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
        problem: the diagnostic.
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
    """Return the diagnostics that no comment of the author suppresses."""
    if not problems or not document.allowances:
        return problems
    return sift(problems, document.allowances, frozenset()).shown


class Session:
    """One editor at work.

    Attributes:
        files: files as the editor has them.
        projects: the systems they belong to.
        codec: the editor's way of counting characters.
        uris: the editor's names of its files.
        folders: the folders that the editor shows.
        deep: the diagnostics of the worker, by the first file of a system.
    """

    def __init__(self, files: EditorFiles | None = None) -> None:
        """Start with nothing open; `files` reads what the editor may know."""
        self.files = files or EditorFiles()
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
        """Take note that a file is not open any more: the one on the disk counts."""
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
        """Load all systems in the editor's folders, the first time that it matters."""
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
        """Return the system that a file is read in."""
        projects = self.projects.of(path) or self.projects.open(path)
        return projects[0] if projects else None

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
        """Return the diagnostics of a file found so far."""
        projects = self.projects.of(path)
        problems = [each for project in projects for each in project.look.problems.get(path, ())]
        document = self.document(path)
        if document is not None:
            problems += [
                moved
                for project in projects
                for anchored in self.deep.get(project.root, ())
                if anchored.path == path and (moved := anchored.moved(document)) is not None
            ]
        problems = list(dict.fromkeys(problems))
        return problems if document is None else _allowed(problems, document)

    def known_deep(self, root: Path) -> list[Diagnostic]:
        """Return the worker's diagnostics of a system, at their present places."""
        problems = []
        for anchored in self.deep.get(root, ()):
            document = self.document(anchored.path)
            if document is not None and (moved := anchored.moved(document)) is not None:
                problems.append(moved)
        return problems

    def found_deep(self, root: Path, problems: Sequence[Diagnostic]) -> None:
        """Take the worker's diagnostics of a system, with places of files."""
        self.deep[root] = []
        for problem in problems:
            path = real_path(problem.span.file)
            document = self.document(path)
            if document is not None and problem.span.line <= len(document.lines):
                text = document.lines[problem.span.line - 1]
                self.deep[root].append(Anchored(path, problem, text))

    def news(self) -> Sequence[tuple[Path, list[types.Diagnostic]]]:
        """Return the diagnostics to send to the editor: those of files where they changed."""
        paths = {path for project in self.projects.all() for path in project.look.paths}
        result = []
        # Also files that have left all systems: an editor shows a diagnostic until an empty list
        # replaces it.
        for path in sorted(paths | set(self._sent)):
            problems = self.problems(path) if path in paths else []
            sent_before = self._sent.get(path, [])
            if not problems and not sent_before:
                continue
            document = self.document(path)
            lines = document.lines if document else []
            sent = [to_client(each, lines, self.codec, self.location) for each in problems]
            if sent != sent_before:
                self._sent[path] = sent
                result.append((path, sent))
        return result
