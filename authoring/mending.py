"""Carries out the advices about a system's files that need no author to decide.

A line is changed only if nothing is wrong with it afterwards; otherwise it stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from bidwright.bridge.regular_files import read_regular
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.language.repair import Edit, edit_of
from bidwright.kb.loading.incremental import load_again
from bidwright.kb.loading.load import Files, load, systems_root
from bidwright.runtime.files import write_text

_MOST_ROUNDS = 20

_Place = tuple[str, int]
"""A file, and a line of it from 1 on."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A line that was changed.

    Attributes:
        file: its file.
        line: its number, from 1.
        before: the line as it was.
        after: the line as it is.
        codes: the codes of its diagnostics.
    """

    file: str
    line: int
    before: str
    after: str
    codes: tuple[str, ...]


class _Changed(Files):
    """Files, some with other texts than on the disk."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = {str(Path(name).resolve()): text for name, text in texts.items()}

    def text(self, path: Traversable) -> str:
        changed = self._texts.get(str(Path(str(path)).resolve()))
        return super().text(path) if changed is None else changed


def mend(name: str) -> list[Mended]:
    """Mend the files of a system and write those that changed, each whole or not at all.

    Files that come with the package are left alone.

    Args:
        name: the system, or a path of a file, as `load` takes it.

    Raises:
        UnknownSystemError: there is no such system.
        InvalidError: a file cannot be written.
    """
    system = load_again(name)
    authors = [file for file in system.texts if _is_authors(file)]
    raw = {file: read_regular(file, MOST_BYTES).decode("utf-8") for file in authors}
    # A byte-order mark is put back as it was; the parser knows nothing of it.
    marks = {file: text[: text.startswith("\ufeff")] for file, text in raw.items()}
    # Split at LF only: with `\r` kept at the ends, each line is written back with its own line
    # break.
    lines = {file: raw[file].removeprefix("\ufeff").split("\n") for file in authors}
    before = {file: list(each) for file, each in lines.items()}
    codes: dict[_Place, list[str]] = {}
    problems = system.diagnostics
    for _ in range(_MOST_ROUNDS):
        edits = _edits(problems, lines)
        if not edits:
            break
        for (file, number), (code, edit) in edits.items():
            lines[file][number - 1] = edit.applied(lines[file][number - 1])
            codes.setdefault((file, number), []).append(code)
        problems = _problems(name, lines)
    # A line that still has a diagnostic after its edits was not mended by them.
    wrong = {(each.span.file, each.span.line) for each in problems} & set(codes)
    while wrong:
        for file, number in wrong:
            lines[file][number - 1] = before[file][number - 1]
            del codes[file, number]
        problems = _problems(name, lines)
        wrong = {(each.span.file, each.span.line) for each in problems} & set(codes)
    for file in dict.fromkeys(file for file, _ in codes):
        write_text(Path(file), marks[file] + "\n".join(lines[file]), newline="")
    return [
        Mended(
            file,
            number,
            before[file][number - 1].rstrip("\r"),
            lines[file][number - 1].rstrip("\r"),
            tuple(codes[file, number]),
        )
        for file, number in sorted(codes)
    ]


def _is_authors(file: str) -> bool:
    path = Path(file).resolve()
    # The files of the package are shared by all systems, and an update would undo any change.
    return path.is_file() and not path.is_relative_to(Path(str(systems_root())).resolve())


def _problems(name: str, lines: Mapping[str, list[str]]) -> tuple[Diagnostic, ...]:
    # The parser counts columns without the carriage return, and so do edits.
    texts = {file: "\n".join(each).replace("\r\n", "\n") for file, each in lines.items()}
    return load(name, _Changed(texts)).diagnostics


def _edits(
    problems: Iterable[Diagnostic], lines: Mapping[str, list[str]]
) -> dict[_Place, tuple[str, Edit]]:
    """Return a safe edit for each line that has one, with the code of what it mends."""
    edits: dict[_Place, tuple[str, Edit]] = {}
    for problem in problems:
        place = problem.span.file, problem.span.line
        here = lines.get(problem.span.file)
        # One edit a line and round: the columns of the next ones are wrong once it is made.
        if here is None or problem.span.line > len(here) or place in edits:
            continue
        edit = edit_of(problem, here[problem.span.line - 1].rstrip("\r"))
        if edit is not None and edit.is_safe:
            edits[place] = problem.code, edit
    return edits
