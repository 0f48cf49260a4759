"""Deals solved double dummy, as data sets: made with interruptions, loaded in 96 dresses.

A data set is an .npz file with `owner` (uint8 `[D, 52]`, the seat of each card), `tricks` (uint8
`[D, 5, 4]`, by denomination and declarer) and `seed`. Deal number `i` of a seed is always the
same, so that a longer set begins with the shorter one. While it is made, finished deals stand in a
file beside it, from which an interrupted run goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.match.double_dummy import DoubleDummy
from bidwright.match.symmetry import PERMUTATIONS, Views, random_views

_CELLS = len(Denomination) * len(Seat)
_RECORD = NUM_CARDS + _CELLS
_BATCH = 100
"""Deals that are solved and written at a time."""


@dataclass(frozen=True, eq=False)
class SolvedDeals:
    """Deals and their double-dummy tables.

    Attributes:
        owner: uint8 `[D, 52]`: the seat of each card.
        tricks: uint8 `[D, 5, 4]`: declarer's tricks by denomination and declarer.
    """

    owner: NDArray[np.uint8]
    tricks: NDArray[np.uint8]

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.owner)

    def __getitem__(self, which: slice | NDArray[np.integer]) -> SolvedDeals:
        """Return some of the deals: hold some out before any are augmented."""
        return SolvedDeals(self.owner[which], self.tricks[which])

    def seen(self, views: Views) -> SolvedDeals:
        """Return the deals in other dresses, one for each."""
        return SolvedDeals(views.of_deals(self.owner), views.of_tricks(self.tricks))

    def augmented(self, rng: np.random.Generator) -> SolvedDeals:
        """Return each deal with suits and seats moved at random; `rng` is consumed."""
        return self.seen(random_views(len(self), rng))

    def all_views(self) -> SolvedDeals:
        """Return all 96 views of each deal, those of a deal together."""
        count = len(PERMUTATIONS) * len(Seat)
        suits = np.tile(np.repeat(PERMUTATIONS, len(Seat), axis=0), (len(self), 1))
        turns = np.tile(np.arange(len(Seat)), len(self) * len(PERMUTATIONS))
        which = np.repeat(np.arange(len(self)), count)
        return self[which].seen(Views(suits, turns))


def load_solved(path: Path) -> SolvedDeals:
    """Return a data set.

    Raises:
        InvalidError: If the file is missing, damaged or something else.
    """
    return _load(path)[0]


def _load(path: Path) -> tuple[SolvedDeals, int | None]:
    """Return a data set, and the seed that its deals are of."""
    try:
        with path.open("rb") as binary, np.load(binary) as file:
            owner, tricks = file["owner"], file["tricks"]
            seed = int(file["seed"]) if "seed" in file else None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise InvalidError(f"expected a file of solved deals, got '{path}': {error}") from None
    fits = owner.shape == (len(owner), NUM_CARDS) and tricks.shape[1:] == (5, 4)
    if not fits or len(tricks) != len(owner) or not owner.dtype == tricks.dtype == np.uint8:
        raise InvalidError(
            f"expected owner uint8 [n, 52] and tricks uint8 [n, 5, 4] in '{path}', got "
            f"{owner.dtype} {list(owner.shape)} and {tricks.dtype} {list(tricks.shape)}"
        )
    held = (owner[:, :, None] == np.arange(len(Seat), dtype=np.uint8)).sum(axis=1)
    if (held != HAND_SIZE).any() or (tricks > HAND_SIZE).any():
        raise InvalidError(f"expected deals of four hands in '{path}', with 0 to 13 tricks")
    return SolvedDeals(owner, tricks), seed


def numbered_deals(seed: int, numbers: Sequence[int]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 52]`: the deals with these numbers, from 0, of a seed."""
    deck = np.repeat(np.arange(len(Seat), dtype=np.uint8), HAND_SIZE)
    deals = [np.random.default_rng((seed, number)).permutation(deck) for number in numbers]
    return np.array(deals, dtype=np.uint8).reshape(-1, NUM_CARDS)


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
        progress: told how many deals are solved, and how many there are to be.

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
    deals, found = _load(path)
    if found != seed:
        raise InvalidError(f"expected deals of seed {seed} in '{path}', got those of seed {found}")
    return deals


def _save(path: Path, deals: SolvedDeals, seed: int) -> None:
    """Write the file all at once, so that no reader ever meets half of one."""
    temporary = path.with_name(path.name + ".new")
    with temporary.open("wb") as file:
        np.savez_compressed(file, owner=deals.owner, tricks=deals.tricks, seed=np.int64(seed))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


class _PartFile:
    """Finished deals of a data set in the making: a header, and a record for each deal."""

    def __init__(self, path: Path, seed: int) -> None:
        """Read what is there; the beginning of a record that was never finished is dropped."""
        header = b"bidwright deals 1\n" + seed.to_bytes(8, "little", signed=True)
        content = path.read_bytes() if path.exists() else b""
        if content and not header.startswith(content[: len(header)]):
            raise InvalidError(f"expected unfinished deals of seed {seed} in '{path}'")
        records = content[len(header) :]
        records = records[: len(records) - len(records) % _RECORD]
        rows = np.frombuffer(records, dtype=np.uint8).reshape(-1, _RECORD)
        self.deals = SolvedDeals(
            rows[:, :NUM_CARDS].copy(),
            rows[:, NUM_CARDS:].reshape(-1, len(Denomination), len(Seat)),
        )
        self._file = path.open("r+b" if content else "w+b")
        self._header = header
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
