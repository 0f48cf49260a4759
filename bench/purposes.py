"""The number of bids and doubles that are explained without a word of their purpose.

    python bench/purposes.py lessons_sa.jsonl wbridge5.jsonl --system sayc --auctions 60

Auctions are drawn from files of real ones, a JSON object a line with `dealer`, `vul` and `auction`
(calls separated by spaces). A bid, a double or a redouble has a purpose if its headline has a word
of the trade for it, or an agreement shows by strength and suits what it is; `no agreement`,
`strength not discussed` and bare words such as `natural` are none. Each file is summed up in a
line, with the calls that have no word at all beside their strength and suits; `--show` prints both.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.inference.explanation.in_short import Brief, briefs_of
from bidwright.inference.explanation.service import Library
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended

_EMPTY = re.compile(
    r"no agreement.*|(strength )?not discussed|natural|artificial|game|rebid|new suit|second suit"
)
"""Words that say nothing of a call's purpose."""

_NAMES = frozenset({"new suit", "second suit"})
"""Words that name a natural bid by its place."""

_NEVER = frozenset({"no agreement", "not discussed", "strength not discussed"})
"""Words that say that nothing was agreed."""


_VULNERABLE = {
    "None": Vulnerability.NONE,
    "NS": Vulnerability.NS,
    "EW": Vulnerability.EW,
    "Both": Vulnerability.BOTH,
}


def has_word(brief: Brief) -> bool:
    """Return True if a call in short has a word for its kind; `new suit` is one."""
    words = (*brief.purpose, *brief.alternatives)
    return any(word in _NAMES or not _EMPTY.fullmatch(word) for word in words)


def has_purpose(brief: Brief) -> bool:
    """Return True if a call in short states its purpose."""
    words = (*brief.purpose, *brief.alternatives)
    if any(not _EMPTY.fullmatch(word) for word in words):
        return True
    agreed = not any(word in _NEVER or word.startswith("no agreement") for word in words)
    return agreed and bool(brief.suits or brief.points)


def auctions_in(file: Path, count: int, seed: int) -> Iterator[Auction]:
    """Yield some of the auctions of a file, drawn by a seed."""
    lines = file.read_text(encoding="utf-8").splitlines()
    drawn = random.Random(seed).sample(lines, min(count, len(lines)))
    for line in drawn:
        row = json.loads(line)
        if not row.get("auction"):
            continue
        calls = tuple(parse_call(word) for word in row["auction"].split())
        vulnerability = _VULNERABLE[row.get("vul") or "None"]
        yield Auction(Seat("NESW".index(row["dealer"])), calls, vulnerability)


def main() -> None:
    """Explain auctions and print the share of calls without a purpose."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--auctions", type=int, default=60, help="of each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the calls without a purpose")
    args = parser.parse_args()
    reader = Library(open_system).reader(args.system, args.system)
    for file in args.files:
        _judge(reader, file, args)


def _judge(reader: Reader, file: Path, args: argparse.Namespace) -> None:
    """Print the stated purposes of the calls of the auctions of a file."""
    sums: Counter[str] = Counter()
    for auction in auctions_in(file, args.auctions, args.seed):
        try:
            briefs: Sequence[Brief] = briefs_of(reader.read(auction).meanings)
        except InvalidError as error:  # pragma: no cover - a file with a call that is not legal
            print(f"{file.name}: left out: {error}")
            continue
        for place, brief in enumerate(briefs):
            if brief.call == Call.PASS:
                continue
            sums["calls"] += 1
            sums["nameless"] += not has_word(brief)
            sums["without"] += not has_purpose(brief)
            if not (has_purpose(brief) and has_word(brief)) and args.show:
                calls = " ".join(str(call) for call in auction.calls[: place + 1])
                print(f"  {calls}: {brief.meaning()}")
    number = sums["calls"] or 1
    print(
        f"{file.stem}: {sums['without']}/{number} = {sums['without'] / number:.1%} "
        f"without a purpose, {sums['nameless'] / number:.1%} without a word"
    )


if __name__ == "__main__":
    sys.exit(ended(main))
