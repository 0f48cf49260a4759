"""Calls a second of a reader that has just started, on the auctions of strangers.

    python bench/rules.py sayc.jsonl.gz --boards 2000 --against ../before --turns 3

Boards are JSON lines with `auction` (calls separated by spaces), as plain text or packed by gzip.
Board `i` is dealt by seat `i % 4`, vulnerable as boards `i + i // 4` are by fours. Before each
call, the hand of its seat (drawn with a seed) chooses one by the rules, as a bidder does, and then
the recorded call is read: what it shows of its maker.

A new process is started for each turn, so all is first use. Figures are calls a second of processor
time from the first board on, opening the system and making the reader included, after so many
boards. With `--against` the code of another checkout, with a virtual environment of its own, is
measured in turns, and the ratio of the medians is printed: it says more than either on a busy
machine.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bidwright.lab.ending import ended

Json = dict[str, Any]

AFTER = (10, 100, 400, 2000)
"""Numbers of boards until figures are taken."""


def auctions(path: Path, boards: int) -> list[tuple[int, str]]:
    """Return the number and the auction of the first boards of a file."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    records = map(json.loads, text.splitlines()[:boards])
    return [(int(record["i"]), str(record["auction"])) for record in records]


def measure(path: Path, system: str, boards: int, seed: int) -> Json:
    """Return the processor time and the calls up to some boards, in this process."""
    # Imported here: with --against the other checkout's process runs this file with its own
    # package, and the caller needs none of it.
    from bidwright.bridge.auction import parse_auction
    from bidwright.bridge.cards import Seat, Side, Vulnerability
    from bidwright.bridge.deal import random_deal
    from bidwright.inference.reading.player import choose
    from bidwright.inference.reading.reader import Reader
    from bidwright.kb.loading.compiled import open_system
    from bidwright.runtime.garbage import collect_rarely

    collect_rarely()
    # Random hands by auctions of others: calls in all kinds of positions, those that no file
    # foresees among them, as the reader of strangers' boards meets them.
    rng = np.random.default_rng(seed)
    vulnerabilities = list(Vulnerability)
    work = [
        (
            parse_auction(text, Seat(number % 4), vulnerabilities[(number + number // 4) % 4]),
            random_deal(rng),
        )
        for number, text in auctions(path, boards)
    ]
    # Counts and digest are compared by eye between two checkouts: speed that comes from other
    # answers is none.
    agreed = calls = 0
    digest = sha256()
    rows: list[dict[str, float]] = []
    # Opening counts in the first rows: a reader that has just started is what a command is.
    start = time.process_time()
    rules = open_system(system)
    opened = time.process_time() - start
    # One reader for all boards, which keeps what rules come to: calls a second rise from 104 after
    # ten boards to 374 after 400.
    reader = Reader({Side.NS: rules, Side.EW: rules})
    for place, (auction, deal) in enumerate(work, 1):
        reading = reader.start(auction.dealer, auction.vulnerability)
        for call in auction.calls:
            hand = deal.hands[reading.state.me]
            assert hand is not None, "random deals have four hands"
            chosen = choose(reading, hand).call
            digest.update(bytes([chosen]))
            agreed += chosen == call
            reading = reading.with_call(call)
            calls += 1
        digest.update(repr((reading.state.shown, reading.state.records)).encode())
        if place in AFTER or place == len(work):
            seconds = time.process_time() - start
            rows.append({"boards": place, "calls": calls, "seconds": round(seconds, 4)})
    return {
        "opened": round(opened, 4),
        "agreed": agreed,
        "digest": digest.hexdigest()[:12],
        "rows": rows,
    }


def measured_in(checkout: Path, args: argparse.Namespace) -> Json:
    """Return the measurements of a new process with the code of a checkout."""
    python = checkout / ".venv" / "bin" / "python"
    command = [str(python), str(Path(__file__).resolve()), str(args.auctions_file), "--once"]
    command += ["--system", args.system, "--boards", str(args.boards), "--seed", str(args.seed)]
    done = subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.PIPE, text=True)
    measured: Json = json.loads(done.stdout)
    return measured


def main() -> None:
    """Measure once, or in turns against another checkout, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("auctions_file", type=Path)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--once", action="store_true", help="measure in this process, print JSON")
    args = parser.parse_args()
    args.auctions_file = args.auctions_file.resolve()
    if args.once:
        print(json.dumps(measure(args.auctions_file, args.system, args.boards, args.seed)))
        return
    checkouts = {"here": Path(__file__).resolve().parents[1]}
    if args.against is not None:
        checkouts = {"against": args.against.resolve(), **checkouts}
    runs: dict[str, list[Json]] = {name: [] for name in checkouts}
    for checkout in checkouts.values():
        measured_in(checkout, argparse.Namespace(**{**vars(args), "boards": 1}))  # compiles it
    # In turns, since a busy machine is slower from one minute to the next by a third.
    for _ in range(args.turns):
        for name, checkout in checkouts.items():
            runs[name].append(measured_in(checkout, args))
    for name, several in runs.items():
        # The median: one run beside somebody else's work is no measurement.
        opened = median(run["opened"] for run in several)
        print(f"{name}: opened in {opened:.3f} s, what was read has digest {several[0]['digest']}")
        for place, row in enumerate(several[0]["rows"]):
            seconds = [run["rows"][place]["seconds"] for run in several]
            print(
                f"{name}: {row['boards']:5} boards, {row['calls']:6} calls,"
                f" {row['calls'] / median(seconds):6.0f} calls a second"
                f" ({min(seconds):.2f} to {max(seconds):.2f} s)"
            )
    for place, row in enumerate(runs["here"][0]["rows"] if args.against is not None else ()):
        here, against = (
            median(run["rows"][place]["seconds"] for run in runs[name])
            for name in ("here", "against")
        )
        print(f"after {row['boards']:5} boards: {against / here:.2f} times as fast")


if __name__ == "__main__":
    sys.exit(ended(main))
