"""Making a corpus in several processes, with interruptions.

Finished auctions stand in a file beside the corpus, from which an interrupted run goes on.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.bidding import (
    ROW,
    BiddingPlan,
    RuleBidders,
    auctions_of,
)

_BATCH = 50
"""Auctions that are bid and written at a time."""

Rows = NDArray[np.uint8]


def make_corpus(
    path: Path,
    plan: BiddingPlan,
    count: int,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Auctions:
    """Make a corpus, or go on making it.

    Args:
        path: the file to write.
        plan: what is bid.
        count: how many auctions, not counting echoes.
        jobs: processes; with one, this process bids itself.
        progress: told how many auctions there are.

    Raises:
        InvalidError: If a file is there that was made otherwise.
        BidwrightError: If the system cannot be used, or a process died; what is bid is kept.
    """
    header = json.dumps({**asdict(plan), "system": plan.made_for().fingerprint}) + "\n"
    if path.exists():
        found = load_auctions(path)
        expected = auctions_of(np.empty((0, ROW), np.uint8), plan).origin
        known = {**expected, **found.origin}  # corpora did not say everything at first
        same = all(known[key] == value for key, value in expected.items())
        if not same or len(found) != count * (1 + plan.echoes):
            raise InvalidError(f"'{path}' holds another corpus; name another file, or remove it")
        return found
    part = path.with_name(path.name + ".part")
    each = 1 + plan.echoes
    rows = _finished(part, header, each)
    with part.open("ab") as file:
        done = len(rows) // each
        starts = range(done, count, _BATCH)
        batches = [range(start, min(start + _BATCH, count)) for start in starts]
        found_rows = [rows]
        for more in _bid(plan, batches, jobs):
            file.write(more.tobytes())
            file.flush()
            os.fsync(file.fileno())
            found_rows.append(more)
            done += len(more) // each
            if progress:
                progress(done)
    corpus = auctions_of(np.concatenate(found_rows)[: count * each], plan)
    corpus.save(path)
    part.unlink()
    return corpus


def _finished(part: Path, header: str, each: int) -> Rows:
    """Return the auctions of a file in the making; begin it if there is none."""
    start = header.encode()
    content = part.read_bytes() if part.exists() else b""
    if content and not start.startswith(content[: len(start)]):
        raise InvalidError(f"'{part}' holds auctions bid otherwise; remove it to begin again")
    records = content[len(start) :]
    records = records[: len(records) - len(records) % (each * ROW)]
    with part.open("r+b" if content else "wb") as file:
        file.write(start + records)
        file.truncate()
    return np.frombuffer(records, dtype=np.uint8).reshape(-1, ROW)


def _bid(plan: BiddingPlan, batches: Sequence[range], jobs: int) -> Iterator[Rows]:
    if jobs == 1 or len(batches) < 2:
        bidders = RuleBidders(plan)
        for numbers in batches:
            yield np.concatenate([bidders.bid(number) for number in numbers])
        return
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    processes = []
    for worker in range(min(jobs, len(batches))):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(theirs, plan, batches[worker::jobs]))
        process.daemon = True
        process.start()
        theirs.close()
        pipes.append(ours)
        processes.append(process)
    try:
        for number in range(len(batches)):
            yield _receive(pipes[number % jobs])
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.terminate()
            process.join()


def _receive(pipe: Connection) -> Rows:
    try:
        result = pipe.recv()
    except EOFError:
        raise BidwrightError("a process died while bidding; the same command goes on") from None
    if isinstance(result, str):
        raise BidwrightError(result)
    return np.asarray(result, dtype=np.uint8)


def _serve(pipe: Connection, plan: BiddingPlan, batches: Sequence[range]) -> None:
    """Bid batches into a pipe until it is closed; the body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        try:
            bidders = RuleBidders(plan)
            for numbers in batches:
                pipe.send(np.concatenate([bidders.bid(number) for number in numbers]))
        except BidwrightError as error:
            pipe.send(str(error))
    except OSError:
        pass  # who reads has gone
