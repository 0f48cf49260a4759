"""Positions for a residual belief network: observations, exact facts from the calls, all hands.

To read an auction and to draw the deals that fit takes some ten milliseconds a call, so positions
are made once and stored. Finished auctions stand in a file beside the data set, from which an
interrupted run is resumed.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.text_files import parse_json
from bidwright.inference.reading.conformity import kept_to
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features
from bidwright.neural.data.auctions import Auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.env.layout import CRITIC
from bidwright.neural.exact_facts import (
    FACTS,
    OTHERS,
    exact_facts,
    fitting_or_none,
    others_of,
)
from bidwright.neural.made_for import MadeFor, SystemEntries
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.files import replacing_bytes
from bidwright.runtime.journal import Journal

ROW = np.dtype(
    [
        ("seen", np.uint8, -(-CRITIC // 8)),
        ("facts", "<f4", FACTS),
        ("departed", np.uint8, OTHERS),
        ("before", "<u2"),
        ("auction", "<u4"),
    ]
)
"""A position.

`seen`: the 480 bits of the player to call, then 156 of the others' hands, eight a byte. `facts`: as
`exact_facts` returns them. `departed`: 1 for each of the others, clockwise, whose hand is not among
those that his calls possibly show. `before`: the calls made. `auction`: its number.
"""

_BATCH = 10
"""Auctions that are read and written at a time."""
_MEMORY = 20_000
"""The most readings in memory."""
_CODE = ("bridge", "kb", "inference", "neural")
"""The folders of code that positions depend on."""

Rows = NDArray[Any]


class PositionsOrigin(SystemEntries):
    """The source of positions: the system disclosed, and the origin of the corpus."""

    kind: str
    corpus: UncheckedObject


@dataclass(frozen=True, eq=False)
class BeliefPositions:
    """A data set of positions.

    Attributes:
        rows: `ROW` `[P]`: the positions, auction by auction.
        origin: the source of the positions, as plain values.
    """

    rows: Rows
    origin: UncheckedObject

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.rows)

    def split(self, held: int) -> int:
        """Return the row to cut at so that the last `held` auctions are held out.

        Raises:
            InvalidError: If that leaves nothing on one side.
        """
        auctions = np.unique(self.rows["auction"])
        if not 0 < held < len(auctions):
            raise InvalidError(
                f"expected auctions to learn from besides {held} held out, got {len(auctions)}"
            )
        # Whole auctions are held out: positions of one are much alike.
        return int(np.searchsorted(self.rows["auction"], auctions[-held]))

    def seen(self, which: NDArray[np.integer] | slice) -> NDArray[np.uint8]:
        """Return the observations at some positions, with all hands, uint8 `[N, 636]`."""
        return np.unpackbits(self.rows["seen"][which], axis=1, count=CRITIC)

    def digest(self) -> str:
        """Return the hash of the positions."""
        return sha256(np.ascontiguousarray(self.rows).tobytes()).hexdigest()[:16]

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all.

        Raises:
            InvalidError: It cannot be written.
        """
        with replacing_bytes(path) as file:
            np.savez_compressed(file, rows=self.rows, origin=np.array(json.dumps(self.origin)))


def load_positions(path: Path) -> BeliefPositions:
    """Return a data set that `BeliefPositions.save` wrote.

    Raises:
        InvalidError: If the file is missing, damaged or something else.
    """
    try:
        arrays = read_arrays(path, ("rows", "origin"))
        rows, origin = arrays["rows"], parse_json(str(arrays["origin"]))
    except InvalidError as error:
        raise InvalidError(
            f"expected positions made by 'train positions', got '{path}': {error}"
        ) from None
    if not isinstance(origin, dict):
        raise InvalidError(f"expected positions that say where they are from, got '{path}'")
    if rows.dtype != ROW or rows.ndim != 1:
        raise InvalidError(f"expected positions of another make in '{path}'; make it anew")
    if not np.isfinite(rows["facts"]).all() or (rows["departed"] > 1).any():
        raise InvalidError(f"expected finite facts in '{path}'; make it anew")
    return BeliefPositions(rows, origin)


