"""Time to read a call: what it shows of one hand, of four hands, and why; and calls a second.

    python bench/inference.py --system sayc --auctions auctions.jsonl --json inference.json

Auctions are JSON lines with `deal` (PBN), `dealer`, `vul` and `auction`; without a file, random
deals are bid by the system in all seats. Calls are given to the engine one after the other, as at
the table, and only queries that are new to it are timed. Deal scope comes on top of hand scope.
Times are processor times in milliseconds, so that a busy machine matters less; the time of the
command is wall time, beside that of an interpreter that does nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.deal import Deal, random_deal
from bidwright.inference.engine.deal_engine import DealEngine
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.reasons import Claim
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import HCP, LENGTHS
from bidwright.lab.ending import auction_records, ended, how_many, seed_number
from bidwright.runtime.garbage import collect_rarely

COMMAND = (sys.executable, "-m", "bidwright", "explain", "1S (P) 2NT (P)")


@dataclass(frozen=True)
class Bid:
    """A deal, its auction, and the turns of the auction."""

    deal: Deal
    auction: Auction
    turns: tuple[Turn, ...]


@dataclass
class Row:
    """The times of one kind of query."""

    name: str
    times: list[float]

    def summary(self) -> dict[str, object]:
        """Return the figures of the row, times in milliseconds."""
        ordered = sorted(self.times)
        return {
            "name": self.name,
            "count": len(ordered),
            "median_ms": round(median(ordered), 2),
            "p95_ms": round(ordered[int(len(ordered) * 0.95)], 2),
            "mean_ms": round(sum(ordered) / len(ordered), 2),
        }


def timed(ask: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return the milliseconds that a query takes."""
    start = clock()
    ask()
    return (clock() - start) * 1e3


def read_auctions(system: str, path: Path | None, deals: int, seed: int) -> Iterator[Bid]:
    """Yield the auctions of a file, or of random deals that the system bids."""
    rules = open_system(system)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    if path is None:
        rng = np.random.default_rng(seed)
        for number in range(1, deals + 1):
            deal = random_deal(rng)
            reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
            yield Bid(
                deal, reading.auction, tuple(m.turn for m in reading.meanings if m.turn is not None)
            )
        return
    for record in auction_records(path, deals):
        dealer = parse_seat(record["dealer"])
        vulnerability = parse_vulnerability(record.get("vul", ""))
        reading = reader.read(parse_auction(record["auction"], dealer, vulnerability))
        turns = tuple(m.turn for m in reading.meanings if m.turn is not None)
        yield Bid(Deal.from_pbn(record["deal"]), reading.auction, turns)


@dataclass
class Speed:
    """The speed of reading auctions of one kind by a reader that has not read them before."""

    name: str
    calls: int = 0
    seconds: float = 0.0

    def summary(self) -> dict[str, object]:
        """Return the figures, calls read a second of processor time."""
        rate = round(self.calls / self.seconds, 1) if self.seconds else 0.0
        return {"name": self.name, "calls": self.calls, "calls_per_second": rate}


def reading_speed(system: str, bids: list[Bid]) -> list[Speed]:
    """Return the speeds of a fresh reader; calls that it has read before are not counted.

    What rules come to is kept, so a reader gets faster; the second half of the auctions is also
    counted alone.
    """
    rules = open_system(system)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    uncontested, contested, every, later = (
        Speed(f"fresh calls, {kind}")
        for kind in ("uncontested", "contested", "all auctions", "second half of the auctions")
    )
    starts_read: set[tuple[Seat, Vulnerability, tuple[Call, ...]]] = set()
    for number, bid in enumerate(bids):
        auction = bid.auction
        starts = {
            (auction.dealer, auction.vulnerability, auction.calls[: place + 1])
            for place in range(len(auction.calls))
        }
        bidding = {
            (auction.dealer + place) % len(Seat) % 2
            for place, call in enumerate(auction.calls)
            if call != Call.PASS
        }
        seconds = timed(partial(reader.read, auction)) / 1e3
        counted = [every, contested if len(bidding) > 1 else uncontested]
        if number >= len(bids) // 2:
            counted.append(later)
        for speed in counted:
            speed.calls += len(starts - starts_read)
            speed.seconds += seconds
        starts_read |= starts
    return [uncontested, contested, every, later]


def of_seat(turns: tuple[Turn, ...], seat: Seat) -> tuple[Turn, ...]:
    """Return the turns of one seat."""
    return tuple(turn for turn in turns if turn.seat == seat)


def read_in_fresh_engine(bid: Bid) -> None:
    """Find the meaning of each call of an auction, in an engine without cached results."""
    engine = HandEngine()
    for place, turn in enumerate(bid.turns):
        engine.bounds(of_seat(bid.turns[: place + 1], turn.seat))


