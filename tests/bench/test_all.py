"""The page of all goals: figures by the loop beside them, and whether a goal is met."""

from __future__ import annotations

import pytest

from bidwright.bench.all import AT_REST, Row, line


@pytest.mark.parametrize(
    ("goal", "value", "unit", "calibrated", "verdict"),
    [
        ("<= 0.5", 0.8, "s", 0.4, "met"),
        ("<= 0.5", 1.2, "s", 0.6, "short, 1.2 times"),
        (">= 300,000", 200_000, "deals/s", 400_000, "met"),
        (">= 300,000", 50_000, "deals/s", 100_000, "short, 3.0 times"),
        ("<= 64", 24.0, "MB", 24.0, "met"),
        ("", 3.0, "ms", 1.5, ""),
    ],
)
def test_a_figure_is_judged_as_if_the_machine_were_idle(
    goal: str, value: float, unit: str, calibrated: float, verdict: str
) -> None:
    row = Row("a goal", goal, value, unit, 2 * AT_REST, "dealer not here")
    assert row.calibrated == pytest.approx(calibrated)
    assert row.verdict == verdict
    text = line(row)
    assert text.startswith("a goal")
    assert text.endswith("dealer not here")
