"""The check of many calls is clean where nothing is wrong, and finds each kind of planted fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bidwright.bench import soundness, soundness_checks
from bidwright.bench.soundness import main
from bidwright.bridge.calls import Call
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.posterior import probability_tables
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.tests.bench.four_hands.small import SYSTEM

Found = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(name="check")
def _check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    """Return a function that checks a small system, and returns exit status and counts."""
    monkeypatch.setattr(soundness_checks, "_DRAWN", 20)
    monkeypatch.setattr(probability_tables, "_MOST_EFFORT", 1_000_000)  # else minutes
    system = tmp_path / "small.bid"
    system.write_text(SYSTEM)

    def check(*more: str, calls: int = 60) -> tuple[int, dict[str, Any]]:
        figures = tmp_path / "figures.json"
        words = ["--system", str(system), "--calls", str(calls), "--json", str(figures)]
        code = main([*words, "--out", str(tmp_path / "kept"), "--sample", "100", *more])
        return code, json.loads(figures.read_text())

    return check


@pytest.mark.system
@pytest.mark.parametrize("among", ["self", "random"])
def test_a_system_without_a_fault_is_clean(check: Found, among: str) -> None:
    code, found = check("--among", among)
    assert (code, found["faults"]) == (0, [])
    assert found["calls"] >= 60
    assert found["looked into"] >= 1
    assert found["deals drawn"] >= 20
    assert found["reasons given"] >= 1


def test_a_hand_outside_its_bounds_is_found(check: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = HandEngine.bounds

    def short(self: HandEngine, turns: Any) -> Bounds | None:  # noqa: ANN401
        found = exact(self, turns)
        if found is None or not turns:
            return found
        low, high = found.hcp
        return replace(found, hcp=(low, max(low, high - 3)))

    monkeypatch.setattr(HandEngine, "bounds", short)
    code, found = check()
    assert code == 1
    assert found["outside"] == len([each for each in found["faults"] if "outside" in each]) > 0


def test_a_position_without_a_rule_is_found(check: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = DecisionList.choose
    monkeypatch.setattr(
        DecisionList,
        "choose",
        lambda self, row: None if row[0] == 3 else choose(self, row),
    )
    code, found = check()
    assert (code, found["uncovered"] > 0) == (1, True)


def test_an_illegal_call_is_found(check: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = DecisionList.choose

    def redouble(self: DecisionList, row: Any) -> Any:  # noqa: ANN401
        chosen = choose(self, row)
        return chosen if chosen is None else replace(chosen, call=Call.REDOUBLE)

    monkeypatch.setattr(DecisionList, "choose", redouble)
    code, found = check()
    assert (code, found["illegal"] > 0) == (1, True)
    assert "is XX [deal 0" in found["faults"][0]


def test_drawn_deals_that_do_not_agree_are_found(
    check: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soundness_checks, "agrees", lambda belief, deal: False)
    code, found = check()
    assert (code, found["draws"] > 0) == (1, True)


def test_what_was_found_is_kept_and_not_checked_again(
    check: Found, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, first = check(calls=40)
    kept = (tmp_path / "kept").read_bytes()
    _, both = check(calls=150)
    assert (tmp_path / "kept").read_bytes().startswith(kept)
    assert both["calls"] > first["calls"]
    monkeypatch.setattr(soundness_checks.Checker, "check", None)  # nothing is left to do
    _, again = check(calls=150)
    assert again == both


def test_what_was_found_with_other_rules_is_refused(
    check: Found, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(calls=20)
    system = tmp_path / "small.bid"
    system.write_text(SYSTEM.replace("15..17", "14..17"))
    words = ["--system", str(system), "--calls", "20", "--sample", "15"]
    assert main([*words, "--out", str(tmp_path / "kept")]) == 2
    assert "expected results of this check of these rules" in capsys.readouterr().err


def test_shards_hold_what_was_found(
    check: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = ("--shards", str(tmp_path / "shards"))
    _, first = check(*shards, calls=40)
    (tmp_path / "kept").unlink()
    monkeypatch.setattr(soundness_checks.Checker, "check", None)  # nothing is left to do
    assert check(*shards, calls=40)[1] == first


@pytest.mark.system
def test_two_processes_find_what_one_finds(check: Found, tmp_path: Path) -> None:
    assert soundness._CHUNK == 20
    one = check(calls=100)
    (tmp_path / "kept").unlink()
    assert check("--jobs", "2", calls=100)[1]["calls"] == one[1]["calls"]
