"""`explain CODE`: what a finding means."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize("code", ["E205", "e205", " E205 "])
def test_code_is_explained_with_a_wrong_and_a_right_file(run: Run, code: str) -> None:
    result = run("explain", code)
    assert (result.code, result.err) == (0, "")
    head, *_ = result.out.splitlines()
    assert head == "E205 a condition where a number is needed"
    assert "\nWrong:\n    opening\n      1NT balanced 1+" in result.out
    assert result.out.endswith("\nRight:\n    opening\n      1NT balanced, hcp 15..17\n")


def test_code_of_a_proof_is_explained_from_its_page(run: Run) -> None:
    result = run("explain", "W422")
    assert result.out.startswith("W422 no answer after interference\n")
    assert "](" not in result.out


def test_code_in_json(run: Run) -> None:
    reply = json.loads(run("explain", "W432", "--json").out)
    assert reply["title"] == "a suppression without a reason"
    assert reply["text"] == ["It has to say why."]
    assert reply["wrong"] != reply["right"]


def test_unknown_code_ends_in_one_sentence(run: Run) -> None:
    result = run("explain", "E299")
    assert result.code == 2
    assert result.err.startswith("bidwright: there is no code E299; near it are ")
