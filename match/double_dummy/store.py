"""Bounds of double-dummy tricks in a file, with one entry for all 96 views of a deal.

An entry bounds declarer's tricks in each denomination by each declarer, so that a verdict on a
contract is kept as well as a number of tricks.

Shapes: `D` deals. Bounds are uint8 `[D, 2, 5, 4]`: fewest and most tricks, by denomination and
declarer, of the deals in their canonical view.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.runtime.closing import Closing

Bounds = NDArray[np.uint8]

_VERSION = 1
_CELLS = len(Denomination) * len(Seat)
_AT_A_TIME = 500
"""Keys in one query."""


def nothing_known(count: int) -> Bounds:
    """Return the bounds of deals without results: 0 to 13 tricks everywhere."""
    bounds = np.zeros((count, 2, len(Denomination), len(Seat)), dtype=np.uint8)
    bounds[:, 1] = HAND_SIZE
    return bounds


class Store(Closing):
    """An SQLite file of bounds, by key."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            InvalidError: If it is something else, or cannot be made.
        """
        self.path = path
        self._lock = RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(
                path, timeout=60, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise InvalidError(
                f"expected a file of double-dummy results, or none, at '{path}': {error}"
            ) from None

    def _prepare(self) -> None:
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"it has version {version}, not {_VERSION}")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS bounds (key BLOB PRIMARY KEY, tricks BLOB NOT NULL)"
            " WITHOUT ROWID"
        )
        self._file.execute(f"PRAGMA user_version = {_VERSION}")

    def count(self) -> int:
        """Return the number of entries."""
        (count,) = self._file.execute("SELECT count(*) FROM bounds").fetchone()
        return int(count)

    def read(self, keys: Sequence[bytes]) -> Bounds:
        """Return the bounds of the deals with these keys."""
        entries: dict[bytes, bytes] = {}
        distinct = list(dict.fromkeys(keys))
        for start in range(0, len(distinct), _AT_A_TIME):
            some = distinct[start : start + _AT_A_TIME]
            marks = ",".join("?" * len(some))
            query = f"SELECT key, tricks FROM bounds WHERE key IN ({marks})"
            with self._lock:
                entries.update(self._file.execute(query, some))
        bounds = nothing_known(len(keys))
        for place, key in enumerate(keys):
            if key in entries:
                bounds[place] = _unpacked(entries[key])
        return bounds

    def add(self, keys: Sequence[bytes], bounds: Bounds) -> None:
        """Add bounds; an entry keeps the closer of its old and new bounds.

        Raises:
            InvalidError: It cannot be written, perhaps because the disk is full.
        """
        with self._lock:
            try:
                self._file.execute("BEGIN IMMEDIATE")
                self._merge(keys, bounds)
                self._file.execute("COMMIT")
            except BaseException as error:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise InvalidError(f"cannot write '{self.path}': {error}") from None
                raise

    def _merge(self, keys: Sequence[bytes], bounds: Bounds) -> None:
        before = self.read(keys)
        low = np.maximum(before[:, 0], bounds[:, 0])
        high = np.minimum(before[:, 1], bounds[:, 1])
        entries = [
            (key, (one << 4 | other).tobytes())
            for key, one, other in zip(keys, low, high, strict=True)
        ]
        self._file.executemany("INSERT OR REPLACE INTO bounds VALUES (?, ?)", entries)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _unpacked(entry: bytes) -> Bounds:
    cells = np.frombuffer(entry, dtype=np.uint8, count=_CELLS)
    return np.stack((cells >> 4, cells & 15)).reshape(2, len(Denomination), len(Seat))
