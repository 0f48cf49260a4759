#!/usr/bin/env python3
"""Put faults into a copy of the tree, one at a time, and see that tests fail.

The faults are those of `tests/mutants.toml`. A fault is found by its text, which stands once in its
folder, so that modules may be renamed and moved; one that is nowhere, or in several places, is
stale. With `--all-tests` the tests marked `system` count as well. `--record` keeps the results in
`bench/mutants.md`, a line for each fault.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "mutants.toml"
RECORD = ROOT / "bench" / "mutants.md"
_HEAD = """\
# Faults by hand, and which of them tests see

Written by `scripts/mutants.py --record`, a line for each fault of `tests/mutants.toml`: it was put
into a copy of the tree, and those tests of its rooms ran that `make test` runs.
"""
_NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", ".typing", ".mypy_cache", ".ruff_cache", ".hypothesis", "build", "dist"
)
_PASSED, _FAILED, _BROKEN = 0, 1, 2
"""Exit statuses of pytest: all passed, some failed, and a file that cannot be imported."""
_SECONDS = 900
"""Seconds until tests that a fault keeps from ending are given up."""


@dataclass(frozen=True)
class Mutant:
    """A fault, and what should see it.

    Attributes:
        folder: where the text stands, such as `kb`.
        old: the text, which stands once in the modules of the folder.
        new: what stands there instead.
        tests: files or folders of tests, one of which fails.
    """

    folder: str
    old: str
    new: str
    tests: tuple[str, ...]

    @classmethod
    def from_entry(cls, entry: dict[str, str]) -> Mutant:
        """Return the fault of an entry of the list."""
        return cls(entry["folder"], entry["old"], entry["new"], tuple(entry["tests"].split()))

    def place(self, root: Path) -> Path | str:
        """Return the module that has the text; in words what is wrong if there is not one."""
        modules = sorted((root / self.folder).rglob("*.py"))
        counts = {path: path.read_text(encoding="utf-8").count(self.old) for path in modules}
        places = [path for path, count in counts.items() if count]
        if missing := [test for test in self.tests if not (root / test).exists()]:
            return f"no tests {' '.join(missing)}"
        # Once: a text that stands twice would put two faults into the copy.
        if len(places) != 1 or counts[places[0]] != 1:
            return f"the text stands {sum(counts.values())} times in {self.folder}, not once"
        return places[0]

    def __str__(self) -> str:
        """Return the first line of the text."""
        return f"{self.folder}: {self.old.partition(chr(10))[0]}"


def mutants() -> list[Mutant]:
    """Return the faults of the list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    return [Mutant.from_entry(entry) for entry in entries]


@contextmanager
def _copies(number: int) -> Iterator[SimpleQueue[Path]]:
    """Give copies of the tree, each with a link for its package."""
    queue: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        for place in range(number):
            copy = Path(folder) / str(place)
            # A copy for each process: the tree itself is never changed, also if this one is killed.
            shutil.copytree(ROOT, copy, ignore=_NOT_COPIED)
            (copy / ".typing").mkdir()
            (copy / ".typing" / "bidwright").symlink_to("..")
            queue.put(copy)
        yield queue


def _result(mutant: Mutant, copies: SimpleQueue[Path], marks: str) -> str:
    """Return the outcome of a fault: `killed`, `survived`, or `stale` and why."""
    copy = copies.get()
    try:
        place = mutant.place(copy)
        if isinstance(place, str):
            return f"stale: {place}"
        text = place.read_text(encoding="utf-8")
        place.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            status = _tested(copy, mutant.tests, marks)
        finally:
            place.write_text(text, encoding="utf-8")
        # A fault that keeps a module from being imported, or tests from ending, is seen as well.
        if status in (_FAILED, _BROKEN, None):
            return "killed"
        return "survived" if status == _PASSED else f"stale: pytest ends with status {status}"
    finally:
        copies.put(copy)


def _tested(copy: Path, tests: tuple[str, ...], marks: str) -> int | None:
    """Return the exit status of tests in a copy; None if they do not end."""
    environment = {**os.environ, "PYTHONPATH": str(copy / ".typing"), "BIDWRIGHT_TESTS_LEAVE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", marks]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=copy, env=environment, capture_output=True, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode


def recorded(text: str, results: dict[str, str]) -> str:
    """Return the page with new results; what is no longer in the list is left out.

    Args:
        text: the page as it was, or an empty text.
        results: what became of each fault that was tried, by its line.
    """
    earlier = {line[12:]: line[2:12].strip() for line in text.splitlines() if line[:2] == "- "}
    outcomes = earlier | results
    # In the order of the list, so that a fault that is tried again stays where it is.
    lines = [str(each) for each in mutants() if str(each) in outcomes]
    killed = sum(outcomes[line] == "killed" for line in lines)
    rows = "".join(f"- {outcomes[line]:10}{line}\n" for line in lines)
    return f"{_HEAD}\n{killed} of {len(lines)} killed.\n\n```text\n{rows}```\n"


def main() -> int:
    """Try all faults, or some; 1 if one survives or is stale."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="only faults whose folder or text has one of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--all-tests", action="store_true", help="those marked system as well")
    parser.add_argument("--record", action="store_true", help="keep the results")
    parser.add_argument("--check", action="store_true", help="only see that each has its place")
    options = parser.parse_args()
    wanted = [
        each
        for each in mutants()
        if not options.words or any(word in str(each) for word in options.words)
    ]
    if options.check:
        stale = [
            f"{each}: {each.place(ROOT)}" for each in wanted if isinstance(each.place(ROOT), str)
        ]
        print("\n".join([*stale, f"{len(wanted)} faults, {len(stale)} stale"]))
        return int(bool(stale))
    marks = "not slow" if options.all_tests else "not slow and not system"
    results: list[str] = []
    with _copies(options.jobs) as copies, ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(lambda mutant: _result(mutant, copies, marks), wanted)
        for mutant, result in zip(wanted, outcomes, strict=True):
            results.append(result)
            print(f"{result:9} {mutant}", flush=True)
    if options.record:
        before = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
        tried = {str(each): done for each, done in zip(wanted, results, strict=True)}
        RECORD.write_text(recorded(before, tried), encoding="utf-8")
    killed = results.count("killed")
    print(f"{killed} of {len(results)} killed")
    return int(killed < len(results))


if __name__ == "__main__":
    sys.exit(main())