def hand_scope(bids: list[Bid]) -> Iterator[Row]:
    """Yield the times of new calls in one engine, and of whole auctions in fresh ones."""
    engine = HandEngine()
    engine.bounds([])
    seen: set[tuple[Turn, ...]] = set()
    calls: list[float] = []
    for bid in bids:
        for place, turn in enumerate(bid.turns):
            turns = of_seat(bid.turns[: place + 1], turn.seat)
            if turns not in seen:
                seen.add(turns)
                calls.append(timed(partial(engine.bounds, turns)))
    yield Row("hand scope, new call", calls)
    cold = [timed(partial(read_in_fresh_engine, bid)) for bid in bids]
    yield Row("hand scope, whole auction, cold engine", cold)
    nothing = [timed(lambda: HandEngine().bounds([])) for _ in range(5)]
    yield Row("hand scope, no calls, cold engine", nothing)


def deal_scope(bids: list[Bid]) -> Iterator[Row]:
    """Yield the times of new calls when the last caller's hand is known, and when none is."""
    alone = HandEngine()
    for name, sees_hand in (("own hand known", True), ("four hidden hands", False)):
        first: list[float] = []
        later: list[float] = []
        for bid in bids:
            if not bid.turns:
                continue
            seat = bid.turns[-1].seat
            hand = bid.deal.hands[seat]
            hands = {seat: hand} if sees_hand and hand is not None else {}
            engine = DealEngine(alone)
            for place in range(len(bid.turns)):
                turns = bid.turns[: place + 1]
                for other_seat in Seat:
                    alone.bounds(of_seat(turns, other_seat))
                took = timed(partial(engine.bounds, turns, hands))
                (later if place else first).append(took)
        yield Row(f"deal scope, {name}, new call", later)
        yield Row(f"deal scope, {name}, first call, cold engine", first)


def reasons(bids: list[Bid], number: int) -> Iterator[Row]:
    """Yield the times of explaining bounds and of boxes."""
    engine = HandEngine()
    deal_engine = DealEngine(engine)
    alone: list[float] = []
    joint: list[float] = []
    boxes: list[float] = []
    for bid in bids[:number]:
        if not bid.turns:
            continue
        seat = bid.turns[-1].seat
        turns = of_seat(bid.turns, seat)
        bounds = engine.bounds(turns)
        if bounds is None:
            continue
        for index, (low, high) in zip((HCP, *LENGTHS), (bounds.hcp, *bounds.lengths), strict=True):
            for claim in (Claim(index, at_least=low), Claim(index, at_most=high)):
                alone.append(timed(partial(engine.why, turns, claim)))
        claim = Claim(HCP, at_most=bounds.hcp[1])
        joint.append(timed(partial(deal_engine.why, bid.turns, seat, claim)))
        boxes.append(timed(partial(engine.boxes, turns)))
    yield Row("hand scope, why one bound", alone)
    yield Row("deal scope, why one bound", joint)
    yield Row("hand scope, boxes of all calls of a seat", boxes)


def command(times: int = 5) -> Iterator[Row]:
    """Yield the wall times of the command and of an interpreter that does nothing."""
    for name, line in (
        ("process: python -c pass", (sys.executable, "-c", "pass")),
        ("process: python -c 'import clingo'", (sys.executable, "-c", "import clingo")),
        ("process: bidwright explain", COMMAND),
    ):
        run = partial(subprocess.run, line, check=True, capture_output=True)
        run()  # the first one may compile the system
        yield Row(name, [timed(run, time.perf_counter) for _ in range(times)])


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--auctions", type=Path)
    parser.add_argument("--deals", type=how_many, default=60, help="at most so many auctions")
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    collect_rarely()
    bids = list(read_auctions(args.system, args.auctions, args.deals, args.seed))
    rows = [*hand_scope(bids), *deal_scope(bids), *reasons(bids, 30), *command()]
    summaries = [row.summary() for row in rows]
    print(f"{'milliseconds':48}{'count':>7}{'median':>9}{'p95':>9}{'mean':>9}")
    for speed in summaries:
        figures = "".join(f"{speed[key]:>9}" for key in ("median_ms", "p95_ms", "mean_ms"))
        print(f"{speed['name']:48}{speed['count']:>7}{figures}")
    speeds = [each.summary() for each in reading_speed(args.system, bids)]
    print(f"\n{'calls read a second of processor time':48}{'calls':>7}{'speed':>9}")
    for speed in speeds:
        print(f"{speed['name']:48}{speed['calls']:>7}{speed['calls_per_second']:>9}")
    if args.json:
        calls = sum(len(bid.turns) for bid in bids)
        result = {
            "system": args.system,
            "auctions": len(bids),
            "calls": calls,
            "rows": summaries,
            "reading": speeds,
        }
        args.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(ended(main))
