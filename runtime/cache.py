"""The user's cache folder: values kept from one run to the next, each in a file of its own.

A file that cannot be read is ignored and written again; a folder that cannot be written is done
without.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import bidwright

_FOLDER = "bidwright"
_T = TypeVar("_T")


def cache_folder() -> Path:
    """Return the folder: $BIDWRIGHT_CACHE, or one in the user's cache folder."""
    if chosen := os.environ.get("BIDWRIGHT_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / _FOLDER
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / _FOLDER / "Cache"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / _FOLDER


def slug(name: str | Path) -> str:
    """Return a name for a system's files: `sayc`, or the last parts of a path."""
    parts = Path(name).with_suffix("").parts[-2:]
    return re.sub(r"[^A-Za-z0-9_]+", "_", "_".join(parts)).strip("_")


@cache
def code_key() -> bytes:
    """Return the hash of the code that reads and compiles convention files."""
    digest = sha256(f"{bidwright.__version__} {sys.version}".encode())
    for file in sorted(Path(str(files("bidwright") / "kb")).rglob("*")):
        if file.suffix in {".py", ".lark"}:
            digest.update(file.read_bytes())
    return digest.digest()


def read(entry: Path, kind: type[_T]) -> _T | None:
    """Return the value of a kind that a file holds; None if there is none that can be read."""
    try:
        data = entry.read_bytes()
        with _collector_at_rest():
            found = pickle.loads(data)
    except Exception:
        return None
    return found if isinstance(found, kind) else None


def write(entry: Path, value: object, others: str, most: int) -> None:
    """Write a file all at once, so that no reader ever meets half of one.

    Args:
        entry: the file.
        value: what it is to hold.
        others: the pattern of the names of the files that are forgotten in turn.
        most: how many of these are kept; the oldest go.
    """
    with suppress(OSError, RecursionError):
        entry.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=entry.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file, _collector_at_rest():
                pickle.dump(value, file, protocol=pickle.HIGHEST_PROTOCOL)
            os.replace(temporary, entry)
        except BaseException:
            os.unlink(temporary)
            raise
        older = [each for each in entry.parent.glob(others) if each != entry]
        older.sort(key=lambda each: each.stat().st_mtime)
        for each in older[: max(0, len(older) + 1 - most)]:
            each.unlink(missing_ok=True)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from going through all that a pickle makes, time and again."""
    was_at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_at_work:
            gc.enable()
