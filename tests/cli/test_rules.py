"""`rules`: what a system has, by calls, ids, tiers and files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
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
    assert run("rules", "sayc", "opening", "--id", "opening.*NT").out == result.out


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


def test_rules_that_went_with_an_override_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "base.bid").write_text(
        'system base "B"\nopening\n  1NT hcp 15..17\n  may 1NT hcp 18\n  pass\n'
        "after 1NT (P)\n  2C hcp 8+\n  may 2C hcp 7\n  pass\n",
        encoding="utf-8",
    )
    own = tmp_path / "own.bid"
    own.write_text(
        'system own "O"\ninclude base\noverride opening.1NT\n  1NT hcp 12..14\n'
        'override "1NT (P): 2C"\n  2C hcp 9+\n',
        encoding="utf-8",
    )
    told = [
        f"{name} went with the rule that is overridden at {own}:{line}; 'keeping may' keeps it"
        for name, line in (("opening.1NT#2", 3), ("1NT (P): 2C#2", 5))
    ]
    for words, found in (
        ((), told),
        (("--pattern", "opening"), told[:1]),
        (("1NT P",), told[1:]),
        (("--id", "1NT*"), told[1:]),
        (("--tier", "book"), []),
    ):
        lines = run("rules", str(own), *words).out.splitlines()
        assert [line for line in lines if "went with" in line] == found
        assert json.loads(run("rules", str(own), *words, "--json").out)["displaced"] == found
