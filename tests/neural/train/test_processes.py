"""Several processes train one network: the curve is that of one process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.train.distributed import Processes
from bidwright.neural.weights import read_card, save_weights

TWO = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
PATIENCE = 120.0
"""Seconds until processes that were to be interrupted count as stuck."""


def test_all_pieces_of_work_are_shared_and_no_process_has_two_more() -> None:
    for count in range(10):
        for size in range(1, 5):
            shares = [Processes(rank, size).share(count) for rank in range(size)]
            assert sum(shares) == count
            assert max(shares) - min(shares) <= 1


@pytest.mark.slow
def test_two_processes_learn_what_one_does(corpus_file: Path, tmp_path: Path) -> None:
    curves = []
    tiny = ["steps=30", "batch=64", "width=16", "evaluate_every=10"]
    words = ["-m", "bidwright", "train", "sl", "--data", str(corpus_file), "--quiet"]
    words += [word for each in tiny for word in ("--set", each)]
    for count, launcher in ((1, []), (2, TWO)):
        folder = tmp_path / str(count)
        subprocess.run(
            [sys.executable, *launcher, *words, "--out", str(folder)],
            check=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        lines = (folder / "log.jsonl").read_text().splitlines()
        curves.append([json.loads(line)["held_out_loss"] for line in lines])
        card = read_card(folder / "policy.safetensors")
        begun = f"torchrun --nproc-per-node {count} -m bidwright" if count > 1 else "bidwright"
        assert str(card["command"]).startswith(f"{begun} train sl --data")
    assert curves[0] == pytest.approx(curves[1], rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kept",
    [
        ["--algorithm", "a2c-pr"],
        ["--set=lag=2", "--set=parts=2", "--set=minibatches=2", "--set=policy_rate=0.03"],
    ],
    ids=["replay", "rounds"],
)
def test_two_processes_go_on_with_what_each_of_them_had_kept(
    kept: list[str], deals_file: Path, tmp_path: Path
) -> None:
    torch.manual_seed(7)
    start = tmp_path / "start.safetensors"
    save_weights(start, Network(NetworkShape(480, 38, 16, 2)), "policy", {})
    tiny = ["iterations=100", "boards=16"]
    if "a2c-pr" in kept:
        tiny += ["replay=2000", "burn_in=200", "batch=64", "updates=2"]
    tiny += ["evaluation_deals=12", "evaluate_every=4", "width=16", "depth=2", "pool_every=1"]
    tiny += ["checkpoint_minutes=0.0", "leash_targets=[]", "device=cpu"]
    words = ["-m", "bidwright", "train", "rl", "--policy", str(start)]
    words += kept
    words += ["--deals", str(deals_file), "--quiet"]
    words += [word for each in tiny for word in ("--set", each)]
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    once = {"env": {**os.environ, "OMP_NUM_THREADS": "1"}}

    def command(folder: Path) -> list[str]:
        return [sys.executable, *TWO, *words, "--out", str(folder)]

    subprocess.run(command(whole), check=True, **once)  # type: ignore[call-overload]
    begun = subprocess.Popen(command(pieces), **once)  # type: ignore[call-overload]
    try:
        end = time.monotonic() + PATIENCE
        while _learnt(pieces) < 8 and begun.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        assert begun.poll() is None, "they were still at work"
        begun.send_signal(signal.SIGINT)  # the launcher tells its workers, who end their round
        assert begun.wait(PATIENCE) != 0
    finally:
        begun.kill()
        begun.wait()
    assert 8 <= _learnt(pieces) < _learnt(whole)
    subprocess.run(command(pieces), check=True, **once)  # type: ignore[call-overload]
    assert (pieces / "log.jsonl").read_text() == (whole / "log.jsonl").read_text()
    digests = [read_card(folder / "policy.safetensors")["digest"] for folder in (whole, pieces)]
    assert digests[0] == digests[1]


def _learnt(folder: Path) -> int:
    """Return the rounds in a run's log that learnt something."""
    file = folder / "log.jsonl"
    return file.read_text().count("policy_loss") if file.exists() else 0
