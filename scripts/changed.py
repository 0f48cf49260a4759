#!/usr/bin/env python3
"""Run the long tests that a change touches: marked `system` or `lab`, with inputs not yet green.

The inputs of a file of tests are its own text, the text beside it that it may use (`conftest.py`,
helpers, golden outputs), and the rooms that it names (such as `kb/rules`), with the rooms that
those name, and so on; whatever loads convention files has all of `systems/` among them. A hash of
them is kept in the cache folder for each file that passed. A file with the same hash is left out.
Where nothing is kept yet, a branch is compared with what it left: files none of whose inputs differ
are left out, too.

Files run two at a time until the time is up; what does not fit is listed. First come those that
failed the last time, then those whose own text, or that of a room they name, differs from when they
were green, then the others: the shortest of each first, so that most of them are tried.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parents[1]
FIRST = ("tests/test_examples.py", "tests/systems/", "tests/kb/", "tests/inference/", "tests/cli/")
"""Where the tests are that come first, those that see most of all at the beginning."""

FRONT = "front"
"""In place of a room: the modules of the root."""

_READS_SYSTEMS = "kb/loading"
_APART = {"tests", "build", "dist"}
_MADE = {".pyc", ".nbi", ".nbc"}
_MARKED = {"system": re.compile(r"\bmark\.system\b"), "slow": re.compile(r"\bmark\.slow\b")}
_LAB = "tests/lab/"
"""Where all tests are marked `lab`, by the folder's own `conftest.py`."""
_DAYS_KEPT = 14
"""Days without use until an entry of the cache is removed."""
_GRACE = 10.0
"""Seconds that a file of tests has to end after it was interrupted."""


# ---------------------------------------------------------------------- what depends on what


@cache
def _rooms() -> dict[str, tuple[Path, ...]]:
    """Return the files of each room: of `kb/rules` with its folders, of `kb` the loose ones."""
    rooms: dict[str, list[Path]] = {FRONT: sorted(ROOT.glob("*.py"))}
    for folder in sorted(path for path in ROOT.iterdir() if path.is_dir()):
        if folder.name[0].isalpha() and folder.name not in _APART:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix not in _MADE:
                    parts = path.relative_to(ROOT).parts[:-1][:2]
                    rooms.setdefault("/".join(parts), []).append(path)
    return {name: tuple(files) for name, files in rooms.items()}


def _imported(text: str) -> set[str]:
    """Return the rooms of the modules that a text names, such as `bidwright.kb.rules.rule`.

    A name that is imported from a folder may be a room, too.
    """
    # By their text and not by importing: a name in a string, such as that of a process to start, is
    # a dependence as well.
    names = re.findall(r"\bbidwright((?:\.\w+)+)", text)
    for start, last in re.findall(r"\bfrom bidwright((?:\.\w+)*) import ([\w, ]+|\([^)]*\))", text):
        names += [f"{start}.{name}" for name in re.findall(r"\w+", last)]
    parts = {tuple(name.split(".")[1:3]) for name in names}
    folders = {"/".join(each) for each in parts} | {each[0] for each in parts}
    return (folders & _rooms().keys()) | ({FRONT} if folders & {"cli", "__main__"} else set())


def _named(text: str) -> set[str]:
    """Return the rooms that a file of tests names: as packages, as paths, or by the front."""
    started = r"^(?:import bidwright$|from bidwright import )|-m\W+bidwright\b|bin.\W*bidwright\b"
    front = re.search(started, text, re.MULTILINE)
    words = set(re.findall(r"[\"'`/ ](\w+)[\"'`/]", text))
    folders = words - {path.parent.name for path in ROOT.glob("*/__init__.py")}
    read = {room for room in _rooms() if room.split("/")[0] in folders}
    return _imported(text) | read | ({FRONT} if front else set())


@cache
def _named_by(room: str) -> frozenset[str]:
    """Return the rooms of the modules that the modules of a room name."""
    modules = (path for path in _rooms()[room] if path.suffix == ".py")
    texts = (path.read_text(encoding="utf-8") for path in modules)
    return frozenset(name for text in texts for name in _imported(text))


def _beside(test: Path) -> Iterator[Path]:
    """Yield the files of the tests that a file of tests may use: helpers, not other tests."""
    folder = test.parent
    while folder != ROOT:
        for path in sorted(folder.glob("*.py")):
            if path == test or not path.name.startswith("test_"):
                yield path
        folder = folder.parent
    # Which golden files a test reads is worked out as it runs, so all of them count.
    if "golden" in test.read_text(encoding="utf-8"):
        golden = (ROOT / "tests" / "golden").rglob("*")
        yield from sorted(path for path in golden if path.is_file())


