"""The script that trains weights for several systems goes through all its steps."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bidwright.neural.weights import load_weights

from .conftest import MINI

SCRIPT = Path(__file__).parents[2] / "scripts" / "league.sh"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        [str(SCRIPT), *words],
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.system
def test_weights_are_trained_and_measured(deals_file: Path, tmp_path: Path) -> None:
    systems, out = tmp_path / "systems.txt", tmp_path / "out"
    systems.write_text(f"{MINI}\n", encoding="utf-8")
    about = ("--deals", str(deals_file), "--systems", str(systems), "--out", str(out))
    small = ("--auctions", "20", "--steps", "4", "--rounds", "1", "--boards", "2")
    sizes = ("--width", "8", "--evaluation", "24")
    done = run(*about, *small, *sizes)
    assert done.returncode == 0, done.stderr
    measured = (out / "measured.txt").read_text(encoding="utf-8")
    assert "against  policy:sayc" in measured
    assert f"against  rules:{MINI}" in measured
    assert load_weights(out / "policy.safetensors", "policy").card["config"]["iterations"] == 1


def test_what_is_missing_is_said() -> None:
    done = run("--deals", "deals.npz")
    assert done.returncode == 2
    assert "--systems FILE" in done.stderr
