"""Where files are looked for: systems by their names, modules that a file includes.

A module is looked for in the folder of the file that includes it, then in the folder of the
project, which is that of the system's first file, then among the systems and conventions that come
with the package. The files of the package do not look in the project. A file means itself only if
no other has the name: `dont.bid` may include the package's `dont`.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import (
    UnreadableError,
    check_regular,
    lies_below,
    read_regular_text,
)
from bidwright.bridge.text_files import without_controls
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.loading.convention_names import module_of
from bidwright.runtime.fence import check_inside
from bidwright.runtime.files import reason_of

if TYPE_CHECKING:  # opening a system of the package that was compiled before needs none
    from bidwright.kb.language import ast

SUFFIX = ".bid"
"""File name extension of the convention language."""

MAIN = "system" + SUFFIX
"""The first file of a system's folder."""

_CONVENTIONS = "conventions"
_COMMON = "common"

_UP = ".."

_NO_TEXT = re.compile(r"[\n\t\ud800-\udfff]")
"""Line ends, and what stands for the bytes of a path that is not UTF-8."""

_INCLUDE = re.compile(r"^include[ \t]+([\w./-]+)", re.MULTILINE)

Exists = Callable[[Traversable], bool]
"""Returns True if there is such a file."""


class UnknownSystemError(InvalidError):
    """There is no system of that name."""


@cache
def systems_root() -> Traversable:
    """Return the folder of the systems that come with the package."""
    return files("bidwright") / "systems"


def is_file(path: Traversable) -> bool:
    """Return True if there is such a file; of a name that no file can have there is none."""
    try:
        return path.is_file()
    except OSError:  # it is too long
        return False


def available_systems() -> tuple[str, ...]:
    """Return the names of the systems that come with the package, sorted.

    Example:
        >>> import bidwright
        >>> "sayc" in bidwright.available_systems()
        True
    """
    folders = (each for each in systems_root().iterdir() if each.is_dir())
    return tuple(sorted(each.name for each in folders if (each / MAIN).is_file()))


def includes_in(text: str) -> list[str]:
    """Return the includes of a text, as they are written; the text is not parsed."""
    return _INCLUDE.findall(text)


@dataclass(frozen=True, slots=True)
class Source:
    """A file that can be read, with the folder that its includes start from.

    Attributes:
        path: the file.
        folder: its folder.
        name: how the file is called in messages.
        packaged: whether it was found among the files of the package.
    """

    path: Traversable
    folder: Traversable
    name: str
    packaged: bool = False

    @property
    def stem(self) -> str:
        """The file's name without `.bid`."""
        return self.path.name.removesuffix(SUFFIX)

    def beside(self, relative: str) -> Source:
        """Return the file at a path relative to this one's folder."""
        path = self.folder
        *folders, last = relative.split("/")
        for part in folders:
            # Up from the first folder there is only another `..`.
            goes_up = part == _UP and isinstance(path, Path) and path.name not in ("", _UP)
            path = path.parent if goes_up and isinstance(path, Path) else path / part
        name = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), relative))
        return Source(path / last, path, name, self.packaged)


def _packaged(relative: str) -> Source:
    root = systems_root()
    return Source(root / "", root, "systems/", packaged=True).beside(relative)


def _candidates(source: Source, path: str, project: Source) -> Iterator[Source]:
    """Yield the files that an `include` may mean, nearest first."""
    yield source.beside(path + SUFFIX)
    # A path that goes up is one in the project, of which the package knows nothing.
    if path.startswith(_UP):
        return
    # Files of the package mean each other, whatever an author's folder has.
    if not source.packaged and not project.packaged:
        yield project.beside(path + SUFFIX)
    yield _packaged(path + SUFFIX)
    yield _packaged(f"{path}/{MAIN}")
    yield _packaged(f"{_CONVENTIONS}/{path}{SUFFIX}")


def packaged_systems_around(file: Path) -> list[Path]:
    """Return the first files of the package's systems, of none for a file outside the package.

    A fragment that several systems share, such as `systems/common/overcalls.bid`, is read as a
    part of one of them.
    """
    root = systems_root()
    if not isinstance(root, Path) or not file.resolve().is_relative_to(root.resolve()):
        return []
    return [root / name / MAIN for name in available_systems()]


def name_in_package(file: Path) -> str:
    """Return the name of a file of the package in messages, such as `systems/common/slam.bid`."""
    return f"systems/{file.resolve().relative_to(Path(str(systems_root())).resolve()).as_posix()}"