@cache
def inputs(test: str) -> frozenset[str]:
    """Return the rooms that the result of a file of tests depends on."""
    path = ROOT / test
    text = "".join(p.read_text(encoding="utf-8") for p in _beside(path) if p.suffix == ".py")
    reached: set[str] = set()
    waiting = _named(text)
    while waiting:
        room = waiting.pop()
        if room not in reached:
            reached.add(room)
            waiting |= _named_by(room)
            # The names of systems are texts of tests, and of files that include each other.
            if room == _READS_SYSTEMS:
                waiting |= {each for each in _rooms() if each.split("/")[0] == "systems"}
    return frozenset(reached)


# ------------------------------------------------------------------------------- hashes


def environment() -> str:
    """Return a short hash of Python and of every package that is installed."""
    names = sorted(f"{each.name}=={each.version}" for each in distributions())
    return sha256("\n".join([sys.version, *names]).encode()).hexdigest()[:12]


def cache_folder() -> Path:
    """Return the cache folder of tests: $BIDWRIGHT_CACHE, or one of this environment, made.

    What is compiled, bid or proved once need not be again: keys are hashes of the texts and of the
    code. Installed packages are in no key, so each set of them has a folder. Entries that were not
    used for two weeks are removed.
    """
    if chosen := os.environ.get("BIDWRIGHT_CACHE"):
        return Path(chosen)
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bidwright-tests"
    folder = caches / environment()
    folder.mkdir(parents=True, exist_ok=True)
    oldest = time.time() - _DAYS_KEPT * 24 * 3600
    for entry in caches.glob("*/*.entry"):
        with suppress(FileNotFoundError):  # another process was faster
            if entry.stat().st_mtime < oldest:
                entry.unlink()
    return folder


@cache
def _hash_of(room: str) -> str:
    digest = sha256()
    for path in _rooms()[room]:
        # The path as well: a module that was moved is imported by another name.
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def key(test: str, marks: str) -> str:
    """Return the hash of all that the result of a file of tests depends on."""
    digest = sha256(f"{marks}\0{environment()}\0".encode())
    for path in sorted(_beside(ROOT / test)):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(sha256(path.read_bytes()).digest())
    for room in sorted(inputs(test)):
        digest.update(_hash_of(room).encode())
    return digest.hexdigest()


def near_key(test: str) -> str:
    """Return the hash of a file of tests, of its helpers, and of the rooms that they name."""
    path = ROOT / test
    digest = sha256(path.read_bytes())
    texts = [p.read_text(encoding="utf-8") for p in _beside(path) if p.suffix == ".py"]
    for text in texts:
        digest.update(text.encode())
    for room in sorted(_named("".join(texts))):
        digest.update(_hash_of(room).encode())
    return digest.hexdigest()


# ------------------------------------------------------------------------------- the record


@dataclass
class Record:
    """The hashes of the inputs of green tests, in a file beside the cached results.

    Attributes:
        file: where they are kept.
        green: the hash of the inputs with which a file of tests last passed, by its name.
        seconds: how long it took then.
        near: the hash that its own text and the rooms that it names had then.
        failed: the files that failed the last time that they ran.
    """

    file: Path
    green: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    near: dict[str, str] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def read(cls, file: Path) -> Record:
        """Return the record of a file; an empty one if there is none that can be read."""
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            green, seconds = dict(content["green"]), dict(content["seconds"])
            # Records of earlier programs have no such entries.
            near, failed = dict(content.get("near", {})), set(content.get("failed", []))
            return cls(file, green, seconds, near, failed)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls(file)

    def add(self, test: str, hashed: str, seconds: float) -> None:
        """Keep that a file of tests has passed."""
        with self._lock:
            self.green[test], self.seconds[test] = hashed, round(seconds, 1)
            self.near[test] = near_key(test)
            self.failed.discard(test)
            self._write()

    def add_failed(self, test: str) -> None:
        """Keep that a file of tests has failed."""
        with self._lock:
            self.failed.add(test)
            self._write()

    def _write(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "green": self.green,
            "seconds": self.seconds,
            "near": self.near,
            "failed": sorted(self.failed),
        }
        # Written aside and renamed: two runs at a time must not read half a record.
        temporary = self.file.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(content, indent=1), encoding="utf-8")
        temporary.replace(self.file)


