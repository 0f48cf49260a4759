"""Making a corpus in several processes, with interruptions.

Finished auctions stand in a file beside the corpus, from which an interrupted run goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.neural.data.auctions import Auctions, Json, load_auctions
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.journal import Journal

Rows = NDArray[np.uint8]

_FINGERPRINT, _OLD_HASH = "system_fingerprint", "system_hash"
"""What a corpus says of the state of its system, and what one said before there was that."""


class CorpusPlan(Protocol):
    """What a corpus is to hold; an auction depends on nothing but the plan and its number."""

    @property
    def batch(self) -> int:
        """Auctions that are bid and written at a time."""

    @property
    def each(self) -> int:
        """Rows of an auction."""

    @property
    def row(self) -> int:
        """Bytes of a row."""

    @property
    def code(self) -> tuple[str, ...]:
        """The folders of code that decide what is bid."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that a side may play."""

    def fingerprint(self) -> str:
        """Return what tells whether it is bid with the same."""

    def about(self) -> Json:
        """Return all that decides what is bid, as plain values."""

    def bidder(self) -> Callable[[int], Rows]:
        """Return what bids an auction by its number, uint8 `[each, row]`."""

    def corpus(self, rows: Rows) -> Auctions:
        """Return the auctions from rows, those of number 0 first."""


def make_corpus(
    path: Path,
    plan: CorpusPlan,
    count: int,
    crew: Crew = ALONE,
    progress: Callable[[int], None] | None = None,
) -> Auctions:
    """Make a corpus, or go on making it.

    Args:
        path: the file to write.
        plan: what is bid.
        count: how many auctions, not counting echoes.
        crew: who bids.
        progress: told how many auctions there are.

    Raises:
        InvalidError: If a file is there that was made otherwise.
        BidwrightError: If the system cannot be used, or a process died; what is bid is kept.
    """
    header = json.dumps(plan.about()) + "\n"
    if path.exists():
        return _whole(path, plan, count)
    part = path.with_name(path.name + ".part")
    each, batch = plan.each, plan.batch
    with Journal(
        part, header.encode(), "auctions bid by the same plan", each * plan.row
    ) as journal:
        if path.exists():  # another process has just finished it
            return _whole(path, plan, count)
        rows = np.frombuffer(journal.content, dtype=np.uint8).reshape(-1, plan.row)
        done = len(rows) // each
        batches = [
            range(max(start, done), min(start + batch, count))
            for start in range(done - done % batch, count, batch)
            if done < count
        ]
        found_rows = [rows]
        with closing(_bid(plan, batches, crew)) as results:
            for more in results:
                journal.add(more.tobytes())
                found_rows.append(more)
                done += len(more) // each
                if progress:
                    progress(done)
        corpus = plan.corpus(np.concatenate(found_rows)[: count * each])
        corpus.save(path)
        part.unlink(missing_ok=True)
    return corpus


def _whole(path: Path, plan: CorpusPlan, count: int) -> Auctions:
    """Return a corpus that is finished.

    Raises:
        InvalidError: It was made otherwise.
    """
    found = load_auctions(path)
    expected = plan.corpus(np.empty((0, plan.row), np.uint8)).origin
    known = dict(found.origin)
    if known.pop(_OLD_HASH, None) and _FINGERPRINT in expected:
        known[_FINGERPRINT] = expected[_FINGERPRINT]
    if known != expected or len(found) != count * plan.each:
        raise InvalidError(f"'{path}' holds another corpus; name another file, or remove it")
    return found


def _bid(plan: CorpusPlan, batches: Sequence[range], crew: Crew) -> Generator[Rows]:
    """Yield the rows of each batch."""
    if crew.cluster is None and crew.shards is None and len(batches) < 2:
        crew = ALONE
    about = {"data": plan.about(), "code": code_key(*plan.code)}
    kept = "the same command goes on"
    return work(crew, _bidder, (plan, plan.fingerprint()), batches, about, BidwrightError, kept)


def _bidder(plan: CorpusPlan, fingerprint: str) -> Callable[[range], Rows]:
    """Return what a process does: bids the auctions of a batch.

    Raises:
        InvalidError: The system, or what else it bids with, is another one here.
    """
    if plan.fingerprint() != fingerprint:
        names = ", ".join(plan.systems)
        raise InvalidError(
            f"'{names}' or what bids it is another one here than where the work began"
        )
    bid = plan.bidder()
    return lambda numbers: np.concatenate([bid(number) for number in numbers])
