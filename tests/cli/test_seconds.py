"""`--seconds`: an answer that takes too long ends with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]

NONE_LEFT = "1e-9"
_SENTENCE = "no answer was found within 1e-09 seconds"


@pytest.mark.parametrize("more", [[], ["--brief"], ["--deals", "2"], ["--json"]])
def test_explain_ends_with_a_sentence(run: Run, mini: str, more: list[str]) -> None:
    result = run("explain", "1NT P 3NT", "--system", mini, "--seconds", NONE_LEFT, *more)
    assert (result.code, result.out, result.err) == (2, "", f"bidwright: {_SENTENCE}\n")
    assert run("explain", "1NT P 3NT", "--system", mini, "--seconds", "600").code == 0


def test_each_request_has_its_own_time(run: Run, mini: str) -> None:
    lines = '{"id": 1, "auction": ["1NT"]}\n{"id": 2, "auction": ["1Z"]}\n'
    result = run("explain", "--jsonl", "--system", mini, "--seconds", NONE_LEFT, stdin=lines)
    first, second = map(json.loads, result.out.splitlines())
    assert first == {"id": 1, "error": _SENTENCE}
    assert second["error"].startswith("expected a call")
    result = run("explain", "--jsonl", "--system", mini, "--seconds", "600", stdin=lines)
    assert "calls" in json.loads(result.out.splitlines()[0])


def test_an_engine_gives_up(run: Run, mini: str) -> None:
    line = '{"id": 1, "auction": ["1NT"], "hand": "KQ4.AQ8.K9873.K2"}\n'
    result = run("engine", "--agent", f"rules:{mini}", "--seconds", NONE_LEFT, stdin=line)
    assert json.loads(result.out) == {"id": 1, "error": _SENTENCE}


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "x"])
def test_a_number_of_seconds_is_one(run: Run, text: str) -> None:
    result = run("explain", "1NT", "--seconds", text)
    assert result.code == 2
    assert "--seconds" in result.err
