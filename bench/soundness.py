"""Bid random deals by rules in all seats and count hands outside what they have shown.

    python bench/soundness.py --deals 20000 --jobs 2 --json soundness.json

Prints the counts of violations and of positions without a rule, with examples.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out, lapses
from bidwright.kb.loading.compiled import open_system
from bidwright.runtime.processes import in_order
from bidwright.runtime.progress import progressing


def bid_some(job: tuple[str, int, int]) -> tuple[int, Counter[str], list[str]]:
    """Return calls made, lapses by kind and a few examples, for deals from one seed."""
    system, seed, deals = job
    rng = np.random.default_rng(seed)
    rules = open_system(system)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    calls, kinds, examples = 0, Counter[str](), list[str]()
    for number in range(1, deals + 1):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        calls += len(reading.meanings)
        kinds["relaxed"] += sum(bool(meaning.relaxed) for meaning in reading.meanings)
        for lapse in lapses(reading, deal):
            kinds[lapse.kind] += 1
            if len(examples) < 10:
                hand = deal.hands[lapse.seat]
                text = f"{reading.auction} call {lapse.place + 1} by {lapse.seat} {hand}"
                examples.append(f"{lapse.kind}: {text} {lapse.detail}")
    return calls, kinds, examples


def bidder() -> Callable[[tuple[str, int, int]], tuple[int, Counter[str], list[str]]]:
    """Return what a process does."""
    return bid_some


def main() -> None:
    """Run the check and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    chunk = 250
    jobs = [
        (args.system, args.seed * 1_000_003 + i, min(chunk, args.deals - chunk * i))
        for i in range(-(-args.deals // chunk))
    ]
    calls, kinds, examples = 0, Counter[str](), list[str]()
    with closing(in_order(bidder, (), jobs, args.jobs)) as bid:
        for made, found, some in progressing(bid, len(jobs), "bidding"):
            calls += made
            kinds += found
            examples += some
    result = {
        "system": args.system,
        "deals": args.deals,
        "calls": calls,
        "outside": kinds["outside"],
        "uncovered": kinds["uncovered"],
        "relaxed": kinds["relaxed"],
    }
    for example in examples[:20]:
        print(example)
    print("  ".join(f"{name} {value}" for name, value in result.items()))
    if args.json:
        args.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
