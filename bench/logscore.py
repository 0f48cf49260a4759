"""The log score of the meanings of calls, and the gain by soft edges and by weighing both tiers.

    python bench/logscore.py lessons_sa.jsonl jack.jsonl --system sayc --limit 150

A line of a file has `deal` (PBN, from North), `dealer`, `vul` and `auction`; `book`, if given, is
the number of calls that are judged; `alerts`, the program's own words for calls by their places,
are read for ranges such as `15-17 HCP; 5+!H`. The score of a call is log2 of
p(hand | the calls of its maker so far) / p(hand), in bits: 0 for somebody who knows nothing.

| row | the density of a hand |
|---|---|
| possible | 1 if it is possible, softened |
| usual | 1 if it is usual, softened |
| both | 1 if it is usual, less if it is only possible, softened |
| shipped | the same with the weights that odds and deals have |
| engine | 1 within the bounds that the program states, softened; of the calls that have some |
| possible there | the row of possible for these calls |

Softened is alike in all rows: hands a point away count for less, two points and a card away for
less again, and all others a little. These weights are fitted to the even boards of all files
together; the score is that of the odd ones.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, parse_seat, parse_vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.inference.engine.information import hands_by_cell
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import EDGES, JUDGEMENT, DealSampler, InfeasibleError, Knowledge
from bidwright.inference.sampling.batch import DealBatch
from bidwright.inference.sampling.hand_tables import SHAPE_INDEX, SHAPES, Table
from bidwright.inference.sampling.predicate import hand_predicate
from bidwright.inference.sampling.problem import slackened
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import HCP, LENGTHS, features_of
from bidwright.lab.ending import auction_records, ended, how_many
from bidwright.runtime.garbage import collect_rarely

Record = Mapping[str, Any]
Numbers = NDArray[np.float64]

REGIONS = ("usual", "usual near", "usual far", "possible", "near", "far")
STATED = ("stated", "stated near", "stated far")
_SLACKS = tuple(slack for slack, _ in EDGES)
_DRAWN = 2_000
"""Hands drawn where they cannot be counted."""

_ROWS: dict[str, tuple[str, ...]] = {
    "possible": ("possible", "near", "far"),
    "usual": ("usual", "usual near", "usual far"),
    "both": ("usual", "possible", "near", "far"),
}
_RANGE = re.compile(r"([0-9]+)(?:-([0-9]+)|([+-]))?(?: ?!| )([CDHS]\b|HCP|total points)")


@dataclass
class Measured:
    """The calls of a file.

    Attributes:
        boards: the number of the board of each call.
        shares: the share of all hands in each region, by its name, for each call.
        within: whether the maker's hand is in it, likewise.
    """

    boards: list[int] = field(default_factory=list)
    shares: dict[str, list[float]] = field(default_factory=dict)
    within: dict[str, list[bool]] = field(default_factory=dict)

    def add(self, name: str, share: float, within: bool) -> None:
        """Note a region of a call."""
        self.shares.setdefault(name, []).append(share)
        self.within.setdefault(name, []).append(within)


@dataclass(frozen=True)
class Region:
    """Some hands.

    Attributes:
        share: their share of all hands; 0 if no hand was found.
        within: whether the hand in question is one of them.
    """

    share: float
    within: bool


ALL = Region(1.0, True)


def share_of(table: Table) -> float:
    """Return the share of the hands of a table, exactly."""
    cells = hands_by_cell()
    held = table[:, None] >> np.arange(cells.shape[1]) & 1
    return float((cells * held).sum() / cells.sum())


def _tier(turns: Sequence[Turn], owner: NDArray[np.uint8], hand: Sequence[int]) -> list[Region]:
    """Return the hands that fit turns, and those that nearly do."""
    if not turns:
        return [ALL] * (1 + len(_SLACKS))
    anyones = tuple(turn.of_anyone for turn in turns)
    try:
        sampler = DealSampler(Knowledge(turns={Seat.NORTH: anyones}))
    except InfeasibleError:
        return [ALL] * (1 + len(_SLACKS))
    count = sampler.count()
    if count is None:
        drawn = sampler.draw(_DRAWN, np.random.default_rng(0), at_least=0).report
        share = drawn.share if drawn is not None else 0.0
    else:
        share = count / sampler.problem.deals
    exact = Region(share, bool(sampler.fits(DealBatch(owner))[0]))
    table = hand_predicate(anyones).upper
    return [exact, *(_of_table(slackened(table, *slack), hand) for slack in _SLACKS)]


def _of_table(table: Table, hand: Sequence[int]) -> Region:
    shape = SHAPE_INDEX[tuple(hand[length] for length in LENGTHS[:3])]
    return Region(share_of(table), bool(table[shape] >> hand[HCP] & 1))


def stated_table(words: str) -> Table | None:
    """Return the hands within the ranges of a program's words; None if it states none."""
    short = np.maximum(3 - SHAPES.astype(np.int64), 0).sum(axis=1)
    fits = np.ones((len(SHAPES), 38), dtype=np.bool_)
    points = np.arange(38)
    stated = False
    for low, high, sign, what in _RANGE.findall(words):
        least = 0 if sign == "-" else int(low)
        most = 40 if sign == "+" else int(high or low)
        if what == "HCP":
            fits &= ((points >= least) & (points <= most))[None, :]
        elif what == "total points":
            total = short[:, None] + points[None, :]
            fits &= (total >= least) & (total <= most)
        else:
            length = SHAPES[:, "CDHS".index(what[-1])]
            fits &= ((length >= least) & (length <= most))[:, None]
        stated = True
    if not stated or not fits.any():
        return None
    return np.asarray(fits @ (np.int64(1) << np.arange(38)))


