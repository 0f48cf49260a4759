"""The table of gains of joint search: all its runs are done once, and resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.ablations.joint_search import Arm, SearchPlan, measured, tabled

SETTINGS = ("boards=12", "evaluation_deals=16", "burn_in=10", "updates=1", "batch=32", "width=8")
ARMS = (Arm(0.0), Arm(0.5), Arm(0.5, "weighed"))


def test_gains_are_over_the_same_seed_without_search_and_no_run_is_done_twice(
    tmp_path: Path, deals_file: Path
) -> None:
    plan = SearchPlan(tmp_path, deals_file, "a2c-pr", "jps2020", SETTINGS, "new", 2, 1, 1, ARMS)
    plan.train()
    rows = list(measured(plan, 16))
    assert [(row["arm"], row["seed"]) for row in rows] == [
        (arm, seed) for arm in ("none", "kept-50", "weighed-50") for seed in (0, 1)
    ]
    assert all((row["searched"] > 0) == (row["arm"] != "none") for row in rows)
    assert all(row["changed"] <= row["searched"] for row in rows)
    assert all((row["predicted"] > 0) == (row["changed"] > 0) for row in rows)
    # Two strangers see the same boards from both sides.
    strangers = [imps for row in rows if (imps := row["strangers"]) is not None]
    assert len(strangers) == len(rows)
    assert strangers[0] == pytest.approx(-strangers[1])
    cells = [list(column.cells) for column in tabled(rows).columns]
    gain = [strangers[2 + seed] - strangers[seed] for seed in (0, 1)]
    assert cells[3][0] == ""
    assert str(cells[3][1]).split()[0] == f"{sum(gain) / 2:+.2f}"
    weights = sorted(tmp_path.glob("*/policy.safetensors"))
    assert len(weights) == 8
    before = [each.stat().st_mtime_ns for each in weights]
    plan.train()
    assert [each.stat().st_mtime_ns for each in weights] == before
    with pytest.raises(InvalidError, match="holds a run with iterations=1, not 2"):
        replace(plan, rounds=2).train()
