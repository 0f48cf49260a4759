"""A match from end to end: speed, the result, a kill and its resumption, verification, the report.

    python bench/matches.py --boards 1000 --jobs 2 --folder match --json matches.json

The match is played through the command line; played again, killed at a random moment and gone on
with, which must give the same file to the byte; bid again by `verify`; and reported. The files stay
in the folder. Times are of the clock: compare them within one run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PROGRAM = [sys.executable, "-m", "bidwright"]


def _timed(*words: str) -> tuple[float, dict[str, Any]]:
    """Run a verb; return its seconds and what it printed as JSON."""
    start = time.perf_counter()
    done = subprocess.run([*PROGRAM, *words], check=True, stdout=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - start
    return seconds, json.loads(done.stdout) if "--json" in words else {}


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _killed(words: list[str], out: Path, boards: int) -> int:
    """Play a match and kill it once it has that many boards; return the boards on file."""
    with subprocess.Popen([*PROGRAM, *words], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and _lines(out) <= boards:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
    return _lines(out) - 1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--a", default="rules:examples/weak_notrump.bid")
    parser.add_argument("--b", default="rules:sayc")
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("match-bench"))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    whole, again = given.folder / "match.jsonl", given.folder / "killed.jsonl"
    for path in (whole, again):
        path.unlink(missing_ok=True)

    settings = ["--boards", str(given.boards), "--seed", str(given.seed)]
    words = ["match", given.a, given.b, *settings, "--jobs", str(given.jobs), "--json"]
    played, result = _timed(*words, "--out", str(whole), "--pbn", str(whole.with_suffix(".pbn")))
    moment = random.SystemRandom().randrange(1, max(2, given.boards - 8))
    stopped = _killed([*words, "--quiet", "--out", str(again)], again, moment)
    _timed(*words, "--out", str(again))
    same = again.read_bytes() == whole.read_bytes()
    verified, verdict = _timed("verify", str(whole), "--jobs", str(given.jobs), "--json")
    reported, _ = _timed("report", str(whole))

    print(f"{given.a} against {given.b}, {result['boards']} boards, {given.jobs} processes")
    for scorer, imps in result["imps"].items():
        low, high = imps["interval"]
        print(f"  {scorer:9} {imps['mean']:+.3f} IMPs/board ({low:+.3f} to {high:+.3f})")
    print(f"  bid differently: {result['different']}, with a swing: {result['swings']}")
    print(f"  match      {played:8.1f} s  {result['boards'] / played:8.2f} boards/s")
    print(
        f"  killed after {stopped} boards, resumed: {'the same file' if same else 'ANOTHER FILE'}"
    )
    print(
        f"  verify     {verified:8.1f} s  {verdict['calls']} calls, "
        f"{len(verdict['mismatches'])} wrong"
    )
    print(f"  report     {reported:8.1f} s")
    if given.json:
        figures = {
            "result": result,
            "jobs": given.jobs,
            "seconds": {"match": played, "verify": verified, "report": reported},
            "boards_per_second": result["boards"] / played,
            "killed_after": stopped,
            "resumed_to_the_same_file": same,
            "calls": verdict["calls"],
            "mismatches": len(verdict["mismatches"]),
        }
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if not same or verdict["mismatches"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
