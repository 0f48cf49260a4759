"""The log score: words of programs, nested regions, and weights fitted to one half."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bidwright.inference.sampling.hand_tables import SHAPE_INDEX


@pytest.fixture(scope="module")
def logscore() -> ModuleType:
    path = Path(__file__).parents[2] / "bench" / "logscore.py"
    spec = importlib.util.spec_from_file_location("logscore", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("words", "shape", "points", "fits"),
    [
        ("15-17 HCP; 5+!H", (3, 3, 5, 2), 15, True),
        ("15-17 HCP; 5+!H", (3, 3, 5, 2), 18, False),
        ("15-17 HCP; 5+!H", (3, 4, 4, 2), 15, False),
        ("2D bid -- 4- D; 10+ HCP; forcing to 2N", (5, 4, 2, 2), 30, True),
        ("2D bid -- 4- D; 10+ HCP", (4, 5, 2, 2), 30, False),
        ("12- total points", (7, 6, 0, 0), 7, False),
        ("12- total points", (7, 6, 0, 0), 6, True),
    ],
)
def test_ranges_in_the_words_of_a_program(
    logscore: ModuleType, words: str, shape: tuple[int, ...], points: int, fits: bool
) -> None:
    table = logscore.stated_table(words)
    assert bool(table[SHAPE_INDEX[shape[:3]]] >> points & 1) is fits


def test_words_without_a_range_state_nothing(logscore: ModuleType) -> None:
    assert logscore.stated_table("waiting -- ; Artificial; Forcing to 2H") is None


def test_the_shares_of_tables_are_exact(logscore: ModuleType) -> None:
    assert logscore.share_of(logscore.stated_table("0+ HCP")) == pytest.approx(1)
    flat = logscore.stated_table("4 S; 3 H; 3 D; 3 C")
    assert logscore.share_of(flat) == pytest.approx(0.026340, abs=1e-6)


def _measured(logscore: ModuleType, usual: float, possible: float) -> object:
    """Return calls, half of each parity, of which these shares are in the regions."""
    rng = np.random.default_rng(3)
    count = 2000
    draws = rng.random(count)
    measured = logscore.Measured(np.repeat(np.arange(count // 2), 2).tolist())
    sizes = {"usual": 0.05, "usual near": 0.1, "usual far": 0.3}
    sizes |= {"possible": 0.1, "near": 0.2, "far": 0.4}
    ends = {"usual": usual, "usual near": usual, "usual far": 0.95}
    ends |= {"possible": possible, "near": possible, "far": 0.95}
    for name, share in sizes.items():
        for draw in draws:
            measured.add(name, share, bool(draw < ends[name]))
    for name in logscore.STATED:
        for _ in draws:
            measured.add(name, 0.0, False)
    return measured


def test_scores_are_those_of_nested_regions(logscore: ModuleType) -> None:
    measured = _measured(logscore, 0.6, 0.8)
    everything = np.ones(2000, dtype=np.bool_)
    densities = logscore.Densities.of(measured, ("usual", "possible"), everything)
    assert densities.rings[:, 0] == pytest.approx([0.05, 0.05, 0.9])
    total = 0.05 + 0.5 * 0.05 + 0.1 * 0.9
    bits = {0: np.log2(1 / total), 1: np.log2(0.5 / total), 2: np.log2(0.1 / total)}
    scores = densities.scores((1, 0.5, 0.1))
    assert scores == pytest.approx([bits[level] for level in densities.level.tolist()])


def test_fitted_weights_are_the_densities_of_the_hands(logscore: ModuleType) -> None:
    measured = _measured(logscore, 0.6, 0.8)
    everything = np.ones(2000, dtype=np.bool_)
    densities = logscore.Densities.of(measured, ("usual", "possible"), everything)
    held = np.bincount(densities.level, minlength=3) / 2000
    expected = held / densities.rings[:, 0]
    assert logscore.fitted([densities]) == pytest.approx(
        (expected / expected[0]).tolist(), rel=0.05
    )


def test_both_tiers_score_more_than_either(logscore: ModuleType) -> None:
    lines = list(logscore.table({"made": _measured(logscore, 0.6, 0.8)}))
    scores = {line.split()[0]: float(line.split()[1]) for line in lines[1:4]}
    assert scores["both"] > max(scores["possible"], scores["usual"])
    assert lines[-1].strip().startswith("both: 1,")


def test_the_error_of_a_mean_counts_the_calls_of_a_board_as_one(logscore: ModuleType) -> None:
    scores, boards = np.array([1.0, 1.0, 3.0, 3.0]), np.array([1, 1, 5, 5])
    assert logscore.error_of(scores, boards) == pytest.approx(np.sqrt(8) / 4)
    assert logscore.error_of(scores, np.arange(4)) == pytest.approx(2 / 4)
