"""Making a corpus in several processes, with interruptions.

Finished auctions stand in a file beside the corpus, from which an interrupted run is resumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.journal import Journal

Rows = NDArray[np.uint8]

_FINGERPRINT, _OLD_HASH = "system_fingerprint", "system_hash"
"""Entries of a corpus for the state of its system, now and in old corpora."""


class CorpusPlan(Protocol):
    """The plan of a corpus; an auction depends on nothing but the plan and its number."""

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
        """The folders of code that auctions depend on."""

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that a side may play."""

    def fingerprint(self) -> str:
        """Return a hash of the systems and weights that bid."""

    def about(self) -> Mapping[str, object]:
        """Return all that auctions depend on, as plain values."""

    def bidder(self) -> Callable[[int], Rows]:
        """Return a function that bids an auction by its number, uint8 `[each, row]`."""

    def corpus(self, rows: Rows) -> Auctions:
        """Return the auctions from rows, those of number 0 first."""


def make_corpus(
    path: Path,
    plan: CorpusPlan,
    count: int,
    crew: Crew = ALONE,
    progress: Callable[[int], None] | None = None,
) -> Auctions:
    """Make a corpus, or resume making it.

    Args:
        path: the file to write.
        plan: the plan of the corpus.
        count: the number of auctions, not counting echoes.
        crew: the processes or the cluster that bid.
        progress: called with the number of auctions done.

    Raises:
        InvalidError: If a file is there that was made otherwise.
        BidwrightError: If the system cannot be used, or a process died; finished auctions stay.
    """
    header = json.dumps(plan.about()) + "\n"
    if path.exists():
        return _whole(path, plan, count)
    part = path.with_name(path.name + ".part")
    per_auction, batch = plan.each, plan.batch
    with Journal(
        part, header.encode(), "auctions bid by the same plan", per_auction * plan.row
    ) as journal:
        if path.exists():  # another process has just finished it
            return _whole(path, plan, count)
        rows = np.frombuffer(journal.content, dtype=np.uint8).reshape(-1, plan.row)
        done = len(rows) // per_auction
        batches = [
            # The first batch is the rest of the one that was interrupted, so later ones begin as
            # planned.
            range(max(start, done), min(start + batch, count))
            for start in range(done - done % batch, count, batch)
            if done < count
        ]
        found_rows = [rows]
        with closing(_bid(plan, batches, crew)) as results:
            for more in results:
                journal.add(more.tobytes())
                found_rows.append(more)
                done += len(more) // per_auction
                if progress:
                    progress(done)
        # A file of an earlier run may hold more auctions than are asked for.
        corpus = plan.corpus(np.concatenate(found_rows)[: count * per_auction])
        corpus.save(path)
        part.unlink(missing_ok=True)
    return corpus


def _whole(path: Path, plan: CorpusPlan, count: int) -> Auctions:
    """Return a corpus that is finished.

    Raises:
        InvalidError: It was made otherwise.
    """
    corpus = load_auctions(path)
    # The origin is what the plan would write, whatever the number of auctions.
    expected = plan.corpus(np.empty((0, plan.row), np.uint8)).origin
    origin = dict(corpus.origin)
    # Corpora had a hash of files before fingerprints; everything else has to be as asked for.
    if origin.pop(_OLD_HASH, None) and _FINGERPRINT in expected:
        origin[_FINGERPRINT] = expected[_FINGERPRINT]
    # Echoes count as rows, so both have to agree.
    if origin != expected or len(corpus) != count * plan.each:
        raise InvalidError(f"'{path}' holds another corpus; name another file, or remove it")
    return corpus


def _bid(plan: CorpusPlan, batches: Sequence[range], crew: Crew) -> Generator[Rows]:
    """Yield the rows of each batch."""
    if crew.cluster is None and crew.shards is None and len(batches) < 2:
        crew = ALONE
    # The code is part of the question: results of another version must not be mixed in.
    about = {"data": plan.about(), "code": code_key(*plan.code)}
    way_out = "the same command goes on"
    return work(crew, _bidder, (plan, plan.fingerprint()), batches, about, BidwrightError, way_out)


def _bidder(plan: CorpusPlan, fingerprint: str) -> Callable[[range], Rows]:
    """Return the function that a process runs: it bids the auctions of a batch.

    Raises:
        InvalidError: The system or the weights are other ones in this process.
    """
    if plan.fingerprint() != fingerprint:
        names = ", ".join(plan.systems)
        raise InvalidError(
            f"'{names}' or what bids it is another one here than where the work began"
        )
    bid = plan.bidder()
    return lambda numbers: np.concatenate([bid(number) for number in numbers])
