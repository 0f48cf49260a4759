"""The command line, run in-process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bidwright.cli import main

ROOT = Path(__file__).parents[2]
MINI = str(ROOT / "tests" / "systems" / "mini.bid")


@dataclass(frozen=True)
class Result:
    """The exit status and the output of a command.

    Attributes:
        code: its exit code.
        out: what it printed.
        err: what it said on standard error.
    """

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command, with text as its standard input."""
    monkeypatch.chdir(ROOT)

    def call(*argv: str, stdin: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(list(argv))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def mini() -> str:
    """Return the path of the small system."""
    return "tests/systems/mini.bid"
