"""The opponents that a search assumes, held against those at the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bench.opponents import measured, report
from bidwright.bridge.calls import Call
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.weights import save_weights

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a policy that always passes, and one that likes to bid."""
    folder = tmp_path_factory.mktemp("weights")
    for name, likes in (("silent", Call.PASS), ("bold", Call.C1NT)):
        torch.manual_seed(1)
        network = Network(NetworkShape(480, 38, 16, 1))
        with torch.no_grad():
            network.last.weight.mul_(0.1)
            network.last.bias[likes] = 8.0
            network.last.bias[Call.PASS] += 4.0
        save_weights(folder / f"{name}.safetensors", network, "policy", {})
    return folder


def test_members_who_bid_otherwise_are_told_apart(weights: Path) -> None:
    silent, bold = f"{weights}/silent.safetensors", f"{weights}/bold.safetensors"
    spec = f"bmcs:{silent},prior=0,shield=off,p_max=40,proposals=uniform,tricks=none"
    rows = list(measured(spec, f"1 {silent} / 2 {bold} / 1 rules", MINI, 24))
    assert {each["sits"] for each in rows} == {silent, bold, "rules"}
    assert all(each["shares"] == {silent: 0.25, bold: 0.5, "rules": 0.25} for each in rows)
    assert all(sum(each["chances"].values()) == pytest.approx(1) for each in rows)
    given = {
        name: [each["chances"][name] for each in rows if each["sits"] == name]
        for name in (silent, bold)
    }
    assert np.mean(given[bold]) > 0.9
    assert np.mean([each["chances"][bold] for each in rows if each["sits"] != bold]) < 0.2


def test_scores_and_chances_are_counted() -> None:
    def row(sits: str, calls: int, chance: float) -> dict[str, object]:
        return {
            "sits": sits,
            "calls": calls,
            "chances": {"a": chance, "b": 1 - chance},
            "shares": {"a": 0.5, "b": 0.5},
        }

    rows = [row("a", 1, 0.8), row("a", 1, 0.6), row("b", 1, 0.6), row("b", 3, 0.2)]
    lines = [" ".join(line.split()) for line in report(rows).splitlines()]
    scores = np.log(np.array([0.8, 0.6, 0.4, 0.8]) / 0.5)
    some, error = scores[:3].mean(), scores[:3].std(ddof=1) / np.sqrt(3)
    assert f"1 to 1 3 67 {some:+.3f} ± {error:.3f}" in lines
    assert f"1 to 20 4 75 {scores.mean():+.3f} ± {scores.std(ddof=1) / 2:.3f}" in lines
    assert not any(line.startswith("3 to 3") for line in lines), "one board has no error"
    assert "0.75 to 0.90 2 0.800 1.000 ± 0.000" in lines
    assert "0.50 to 0.75 2 0.600 0.500 ± 0.500" in lines
    assert "a 2 0.700 0.500" in lines
