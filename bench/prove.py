"""The time of the proofs of `check --prove`: from nothing, again, and after one changed rule.

    python bench/prove.py --system sayc --jobs 2 --json prove.json

Each is the command itself, run on a copy of the system with a cache of its own. Prints the wall
clock and the CPU seconds of all its processes, and the load of the machine when it began: where
others work too, the CPU seconds are what can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from importlib.resources import as_file, files
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import copytree
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table


def check(system: Path, jobs: int, cache: Path) -> dict[str, float | str]:
    """Run the command; return the seconds it took and what it said last."""
    command = [str(Path(sys.executable).with_name("bidwright")), "check", str(system), "--prove"]
    load = os.getloadavg()[0]
    start, before = time.monotonic(), getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        [*command, "--jobs", str(jobs)],
        env={**os.environ, "BIDWRIGHT_CACHE": str(cache)},
        capture_output=True,
        text=True,
    )
    after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode > 1:
        sys.exit(done.stderr)
    return {
        "wall_s": round(time.monotonic() - start, 1),
        "cpu_s": round(cpu, 1),
        "load": round(load, 1),
        "said": done.stdout.strip().rsplit("\n", 1)[-1],
    }


def change(file: Path, old: str, new: str) -> None:
    """Change one rule, which has to be there once.

    Raises:
        ValueError: it is not there, or more than once.
    """
    text = file.read_text(encoding="utf-8")
    if len(re.findall(re.escape(old), text)) != 1:
        raise ValueError(f"{old!r} is not in {file.name} once")
    file.write_text(text.replace(old, new), encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--file", default="responder_rebids.bid", help="where a rule is changed")
    parser.add_argument("--old", default='"three-card support, a shortage" is_major(Y)')
    parser.add_argument("--new", default='"three-card support, a shortage" hcp 12+')
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    results = {}
    with TemporaryDirectory() as folder, as_file(files("bidwright") / "systems") as root:
        copy, cache = Path(folder) / "systems", Path(folder) / "cache"
        copytree(root, copy)
        system = copy / args.system / "system.bid"
        results["from nothing"] = check(system, args.jobs, cache)
        results["again"] = check(system, args.jobs, cache)
        change(copy / args.system / args.file, args.old, args.new)
        results["one rule changed"] = check(system, args.jobs, cache)
    table = Table("", "wall, s", "CPU, s", "load before", title=f"{args.system}, {args.jobs} jobs")
    for name, result in results.items():
        table.add_row(name, str(result["wall_s"]), str(result["cpu_s"]), str(result["load"]))
    Console().print(table)
    for name, result in results.items():
        print(f"{name}: {result['said']}")
    if args.json:
        args.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