def measure(records: Sequence[Record], system: str) -> Measured:
    """Return the regions of each call of known hands by its meaning, with the calls before."""
    reader = Reader(dict.fromkeys(Side, open_system(system)))
    measured = Measured()
    for board, record in enumerate(records):
        for regions in _of_record(reader, record):
            measured.boards.append(board)
            for name, region in regions.items():
                measured.add(name, region.share, region.within)
    return measured


def _of_record(reader: Reader, record: Record) -> Iterator[dict[str, Region]]:
    """Yield the regions of each call of a board that is judged."""
    vulnerability = parse_vulnerability(record.get("vul") or "none")
    auction = parse_auction(record["auction"], parse_seat(record["dealer"]), vulnerability)
    texts = record["deal"].partition(":")[2].split()
    hands = {s: parse_hand(t) for s, t in zip(Seat, texts, strict=True) if t != "-"}
    alerts = record.get("alerts") or {}
    stated: dict[Seat, Table] = {}
    meanings = reader.read(auction).meanings[: record.get("book", len(auction.calls))]
    for place, meaning in enumerate(meanings):
        seat = meaning.record.seat
        if seat not in hands:
            continue
        hand = features_of(hands[seat])
        owner = np.ones((1, NUM_CARDS), dtype=np.uint8)
        owner[0, list(hands[seat].cards)] = Seat.NORTH
        tiers = [
            *_tier(meaning.turns, owner, hand),
            *_tier(meaning.possible_turns, owner, hand),
        ]
        regions = dict(zip(REGIONS, tiers, strict=True))
        words = alerts.get(str(place))
        table = None if words is None else stated_table(words)
        if table is not None:
            # A program says each time all that the player has shown.
            stated[seat] = table
        if seat in stated and words is not None:
            tables = [stated[seat], *(slackened(stated[seat], *slack) for slack in _SLACKS)]
            regions |= dict(zip(STATED, (_of_table(t, hand) for t in tables), strict=True))
        else:
            regions |= dict.fromkeys(STATED, Region(0.0, False))
        yield regions


# -------------------------------------------------------------------------- scores


@dataclass(frozen=True)
class Densities:
    """Calls with nested regions of hands, the narrowest first; the last one is all hands.

    Attributes:
        rings: float64 `[R, C]`: the share of the hands of each region that are in none before it.
        level: int `[C]`: the region of the maker's hand.
    """

    rings: Numbers
    level: NDArray[np.intp]

    @classmethod
    def of(cls, measured: Measured, names: Sequence[str], chosen: NDArray[np.bool_]) -> Densities:
        """Return the regions of these names, and of all hands, for some of the calls."""
        shares = [np.array(measured.shares[name])[chosen] for name in names]
        within = [np.array(measured.within[name])[chosen] for name in names]
        size = int(chosen.sum())
        around = np.maximum.accumulate(np.stack([*shares, np.ones(size)]))
        inside = np.stack([*within, np.ones(size, dtype=np.bool_)])
        return cls(np.diff(around, axis=0, prepend=0.0), inside.argmax(axis=0))

    def scores(self, weights: Sequence[float]) -> Numbers:
        """Return float64 `[C]`: bits by weights of the regions."""
        by_region = np.asarray(weights)
        return np.asarray(np.log2(by_region[self.level] / (by_region @ self.rings)))


