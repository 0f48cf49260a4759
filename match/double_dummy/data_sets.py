"""Data sets of deals solved double dummy, made with interruptions.

While a set is made, finished deals stand in a file beside it, from which an interrupted run
goes on. What a set is, `bridge.solved_deals` says.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bidwright.bridge.cards import NUM_CARDS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals, load_seeded, numbered_deals
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.runtime.files import replacing_bytes
from bidwright.runtime.journal import Journal

_CELLS = len(Denomination) * len(Seat)
_RECORD = NUM_CARDS + _CELLS
_BATCH = 20
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
    with Journal(part, _header(seed), f"unfinished deals of seed {seed}", _RECORD) as journal:
        unfinished = _deals_of(journal.content)
        if len(unfinished) > len(done):
            done = unfinished
        elif len(done) > len(unfinished):
            journal.add(_records_of(done[len(unfinished) :]))
        while len(done) < count:
            if progress:
                progress(len(done), count)
            owner = numbered_deals(seed, range(len(done), min(len(done) + _BATCH, count)))
            more = SolvedDeals(owner, service.tables(owner))
            journal.add(_records_of(more))
            done = _joined(done, more)
    if progress:
        progress(len(done), count)
    _save(path, done, seed)
    part.unlink(missing_ok=True)
    return done


def _header(seed: int) -> bytes:
    return b"bidwright deals 1\n" + seed.to_bytes(8, "little", signed=True)


def _records_of(deals: SolvedDeals) -> bytes:
    rows = np.concatenate((deals.owner, deals.tricks.reshape(-1, _CELLS)), axis=1)
    return rows.astype(np.uint8).tobytes()


def _deals_of(records: bytes) -> SolvedDeals:
    rows = np.frombuffer(records, dtype=np.uint8).reshape(-1, _RECORD)
    return SolvedDeals(
        rows[:, :NUM_CARDS].copy(),
        rows[:, NUM_CARDS:].reshape(-1, len(Denomination), len(Seat)),
    )


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
