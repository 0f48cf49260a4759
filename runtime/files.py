"""Output files: written whole or not at all, and by one process at a time."""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from bidwright.bridge.errors import InvalidError

NO_ROOM = frozenset(
    getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)
)
"""Numbers of the errors that say that a disk, a quota or a file is full."""


@contextmanager
def replacing_bytes(path: Path, *, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of another at the end of the `with` block.

    Until then it has another name in the same folder. If the block raises an exception, the old
    file stays as it is; no reader ever sees a part of the new one. The mode of the old file is
    kept. Through a symbolic link the file that it leads to is replaced. What is not a regular file,
    such as a pipe, is written directly.

    Args:
        path: the file.
        durable: make the content survive a power cut from the end of the block on.

    Raises:
        InvalidError: It cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))
        status = _status(target)
        if status is not None and not stat.S_ISREG(status.st_mode):
            with target.open("wb") as stream:
                yield stream
        else:
            with _replacing_regular(target, status, durable) as stream:
                yield stream
    except OSError as error:
        raise InvalidError(f"cannot write {path}: {reason_of(error)}") from None


@contextmanager
def replacing_name(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file that takes a name at the end of the `with` block, whatever has it now.

    For folders that others can write to: a symbolic link, a pipe or a device of that name is
    replaced itself, nothing is written through it. A folder is not replaced. If the block raises an
    exception, nothing has changed. The content need not survive a power cut.

    Raises:
        InvalidError: It cannot be written.
    """
    try:
        with _replacing_regular(path, None, durable=False) as stream:
            yield stream
    except OSError as error:
        raise InvalidError(f"cannot write {path}: {reason_of(error)}") from None


@contextmanager
def replacing(path: Path, *, newline: str | None = None) -> Iterator[TextIO]:
    """Open a text file in UTF-8 as `replacing_bytes` opens a binary one.

    Args:
        path: the file.
        newline: as in `open`; "" writes line ends as they are.

    Raises:
        InvalidError: It cannot be written.
    """
    with replacing_bytes(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", newline=newline)
        try:
            yield text
        except BaseException:
            with suppress(OSError):
                # Closing the wrapper would close the file below it, which is yet to be synced and
                # renamed.
                text.detach()
            raise
        text.detach()  # writes what is buffered


def write_text(path: Path, text: str, *, newline: str | None = None) -> None:
    """Write a text file in UTF-8, whole or not at all.

    Raises:
        InvalidError: It cannot be written.
    """
    with replacing(path, newline=newline) as file:
        file.write(text)


def check_writable(path: Path) -> None:
    """Check that a file can be written, before the work whose result it gets; nothing is changed.

    Raises:
        InvalidError: It cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))
        status = _status(target)
        if status is not None and stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(None, os.strerror(errno.EISDIR))
        if status is None or stat.S_ISREG(status.st_mode):
            # Tried, not asked: only the system knows of quotas, mounts and permissions of folders.
            with suppress(_NotNowError), _replacing_regular(target, status, durable=False):
                raise _NotNowError
    except OSError as error:
        raise InvalidError(f"cannot write {path}: {reason_of(error)}") from None


class _NotNowError(Exception):
    """Leaves a file as it was."""


def lock(handle: int) -> bool:
    """Keep other processes from locking an open file until it is closed.

    Returns:
        Whether that was possible: False if another process holds the lock. On systems without
        such locks (Windows) always True.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from a folder until the end of the `with` block; it is made if missing.

    Raises:
        InvalidError: It cannot be written, or another process has locked it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("ab")
    except OSError as error:
        raise InvalidError(f"cannot write {folder}: {reason_of(error)}") from None
    with file:
        if not lock(file.fileno()):
            raise InvalidError(f"cannot write {folder}: another process is writing there")
        yield


def reason_of(error: OSError) -> str:
    """Return the reason of a failed operation on a file: `no such file or directory`."""
    return (error.strerror or str(error) or "it failed").lower()


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


@contextmanager
def _replacing_regular(
    target: Path, status: os.stat_result | None, durable: bool
) -> Iterator[BinaryIO]:
    # A rename asks for the folder's permission alone, so a protected file would be replaced all the
    # same.
    if status is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "permission denied")
    # In the same folder, since a rename does not cross file systems.
    temporary = target.with_name(f".{secrets.token_hex(8)}.bidwright-new")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    # Not by mkstemp, whose mode 0600 would hide the file from everybody else; here the umask
    # decides.
    handle = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            if status is not None:
                os.chmod(temporary, stat.S_IMODE(status.st_mode))
            yield stream
            stream.flush()
            if durable:
                # Before the rename: otherwise the new name may survive a power cut and the content
                # not.
                os.fsync(handle)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    if durable:
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Write a folder's list of names to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
