"""The time of a diff: SAYC against SAYC with another range for its notrump opening.

    python bench/diff.py --range 14..16 --json diff.json

Prints the CPU seconds of opening the two versions, of finding what changed in the files, and of
finding what that changes at the table; and how much was found.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from rich.console import Console
from rich.table import Table

from bidwright.authoring.diff.delta import delta_of
from bidwright.authoring.diff.result import difference
from bidwright.authoring.diff.versions import open_versions
from bidwright.authoring.hands.sweep import parse_knob, write_settings
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--rule", default="opening.1NT")
    parser.add_argument("--range", default="14..16")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    knob = parse_knob(open_system(args.system), f"{args.rule}: {args.range}")
    with TemporaryDirectory() as folder:
        (file,) = write_settings(args.system, knob, Path(folder))
        times = [process_time()]
        versions = open_versions(args.system, str(file), None)
        times.append(process_time())
        delta_of(*(each.rules for each in versions))
        times.append(process_time())
        differences = difference(*versions)
        times.append(process_time())
    opening, files, table = (round(after - before, 2) for before, after in pairwise(times))
    result = {
        "opening_s": opening,
        "files_s": files,
        "table_s": table,
        "bid_otherwise": differences.parted.value,
        "error": differences.parted.error,
        "classes_of_hands": sum(len(each.hands) + each.more[0][0] for each in differences.groups),
        "calls": sum(len(each.meanings) + each.more[1][0] for each in differences.groups),
    }
    grid = Table("what", "value", title=f"{args.system}, {args.rule}: {args.range}")
    for name, value in result.items():
        grid.add_row(name.replace("_", " "), f"{value:.4g}")
    Console().print(grid)
    if args.json:
        args.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
