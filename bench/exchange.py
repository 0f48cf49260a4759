"""Export a system, import it again, and compare the calls that random hands make.

    python bench/exchange.py --system sayc --format bml --hands 2000 --json exchange.json
    python bench/exchange.py --system two_over_one --format bbsa

Prints the rules carried, what became of the lines, and the share of the same calls at opening,
response and overcall positions, and at sixty of all positions that were written out. A card of
switches (bbsa) has no rules: what is carried are the statements of the system's first file.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from bidwright.authoring.exchange.bboalert import to_bboalert, to_bss
from bidwright.authoring.exchange.bbsa import to_bbsa
from bidwright.authoring.exchange.bml import to_bml
from bidwright.authoring.exchange.call_tables import CallTable, auction_at, tabulate
from bidwright.authoring.exchange.importer import import_file
from bidwright.bench.exchange_agreement import compare
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.deal import random_deal
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features, held_cards
from bidwright.lab.ending import ended, how_many, seed_number

WRITERS = {"bml": to_bml, "bss": to_bss, "bboalert": to_bboalert}
CARD = "bbsa"


def positions() -> dict[str, list[Auction]]:
    """Return the positions that are compared: four seats, and every opening up to 3NT."""
    quiet = (False, False)
    openings = [call for call in CALLS if call.is_bid and call.level <= 3]
    return {
        "opening": [auction_at((), seat, quiet) for seat in (1, 2, 3, 4)],
        "response": [auction_at((call, Call.PASS), 1, quiet) for call in openings],
        "overcall": [auction_at((call,), 1, quiet) for call in openings],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--format", default="bml", choices=(*WRITERS, CARD))
    parser.add_argument("--hands", type=how_many, default=2000)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rules = open_system(args.system)
    began = process_time()
    tables: tuple[CallTable, ...] = ()
    if args.format == CARD:
        text, losses = to_bbsa(load(args.system))
    else:
        sheet = tabulate(rules, load(args.system), quiet=False)
        text, losses, tables = WRITERS[args.format](sheet), sheet.report, sheet.tables
    exported = process_time()
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"system.{args.format}"
        file.write_text(text, encoding="utf-8")
        imported = import_file(file, "back")
        back = Path(folder) / "back.bid"
        back.write_text(imported.text, encoding="utf-8")
        other = open_system(back)
    read = process_time()
    rng = np.random.default_rng(args.seed)
    hands = [random_deal(rng).hands[0] for _ in range(args.hands)]
    rows = features(held_cards([hand for hand in hands if hand is not None]))
    table = Table("position", "hands", "same call", "with a rule of the position", "same call")
    result = {
        "system": args.system,
        "format": args.format,
        "rules": losses.rules,
        "carried": losses.carried,
        "lines": {fate.name.lower(): n for fate, n in imported.report.counts().items()},
        "export_s": exported - began,
        "import_s": read - exported,
    }
    written = [table for table in tables if table.is_general]
    picked = rng.choice(len(written), size=min(60, len(written)), replace=False)
    compared = positions()
    if written:
        compared["any table"] = [
            auction_at(written[i].calls, 1, (False, False)) for i in sorted(picked)
        ]
    for kind, auctions in compared.items():
        agreements = list(compare(rules, other, auctions, rows))
        counts = [
            sum(getattr(each, name) for each in agreements)
            for name in ("hands", "same", "booked", "same_booked")
        ]
        table.add_row(
            kind,
            f"{counts[0]}",
            f"{counts[1] / counts[0]:.2%}",
            f"{counts[2]}",
            f"{counts[3] / max(counts[2], 1):.2%}",
        )
        result[kind] = dict(zip(("hands", "same", "booked", "same_booked"), counts, strict=True))
    console = Console()
    console.print(losses.summary(), imported.report.summary())
    console.print(f"export {exported - began:.0f} s CPU, import {read - exported:.0f} s CPU")
    console.print(table)
    if args.json:
        args.json.write_text(json.dumps(result, indent=2), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
