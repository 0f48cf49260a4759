"""Making a corpus in several processes, with interruptions.

Finished auctions stand in a file beside the corpus, from which an interrupted run goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.bidding import (
    BiddingPlan,
    RuleBidders,
    auctions_of,
)
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.journal import Journal

_BATCH = 50
"""Auctions that are bid and written at a time."""

_CODE = ("bridge", "kb", "inference", "neural/data")
"""The code that decides what is bid."""

Rows = NDArray[np.uint8]


def make_corpus(
    path: Path,
    plan: BiddingPlan,
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
    header = json.dumps({**asdict(plan), "system": plan.fingerprint()}) + "\n"
    if path.exists():
        return _whole(path, plan, count)
    part = path.with_name(path.name + ".part")
    each = 1 + plan.echoes
    with Journal(
        part, header.encode(), "auctions bid by the same plan", each * plan.row
    ) as journal:
        if path.exists():  # another process has just finished it
            return _whole(path, plan, count)
        rows = np.frombuffer(journal.content, dtype=np.uint8).reshape(-1, plan.row)
        done = len(rows) // each
        batches = [
            range(max(start, done), min(start + _BATCH, count))
            for start in range(done - done % _BATCH, count, _BATCH)
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
        corpus = auctions_of(np.concatenate(found_rows)[: count * each], plan)
        corpus.save(path)
        part.unlink(missing_ok=True)
    return corpus


def _whole(path: Path, plan: BiddingPlan, count: int) -> Auctions:
    """Return a corpus that is finished.

    Raises:
        InvalidError: It was made otherwise.
    """
    found = load_auctions(path)
    expected = auctions_of(np.empty((0, plan.row), np.uint8), plan).origin
    known = {**expected, **found.origin}  # corpora did not say everything at first
    same = all(known[key] == value for key, value in expected.items())
    if not same or len(found) != count * (1 + plan.echoes):
        raise InvalidError(f"'{path}' holds another corpus; name another file, or remove it")
    return found


def _bid(plan: BiddingPlan, batches: Sequence[range], crew: Crew) -> Generator[Rows]:
    """Yield the rows of each batch."""
    if crew.cluster is None and crew.shards is None and len(batches) < 2:
        crew = ALONE
    rules = plan.fingerprint()
    about = {"data": {**asdict(plan), "system": rules}, "code": code_key(*_CODE)}
    kept = "the same command goes on"
    return work(crew, _bidder, (plan, rules), batches, about, BidwrightError, kept)


def _bidder(plan: BiddingPlan, rules: str) -> Callable[[range], Rows]:
    """Return what a process does: bids the auctions of a batch.

    Raises:
        InvalidError: The system is another one here.
    """
    if plan.fingerprint() != rules:
        names = ", ".join(plan.systems)
        raise InvalidError(f"'{names}' is another system here than where the work began")
    bidders = RuleBidders(plan)
    return lambda numbers: np.concatenate([bidders.bid(number) for number in numbers])
