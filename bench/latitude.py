"""How often what calls show holds, against how much it says, as the latitude of players grows.

    python bench/latitude.py auctions.jsonl --system sayc --half 1

A line of the file has `deal` (PBN, from North), `dealer`, `vul` and `auction` (calls, with the
closing passes); `book`, if given, is the number of calls that are judged. A call holds if its
maker's hand is within the bounds of all he has shown, points with length and balance included; its
bits say how much narrower than all hands the ranges of points and lengths are.
Choose a latitude on one half of the auctions and report the other: lines are dealt out in turn.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, parse_seat, parse_vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.inference.engine.information import bits
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import outside
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.latitude import MOST_POINTS

Record = dict[str, Any]


@dataclass
class Tally:
    """Calls judged: how many, how many held, the sum of their bits, and auctions that clash."""

    calls: int = 0
    held: int = 0
    bits: float = 0.0
    clashes: int = 0

    def line(self, name: str) -> str:
        """Return a row of the table."""
        calls = max(1, self.calls)
        share, mean = 100 * self.held / calls, self.bits / calls
        return f"{name:10} {self.calls:7} {share:7.1f} {mean:6.2f} {self.clashes:9}"


def judged(reader: Reader, record: Record) -> Iterator[tuple[Meaning, tuple[int, ...]]]:
    """Yield what each call of a record shows, and the features of its maker's hand."""
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
    """Return how records fare with a latitude; without one, what is usual is judged."""
    rules = open_system(system)
    if points is not None:
        rules.latitude = points
    reader = Reader(dict.fromkeys(Side, rules))
    tally = Tally()
    for record in records:
        clash = False
        for meaning, row in judged(reader, record):
            bounds = meaning.bounds if points is None else meaning.possible
            tally.calls += 1
            tally.held += outside(row, bounds) is None
            tally.bits += bits(bounds)
            clash |= bool(meaning.relaxed if points is None else meaning.contradicts)
        tally.clashes += clash
    return tally


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--limit", type=int, help="auctions at most")
    parser.add_argument("--half", type=int, choices=(1, 2), help="one half of the auctions")
    args = parser.parse_args()
    lines = args.file.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in islice(lines, args.limit)]
    if args.half:
        records = records[args.half - 1 :: 2]
    print(f"{'latitude':10} {'calls':>7} {'holds %':>7} {'bits':>6} {'clashes':>9}")
    print(measured(records, args.system, None).line("usual"))
    for points in range(MOST_POINTS + 1):
        print(measured(records, args.system, points).line(f"{points} points"))


if __name__ == "__main__":
    main()