def _git(*arguments: str) -> str | None:
    """Return the output of git; None if it fails or if there is none."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _differing() -> tuple[str, set[str]] | None:
    """Return the commit that this branch left, and the paths that differ; None if there is none."""
    head = _git("rev-parse", "HEAD")
    for upstream in ("@{upstream}", "origin/HEAD"):
        base = _git("merge-base", "HEAD", upstream)
        if base and base != head:
            return base, set((_git("diff", "--name-only", base) or "").splitlines())
    return None


def _touches(test: str, paths: Iterable[str]) -> bool:
    """Return True if some of the paths are among the inputs of a file of tests."""
    files = {*_beside(ROOT / test), *(path for room in inputs(test) for path in _rooms()[room])}
    return not files.isdisjoint(ROOT / path for path in paths)


# ------------------------------------------------------------------------------- running


def _marks_of(test: Path) -> set[str]:
    """Return the marks of the long tests in a file of tests."""
    text = test.read_text(encoding="utf-8")
    marks = {mark for mark, pattern in _MARKED.items() if pattern.search(text)}
    return marks | ({"lab"} if test.is_relative_to(ROOT / _LAB) else set())


def tests_marked(marks: Iterable[str]) -> list[str]:
    """Return the files that have tests with one of the marks, in the order in which they run."""
    names = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if not _marks_of(path).isdisjoint(marks)
    ]
    places = {name: place for place, name in enumerate(FIRST)}

    def place(name: str) -> int:
        return min((at for start, at in places.items() if name.startswith(start)), default=99)

    return sorted(names, key=lambda name: (place(name), name))


def _selection(marks: Iterable[str]) -> str:
    """Return pytest's expression for tests with one of the marks; slow ones only if they are."""
    wanted = " or ".join(marks)
    return wanted if "slow" in marks else f"({wanted}) and not slow"


@dataclass(frozen=True)
class Run:
    """The result of a file of tests.

    Attributes:
        test: its name.
        status: `green`, `failed`, or `left`: not begun, or broken off, since the time was up.
        output: what it printed.
    """

    test: str
    status: str
    output: str = ""


def run(test: str, marks: Iterable[str], record: Record, deadline: float) -> Run:
    """Run a file of tests if there is time, and keep that it is green if it is."""
    left = deadline - time.monotonic()
    # Not begun if it took longer the last time: the time goes to shorter ones.
    if left < record.seconds.get(test, 0):
        return Run(test, "left")
    wanted = _selection(marks)
    # Hashed before the run: an edit meanwhile must not be recorded as green.
    hashed, start = key(test, wanted), time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", wanted, test],
        cwd=ROOT,
        env={**os.environ, "BIDWRIGHT_TESTS_LEAVE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        output, _ = process.communicate(timeout=None if left == float("inf") else left)
    except subprocess.TimeoutExpired:
        # Interrupted first, as by Ctrl-C: pytest then removes its folders and ends its children.
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        return Run(test, "left")
    seconds = time.monotonic() - start
    if process.returncode not in (0, 5):  # 5: none of its tests is wanted
        record.add_failed(test)
        print(f"failed  {test}", flush=True)
        return Run(test, "failed", output)
    record.add(test, hashed, seconds)
    print(f"green   {test}  {seconds:.0f} s", flush=True)
    return Run(test, "green")


def wanted_tests(tests: Iterable[str], marks: str, record: Record) -> tuple[list[str], str]:
    """Return the files that are to run, and in words why the others are not."""
    tests = list(tests)
    if record.green:
        some = [test for test in tests if record.green.get(test) != key(test, marks)]
        return some, "unchanged since they were green"
    differing = _differing()
    if differing is None:
        return tests, "left out"
    base, paths = differing
    return [test for test in tests if _touches(test, paths)], f"as at {base[:10]}"


def in_order(tests: Iterable[str], record: Record) -> list[str]:
    """Return files of tests in the order of their runs.

    Those without a recorded time come after the short ones, as if they took a middling time.
    """
    times = sorted(record.seconds.values())
    middling = times[len(times) // 2] if times else 0.0

    def rank(test: str) -> tuple[int, float]:
        kind = 0 if test in record.failed else 1 if record.near.get(test) != near_key(test) else 2
        # The shortest first: as many as possible are tried before the time is up.
        return kind, record.seconds.get(test, middling)

    return sorted(tests, key=rank)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="all of them, those marked slow as well")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="how long at most")
    parser.add_argument("--list", action="store_true", help="show what would run, and its inputs")
    parser.add_argument(
        "--cache-folder", action="store_true", help="print the folder of cached results, made"
    )
    return parser.parse_args()


def main() -> int:
    """Run the tests that are wanted; 1 if some failed."""
    options = _options()
    if options.cache_folder:
        print(cache_folder())
        return 0
    start = time.monotonic()
    marks = ("system", "lab", "slow") if options.all else ("system", "lab")
    record = Record.read(cache_folder() / "green.json")
    tests, why = tests_marked(marks), ""
    if not options.all:
        every = len(tests)
        tests, why = wanted_tests(tests, _selection(marks), record)
        if every > len(tests):
            print(f"{every - len(tests)} files of long tests: {why}")
        tests = in_order(tests, record)
    if options.list:
        for test in tests:
            print(f"{test}: {' '.join(sorted(inputs(test)))}")
        return 0
    # Threads, since each only waits for a process of its own.
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        runs = list(pool.map(lambda test: run(test, marks, record, start + options.seconds), tests))
    for done in runs:
        if done.status == "failed":
            print(f"\n== {done.test}\n{done.output}")
    if late := [each.test for each in runs if each.status == "left"]:
        print(f"left for `make test-all`, since the time was up: {' '.join(late)}")
    failed = sum(each.status == "failed" for each in runs)
    print(f"{sum(each.status == 'green' for each in runs)} green, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
