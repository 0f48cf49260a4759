"""The tables and figures of the BMCS paper, as far as a small machine allows, beside its figures.

    python -m bidwright.lab.bmcs --deals deals.npz --folder bmcs
    python -m bidwright.lab.bmcs --deals deals.npz --folder bmcs --only table5 --audits 2000
    python -m bidwright.lab.bmcs --deals deals.npz --folder bmcs --minutes 0

Source: Qiu et al., "Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
2024: Tables I to VI, Figures 2 to 6. Every figure is printed by a command of the project (`match`,
`audit`, `train`, `bench/belief.py`), at a size given by options; the usual size is a small one.
Results are kept in the folder as JSON, so the same command resumes an interrupted run, and
`--minutes 0` prints the results so far. A table names the commands behind it, the rules of SAYC
that they were run with, and their processor time. `docs/results/bmcs.md` lists the differences from
the paper. Exit status 2 if a file or a command is wrong.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from bidwright import BidwrightError, open_system
from bidwright.lab.bmcs.comparisons import TABLES
from bidwright.lab.bmcs.results import RunResults
from bidwright.lab.bmcs.runs import Size, runs
from bidwright.lab.ending import ended


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=Path, required=True, help="data set of solved deals")
    parser.add_argument("--folder", type=Path, required=True, help="where results are kept")
    parser.add_argument("--only", nargs="+", choices=tuple(TABLES), default=list(TABLES))
    parser.add_argument("--minutes", type=float, help="of processor time; then no run is begun")
    for option in fields(Size):
        name = option.name.replace("_", "-")
        parser.add_argument(
            f"--{name}",
            type=type(option.default),
            default=option.default,
            help=f"[{option.default}]",
        )
    return parser.parse_args()


def main() -> None:
    """Do the runs that have no results yet, and print the tables."""
    asked = _asked()
    size = Size(**{each.name: getattr(asked, each.name) for each in fields(Size)})
    try:
        rules = open_system("sayc").rules.fingerprint
        results = RunResults(list(runs(size)), asked.folder, asked.deals, rules)
        spent = 0.0
        for name in asked.only:
            for run in TABLES[name].runs(size):
                # A run that is kept costs nothing, so it does not count for the minutes.
                if results.kept(run) is not None:
                    continue
                if asked.minutes is not None and spent >= 60 * asked.minutes:
                    # No further run of this table, but tables of others that are kept are still
                    # printed.
                    break
                print(results.shown(run), file=sys.stderr, flush=True)
                spent += results.run(run)["seconds"]
        for name in asked.only:
            for table in TABLES[name].tables(results, size):
                print(table.text(results), end="\n\n")
    except KeyboardInterrupt:
        print(f"what was done is in {asked.folder}; the same command goes on", file=sys.stderr)
        raise SystemExit(130) from None
    except BidwrightError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    sys.exit(ended(main))
