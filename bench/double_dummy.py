"""Double-dummy tables, contracts and targets per second, against endplay called naively.

    python bench/double_dummy.py --deals 60 --jobs 2 --json double_dummy.json

Naively: one deal at a time through endplay's own objects, with all leads solved. Rates are per
second of this process's processor time, all threads together, and by the clock beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bidwright.bridge.cards import Denomination, Seat
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.bridge.symmetry import random_views
from bidwright.lab.ending import ended, how_many, seed_number
from bidwright.match.double_dummy.dd_solver import DoubleDummy

DDS_DENOMINATIONS = ("clubs", "diamonds", "hearts", "spades", "nt")
DDS_PLAYERS = ("north", "east", "south", "west")


def measure(
    name: str, count: int, action: Callable[[], object], *, elsewhere: bool = False
) -> dict[str, object]:
    """Run an action that does so many things; print and return its rates.

    Work that is done elsewhere, in other processes, is timed by the clock only.
    """
    clock, processor = time.perf_counter(), time.process_time()
    action()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    rates: dict[str, object] = {"name": name, "count": count, "per_second": count / clock}
    shown = f"{'':12} {count / clock:12,.1f}"
    if not elsewhere:
        rates["per_processor_second"] = count / processor
        shown = (
            f"{count / processor:12,.1f} {count / clock:12,.1f} {1000 * processor / count:10.3f}"
        )
    print(f"{name:44} {shown}", flush=True)
    return rates


def naive_tables(owner: np.ndarray) -> None:
    """Solve tables one by one, as the documentation of endplay does."""
    from endplay.dds import calc_dd_table
    from endplay.types import Deal

    for row in owner:
        calc_dd_table(Deal(deal_from_owner(row).to_pbn()))


def naive_contracts(owner: np.ndarray, denominations: np.ndarray, declarers: np.ndarray) -> None:
    """Solve contracts one by one, all leads, as the documentation of endplay does."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    for row, denomination, declarer in zip(owner, denominations, declarers, strict=True):
        first = Player[DDS_PLAYERS[(declarer + 1) % len(Seat)]]
        trump = Denom[DDS_DENOMINATIONS[denomination]]
        list(solve_board(Deal(deal_from_owner(row).to_pbn(), first=first, trump=trump)))


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=how_many, default=60)
    parser.add_argument("--jobs", type=how_many, default=2)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    count = args.deals
    owner = numbered_deals(args.seed, range(count))
    denominations = rng.integers(0, len(Denomination), count)
    declarers = rng.integers(0, len(Seat), count)
    naive_tables(owner[:1])
    service = DoubleDummy()
    tricks = service.tricks(owner, denominations, declarers)
    needs = np.clip(tricks + rng.integers(0, 2, count), 1, 13)
    print(f"{'':44} {'per cpu s':>12} {'per s':>12} {'ms each':>10}")
    rows = [
        measure("tables, endplay naively", count, lambda: naive_tables(owner)),
        measure("tables", count, lambda: service.tables(owner)),
    ]
    with DoubleDummy(jobs=args.jobs) as spread:
        spread.tables(owner[:2])
        name = f"tables, {args.jobs} processes"
        rows.append(measure(name, count, lambda: spread.tables(owner), elsewhere=True))
    rows += [
        measure(
            "contracts, endplay naively",
            count,
            lambda: naive_contracts(owner, denominations, declarers),
        ),
        measure("contracts", count, lambda: service.tricks(owner, denominations, declarers)),
        measure(
            "targets of 7 to 10 tricks",
            count,
            lambda: service.makes(owner, denominations, declarers, rng.integers(7, 11, count)),
        ),
        measure(
            "targets that just make, or fail by one",
            count,
            lambda: service.makes(owner, denominations, declarers, needs),
        ),
    ]
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "results.sqlite"
        with DoubleDummy(cache) as first:
            first.tables(owner)
        with DoubleDummy(cache) as again:
            dressed = random_views(count, rng).of_deals(owner)
            many = np.tile(dressed, (20, 1))
            rows.append(measure("tables from the cache, in other dresses", 20 * count,
                                lambda: again.tables(many)))  # fmt: skip
            deal = deal_from_owner(dressed[0])
            rows.append(measure("single contracts from the cache", 200, lambda: [
                again.contract_tricks(deal, Denomination.SPADES, Seat.NORTH) for _ in range(200)
            ]))  # fmt: skip
            assert not again.solved
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
