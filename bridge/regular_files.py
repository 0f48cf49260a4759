"""Reading files that may come from anybody: only regular ones, without waiting, up to a limit.

A path says little about the file there. A pipe waits for a writer, a device has no end, a link
leads elsewhere, and a small file may grow. So a file is opened without waiting, the open handle is
asked for its kind, and no more is read than a limit and one byte, which shows that there is more.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources.abc import Traversable
from pathlib import Path

from bidwright.bridge.errors import InvalidError

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
"""Bytes of the units that limits are written in."""

_AT_ONCE = MIB
"""Bytes asked for at a time, once a file turns out longer than it said."""

# Without O_NONBLOCK a pipe waits for a writer, without O_NOCTTY a terminal becomes that of this
# process. Windows has O_BINARY alone, which keeps line ends as they are.
_OPEN = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


class UnreadableError(InvalidError, OSError):
    """A file that cannot be read, is not a regular one, or is larger than its reader takes.

    It is an `OSError`, too, whose `strerror` is the reason, such as `not a regular file`.
    """

    def __init__(self, path: object, reason: str, number: int | None = None) -> None:
        """Keep the path, the reason in words, and the system's number of the error if it has one.

        Args:
            path: the file.
            reason: why, in lower case.
            number: the number of the error, as in `errno`.
        """
        super().__init__(f"cannot read {str(path)!r}: {reason}")
        self.path = path
        self.strerror = reason
        self.errno = number

    def __str__(self) -> str:
        """Return the sentence, which an `OSError` would put together otherwise."""
        return str(self.args[0])

    def __reduce__(self) -> tuple[object, ...]:
        """Return class and arguments that make the error again in another process."""
        return type(self), (self.path, self.strerror, self.errno)

    @property
    def is_too_large(self) -> bool:
        """True if the file has more bytes than its reader takes."""
        return self.errno == errno.EFBIG

    @property
    def is_missing(self) -> bool:
        """True if there is no file of that name."""
        return self.errno in (errno.ENOENT, errno.ENOTDIR)


@contextmanager
def regular_file(path: str | Path, most: int, *, follow: bool = True) -> Iterator[int]:
    """Open a regular file to read and yield its handle, closed at the end of the `with` block.

    Args:
        path: the file.
        most: how many bytes it may have.
        follow: follow symbolic links; otherwise a link is no regular file.

    Raises:
        UnreadableError: There is none, it cannot be read, it is something else, or it is larger.
    """
    try:
        # Opening a device can set it going, so what is one by its name is not opened.
        _check(path, os.stat(path, follow_symlinks=follow), most)
        handle = os.open(path, _OPEN | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    except ValueError as error:  # no file can have the name
        # An error of `_check` is a ValueError as well.
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(path, str(error)) from None
    except OSError as error:
        raise _because(path, error) from None
    try:
        # Asked once more of the open file: by now the name may lead to another one.
        _check(path, os.fstat(handle), most)
        yield handle
    except UnreadableError:
        raise
    except OSError as error:
        raise _because(path, error) from None
    finally:
        os.close(handle)


def read_regular(path: str | Path | Traversable, most: int, *, follow: bool = True) -> bytes:
    """Return the content of a regular file.

    A file of the package itself that lies in an archive is read as the archive has it.

    Args:
        path: the file.
        most: how many bytes it may have.
        follow: as in `regular_file`.

    Raises:
        UnreadableError: There is none, it cannot be read, is something else than a regular file,
            or is larger.
    """
    if not isinstance(path, str | Path):
        return path.read_bytes()
    with regular_file(path, most, follow=follow) as handle:
        return read_opened(path, handle, most)


def read_regular_text(path: str | Path | Traversable, most: int) -> str:
    """Return the text of a regular file in UTF-8, line ends made newlines, without its mark.

    Args:
        path: the file.
        most: how many bytes it may have.

    Raises:
        UnreadableError: As `read_regular`.
        UnicodeDecodeError: It is not UTF-8.
    """
    text = read_regular(path, most).decode("utf-8").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def filled_lines(path: str | Path, most: int, longest: int = MIB) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a regular file that are not blank, with their numbers, as they are read.

    No line is held longer than it takes to yield the next one, and blank lines are passed over
    together, so that millions of them take no time and no memory of their own.

    Args:
        path: the file.
        most: how many bytes it may have.
        longest: how many bytes a line may have.

    Raises:
        UnreadableError: There is none, it cannot be read, is something else than a regular file,
            is larger, or has a line that is longer.
    """
    number, left, rest = 1, most, b""
    with regular_file(path, most) as handle:
        while part := os.read(handle, _AT_ONCE):
            left -= len(part)
            if left < 0:
                raise _too_large(path, most)
            whole, end, rest = (rest + part).rpartition(b"\n")
            # Blanks without an end of line are no line, however many there are.
            if not rest.strip():
                rest = b""
            if len(rest) > longest:
                lines = number + whole.count(b"\n") + len(end)
                raise UnreadableError(path, f"line {lines} is longer than {longest:,} bytes")
            yield from _filled(whole, number)
            number += whole.count(b"\n") + len(end)
    yield from _filled(rest, number)


_FILLED = re.compile(rb"\S[^\n]*")


def _filled(lines: bytes, number: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank; `number` is that of the first line."""
    at = 0
    for line in _FILLED.finditer(lines):
        number += lines.count(b"\n", at, line.start())
        at = line.start()
        yield number, line[0].rstrip()


def check_regular(path: str | Path, most: int) -> None:
    """Check that a file is a regular one of at most so many bytes, for a reader of its own.

    Raises:
        UnreadableError: It is not.
    """
    with regular_file(path, most):
        pass


def lies_below(path: str | Path, folder: str | Path) -> bool:
    """Return True if a file lies in a folder or below it once all links are followed."""
    try:
        real, top = os.path.realpath(path), os.path.realpath(folder)
        return os.path.commonpath([real, top]) == top
    except ValueError:  # on different drives, or a name that no file can have
        return False


def read_opened(path: str | Path, handle: int, most: int) -> bytes:
    """Return the rest of an open file.

    Args:
        path: its name, for messages.
        handle: the handle of the open file.
        most: how many bytes it may have.

    Raises:
        UnreadableError: It has more.
        OSError: It cannot be read.
    """
    parts: list[bytes] = []
    # One byte more than the file says it has shows that it has grown.
    left, want = most + 1, os.fstat(handle).st_size + 1
    while left and (part := os.read(handle, min(left, want))):
        parts.append(part)
        left -= len(part)
        # Files that grow, or say 0 as those of /proc do, are read on in pieces.
        want = max(want - len(part), _AT_ONCE)
    if not left:
        raise _too_large(path, most)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _check(path: object, status: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError(path, "is a directory", errno.EISDIR)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(path, "not a regular file")
    if status.st_size > most:
        raise _too_large(path, most)


def _too_large(path: object, most: int) -> UnreadableError:
    return UnreadableError(path, f"larger than {most:,} bytes", errno.EFBIG)


def _because(path: object, error: OSError) -> UnreadableError:
    return UnreadableError(path, (error.strerror or str(error)).lower(), error.errno)