def _is_below(found: Source, project: Source) -> bool:
    """Return True if a file lies in the project's folder or below it, links followed."""
    return lies_below(str(found.path), str(project.folder))


def including(
    source: Source, include: ast.Include, project: Source, exists: Exists
) -> Source | Diagnostic:
    """Return the file that an `include` means, or what is wrong with it.

    It is the nearest one, the including file itself last.

    Args:
        source: the file that includes it.
        include: the statement.
        project: the system's first file.
        exists: tells whether there is a file.
    """
    if include.path.startswith(_UP):
        beside = source.beside(include.path + SUFFIX)
        inside = source.packaged or _is_below(beside, project)
        if not inside:
            return _outside(project, include)
    there = [each for each in _candidates(source, include.path, project) if exists(each.path)]
    if not there:
        return missing_file(source, include, project)
    # A file named like the module that it includes means the module.
    beside = next((each for each in there if each.path != source.path), there[0])
    if not beside.packaged and not _is_below(beside, project):
        return _led_outside(beside, project, include)
    return beside


def _outside(project: Source, include: ast.Include) -> Diagnostic:
    folder = posixpath.dirname(project.name) or "."
    return error(
        # The name is read in messages, and `.` is a folder that has none.
        "E308",
        f"'{include.path}' lies outside the project, which is the folder of its first file",
        include.span,
        expected=f"a file in '{folder}' or below it",
        help="move that file into the project, or the system's first file up one folder",
    )


def _led_outside(found: Source, project: Source, include: ast.Include) -> Diagnostic:
    return error(
        "E308",
        f"'{found.name}' is a link that leads outside the project, "
        "which is the folder of its first file",
        include.span,
        expected=f"a file in '{posixpath.dirname(project.name) or '.'}' or below it",
        help="put a copy of that file into the project",
    )


def missing_file(source: Source, include: ast.Include, project: Source) -> Diagnostic:
    """Return the diagnostic of an `include` of a missing file, with the places searched."""
    candidates = list(_candidates(source, include.path, project))
    for candidate in candidates:
        if (reason := _why_no_file(candidate)) is not None:
            return error("E302", f"cannot read '{candidate.name}': {reason}", include.span)
    tried = list(dict.fromkeys(each.name for each in candidates))
    close = get_close_matches(include.path, _includable(source, project), n=1)
    return error(
        "E301",
        f"there is no file for '{include.path}'",
        include.span,
        expected=" or ".join(tried),
        help=f"did you mean '{close[0]}'?" if close else None,
    )


def _why_no_file(candidate: Source) -> str | None:
    """Return the reason that a path is no file to read; None if there is nothing at it."""
    if candidate.packaged or not os.path.lexists(str(candidate.path)):
        return None
    try:
        check_regular(str(candidate.path), MOST_BYTES)
    except UnreadableError as problem:
        return problem.strerror
    return None


def _modules_in(folder: Traversable) -> list[str]:
    names = [each.name for each in folder.iterdir()] if folder.is_dir() else []
    return [name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)]


def _includable(source: Source, project: Source) -> list[str]:
    """Return the names for an `include` in a file, the nearest first, without the file itself.

    A convention of the package goes by its short name unless a nearer file has that name.
    """
    names = [name for name in _modules_in(source.folder) if name != source.stem]
    if not source.packaged and not project.packaged:
        names += _modules_in(project.folder)
    shared = _modules_in(systems_root() / _CONVENTIONS)
    longer = [f"{_CONVENTIONS}/{name}" for name in shared]
    longer += [f"{_COMMON}/{name}" for name in _modules_in(systems_root() / _COMMON)]
    return list(dict.fromkeys([*names, *shared, *longer, *available_systems()]))


_EXPORT = re.compile(r"^export[ \t]+let[ \t]+(\w+)", re.MULTILINE)


def exporting(project: Source) -> Callable[[str], str | None]:
    """Return a function from a definition's name to the module to include for it.

    The modules of the project and of the package are read at its first call, and once: a file of
    thousands of unknown names asks thousands of times.
    """

    @cache
    def modules() -> dict[str, str]:
        return dict(reversed([*_exports(project)]))

    return lambda name: modules().get(name)


