"""Bad inputs: what a run came to is judged rightly, and faults are seen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bidwright.bench.hostile_runs import GIB, Bounds, Outcome, started, steers, table, verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs Linux")


@pytest.mark.parametrize(
    ("code", "errors", "hung", "memory", "what"),
    [
        (2, "bidwright: expected a file\n", False, 0, "sentence"),
        (0, "", False, 0, "answer"),
        (1, "", False, 0, "other"),
        (2, "\u202e", False, 0, "other"),
        (2, "line\n" * 1_000, False, 0, "other"),
        (-11, "x", False, 0, "other"),
        (1, "bidwright: internal error, KeyError: 1\n", False, 0, "traceback"),
        (1, "Traceback (most recent call last):\n", False, 0, "traceback"),
        (2, "bidwright: there is not enough memory\n", False, GIB + 1, "memory"),
        (-9, "", True, 0, "hang"),
    ],
)
def test_a_run_is_judged(code: int, errors: str, hung: bool, memory: int, what: str) -> None:
    assert verdict(code, errors, "", hung=hung, memory=memory, most=GIB) == what


def test_signs_that_steer_are_seen() -> None:
    assert [steers(text) for text in ("a\tb\n\u0142", "\x1b", "\u202e", "\u2028")] == [
        *(False, True, True, True)
    ]


def test_a_command_that_waits_for_ever_is_ended(tmp_path: Path) -> None:
    bounds = Bounds(seconds=0.1)
    assert started("streams", "x", "x", "exec sleep 60", tmp_path, bounds).verdict == "hang"
    assert started("streams", "x", "x", "echo no >&2; exit 2", tmp_path, bounds).detail == "no"


def test_the_table_counts_by_kind() -> None:
    outcomes = [
        Outcome(kind, "x", "y", what, 0, 0.0, 0.0, "")
        for kind, what in (("files", "sentence"), ("files", "hang"), ("servers", "answer"))
    ]
    rows = [line.split() for line in table(outcomes)]
    assert rows[1] == ["files", "2", "1", "0", "1", "0", "0", "0"]
    assert rows[-1] == ["together", "3", "1", "1", "1", "0", "0", "0"]
