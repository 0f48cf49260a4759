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

# Other versions are refused, not converted: results can always be computed again.
_VERSION = 1
_CELLS = len(Denomination) * len(Seat)
# SQLite refuses more than 999 parameters in older builds.
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
            # Threads share the connection under a lock; processes wait for each other's writes.
            self._file = sqlite3.connect(
                path, timeout=60, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise InvalidError(
                f"expected a file of double-dummy results, or none, at '{path}': {error}"
            ) from None

    def _prepare(self) -> None:
        # 0 is a new file, which has no version yet.
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"it has version {version}, not {_VERSION}")
        # Readers go on while another process writes.
        self._file.execute("PRAGMA journal_mode = WAL")
        # A power cut may lose the last results, which can be solved again, but breaks nothing.
        self._file.execute("PRAGMA synchronous = NORMAL")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS bounds (key BLOB PRIMARY KEY, tricks BLOB NOT NULL)"
            # The key is the table's own order: one tree instead of two.
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
                # Locked for writing before the old bounds are read, or two processes could undo
                # each other's.
                self._file.execute("BEGIN IMMEDIATE")
                self._merge(keys, bounds)
                self._file.execute("COMMIT")
            # An interruption, too, must not leave a transaction open.
            except BaseException as error:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise InvalidError(f"cannot write '{self.path}': {error}") from None
                raise

    def _merge(self, keys: Sequence[bytes], bounds: Bounds) -> None:
        before = self.read(keys)
        # Both bounds are true, so the closer one is.
        low = np.maximum(before[:, 0], bounds[:, 0])
        high = np.minimum(before[:, 1], bounds[:, 1])
        entries = [
            # Four bits are enough for 13 tricks: both bounds fit one byte.
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
