"""Long commands killed at random moments, again and again, come to the same results.

`kill -9` leaves no time to tidy up, as a power cut does. Each command is run once undisturbed, then
in pieces: killed at random moments, half of them just after it wrote something, and started again
by the same words. What is left after a kill has to be a part of the whole or nothing; what it
writes in the end has to be the same to the bit.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import quote

import numpy as np
import pytest

from bidwright.bridge.solved_deals import numbered_deals
from bidwright.bridge.symmetry import canonical
from bidwright.match.double_dummy.data_sets import solve_deals, solving
from bidwright.match.double_dummy.store import Store
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.making import make_corpus
from bidwright.tests.bench.four_hands.small import SYSTEM, lines_of_boards

ROOT = Path(__file__).parents[1]
MINI = str(Path(__file__).parent / "systems" / "mini.bid")
PATIENCE = 600.0
"""Seconds until a command that does not end is given up; a busy machine is no failure."""


def npz(path: Path) -> object:
    """Return the arrays of a file without the times that its archive notes."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name].tobytes() for name in sorted(file.files)}


def weights(folder: Path) -> object:
    """Return the weights of a policy, bit for bit."""
    from safetensors.numpy import load_file

    found = load_file(folder / "policy.safetensors")
    return {name: array.tobytes() for name, array in found.items()}


def curve(folder: Path) -> object:
    """Return the weights of a policy and the lines of its log."""
    return weights(folder), (folder / "log.jsonl").read_bytes()


def lines_of(folder: Path) -> object:
    """Return the record of each board."""
    lines = next(folder.rglob("boards.jsonl")).read_text().splitlines()
    return {json.loads(line)["board"]: line for line in lines}


@dataclass(frozen=True)
class Long:
    """A command that computes for long.

    Attributes:
        words: what follows the interpreter; `OUT` is the file or folder written, `IN` a folder
            with what it needs.
        out: the name of the file or folder.
        result: reads what was written, for comparison.
        kills: how often it is killed in a long test.
        prints: whether its result is what it prints, in the end into the file.
    """

    words: str
    out: str
    result: Callable[[Path], object]
    kills: int
    prints: bool = False


_SMALL = "--set=device=cpu --set=width=32 --set=depth=2 --set=checkpoint_minutes=0.0 --quiet"
LONG = {
    "match": Long(
        f"-m bidwright match rules:{MINI} random:1 --boards 60 --seed 3 --quiet --out OUT",
        "match.jsonl",
        Path.read_bytes,
        8,
    ),
    "solve": Long(
        "-m bidwright solve -n 1500 --seed 4 --known IN/known --quiet -o OUT", "deals.npz", npz, 8
    ),
    "data": Long(
        f"-m bidwright train data --system {MINI} -n 120 --seed 5 --quiet -o OUT",
        "corpus.npz",
        npz,
        8,
    ),
    "sl": Long(
        f"-m bidwright train sl --data IN/corpus.npz --out OUT {_SMALL} --set=steps=120 "
        "--set=batch=64 --set=evaluate_every=10 --set=warmup=5",
        "sl",
        curve,
        6,
    ),
    "rl": Long(
        f"-m bidwright train rl --policy IN/sl/policy.safetensors --deals IN/deals.npz --out OUT "
        f"{_SMALL} --set=iterations=10 --set=boards=16 --set=evaluation_deals=12 "
        "--set=minibatches=4 --set=evaluate_every=3 --set=pool_every=2 --set=system=\"''\"",
        "rl",
        curve,
        4,
    ),
    "tables": Long(
        "bench/tables.py IN/small.bid --boards IN/boards.jsonl --results OUT",
        "tables",
        lines_of,
        6,
    ),
    "diff": Long(
        "-m bidwright diff IN/small.bid IN/other.bid --deals 500 --positions 20 --follow 5 "
        "--format json --quiet",
        "diff.json",
        Path.read_bytes,
        5,
        prints=True,
    ),
}


