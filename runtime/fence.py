"""Limits on the folders of files that a stranger's file names.

A match file names convention files, weights and boards. Whoever wrote it chose the names, so while
it is worked on, functions that open a file by a name ask here first. What ships with the package
may always be opened, and what the user names himself is opened within `anywhere`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import lies_below

_FOLDERS: ContextVar[tuple[Path, ...] | None] = ContextVar("folders", default=None)


class OutsideError(InvalidError):
    """A file that a stranger's file names lies outside the folders that may be read.

    Attributes:
        path: the file.
    """

    def __init__(self, path: object) -> None:
        """Keep the path."""
        super().__init__(
            f"{str(path)!r} is not opened, since it lies outside the folders that may be read; "
            "if you trust who named it, give --below FOLDER"
        )
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        """Return class and arguments that make the error again in another process."""
        return type(self), (self.path,)


@contextmanager
def only_below(folders: Sequence[Path]) -> Iterator[None]:
    """Refuse to open files outside some folders, until the end of the `with` block."""
    token = _FOLDERS.set(tuple(folders))
    try:
        yield
    finally:
        _FOLDERS.reset(token)


@contextmanager
def anywhere() -> Iterator[None]:
    """Open files wherever they lie, since the user names them, until the end of the block."""
    token = _FOLDERS.set(None)
    try:
        yield
    finally:
        _FOLDERS.reset(token)


def check_inside(path: str | Path) -> None:
    """Check that a file may be opened because something names it.

    Raises:
        OutsideError: It lies outside the folders that may be read now, links followed.
    """
    folders = _FOLDERS.get()
    if folders is not None and not any(lies_below(path, folder) for folder in folders):
        raise OutsideError(path)