def fitted(parts: Sequence[Densities]) -> list[float]:
    """Return the weights of regions with the best score; that of the narrowest is 1."""
    count = len(parts[0].rings)
    weights = [0.3**place for place in range(count)]

    def total(tried: Sequence[float]) -> float:
        return float(sum(part.scores(tried).sum() for part in parts))

    best, step = total(weights), 4.0
    while step > 1.01:
        improved = False
        for place in range(1, count):
            for factor in (step, 1 / step):
                tried = [w * factor if at == place else w for at, w in enumerate(weights)]
                if (score := total(tried)) > best:
                    best, weights, improved = score, tried, True
        if not improved:
            step **= 0.5
    return weights


def error_of(scores: Numbers, boards: NDArray[np.int_]) -> float:
    """Return the standard error of the mean of the scores of calls; those of a board go together.

    Args:
        scores: float64 `[C]`.
        boards: int `[C]`, the board of each.
    """
    _, places = np.unique(boards, return_inverse=True)
    sums = np.bincount(places, scores - scores.mean())
    return float(np.sqrt((sums**2).sum()) / len(scores))


def table(files: Mapping[str, Measured]) -> Iterator[str]:
    """Yield the lines of the table, and the weights."""
    yield f"{'':16}" + "".join(f"{name:>14}" for name in files)
    odd = {name: np.array(each.boards) % 2 == 1 for name, each in files.items()}
    rows: dict[str, dict[str, float]] = {}
    fits: dict[str, list[float]] = {}
    notes = []
    for row, names in _ROWS.items():
        weights = fits[row] = fitted([Densities.of(m, names, ~odd[f]) for f, m in files.items()])
        notes.append(f"{row}: " + ", ".join(f"{w:.3g}" for w in weights))
        rows[row] = {
            f: float(Densities.of(m, names, odd[f]).scores(weights).mean())
            for f, m in files.items()
        }
    near, far = (weight for _, weight in EDGES)
    shipped = (1, JUDGEMENT, near, far, fits["both"][-1])
    rows["shipped"] = {
        f: float(Densities.of(m, _ROWS["both"], odd[f]).scores(shipped).mean())
        for f, m in files.items()
    }
    has = {f: np.array(m.shares["stated"]) > 0 for f, m in files.items()}
    spoken = {f: m for f, m in files.items() if has[f].any()}
    for row, names in (("engine", STATED), ("possible there", _ROWS["possible"])) if spoken else ():
        parts = [Densities.of(m, names, has[f] & ~odd[f]) for f, m in spoken.items()]
        weights = fitted(parts)
        notes.append(f"{row}: " + ", ".join(f"{w:.3g}" for w in weights))
        rows[row] = {
            f: float(Densities.of(m, names, has[f] & odd[f]).scores(weights).mean())
            for f, m in spoken.items()
        }
    for row, scores in rows.items():
        cells = (f"{scores[f]:14.3f}" if f in scores else f"{'-':>14}" for f in files)
        yield f"{row:16}" + "".join(cells)
    gains = (rows["shipped"][f] - rows["possible"][f] for f in files)
    yield f"{'shipped gains':16}" + "".join(f"{gain:+14.3f}" for gain in gains)
    errors = (
        error_of(
            Densities.of(m, _ROWS["both"], odd[f]).scores(shipped)
            - Densities.of(m, _ROWS["possible"], odd[f]).scores(fits["possible"]),
            np.array(m.boards)[odd[f]],
        )
        for f, m in files.items()
    )
    yield f"{'its error':16}" + "".join(f"{error:14.3f}" for error in errors)
    yield f"{'calls':16}" + "".join(f"{int(odd[f].sum()):14}" for f in files)
    yield "weights, from the narrowest region to all hands:"
    yield from (f"  {note}" for note in notes)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE[:SYSTEM]")
    parser.add_argument("--system", default="sayc", help="of files that name none")
    parser.add_argument("--limit", type=how_many, help="auctions of a file, spread evenly")
    args = parser.parse_args()
    collect_rarely()
    measured = {}
    for file in args.files:
        path, _, system = str(file).partition(":")
        records = auction_records(Path(path), None)
        step = 1 if args.limit is None else max(1, len(records) // args.limit)
        measured[Path(path).stem] = measure(records[::step][: args.limit], system or args.system)
    print("\n".join(table(measured)))


if __name__ == "__main__":
    sys.exit(ended(main))
