"""Several processes train one network: the curve is that of one process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bidwright.neural.weights import read_card


@pytest.mark.slow
def test_two_processes_learn_what_one_does(corpus_file: Path, tmp_path: Path) -> None:
    curves = []
    tiny = ["steps=30", "batch=64", "width=16", "evaluate_every=10"]
    words = ["-m", "bidwright", "train", "sl", "--data", str(corpus_file), "--quiet"]
    words += [word for each in tiny for word in ("--set", each)]
    two = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    for count, launcher in ((1, []), (2, two)):
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
