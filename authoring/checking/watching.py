"""Checks a system again whenever a file of it changes, and tells what is new and what is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bidwright.authoring.checking.system_report import SystemReport, check_system
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.load import SUFFIX, systems_root

PAUSE = 0.3
"""Seconds between two looks at the files."""

_Stamps = Mapping[str, tuple[int, int]]
"""When files were changed and how long they are, by path."""

_Said = tuple[str, str, str, str]
"""What tells problems apart when lines move: code, file, message, the text of the line."""


@dataclass(frozen=True, slots=True)
class News:
    """What another look at a system has shown.

    Attributes:
        new: the problems that were not there before, by place.
        gone: those that are there no longer.
        report: all that was found.
    """

    new: tuple[Diagnostic, ...]
    gone: tuple[Diagnostic, ...]
    report: SystemReport


class Watched:
    """A system that is looked at again and again."""

    def __init__(self, name: str) -> None:
        """Watch a system or file, which is not looked at yet."""
        self._name = name
        self._stamps: _Stamps | None = None
        self._before: dict[_Said, list[Diagnostic]] = {}

    def look(self) -> News | None:
        """Return what is new; None if no file has changed since the last look.

        Raises:
            UnknownSystemError: there is no such system or file.
        """
        if self._stamps is not None and self._stamps == _stamps(self._stamps):
            return None
        report = check_system(self._name)
        found: dict[_Said, list[Diagnostic]] = {}
        for each in report.problems:
            found.setdefault(_said(each, report.texts), []).append(each)
        before, self._before = self._before, found
        self._stamps = _stamps([self._name, *map(_path, report.texts)])
        return News(tuple(_more(found, before)), tuple(_more(before, found)), report)


def _more(
    here: Mapping[_Said, list[Diagnostic]], there: Mapping[_Said, list[Diagnostic]]
) -> Iterator[Diagnostic]:
    """Yield the problems of one look that the other one has not, or has not so often."""
    for said, problems in here.items():
        yield from problems[len(there.get(said, ())) :]


def _said(problem: Diagnostic, texts: Mapping[str, str]) -> _Said:
    lines = texts.get(problem.span.file, "").splitlines()
    place = problem.span.line - 1
    line = lines[place].strip() if 0 <= place < len(lines) else ""
    return problem.code, problem.span.file, problem.message, line


def _path(name: str) -> str:
    """Return the path of a file that messages call by its name."""
    packaged = Path(str(systems_root())).parent / name
    return str(packaged if not Path(name).exists() and packaged.exists() else Path(name))


def _stamps(names: Iterable[str]) -> _Stamps:
    """Return the stamps of files, and of the convention files beside them."""
    paths = {Path(name) for name in names}
    folders = {each if each.is_dir() else each.parent for each in paths}
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(paths.union(*(each.glob(f"*{SUFFIX}") for each in folders))):
        found[str(path)] = (0, -1)
        with suppress(OSError):
            stat = path.stat()
            found[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return found


def watch(
    names: Iterable[str],
    tell: Callable[[str, News], None],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Look at systems until somebody interrupts, and tell what each look shows.

    Args:
        names: systems or files.
        tell: told the system and what is new, first of all what there is.
        pause: waits for so many seconds; what it raises ends the watch.
    """
    watched = {name: Watched(name) for name in dict.fromkeys(names)}
    while True:
        for name, each in watched.items():
            change = each.look()
            if change is not None:
                tell(name, change)
        pause(PAUSE)


def count_text(change: News) -> str:
    """Return how many problems are new and gone, with the summary: one line."""
    counts = ((len(change.new), "new"), (len(change.gone), "gone"))
    words = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{change.report.summary} ({words})" if words else change.report.summary
