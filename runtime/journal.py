"""Journals: files of finished work, so that a run that was killed can be resumed.

A journal is a header, which identifies the work, and records. A record is on the disk before the
next work begins. After a kill, a power cut or a full disk the file ends with a whole
record or with the beginning of one; the beginning is dropped when the journal is opened again.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import GIB, read_opened
from bidwright.runtime.closing import Closing
from bidwright.runtime.files import lock, reason_of

_MOST_BYTES = 2 * GIB
"""The most bytes of a journal that is resumed."""
_OPEN = (
    os.O_RDWR
    | os.O_CREAT
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_GOES_ON = "what was done before is kept, and the same command goes on"


class Journal(Closing):
    """A journal that this process alone adds to.

    Attributes:
        path: the file.
        content: the whole records that were there when it was opened.
    """

    def __init__(self, path: Path, header: bytes, what: str, record: int | None = None) -> None:
        """Open a journal, begun if there is none.

        Args:
            path: the file.
            header: bytes that identify the work; they may be empty if the records do so.
            what: the work in words, for messages.
            record: the bytes of a record; None if each record is a line.

        Raises:
            InvalidError: It cannot be written, is a pipe or a device, another process is writing
                it, or it is of other work.
        """
        self.path, self._what = path, what
        try:
            self._file = os.open(path, _OPEN, 0o666)
        except OSError as error:
            raise InvalidError(f"cannot write {path}: {reason_of(error)}") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise InvalidError(f"cannot write {path}: it is no file that can be resumed")
            if not lock(self._file):
                raise InvalidError(f"cannot write {path}: another process is writing it")
            self.content = self._go_on(header, record)
        except BaseException:
            self.close()
            raise

    def _go_on(self, header: bytes, record: int | None) -> bytes:
        """Return the whole records; leave the file so that a record can be added."""
        content = read_opened(self.path, self._file, _MOST_BYTES)
        if len(content) < len(header):
            # Killed before its header was whole. What is no beginning of the header is another
            # file.
            if not header.startswith(content):
                raise self._other()
            self._cut(0)
            self._write(header)
            return b""
        # Looked at before anything is cut: the path may lead to a file of something else.
        if not content.startswith(header):
            raise self._other()
        records = content[len(header) :]
        whole = records.rfind(b"\n") + 1 if record is None else len(records) // record * record
        self._cut(len(header) + whole)
        return records[:whole]

    def _other(self) -> InvalidError:
        return InvalidError(
            f"expected {self._what} in '{self.path}'; "
            "remove it to begin again, or name another file"
        )

    def _cut(self, size: int) -> None:
        try:
            os.ftruncate(self._file, size)
            os.lseek(self._file, size, os.SEEK_SET)
        except OSError as error:
            raise InvalidError(f"cannot write {self.path}: {reason_of(error)}") from None

    def add(self, records: bytes) -> None:
        """Add whole records; they are on the disk when this returns.

        Raises:
            InvalidError: They could not be written, perhaps because the disk is full; the journal
                holds what it held before.
        """
        start = os.lseek(self._file, 0, os.SEEK_CUR)
        try:
            self._write(records)
        except InvalidError:
            with suppress(InvalidError):
                # A full disk may have taken a part of the records.
                self._cut(start)
            raise

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                # A write may take a part only.
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise InvalidError(
                f"cannot write {self.path}: {reason_of(error)}; {_GOES_ON}"
            ) from None

    def close(self) -> None:
        """Close the file; it may be closed already."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
