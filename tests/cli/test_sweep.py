"""The verb `sweep`: other ranges for a number of a rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.kb.loading.load import load

Run = Callable[..., Any]


def test_each_setting_is_measured_against_the_system_as_it_is(run: Run, mini: str) -> None:
    options = ["--system", mini, "--boards", "12", "--no-match", "--quiet", "--json"]
    result = run("sweep", "opening.1NT: 15..17 12..14", *options)
    assert result.code == 0
    own, same, weak = json.loads(result.out)
    assert own["range"] == same["range"] == "hcp 15..17"
    # 4.8% of all hands are balanced with 15 to 17 points, 9.7% with 12 to 14.
    assert own["frequency"] == same["frequency"] == pytest.approx(0.0477, abs=2e-3)
    assert weak["frequency"] == pytest.approx(0.097, abs=2e-3)
    assert (own["frequency_error"], weak["frequency_error"]) == (0.0, 0.0)
    assert same["auctions_changed"] == same["meanings_changed"] == 0
    assert weak["auctions_changed"] > 0
    assert weak["meanings_changed"] > 0
    assert weak["imps"] is None


def test_a_number_is_named_and_the_table_shows_what_calls_mean(run: Run, mini: str) -> None:
    options = ["--system", mini, "--boards", "8", "--no-match", "--quiet"]
    result = run("sweep", '"1M (P): 2M" support_points(M): 6..10', *options)
    assert result.code == 0
    head, _, own, setting, *_ = result.out.splitlines()
    assert head == "1M (P): 2M (tests/systems/mini.bid:34), 8 deals, seed 0"
    assert own.startswith("support_points(M) 6..9  ")
    assert own.endswith("as it is")
    assert setting.startswith("support_points(M) 6..10 ")


def test_settings_are_files_that_a_match_is_played_with(
    run: Run, mini: str, tmp_path: Path
) -> None:
    folder = tmp_path / "swept"
    options = ["--system", mini, "--boards", "4", "--out", str(folder), "--quiet"]
    first = run("sweep", "opening.1NT: 14..16", *options)
    assert first.code == 0
    assert "IMPs/board" in first.out
    system = load(folder / "setting1.bid")
    assert system.diagnostics == ()
    assert "hcp 14..16, balanced" in (folder / "setting1.bid").read_text()
    kept = (folder / "setting1.jsonl").read_bytes()
    assert run("sweep", "opening.1NT: 14..16", *options) == first
    assert (folder / "setting1.jsonl").read_bytes() == kept


def test_settings_kept_beside_the_system_are_no_part_of_it(
    run: Run, mini: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.bid").write_text(Path(mini).read_text())
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "swept"  # the system is named from here, the folder from the root
    options = ["--system", "mine.bid", "--boards", "1", "--no-match", "--out", str(folder)]
    for _ in range(2):
        assert run("sweep", "opening.1NT: 14..16", *options, "--quiet").code == 0
    assert [each.name for each in (folder / "system").rglob("*.bid")] == ["mine.bid"]


@pytest.mark.parametrize(
    ("knob", "message"),
    [
        ("opening.1NT", "expected a rule, a colon and settings, such as"),
        ("opening.1NX: 14..16", "expected the id of a rule of mini, got 'opening.1NX'"),
        ("opening.1NT spades: 4+", "that opening.1NT has a range for (hcp), got 'spades'"),
        ("opening.P: 4+", "expected a rule that has a range, got 'opening.P'"),
        ("opening.1NT: 14-16", "expected a range such as 14..16, 5+ or ..11, got '14-16'"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, mini: str, knob: str, message: str) -> None:
    result = run("sweep", knob, "--system", mini)
    assert result.code == 2
    assert message in result.err