def command(long: Long, out: Path, needs: Path) -> list[str]:
    """Return the words of a command that writes to a place."""
    words = shlex.split(long.words)
    placed = (word.replace("OUT", str(out)).replace("IN/", f"{needs}/") for word in words)
    return [sys.executable, *placed]


def started(long: Long, out: Path, needs: Path) -> subprocess.Popen[bytes]:
    """Start a command; what it prints goes to a file of its own."""
    with (out.parent / "printed").open("wb") as printed:
        return subprocess.Popen(
            command(long, out, needs), cwd=ROOT, stdout=printed, start_new_session=True
        )


def finished(long: Long, out: Path, needs: Path) -> tuple[object, float]:
    """Run a command to its end; return what it wrote, and the seconds that it took."""
    start = time.monotonic()
    process = started(long, out, needs)
    assert process.wait(PATIENCE) == 0
    if long.prints:
        (out.parent / "printed").replace(out)
    return long.result(out), time.monotonic() - start


def size(folder: Path) -> int:
    """Return the bytes below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def kill_later(process: subprocess.Popen[bytes], folder: Path, rng: Random, limit: float) -> bool:
    """Kill a process at a random moment; return whether it was killed before it was done.

    Half of the moments are drawn from the time that the whole takes, half follow shortly on
    something having been written.
    """
    deadline = time.monotonic() + rng.uniform(0, limit)
    if rng.random() < 0.5:
        before, last = size(folder), time.monotonic() + limit
        while process.poll() is None and size(folder) == before and time.monotonic() < last:
            time.sleep(0.002)
        deadline = time.monotonic() + rng.uniform(0, 0.1)
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    return process.wait(PATIENCE) == -9


def check_what_is_left(long: Long, out: Path, wanted: object) -> None:
    """Assert that no file is half written after a kill."""
    if long.prints or not out.exists():
        return
    if out.suffix == ".npz":
        assert long.result(out) == wanted
    elif isinstance(wanted, bytes):
        assert wanted.startswith(out.read_bytes())


def run_in_pieces(
    long: Long, folder: Path, needs: Path, kills: int, undisturbed: tuple[object, float]
) -> None:
    """Kill a command at random moments and start it again each time; compare what it writes.

    A command that is done before it is killed begins again from nothing, in another folder.
    """
    wanted, seconds = undisturbed
    rng, left = Random(kills), kills
    for attempt in range(20 * kills):
        out = folder / str(attempt) / long.out
        out.parent.mkdir(parents=True)
        while left:
            if not kill_later(started(long, out, needs), out.parent, rng, seconds):
                break
            left -= 1
            check_what_is_left(long, out, wanted)
        assert finished(long, out, needs)[0] == wanted
        if not left:
            return
    raise AssertionError("it ended too often before it could be killed")


@pytest.fixture(scope="module")
def needs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that commands read."""
    folder = tmp_path_factory.mktemp("needs")
    (folder / "small.bid").write_text(SYSTEM)
    (folder / "other.bid").write_text(Path(MINI).read_text(encoding="utf-8"))
    (folder / "boards.jsonl").write_text(lines_of_boards(60))
    owner = numbered_deals(4, range(1500))
    tricks = np.tile(owner[:, None, :20].reshape(-1, 1, 5, 4), (1, 2, 1, 1))
    with Store(folder / "known") as store:  # so that nothing has to be solved
        store.add(canonical(owner)[0], tricks)
    return folder


def learnt_from(needs: Path, name: str) -> None:
    """Write the files that a training run reads."""
    if name in ("sl", "rl"):
        make_corpus(needs / "corpus.npz", BiddingPlan(MINI, 5), 200)
    if name == "rl":
        solve_deals(needs / "deals.npz", 40, 4, solving(4, needs / "known"))
        if not (needs / "sl").exists():
            finished(LONG["sl"], needs / "sl", needs)


