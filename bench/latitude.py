"""The truth of the meanings of calls against their information, as the latitude of players grows.

    python bench/latitude.py auctions.jsonl --system sayc --half 1

A line of the file has `deal` (PBN, from North), `dealer`, `vul` and `auction` (calls, with the
closing passes); `book`, if given, is the number of calls that are judged. A call holds if its
maker's hand is within the bounds of all he has shown, points with length and balance included; its
bits say how much narrower than all hands the ranges of points and lengths are.

`clashes` are auctions in which a player's call cannot be reconciled with his earlier ones;
`pictures` are auctions of four known hands in which what each of them has shown in the end holds;
`points` and `shape` are claims of a single number of points, and of all four lengths: those that
are true, of those made. Choose a latitude on one half of the auctions and report the other: lines
are dealt out in turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, parse_seat, parse_vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.inference.engine.information import bits
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import outside
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import HCP, LENGTHS, features_of
from bidwright.kb.logic.latitude import MOST_POINTS
from bidwright.lab.ending import auction_records, ended
from bidwright.runtime.garbage import collect_rarely

Record = UncheckedObject


@dataclass
class Tally:
    """The counts.

    Attributes:
        calls: calls judged.
        held: those that hold.
        bits: the sum of their bits.
        clashes: auctions that clash.
        auctions: auctions read.
        boards: auctions of which all four hands are known.
        pictures: those in which all that is shown in the end holds.
        points: claims of a single number of points: those that are true, and all.
        shapes: claims of all four lengths, likewise.
    """

    calls: int = 0
    held: int = 0
    bits: float = 0.0
    clashes: int = 0
    auctions: int = 0
    boards: int = 0
    pictures: int = 0
    points: tuple[int, int] = (0, 0)
    shapes: tuple[int, int] = (0, 0)

    def line(self, name: str) -> str:
        """Return a row of the table."""
        calls = max(1, self.calls)
        share, mean = 100 * self.held / calls, self.bits / calls
        clashes, pictures = f"{self.clashes}/{self.auctions}", f"{self.pictures}/{self.boards}"
        exact = "".join(f" {true:>5}/{made:<5}" for true, made in (self.points, self.shapes))
        return (
            f"{name:10} {self.calls:7} {share:7.1f} {mean:6.2f} {clashes:>9} {pictures:>9}{exact}"
        )

    def add(self, bounds: Bounds, row: tuple[int, ...]) -> bool:
        """Judge the meaning of a call by its maker's hand, and return True if it holds."""
        holds = outside(row, bounds) is None
        self.calls += 1
        self.held += holds
        self.bits += bits(bounds)
        hcp, lengths = row[HCP], [row[index] for index in LENGTHS]
        if bounds.hcp[0] == bounds.hcp[1]:
            self.points = _counted(self.points, hcp == bounds.hcp[0])
        if all(low == high for low, high in bounds.lengths):
            self.shapes = _counted(self.shapes, lengths == [low for low, _ in bounds.lengths])
        return holds


def _counted(claims: tuple[int, int], is_true: bool) -> tuple[int, int]:
    """Return claims, true ones and all, with one more."""
    return claims[0] + is_true, claims[1] + 1


def judged(reader: Reader, record: Record) -> Iterator[tuple[Meaning, tuple[int, ...]]]:
    """Yield the meaning of each call of a record, and the features of its maker's hand."""
    dealer, vulnerability = parse_seat(record["dealer"]), record.get("vul") or "none"
    auction = parse_auction(record["auction"], dealer, parse_vulnerability(vulnerability))
    texts = record["deal"].partition(":")[2].split()
    rows = {
        seat: features_of(parse_hand(text))
        for seat, text in zip(Seat, texts, strict=True)
        if text != "-"
    }
    meanings = reader.read(auction).meanings[: record.get("book", len(auction.calls))]
    for meaning in meanings:
        if meaning.known and meaning.record.seat in rows:
            yield meaning, rows[meaning.record.seat]


def measured(records: Iterable[Record], system: str, points: int | None) -> Tally:
    """Return the counts of records with a latitude; without one, the usual meaning is judged."""
    rules = open_system(system)
    if points is not None:
        rules.latitude = points
    reader = Reader(dict.fromkeys(Side, rules))
    tally = Tally()
    for record in records:
        clash = False
        final: dict[Seat, bool] = {}
        for meaning, row in judged(reader, record):
            bounds = meaning.bounds if points is None else meaning.possible
            final[meaning.record.seat] = tally.add(bounds, row)
            clash |= bool(meaning.relaxed if points is None else meaning.contradicts)
        tally.auctions += 1
        tally.clashes += clash
        if "-" not in record["deal"].partition(":")[2].split():
            tally.boards += 1
            tally.pictures += all(final.values())
    return tally


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--limit", type=int, help="auctions at most")
    parser.add_argument("--half", type=int, choices=(1, 2), help="one half of the auctions")
    parser.add_argument(
        "--points",
        type=int,
        nargs="*",
        default=range(MOST_POINTS + 1),
        help="latitudes to try",
    )
    args = parser.parse_args()
    collect_rarely()
    if args.limit is not None and args.limit < 1:
        parser.error("expected at least one auction as --limit")
    if min(args.points, default=0) < 0:
        parser.error("expected latitudes of 0 points or more")
    records = auction_records(args.file, args.limit)
    if args.half:
        records = records[args.half - 1 :: 2]
    heads = (
        f"{'latitude':10} {'calls':>7} {'holds %':>7} {'bits':>6} {'clashes':>9} {'pictures':>9}"
    )
    print(f"{heads} {'points':>11} {'shape':>11}")
    print(measured(records, args.system, None).line("usual"))
    for points in args.points:
        print(measured(records, args.system, points).line(f"{points} points"))


if __name__ == "__main__":
    sys.exit(ended(main))
