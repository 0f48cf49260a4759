"""The programs in `examples/` run, and print what they are for."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ARGUMENTS = {"cautious_bot": ["2"], "notrump_study": ["5"], "quiz": ["1NT (P)", "3"]}
PRINTED = {
    "cautious_bot": "side A python:cautious  against  rules:sayc\n2 boards,",
    "notrump_study": "1NT 15..17: 3NT makes on ",
    "quiz": "1. ",
}


def test_every_program_is_tried() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == ARGUMENTS.keys() == PRINTED.keys()


@pytest.mark.system
@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_example_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = EXAMPLES / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(path), *ARGUMENTS[name]])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.startswith(PRINTED[name])