def _exports(project: Source) -> Iterator[tuple[str, str]]:
    """Yield the definitions that modules export, each with its module, the nearest first."""
    root = systems_root()
    catalogues = ((root / _CONVENTIONS, ""), (root / _COMMON, f"{_COMMON}/"))
    for folder, prefix in ((project.folder, ""), *catalogues):
        for module in _modules_in(folder):
            file = folder / f"{module}{SUFFIX}"
            # The search, too, keeps to the folder once links are followed.
            if not prefix and not lies_below(str(file), str(folder)):
                continue
            with suppress(OSError, UnicodeDecodeError):
                text = read_regular_text(file, MOST_BYTES)
                yield from ((name, f"{prefix}{module}") for name in _EXPORT.findall(text))


def check_name(name: str | Path) -> None:
    """See that a system's name can be one, or the path of a file that may be opened.

    Raises:
        UnknownSystemError: It is too long, or has characters that no path has.
        OutsideError: It is the path of a file that may not be opened now.
    """
    written = str(name)
    unseen = without_controls(written) != written or _NO_TEXT.search(written)
    # Of a zero byte the system gives the reason below.
    if unseen and "\0" not in written:  # of that the system says more
        raise UnknownSystemError(
            f"expected the path of a {SUFFIX} file in letters that are seen, got {written[:60]!r}"
        )
    if not (isinstance(name, str) and _ships(name)):
        check_inside(name)
    try:
        os.stat(name)
    except FileNotFoundError:
        # That there is none is reported by whoever looks for it.
        return
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise UnknownSystemError(
            f"expected a system ({', '.join(available_systems())}) or the path of a {SUFFIX} file, "
            f"got {str(name)[:60]!r}: {reason}"
        ) from None


def _ships(name: str) -> bool:
    """Return True if a name is that of a system or a file of the package."""
    return any(is_file(each.path) for each in _packaged_as(name))


def _packaged_as(name: str) -> tuple[Source, Source]:
    return _packaged(f"{name}/{MAIN}"), _packaged(name + SUFFIX)


def first_file(name: str | Path, exists: Exists) -> Source:
    """Return the first file of a system, named or given by its path.

    Raises:
        UnknownSystemError: there is no such system or file.
    """
    check_name(name)
    # A path is never taken for the name of a system that ships.
    if isinstance(name, str):
        for candidate in _packaged_as(name):
            if exists(candidate.path):
                return candidate
    path = Path(name)
    if path.is_dir() and exists(path / MAIN):
        # The folder was named by the user, the link was not.
        if not lies_below(path / MAIN, path):
            raise UnknownSystemError(
                f"expected a file as {str(path / MAIN)!r}, got a link that leads out of its folder"
            )
        path = path / MAIN
    if exists(path):
        return _source(path)
    # What looks like a path is not compared with the names of systems.
    if path.suffix == SUFFIX or len(path.parts) > 1:
        if path.is_dir():
            raise UnknownSystemError(
                f"expected a {SUFFIX} file or a folder with {MAIN}, got the folder {str(path)!r}"
            )
        if path.exists():
            raise UnknownSystemError(
                f"expected a {SUFFIX} file, got no regular file: {str(path)!r}"
            )
        raise UnknownSystemError(f"no such file: {str(path)!r} (expected a {SUFFIX} file)")
    # The library is read only for a name that nothing else has.
    module = module_of(str(name), systems_root() / _CONVENTIONS)
    if module is not None:
        return _packaged(f"{_CONVENTIONS}/{module}{SUFFIX}")
    available = available_systems()
    close = get_close_matches(str(name), available, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise UnknownSystemError(
        f"expected a system ({', '.join(available)}) or the path of a {SUFFIX} file, "
        f"got {str(name)!r}{hint}"
    )


def _source(file: Path) -> Source:
    return Source(file, file.parent, file.as_posix())


def included_file(
    file: Path, include: str, exists: Exists, project: Path | None = None
) -> Path | None:
    """Return the file that an `include` in a file means, None if there is none.

    Args:
        file: the file with the statement.
        include: the name in the statement.
        exists: tells whether there is a file.
        project: the system's first file, if it is another one.
    """
    from bidwright.kb.language import ast

    source = _source(file)
    included = including(source, ast.Include(include), _source(project or file), exists)
    return None if isinstance(included, Diagnostic) else Path(str(included.path))


def includable(file: Path, project: Path | None = None) -> list[str]:
    """Return the names for an `include` in a file, the files beside it first."""
    return _includable(_source(file), _source(project or file))