@pytest.mark.system
@pytest.mark.parametrize("name", ["solve", "data"])
def test_killed_at_random_moments_it_comes_to_the_same(
    name: str, needs: Path, tmp_path: Path
) -> None:
    (tmp_path / "whole").mkdir()
    whole = finished(LONG[name], tmp_path / "whole" / LONG[name].out, needs)
    run_in_pieces(LONG[name], tmp_path, needs, 2, whole)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_killed_many_times_it_comes_to_the_same(name: str, needs: Path, tmp_path: Path) -> None:
    learnt_from(needs, name)
    (tmp_path / "whole").mkdir()
    whole = finished(LONG[name], tmp_path / "whole" / LONG[name].out, needs)
    run_in_pieces(LONG[name], tmp_path, needs, LONG[name].kills, whole)


# ---------------------------------------------------------------------- a full disk

ROOM = {
    "match": 16_000,
    "solve": 60_000,
    "data": 8_000,
    "tables": 6_000,
    "sl": 40_000,
    "rl": 40_000,
}
"""Bytes that a file may have, fewer than a command wants to write."""


def told_where_there_is_no_room(name: str, needs: Path, out: Path) -> str:
    """Run a command under a limit on the size of files; return its output."""
    resource = pytest.importorskip("resource")
    done = subprocess.run(
        command(LONG[name], out, needs),
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM[name], ROOM[name])),
    )
    assert done.returncode == 2, done.stderr
    return done.stderr


def full_disk(name: str, needs: Path, tmp_path: Path) -> None:
    """Run a command where there is no room, then where there is: the result is the same."""
    long = LONG[name]
    learnt_from(needs, name)
    (tmp_path / "whole").mkdir()
    wanted, _ = finished(long, tmp_path / "whole" / long.out, needs)
    out = tmp_path / long.out
    said = told_where_there_is_no_room(name, needs, out)
    assert "cannot write" in said
    assert "file too large" in said
    assert "internal error" not in said
    check_what_is_left(long, out, wanted)
    assert finished(long, out, needs)[0] == wanted


@pytest.mark.system
def test_after_a_full_disk_it_comes_to_the_same(needs: Path, tmp_path: Path) -> None:
    full_disk("solve", needs, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["match", "data", "tables", "sl", "rl"])
def test_after_a_full_disk_the_others_come_to_the_same(
    name: str, needs: Path, tmp_path: Path
) -> None:
    full_disk(name, needs, tmp_path)


# --------------------------------------------------------------------- the explorer

QUESTIONS = [
    f"/api/position?ns=own&ew=own&auction={quote(calls)}"
    for calls in ("", "1NT", "1NT P", "1NT P 2C", "1S P", "1H X", "2C P")
]
_EXPLORER_KILLS = 5


def asked(port: int, path: str) -> bytes:
    """Return the answer of an explorer."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        content: bytes = answer.read()
        return content


def explorer(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start an explorer, and wait until it answers."""
    words = [sys.executable, "-m", "bidwright", "serve", "own.bid", "--port", str(port)]
    with (folder / "printed").open("ab") as printed:
        process = subprocess.Popen(words, cwd=folder, stdout=printed, stderr=printed)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, (folder / "printed").read_text()
        try:
            asked(port, "/")
        except OSError:
            time.sleep(0.05)
        else:
            return process
    raise AssertionError("the explorer does not answer")


@pytest.mark.slow
def test_an_explorer_that_is_killed_answers_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    (tmp_path / "own.bid").write_text(Path(MINI).read_text(encoding="utf-8"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    rng = Random(1)
    process = explorer(port, tmp_path)
    wanted = list(map(partial(asked, port), QUESTIONS))
    for _ in range(_EXPLORER_KILLS):
        asking = subprocess.Popen(
            [sys.executable, "-c", _ASKING, str(port), *QUESTIONS], stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0, 1.5))
        process.kill()
        process.wait(PATIENCE)
        asking.wait(PATIENCE)
        process = explorer(port, tmp_path)
        assert list(map(partial(asked, port), QUESTIONS)) == wanted
    os.kill(process.pid, 15)
    process.wait(PATIENCE)


_ASKING = """
import sys, urllib.request
while True:
    for path in sys.argv[2:]:
        urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}{path}", timeout=60).read()
"""
