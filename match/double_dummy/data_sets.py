"""Data sets of deals solved double dummy, made with interruptions.

While a set is made, finished deals stand in a file beside it, from which an interrupted run
goes on. What a set is, `bridge.solved_deals` says.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import numpy as np

from bidwright.bridge.cards import NUM_CARDS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals, load_seeded, numbered_deals
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.runtime.files import lock, replacing_bytes

_CELLS = len(Denomination) * len(Seat)
_RECORD = NUM_CARDS + _CELLS
_BATCH = 100
"""Deals that are solved and written at a time."""


def solve_deals(
    path: Path,
    count: int,
    seed: int,
    service: DoubleDummy,
    progress: Callable[[int, int], None] | None = None,
) -> SolvedDeals:
    """Make a data set, or go on making it.

    Args:
        path: the file to write; a shorter set of the same seed there is taken over.
        count: how many deals.
        seed: what the deals are drawn from.
        service: solves them.
        progress: called with the number of deals solved, and of all deals.

    Returns:
        The data set; it may be longer, if the file was.

    Raises:
        InvalidError: If a file is there that is no data set of this seed.
        SolverError: If a process of the solver died; finished deals are kept.
    """
    done = _finished(path, seed)
    if len(done) >= count:
        return done
    part = path.with_name(path.name + ".part")
    with _PartFile(part, seed) as unfinished:
        if len(unfinished.deals) > len(done):
            done = unfinished.deals
        elif len(done):
            unfinished.start_with(done)
        while len(done) < count:
            if progress:
                progress(len(done), count)
            owner = numbered_deals(seed, range(len(done), min(len(done) + _BATCH, count)))
            more = SolvedDeals(owner, service.tables(owner))
            unfinished.add(more)
            done = _joined(done, more)
    if progress:
        progress(len(done), count)
    _save(path, done, seed)
    part.unlink(missing_ok=True)
    return done


def _joined(first: SolvedDeals, second: SolvedDeals) -> SolvedDeals:
    return SolvedDeals(
        np.concatenate((first.owner, second.owner)), np.concatenate((first.tricks, second.tricks))
    )


def _nothing() -> SolvedDeals:
    return SolvedDeals(
        np.empty((0, NUM_CARDS), dtype=np.uint8),
        np.empty((0, len(Denomination), len(Seat)), dtype=np.uint8),
    )


def _finished(path: Path, seed: int) -> SolvedDeals:
    """Return what a finished file of a seed holds, nothing if there is none."""
    if not path.exists():
        return _nothing()
    deals, found = load_seeded(path)
    if found != seed:
        raise InvalidError(f"expected deals of seed {seed} in '{path}', got those of seed {found}")
    return deals


def _save(path: Path, deals: SolvedDeals, seed: int) -> None:
    with replacing_bytes(path) as file:
        np.savez_compressed(file, owner=deals.owner, tricks=deals.tricks, seed=np.int64(seed))


class _PartFile:
    """Finished deals of a data set in the making: a header, and a record for each deal."""

    def __init__(self, path: Path, seed: int) -> None:
        """Read what is there; the beginning of a record that was never finished is dropped.

        Raises:
            InvalidError: It is of another seed, or another process is writing it.
        """
        header = b"bidwright deals 1\n" + seed.to_bytes(8, "little", signed=True)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        self._file = os.fdopen(os.open(path, flags, 0o666), "r+b")
        if not lock(self._file.fileno()):
            self._file.close()
            raise InvalidError(f"cannot write {path}: another process is writing it")
        content = self._file.read()
        if content and not header.startswith(content[: len(header)]):
            self._file.close()
            raise InvalidError(f"expected unfinished deals of seed {seed} in '{path}'")
        records = content[len(header) :]
        records = records[: len(records) - len(records) % _RECORD]
        rows = np.frombuffer(records, dtype=np.uint8).reshape(-1, _RECORD)
        self.deals = SolvedDeals(
            rows[:, :NUM_CARDS].copy(),
            rows[:, NUM_CARDS:].reshape(-1, len(Denomination), len(Seat)),
        )
        self._header = header
        self._file.seek(0)
        self._file.write(header)
        self._file.truncate(len(header) + len(records))
        self._file.seek(0, os.SEEK_END)

    def start_with(self, deals: SolvedDeals) -> None:
        """Put deals in place of those that are there."""
        self._file.truncate(len(self._header))
        self._file.seek(0, os.SEEK_END)
        self.add(deals)

    def add(self, deals: SolvedDeals) -> None:
        """Write deals, down to the disk."""
        rows = np.concatenate((deals.owner, deals.tricks.reshape(-1, _CELLS)), axis=1)
        self._file.write(rows.tobytes())
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> _PartFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
