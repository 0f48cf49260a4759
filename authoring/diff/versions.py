"""The two versions that are compared: files as they are, or as they were at a git revision.

Files of a revision are read out of git; nothing is checked out. Files outside the repository,
such as the systems that come with the package, are taken as they are.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.kb.language.ast import File
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.compiled import compiled, open_system
from bidwright.kb.loading.load import (
    MAIN,
    SUFFIX,
    Files,
    Parsed,
    UnknownSystemError,
    load,
    systems_root,
)
from bidwright.kb.rules.rulebase import RuleBase


@dataclass(frozen=True)
class Version:
    """A system at one time.

    Attributes:
        label: what the user calls it.
        rules: the system.
    """

    label: str
    rules: RuleBase


def open_versions(old: str, new: str | None, system: str | None) -> tuple[Version, Version]:
    """Return the versions that a command names.

    Args:
        old: a system, a file, `REVISION:PATH`, or with `system` a revision.
        new: likewise; None for the files of `old` as they are now.
        system: a system or file, if the others are revisions of it.

    Raises:
        InvalidError: one of them does not exist, or cannot be read.
        BrokenSystemError: one has errors.
    """
    if system is not None:
        later = None if new is None else f"{new}:{system}"
        return _open(f"{old}:{system}"), _open(later or system)
    if new is None:
        if _is_on_disk(old) or ":" not in old:
            raise InvalidError(f"expected a second version to compare {old!r} with, or --system")
        new = old.partition(":")[2]
    return _open(old), _open(new)


def _is_on_disk(text: str) -> bool:
    return Path(text).exists()


def _open(text: str) -> Version:
    revision, colon, path = text.partition(":")
    if colon and not _is_on_disk(text):
        return Version(text, _at_revision(revision, path))
    try:
        return Version(text, open_system(text))
    except UnknownSystemError as error:
        raise UnknownSystemError(
            f"{error}; a git revision is written REVISION:PATH, or with --system"
        ) from None


def _at_revision(revision: str, name: str) -> RuleBase:
    """Return a system as it was at a revision; it may not be there any more."""
    packaged = Path(str(systems_root()))
    problem: InvalidError | None = None
    for near in (Path(name), packaged) if len(Path(name).parts) == 1 else (Path(name),):
        try:
            files = Revision(revision, near)
        except InvalidError as error:
            problem = problem or error
            continue
        first = _first_file(files, name)
        if first is not None:
            return compiled(f"{revision}:{name}", load(first, files))
    raise problem or UnknownSystemError(
        f"expected a system or the path of a convention file at {revision}, got {name!r}"
    )


def _first_file(files: Revision, name: str) -> str | Path | None:
    """Return the file of a repository for a name: a path from here, or one from its root."""
    for path in (Path(name), files.root / name):
        for first in (path / MAIN, path):
            if files.keeps(first):
                return Path(os.path.relpath(first)) if first.is_absolute() else first
    packaged = systems_root()
    named = (packaged / f"{name}/{MAIN}", packaged / f"{name}{SUFFIX}")
    return name if any(map(files.keeps, named)) else None


class Revision(Files):
    """The files of a git repository at a revision, and the others as they are on the disk.

    Attributes:
        root: the repository.
    """

    def __init__(self, revision: str, near: Path) -> None:
        """Look into the repository that a path is in.

        Raises:
            InvalidError: git is not there, or there is no such repository or revision.
        """
        folder = near.absolute()
        while not folder.is_dir():
            # A file that is deleted by now, or a folder of it, may exist at the revision.
            folder = folder.parent
        top = _git(folder, "rev-parse", "--show-toplevel")
        if top is None:
            raise InvalidError(f"expected a git repository for {revision!r}, got {folder}")
        # Without links: a path is compared with this one, and git prints it resolved.
        self.root = Path(os.path.realpath(top.decode().rstrip("\n")))
        commit = _git(
            self.root,
            "rev-parse",
            "--verify",
            "--quiet",
            # A revision that begins with a dash is a name, and no option of git.
            "--end-of-options",
            f"{revision}^{{commit}}",
        )
        if commit is None:
            raise InvalidError(f"expected a git revision of {self.root}, got {revision!r}")
        self._commit = commit.decode().strip()
        # The list of all files once: asking git for each candidate of an `include` would take a
        # process each.
        listed = _git(self.root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", self._commit)
        self._files = set((listed or b"").decode().split("\0"))
        package = self._relative(Path(str(systems_root())))
        self._has_package = package is not None and any(
            file.startswith(f"{package}/") for file in self._files
        )

    def keeps(self, path: Traversable) -> bool:
        """Return True if there was such a file in the repository."""
        return self._kept(path) in self._files

    def exists(self, path: Traversable) -> bool:
        """Return True if there was such a file."""
        name = self._kept(path)
        return path.is_file() if name is None else name in self._files

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file as it was, parsed."""
        # Files outside, such as those of an installed package, have one version.
        path_in_repository = self._kept(path)
        if path_in_repository is None:
            return super().read(path, name)
        content = _git(self.root, "cat-file", "blob", f"{self._commit}:{path_in_repository}")
        if content is None:
            raise FileNotFoundError(0, f"it is not in git at {self._commit[:12]}")
        text = content.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        tree, problems = parse(text, name)
        return Parsed(tree or File(None, ()), problems, {name: text})

    def _relative(self, path: Path) -> str | None:
        real = Path(os.path.realpath(path))
        return real.relative_to(self.root).as_posix() if real.is_relative_to(self.root) else None

    def _kept(self, path: Traversable) -> str | None:
        """Return where a file is in the repository; None for one that is not kept there."""
        system_path = Path(str(path))
        if not self._has_package and system_path.is_relative_to(str(systems_root())):
            return None
        return self._relative(system_path)


def _git(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git; None if it refuses.

    Raises:
        InvalidError: git cannot be run.
    """
    try:
        done = subprocess.run(("git", "-C", str(folder), *arguments), capture_output=True)
    except OSError:
        raise InvalidError("git cannot be run, and revisions are read with it") from None
    return done.stdout if done.returncode == 0 else None
