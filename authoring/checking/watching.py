"""Checks a system again whenever a file of it changes, and reports new and fixed problems."""

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
"""Times of changes and sizes of files, by path."""

_Said = tuple[str, str, str, str]
"""A key of a problem that stays when lines move: code, file, message, the text of the line."""


@dataclass(frozen=True, slots=True)
class News:
    """The changes since the last check of a system.

    Attributes:
        new: the new problems, by place.
        gone: the fixed problems.
        report: the whole report.
    """

    new: tuple[Diagnostic, ...]
    gone: tuple[Diagnostic, ...]
    report: SystemReport


class Watched:
    """A system that is checked again and again."""

    def __init__(self, name: str) -> None:
        """Watch a system or file, without a check yet."""
        self._name = name
        self._stamps: _Stamps | None = None
        self._before: dict[_Said, list[Diagnostic]] = {}

    def look(self) -> News | None:
        """Check the system and return the news; None if no file has changed since the last check.

        Raises:
            UnknownSystemError: there is no such system or file.
        """
        if self._stamps is not None and self._stamps == _stamps(self._stamps):
            return None
        report = check_system(self._name)
        by_key: dict[_Said, list[Diagnostic]] = {}
        for problem in report.problems:
            # By the text of the line: an added line above would make every problem below it a new
            # one.
            by_key.setdefault(_said(problem, report.texts), []).append(problem)
        before, self._before = self._before, by_key
        # Taken after the check, of the files that it has read: an `include` may have added some.
        self._stamps = _stamps([self._name, *map(_path, report.texts)])
        return News(tuple(_more(by_key, before)), tuple(_more(before, by_key)), report)


def _more(
    here: Mapping[_Said, list[Diagnostic]], there: Mapping[_Said, list[Diagnostic]]
) -> Iterator[Diagnostic]:
    """Yield the problems of one check that the other one has not, or has fewer times."""
    for key, problems in here.items():
        yield from problems[len(there.get(key, ())) :]


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
    # The folders as well: a file that was missing, and is written now, is a change.
    folders = {each if each.is_dir() else each.parent for each in paths}
    stamps: dict[str, tuple[int, int]] = {}
    for path in sorted(paths.union(*(each.glob(f"*{SUFFIX}") for each in folders))):
        # A file that is gone has a stamp, too: its return is a change.
        stamps[str(path)] = (0, -1)
        with suppress(OSError):
            stat = path.stat()
            stamps[str(path)] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def watch(
    names: Iterable[str],
    tell: Callable[[str, News], None],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Check systems until somebody interrupts, and report the news of each check.

    Args:
        names: systems or files.
        tell: called with the system and its news, at first with all problems.
        pause: waits for so many seconds; an exception from it ends the watch.
    """
    watched = {name: Watched(name) for name in dict.fromkeys(names)}
    while True:
        for name, system in watched.items():
            change = system.look()
            if change is not None:
                tell(name, change)
        pause(PAUSE)


def count_text(change: News) -> str:
    """Return the numbers of new and fixed problems, with the summary: one line."""
    counts = ((len(change.new), "new"), (len(change.gone), "gone"))
    words = ", ".join(f"{count} {word}" for count, word in counts if count)
    return f"{change.report.summary} ({words})" if words else change.report.summary
