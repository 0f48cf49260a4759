"""Match files: a sealed header and a line for each board, only ever added to.

The first line has the agents with the hashes of all that their calls depend on, the
seed, the settings, the versions of the programs. Each further line is a board. Every line ends
in a seal: the hash of the line and of the seal before it. So a changed, missing or moved line
is noticed, and a file of n boards is the beginning of every longer file of the same match.
Nothing in it depends on the clock or on how the work was divided.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import cast

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.regular_files import MIB, read_regular
from bidwright.match.record.match_lines import (
    BoardLine,
    MatchHeader,
    beginning,
    check_board,
    check_header,
    check_kind,
    side_of,
)
from bidwright.match.record.match_lines import MatchFileError as MatchFileError
from bidwright.runtime.journal import Journal

_SEAL = "seal"
# 128 bits of a hash are enough against mistakes; the file has no secret to protect.
_SEAL_DIGITS = 32
_MOST_BYTES = 512 * MIB
"""Bytes of a match file: some 400,000 boards."""


@dataclass(frozen=True)
class Match:
    """The content of a match file.

    Attributes:
        header: its first line.
        boards: the other lines, in order; board n is `boards[n - 1]`.
        path: the file.
        size: bytes of the whole lines.
        cut: True if the beginning of a line that was never finished follows them.
    """

    header: MatchHeader
    boards: tuple[BoardLine, ...]
    path: Path
    size: int
    cut: bool = False

    @property
    def seal(self) -> str:
        """The seal of the last line."""
        last = self.boards[-1] if self.boards else self.header
        return last["seal"]

    def spec(self, side: str) -> str:
        """Return the specification of a side, `a` or `b`, as it was given."""
        return side_of(self.header, side)["spec"]


# --------------------------------------------------------------------- writing


def sealed_line(content: Mapping[str, object], before: str) -> tuple[str, str]:
    """Return the line of some content, and its seal; `before` is the seal of the line before."""
    text = _dump(content)
    seal = sha256(f"{before}\n{text}".encode()).hexdigest()[:_SEAL_DIGITS]
    # The seal comes last in the line: the hash is of everything before it.
    return f'{text[:-1]},"{_SEAL}":"{seal}"}}\n', seal


def _dump(content: Mapping[str, object]) -> str:
    # Not escaped: names and explanations stay readable in the file.
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


class MatchWriter:
    """Adds lines to a match file, which is a journal whose header is a line, too."""

    def __init__(self, path: Path, header: Mapping[str, object]) -> None:
        """Begin a file, or resume one that holds the same match.

        Raises:
            MatchFileError: The file cannot be written, is broken, or holds another match.
        """
        self.path = path
        self.boards: tuple[BoardLine, ...] = ()
        self._seal = ""
        _refuse_other_text(path, header)
        with _as_match_file():
            self._journal = Journal(path, b"", "the boards of a match")
        try:
            self._go_on(header)
        # The journal holds a lock, which must not stay when the file is refused.
        except BaseException:
            self._journal.close()
            raise

    def _go_on(self, header: Mapping[str, object]) -> None:
        """Prepare to add lines to the file; begin an empty one with the header."""
        # An empty file may have been left by a run that was killed at once.
        if not self._journal.content:
            self.add(header)
            return
        match = _same_match(self.path, self._journal.content, header)
        self._seal = match.seal
        self.boards = match.boards

    def add(self, board: Mapping[str, object]) -> None:
        """Write the line of the next board.

        Raises:
            MatchFileError: It cannot be written.
        """
        line, seal = sealed_line(board, self._seal)
        with _as_match_file():
            self._journal.add(line.encode())
        self._seal = seal

    def close(self) -> None:
        """Close the file."""
        self._journal.close()


@contextmanager
def _as_match_file() -> Iterator[None]:
    """Turn errors about a journal into errors about a match file."""
    try:
        yield
    except InvalidError as error:
        raise MatchFileError(str(error)) from None


def _refuse_other_text(path: Path, header: Mapping[str, object]) -> None:
    """Check that a file with an unfinished last line holds this match, or the start of its header.

    A journal would take the last line of anything else for the beginning of one, and drop it.

    Raises:
        MatchFileError: It is something else.
    """
    try:
        data = read_regular(path, _MOST_BYTES) if path.is_file() else b""
    except OSError:
        return  # the journal says more of it
    line, _ = sealed_line(header, "")
    # A header that was cut off is the beginning of this match's header to the byte.
    if data and not data.endswith(b"\n") and not line.encode().startswith(data):
        _same_match(path, data, header)


def _same_match(path: Path, data: bytes, header: Mapping[str, object]) -> Match:
    """Return the content of a match file from its bytes.

    Raises:
        MatchFileError: They are no match file, or one of another match.
    """
    match = _match_of(path, data)
    difference = first_difference(match.header, header)
    if difference is not None:
        raise MatchFileError(
            f"{path} holds another match: its {difference}; "
            "give another file, or move this one away"
        )
    return match


def first_difference(old: Mapping[str, object], new: Mapping[str, object]) -> str | None:
    """Return the first difference of two headers in words; `None` if they are the same match."""
    for name, was, now in _leaves(old, new):
        # The seals of two headers differ whenever anything else does.
        if was != now and name != _SEAL:
            return f"{name} is {_show(was)}, not {_show(now)}"
    return None


def _leaves(old: object, new: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    if isinstance(old, dict) and isinstance(new, dict):
        # All keys of both, in the order of the file.
        for key in dict.fromkeys((*old, *new)):
            yield from _leaves(old.get(key), new.get(key), f"{name} {key}".strip())
    # Lists of other lengths are compared as a whole: places would not correspond.
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (was, now) in enumerate(zip(old, new, strict=True), start=1):
            yield from _leaves(was, now, f"{name} {place}")
    else:
        yield name, old, new


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


# --------------------------------------------------------------------- reading


def read_match(path: Path) -> Match:
    """Return the content of a match file; a last line without its end is left out.

    Raises:
        MatchFileError: The file cannot be read, or a line is not what it should be.
    """
    try:
        data = read_regular(path, _MOST_BYTES)
    except OSError as error:
        raise MatchFileError(f"cannot read {path}: {error.strerror}") from None
    return _match_of(path, data)


def _match_of(path: Path, data: bytes) -> Match:
    """Return the content of a match file from its bytes.

    Raises:
        MatchFileError: A line is not what it should be.
    """
    # What follows the last line end was never finished: a run was killed while it wrote.
    whole, _, rest = data.rpartition(b"\n")
    if not whole:
        raise MatchFileError(
            f"{path}:1: expected the header of a match file, got {beginning(data)}"
        )
    seal = ""
    objects: list[UncheckedObject] = []
    # Line by line: a list of the lines of a file of nothing but short ones takes 1.8 GB.
    for number, line in enumerate(BytesIO(data[: len(whole) + 1]), start=1):
        content, seal = _read_line(path, number, line.removesuffix(b"\n"), seal)
        objects.append(content)
    # Each line was checked as it was read.
    header, *boards = objects
    return Match(
        cast(MatchHeader, header),
        cast(tuple[BoardLine, ...], tuple(boards)),
        path,
        len(whole) + 1,
        bool(rest),
    )


def _read_line(path: Path, number: int, line: bytes, before: str) -> tuple[UncheckedObject, str]:
    where = f"{path}:{number}"
    try:
        content = json.loads(line)
    # JSON nested thousands deep is a RecursionError.
    except (ValueError, RecursionError):
        kind = "the header of a match file" if number == 1 else f"board {number - 1}"
        raise MatchFileError(f"{where}: expected {kind}, got {beginning(line)}") from None
    if not isinstance(content, dict):
        raise MatchFileError(f"{where}: expected an object, got {beginning(line)}")
    # Before the seal: a file of another kind should not be called a broken match file.
    if number == 1:
        check_kind(where, content)
    unsealed = {name: value for name, value in content.items() if name != _SEAL}
    try:
        _, seal = sealed_line(unsealed, before)
    # JSON can escape half of a surrogate pair, which no UTF-8 can hold.
    except UnicodeEncodeError:
        raise MatchFileError(
            f"{where}: expected text of Unicode, got half of a pair of surrogates"
        ) from None
    if content.get(_SEAL) != seal:
        what = "the header" if number == 1 else f"this line or one before it (board {number - 1})"
        raise MatchFileError(f"{where}: the seal does not fit: {what} was changed, moved or lost")
    # The content is checked after the seal: a changed line is reported as that.
    if number == 1:
        check_header(where, content)
    else:
        check_board(where, content, number - 1)
    return content, seal
