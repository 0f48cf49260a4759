"""`rules`: what a system has, by calls, ids, tiers and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]


def test_rules_of_sayc_after_calls(run: Run) -> None:
    result = run("rules", "sayc", "--pattern", "opening", "--id", "opening.*NT")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [
        ["opening.3NT", "book"],
        ["opening.2NT", "book"],
        ["opening.1NT", "book"],
    ]
    assert lines[-1] == "3 rules"


def test_rules_at_an_auction_of_sayc_in_json(run: Run) -> None:
    reply = json.loads(run("rules", "sayc", "1NT P", "--file", "stayman", "--json").out)
    (rule,) = [each for each in reply["rules"] if each["call"] == "2C"]
    assert rule["file"].endswith("conventions/stayman.bid")
    assert (rule["tier"], rule["latitude"], rule["after"]) == ("book", False, "1NT (P)")


def test_no_rules_are_said_to_be_none(run: Run) -> None:
    assert run("rules", "sayc", "--tier", "judgement", "--id", "nothing").out == "no rules\n"


def test_bad_input_ends_in_one_sentence(run: Run) -> None:
    result = run("rules", "sayc", "--pattern", "1NT P")
    assert result.code == 2
    assert result.err.startswith("bidwright: expected a pattern such as '1M (P)' or 'opening'")
    result = run("rules", "sayc", "1NT", "--pattern", "1NT")
    assert result.code == 2
    assert "expected an auction or --pattern, not both" in result.err