def make_positions(
    path: Path,
    corpus: Auctions,
    system: str,
    crew: Crew = ALONE,
    progress: Callable[[int], None] | None = None,
) -> BeliefPositions:
    """Make a data set of all positions of a corpus, or resume it, perhaps with more auctions.

    Args:
        path: the file to write.
        corpus: the auctions, without echoes, since their hands always fit the calls. Its origin
            determines the auctions: a larger corpus begins with the smaller.
        system: the system that all four players disclose.
        crew: the processes or the cluster that work.
        progress: called with the number of auctions done.

    Raises:
        InvalidError: If a file is there that was made otherwise.
        BidwrightError: If the system cannot be used, or a process died; finished auctions stay.
    """
    made_for = MadeFor(Path(system).name, open_system(system).fingerprint)
    origin: PositionsOrigin = {
        "kind": "positions",
        **made_for.entries(),
        "corpus": corpus.origin,
    }
    if path.exists():
        return _whole(path, origin, len(corpus))
    part = path.with_name(path.name + ".part")
    header = json.dumps(origin).encode() + b"\n"
    with Journal(part, header, "positions of the same auctions") as journal:
        if path.exists():  # another process has just finished it
            return _whole(path, origin, len(corpus))
        # Each line is a batch, so the last auction on file is the last of its last batch.
        parts = [np.frombuffer(b64decode(line), ROW) for line in journal.content.splitlines()]
        # An auction may have no position, so numbers are not counted but read.
        done = 1 + int(parts[-1]["auction"][-1]) if parts else 0
        starts = range(done, len(corpus), _BATCH)
        batches = [range(start, min(start + _BATCH, len(corpus))) for start in starts]
        # The digest of the corpus is in the question: kept results of other auctions are not mixed
        # in.
        about = {"positions": origin, "auctions": corpus.digest(), "code": code_key(*_CODE)}
        prepared = (corpus, system)
        way_out = "the same command goes on"
        results = work(crew, _maker, prepared, batches, about, BidwrightError, way_out)
        with closing(results):
            for batch, raw in zip(batches, results, strict=True):
                journal.add(b64encode(raw.tobytes()) + b"\n")
                parts.append(raw.view(ROW))
                if progress:
                    progress(batch.stop)
        rows = np.concatenate(parts)
        # A corpus may be shorter than the file of an earlier run.
        positions = BeliefPositions(rows[rows["auction"] < len(corpus)], origin)
        positions.save(path)
        # Removed only after the whole set stands.
        part.unlink(missing_ok=True)
    return positions


def _whole(path: Path, origin: PositionsOrigin, count: int) -> BeliefPositions:
    """Return a data set that is finished.

    Raises:
        InvalidError: It was made otherwise, or has other auctions.
    """
    positions = load_positions(path)
    # Written as JSON and read back: tuples become lists there.
    same = positions.origin == json.loads(json.dumps(origin))
    if not same or len(np.unique(positions.rows["auction"])) != count:
        raise InvalidError(f"'{path}' holds other positions; name another file, or remove it")
    return positions


def _maker(corpus: Auctions, system: str) -> Callable[[range], NDArray[np.uint8]]:
    """Return the function that a process runs: it makes the positions of auctions, as bytes."""
    return _Maker(corpus, system).make


class _Maker:
    def __init__(self, corpus: Auctions, system: str) -> None:
        self._corpus, self._positions = corpus, Positions(corpus)
        self._reader = Reader(dict.fromkeys(Side, open_system(system)), memory=_MEMORY)

    def make(self, numbers: range) -> NDArray[np.uint8]:
        """Return the positions of some auctions, as bytes."""
        first, end = np.searchsorted(self._positions.auction, [numbers.start, numbers.stop])
        which = np.arange(first, end)
        rows = np.zeros(len(which), dtype=ROW)
        rows["seen"] = np.packbits(self._positions.observe(which, hidden=True), axis=1)
        rows["auction"], rows["before"] = (
            self._positions.auction[which],
            self._positions.turn[which],
        )
        for row in rows:
            self._fill(row)
        return rows.view(np.uint8)

    def _fill(self, row: np.void) -> None:
        number, before = int(row["auction"]), int(row["before"])
        owner = self._corpus.owner[number]
        reading = self._read(number, before)
        me = reading.state.me
        hand = deal_from_owner(owner)[me]
        assert hand is not None, "deals are complete"
        row["facts"] = exact_facts(fitting_or_none(reading, hand), me, hand)
        # His calls are judged by the hand he really had.
        row["departed"] = [
            not kept_to(reading, seat, features((owner == seat)[None])) for seat in others_of(me)
        ]

    def _read(self, number: int, before: int) -> Reading:
        whole = self._corpus.auction(number)
        so_far = Auction(whole.dealer, whole.calls[:before], whole.vulnerability)
        return self._reader.read(so_far)
