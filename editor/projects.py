"""Systems as the editor has them: which files belong together, and what is wrong in them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from bidwright.bridge.errors import BidwrightError
from bidwright.editor.editor_files import Document, EditorFiles
from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import PlacedRule, walk
from bidwright.kb.loading.load import MAIN, load
from bidwright.kb.loading.search_path import packaged_systems_around


class SystemSnapshot:
    """A system at one moment.

    Attributes:
        root: its first file.
        system: what was read.
        paths: its files, in the order of the includes.
        problems: what is wrong, by file, with places of the files.
    """

    def __init__(self, root: Path, system: System, files: EditorFiles) -> None:
        """Sort out what was loaded."""
        self.root = root
        self.system = system
        self._files = files
        homes = (files.home(name) for name in system.texts)
        self.paths = tuple(dict.fromkeys(home for home in homes if home is not None))
        self.problems: dict[Path, list[Diagnostic]] = {}
        for diagnostic in system.diagnostics:
            found = files.located(diagnostic)
            if found is not None:
                self.problems.setdefault(Path(found.span.file), []).append(found)

    @property
    def lacks_files(self) -> bool:
        """Whether a file that is included was not there."""
        return any(each.code in ("E301", "E302") for each in self.system.diagnostics)

    @cached_property
    def rules(self) -> tuple[PlacedRule, ...]:
        """Every rule, with its id and the calls before it."""
        return tuple(walk(self.system.statements))

    @cached_property
    def _by_place(self) -> dict[tuple[str, int], list[PlacedRule]]:
        found: dict[tuple[str, int], list[PlacedRule]] = {}
        for placed in self.rules:
            span = placed.rule.span
            found.setdefault((span.file, span.line), []).append(placed)
        return found

    def rules_at(self, document: Document, line: int) -> list[PlacedRule]:
        """Return the rules that begin on a line of a file: several if it is included several times.

        A rule that goes on over several lines is found from any of them.
        """
        piece = document.piece_at(line)
        inside = line - piece.offset
        for back in range(inside, 0, -1):
            found = self._by_place.get((piece.name, back), [])
            if found:
                return found if found[0].rule.span.end_line >= inside else []
        return []


class Project:
    """A system that is looked at again and again."""

    def __init__(self, root: Path, files: EditorFiles) -> None:
        """Prepare to look at the system whose first file is `root`."""
        self.root = root
        self._files = files
        self._memory = Memory()
        self.look = self._load()

    def refresh(self) -> None:
        """Look at the system as it is now."""
        self.look = self._load()

    @property
    def is_system(self) -> bool:
        """Whether the first file says that it is a system."""
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
        """Return the systems that are looked at."""
        return list(self._projects.values())

    def of(self, path: Path) -> list[Project]:
        """Return the systems that a file is part of, the one in its folder first.

        A file is a system by itself only if it is part of no other, or says that it is one.
        """
        found = [each for each in self._projects.values() if path in each.look.paths]
        own = [each for each in found if each.root == path and each.is_system]
        wider = [each for each in found if each.root != path]
        return sorted(
            own + wider or found,
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
        """Look at a system from now on, whether a file of it is open or not."""
        self._kept.add(root)
        if root not in self._projects:
            self._try(root, root)

    def _try(self, root: Path, path: Path) -> None:
        """Look at the system of a first file, if the file is part of it."""
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
        """Forget the systems none of whose files is open."""
        self._apart.clear()
        for root, project in list(self._projects.items()):
            if root not in self._kept and not any(
                path in self.files.opened for path in project.look.paths
            ):
                del self._projects[root]
