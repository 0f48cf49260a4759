"""A worker with boards unlike those of the others is found, and only such a worker."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bidwright.match.record.estimate import FEWEST
from bidwright.match.record.match_lines import BoardLine
from bidwright.match.record.residuals import Residuals


def _played(seed: int, workers: int, boards: int) -> tuple[Residuals, np.random.Generator]:
    """Return residuals of workers that play alike: most boards are flat, as they are in matches."""
    rng = np.random.default_rng(seed)
    found = Residuals()
    for board in range(boards):
        flat = rng.random() < 0.6
        found.add(f"w{board % workers}", 0.0 if flat else float(rng.normal(0, 6)))
    return found, rng


def test_workers_alike_raise_hardly_an_alarm() -> None:
    alarms = sum(bool(_played(seed, 8, 1_600)[0].suspects()) for seed in range(300))
    assert alarms <= 2


@pytest.mark.parametrize(("shift", "scale"), [(2.5, 1.0), (0.0, 2.5)])
def test_a_worker_that_favours_a_side_or_is_wild_stands_out(shift: float, scale: float) -> None:
    found, rng = _played(1, 7, 1_400)
    for _ in range(200):
        flat = rng.random() < 0.6 / scale
        found.add("odd", shift + (0.0 if flat else float(rng.normal(0, 6 * scale))))
    assert [each.worker for each in found.suspects()] == ["odd"]


def test_a_residual_is_the_difference_of_means_in_standard_errors() -> None:
    found = Residuals()
    for _ in range(FEWEST):
        for worker, values in (("a", (1.0, 3.0)), ("b", (0.0, 2.0)), ("c", (0.0, 2.0))):
            for value in values:
                found.add(worker, value)
    own, other, _ = found.rows()
    count = 2 * FEWEST
    error = (count / (count - 1) / count + 1 / (2 * count - 1)) ** 0.5
    assert (own.boards, own.mean) == (count, 2.0)
    assert own.imps == own.swings == pytest.approx(1 / error)
    assert other.imps < 0


def test_few_boards_tell_nothing() -> None:
    found = Residuals()
    for board in range(FEWEST - 1):
        found.add("a", 10.0 + board % 2)
        found.add("b", 0.0 + board % 2)
    assert [each.imps for each in found.rows()] == [0.0, 0.0]
    assert not found.suspects()


def test_nothing_is_compared_with_few_boards_of_the_others() -> None:
    residuals = Residuals()
    for board in range(2 * FEWEST):
        residuals.add("a", 10.0 + board % 2)
    for board in range(FEWEST - 1):
        residuals.add("b", 0.0 + board % 2)
    assert [each.imps for each in residuals.rows()] == [0.0, 0.0]


def test_a_match_tells_its_workers_and_warns_of_one_that_stands_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bidwright.cli import main
    from bidwright.match.play import workers

    command = ["match", "random:1", "pass", "--boards", "8", "--batch", "2", "--quiet", "--json"]
    assert main([*command, "--jobs", "2"]) == 0
    found = json.loads(capsys.readouterr().out)["workers"]
    assert sum(each["boards"] for each in found) == 8
    assert all(":" in each["worker"] for each in found)

    played = workers._Player.__call__

    def wrong(self: workers._Player, numbers: list[int]) -> tuple[str, list[BoardLine]]:
        name, lines = played(self, numbers)
        odd = bool(numbers[0] // 8 % 4)
        for line in lines:
            for scorer in line["imps"]:
                line["imps"][scorer] += 0 if odd else 20
        return f"{name}{odd}", lines

    monkeypatch.setattr(workers._Player, "__call__", wrong)
    out = tmp_path / "match.jsonl"
    many = ["match", "pass", "pass", "--boards", "240", "--quiet", "--out", str(out)]
    assert main(many) == 0
    text = capsys.readouterr().out
    assert text.count("are unlike those of the others") == 2  # each is unlike the other one
    assert "bidwright verify" in text
