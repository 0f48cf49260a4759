"""Data sets of deals solved double dummy, made with interruptions.

While a set is made, finished deals stand in a file beside it, from which an interrupted run is
resumed. `bridge.solved_deals` describes the sets.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import numpy as np

from bidwright.bridge.cards import NUM_CARDS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import (
    SolvedDeals,
    joined,
    load_seeded,
    numbered_deals,
    packed_tricks,
)
from bidwright.match.double_dummy.dd_solver import DoubleDummy, SolverError
from bidwright.match.double_dummy.dds import Tricks
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.files import replacing_bytes
from bidwright.runtime.journal import Journal

_CELLS = len(Denomination) * len(Seat)
# Records of one length: a record that was cut off by a crash is recognised and dropped.
_RECORD = NUM_CARDS + _CELLS
_BATCH = 20
"""Deals that are solved and written at a time."""


Solving = Callable[[Iterable[range]], Generator[Tricks]]
"""Solves batches of numbered deals and yields results in the order of the batches."""


def solving(seed: int, known: Path | None = None, crew: Crew = ALONE) -> Solving:
    """Return a solver of the numbered deals of a seed.

    Args:
        seed: the random seed of the deals.
        known: a file of known results.
        crew: the processes that solve.
    """
    # The solver's version is part of the question: kept results of another one are not mixed in.
    about = {"solve": seed, "endplay": version("endplay")}
    message = "what was solved before is kept"
    return lambda batches: work(crew, _solver, (seed, known), batches, about, SolverError, message)


def _solver(seed: int, known: Path | None) -> _Solver:
    return _Solver(seed, known)


class _Solver:
    """Solves numbered deals, in one process."""

    def __init__(self, seed: int, known: Path | None) -> None:
        self._seed, self._service = seed, DoubleDummy(known)

    def __call__(self, numbers: range) -> Tricks:
        """Return uint8 `[D, 5, 4]`: the tables of some deals."""
        return self._service.tables(numbered_deals(self._seed, numbers))

    def close(self) -> None:
        """Close the file of known results."""
        self._service.close()


def _batches(start: int, stop: int) -> Iterator[range]:
    """Yield the numbers of deals in batches that are the same wherever one begins."""
    while start < stop:
        # Cut at multiples of the size, so that a resumed run asks for the same pieces.
        end = min(start - start % _BATCH + _BATCH, stop)
        yield range(start, end)
        start = end


def solve_deals(
    path: Path,
    count: int,
    seed: int,
    solved: Solving,
    progress: Callable[[int, int], None] | None = None,
    *,
    compact: bool = False,
) -> SolvedDeals:
    """Make a data set, or resume an interrupted one.

    Args:
        path: the file to write; a shorter set of the same seed there is taken over.
        count: the number of deals.
        seed: the random seed of the deals.
        solved: the solver, as from `solving`.
        progress: called with the number of deals solved, and of all deals.
        compact: leave the cards, which follow from the seed, out of the file.

    Returns:
        The data set; it may be longer, if the file was.

    Raises:
        InvalidError: If a file is there that is no data set of this seed.
        SolverError: If a process of the solver died; finished deals are kept.
    """
    done = _finished(path, seed)
    if len(done) >= count:
        # The finished file may have the cards, and the shorter form may be wanted now.
        if compact:
            _save(path, done, seed, compact)
        return done
    # Beside the file: both must be on one disk for the last step to be a rename.
    part = path.with_name(path.name + ".part")
    with Journal(part, _header(seed), f"unfinished deals of seed {seed}", _RECORD) as journal:
        unfinished = _deals_of(journal.content)
        if len(unfinished) > len(done):
            # Whichever is further: an interrupted run, or a finished set that is to become longer.
            done = unfinished
        elif len(done) > len(unfinished):
            # The journal has to hold all of it, since it is what an interruption leaves.
            journal.add(_records_of(done[len(unfinished) :]))
        parts = [done]
        if progress:
            progress(len(done), count)
        number = len(done)
        with closing(solved(_batches(number, count))) as tables:
            for tricks in tables:
                owner = numbered_deals(seed, range(number, number + len(tricks)))
                parts.append(SolvedDeals(owner, tricks))
                journal.add(_records_of(parts[-1]))
                number += len(tricks)
                # The last number is shown after the set is joined.
                if progress and number < count:
                    progress(number, count)
        done = joined(parts)
    if progress:
        progress(len(done), count)
    _save(path, done, seed, compact)
    # Only after the set is written is the journal no longer needed.
    part.unlink(missing_ok=True)
    return done


def _header(seed: int) -> bytes:
    return b"bidwright deals 1\n" + seed.to_bytes(8, "little", signed=True)


def _records_of(deals: SolvedDeals) -> bytes:
    rows = np.concatenate((deals.owner, deals.tricks.reshape(-1, _CELLS)), axis=1)
    return rows.astype(np.uint8).tobytes()


def _deals_of(records: bytes) -> SolvedDeals:
    rows = np.frombuffer(records, dtype=np.uint8).reshape(-1, _RECORD)
    # A copy, since arrays over the bytes of a file cannot be written to.
    return SolvedDeals(
        rows[:, :NUM_CARDS].copy(),
        rows[:, NUM_CARDS:].reshape(-1, len(Denomination), len(Seat)),
    )


def _nothing() -> SolvedDeals:
    return SolvedDeals(
        np.empty((0, NUM_CARDS), dtype=np.uint8),
        np.empty((0, len(Denomination), len(Seat)), dtype=np.uint8),
    )


def _finished(path: Path, seed: int) -> SolvedDeals:
    """Return the deals of a finished file of a seed, none without such a file."""
    if not path.exists():
        return _nothing()
    deals, of_file = load_seeded(path)
    if of_file != seed:
        raise InvalidError(
            f"expected deals of seed {seed} in '{path}', got those of seed {of_file}"
        )
    return deals


def _save(path: Path, deals: SolvedDeals, seed: int, compact: bool) -> None:
    with replacing_bytes(path) as file:
        # The cards of numbered deals follow from the seed: 10 bytes a deal remain.
        if compact:
            np.savez_compressed(file, packed=packed_tricks(deals.tricks), seed=np.int64(seed))
        else:
            np.savez_compressed(file, owner=deals.owner, tricks=deals.tricks, seed=np.int64(seed))
