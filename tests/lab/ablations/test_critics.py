"""The table of critics: the same boards for all, and no run is done twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from bidwright.bridge.errors import InvalidError
from bidwright.lab.ablations.critics import ARMS, CriticsPlan, measured, tabled
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.weights import save_weights

SETTINGS = ("boards=12", "evaluation_deals=16", "minibatches=1", "width=8", "depth=1")


def test_noise_is_over_that_of_a_critic_of_states_and_no_run_is_done_twice(
    tmp_path: Path, deals_file: Path
) -> None:
    torch.manual_seed(7)
    start = tmp_path / "start.safetensors"
    save_weights(start, Network(NetworkShape(480, 38, 8, 1)), "policy", {})
    plan = CriticsPlan(
        tmp_path / "runs", deals_file, "ppo_small", SETTINGS, str(start), 2, 1, ("own",), 3
    )
    plan.train()
    rows = list(measured(plan))
    assert [(row["arm"], row["seed"]) for row in rows] == [
        (arm, seed) for seed in (0, 1) for arm in ARMS
    ]
    by_arm = {(row["arm"], row["seed"]): row for row in rows}
    assert all(row["noise"] > 0 for row in rows)
    ratios = [by_arm["calls", seed]["noise"] / by_arm["state", seed]["noise"] for seed in (0, 1)]
    cells = {column.header: list(column.cells) for column in tabled(rows).columns}
    assert cells["critic"] == list(ARMS)
    assert str(cells["noise"][0]).startswith("1.00")
    assert float(str(cells["noise"][1]).split()[0]) == pytest.approx(sum(ratios) / 2, abs=0.006)
    weights = sorted(tmp_path.glob("runs/*/policy.safetensors"))
    assert len(weights) == 2 * len(ARMS)
    before = [each.stat().st_mtime_ns for each in weights]
    plan.train()
    assert [each.stat().st_mtime_ns for each in weights] == before
    with pytest.raises(InvalidError, match="holds a run with iterations=1, not 2"):
        replace(plan, rounds=2).train()
