"""The time to explain random legal auctions, up to the slowest.

    python bench/slowest.py --auctions 2000 --out slowest.jsonl
    python bench/slowest.py --auctions 200 --deals 5 --out slowest_deals.jsonl

Auctions have 1 to 25 calls and are no auctions of players: they contradict what was shown, again
and again, and so are the hardest to read. Each is explained as `bidwright explain` does it, with
`--deals` the deals, tables and effects as well, by one process that opens the system once. Seconds
are those of the processor. What was measured is kept in the file: a run that was ended goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import BidwrightError
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.prose import prose
from bidwright.inference.explanation.service import Library
from bidwright.inference.explanation.text_style import PLAIN
from bidwright.inference.posterior.section import View
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended
from bidwright.runtime.code import code_key
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.journal import Journal
from bidwright.runtime.progress import counting

Json = dict[str, Any]

_NEXT = 8
"""The number of lowest legal calls that one is drawn from, so that auctions are long."""


def random_auction(seed: int, number: int, most: int) -> Auction:
    """Return a random legal auction in progress, of 1 to `most` calls."""
    rng = np.random.default_rng((seed, number))
    auction = Auction(Seat(int(rng.integers(4))), (), list(Vulnerability)[int(rng.integers(4))])
    for _ in range(rng.integers(1, most + 1)):
        lowest = sorted(auction.legal_calls())[:_NEXT]
        going_on = [call for call in lowest if not auction.with_call(call).is_over]
        if not going_on:
            break
        auction = auction.with_call(going_on[rng.integers(len(going_on))])
    return auction


def explained(library: Library, system: str, auction: Auction, deals: int) -> str:
    """Return the output of `bidwright explain` for an auction."""
    explainer = Explainer(library.reader(system, system))
    text = prose(explainer.explain(auction), PLAIN)
    if not deals:
        return text
    try:
        return f"{text}\n\n{View.of(explainer.reader.read(auction), None, None, 0).text(deals, ())}"
    except BidwrightError as error:
        return f"{text}\n\n{error}"


def measured(given: argparse.Namespace) -> Iterator[Json]:
    """Yield each auction with the seconds that it took, those of the file first."""
    rules = open_system(given.system)
    what = {
        "slowest": [given.system, given.seed, given.calls, given.deals],
        "rules": rules.fingerprint,
        "code": code_key("bridge", "kb", "inference")[:16],
    }
    library = Library(open_system)
    with (
        Journal(given.out, json.dumps(what).encode() + b"\n", "times of this code") as journal,
        counting(given.auctions, "explaining", "auctions") as progress,
    ):
        rows = [json.loads(line) for line in journal.content.splitlines()]
        yield from rows[: given.auctions]
        explained(library, given.system, random_auction(given.seed, 10**6, 1), given.deals)
        for number in range(len(rows), given.auctions):
            auction = random_auction(given.seed, number, given.calls)
            start = time.process_time()
            explained(library, given.system, auction, given.deals)
            row = {"auction": str(auction), "seconds": round(time.process_time() - start, 4)}
            journal.add(json.dumps(row).encode() + b"\n")
            progress.show(number + 1)
            yield row


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--auctions", type=int, default=2000)
    parser.add_argument("--calls", type=int, default=25, help="of the longest auctions")
    parser.add_argument("--deals", type=int, default=0, help="deals that are drawn of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="keeps what was measured")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    collect_rarely()
    if min(given.auctions, given.calls) < 1 or min(given.deals, given.seed) < 0:
        parser.error("expected at least one auction of one call, and no negative number")
    return given


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    given = parsed(words)
    try:
        rows = list(measured(given))
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped; {given.out} keeps what was measured", file=sys.stderr)
        return 130
    seconds = np.array([row["seconds"] for row in rows])
    median, p95, p99 = (float(np.percentile(seconds, share)) for share in (50, 95, 99))
    worst = max(rows, key=lambda row: float(row["seconds"]))
    what = f"explain --deals {given.deals}" if given.deals else "explain"
    print(f"{what}, {given.system}, {len(rows)} random auctions of up to {given.calls} calls:")
    print(f"  median {median:.3f} s  p95 {p95:.3f} s  p99 {p99:.3f} s  most {seconds.max():.3f} s")
    print(f"  slowest: {worst['auction']}")
    if given.json:
        result = {"median": median, "p95": p95, "p99": p99, "most": worst, "count": len(rows)}
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
