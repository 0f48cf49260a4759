"""The verb `test`: examples of files on their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

TEXT = """\
opening
  strong: 1NT hcp 15..17, balanced
  1S "five spades" spades 5+, hcp 12+
  1S "a light one" spades 6+, hcp 10..11
  may pass

example KQ4.AQ8.K9873.K2 -> 1S
example KQ4.AQ8.K9873.K2 -> 1NT
example K4.Q8.K98732.K32 -> 2D
example KQT954.Q8.K987.2 vul ns dealer E -> 1S
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file with four examples, two of them wrong."""
    (tmp_path / "own.bid").write_text(TEXT)
    return str(tmp_path / "own.bid")


def test_a_failing_example_shows_every_rule_with_a_say(run: Run, path: str) -> None:
    result = run("test", path)
    assert result.code == 1
    assert (
        result.out
        == f"""\
{path}:7: expected 1S, got 1NT
  KQ4.AQ8.K9873.K2 -> 1S
  KQ4.AQ8.K9873.K2 (17 HCP, 3=3=5=2)
  the rules, in their order:
  > 1NT  {path}:2  bids it: 15-17 HCP, balanced
    1S   {path}:3  needs 5+ spades, and comes later
    1S   {path}:4  needs 6+ spades, and comes later

{path}:9: expected 2D, got P
  K4.Q8.K98732.K32 -> 2D
  K4.Q8.K98732.K32 (11 HCP, 2=2=6=3)
  no rule bids 2D here
  the rules, in their order:
    1NT  {path}:2  needs 15-17 HCP
    1S   {path}:3  needs 5+ spades
    1S   {path}:4  needs 6+ spades
  > P    {path}:5  bids it: any hand

2 of 4 examples bid as stated
"""
    )


@pytest.mark.parametrize(
    ("words", "lines"),
    [("own.strong", [7, 8]), ("1s", [7, 10]), ("VUL NS", [10]), ("own.bid:8", [8])],
)
def test_a_filter_looks_at_place_example_and_rule(
    run: Run, path: str, words: str, lines: list[int]
) -> None:
    result = run("test", path, "-k", words, "--json")
    assert [each["line"] for each in json.loads(result.out)["examples"]] == lines


def test_json_has_the_rules_of_failures_only(run: Run, path: str) -> None:
    reply = json.loads(run("test", path, "--json").out)
    assert reply["failed"] == 2
    assert ["considered" in each for each in reply["examples"]] == [True, False, True, False]
    assert reply["examples"][3] == {
        "file": path,
        "line": 10,
        "module": "own",
        "hand": "KQT954.Q8.K987.2",
        "auction": [],
        "dealer": "E",
        "vul": "ns",
        "expected": "1S",
        "call": "1S",
        "rule": "opening.1S#2",
        "passed": True,
    }


@pytest.mark.system
def test_parts_of_a_system_are_run_as_parts(run: Run) -> None:
    result = run("test", "systems/sayc/openings.bid", "systems/common/preempts.bid", "-k", "2NT")
    assert result.code == 0
    assert result.out.endswith("examples bid as stated\n")


def test_errors_in_files_and_empty_choices_are_told(run: Run, path: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.bid"
    broken.write_text("opening\n  1NT hpc 15..17\nexample KQ4.AQ8.K9873.K2 -> 1NT\n")
    result = run("test", str(broken))
    assert result.code == 1
    assert "E201" in result.err
    none = run("test", path, "-k", "7NT")
    assert none.code == 2
    assert none.err == f"bidwright: expected examples with '7NT' in {path}, found none\n"


def test_a_rule_that_the_auction_rules_out_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ruled_out.bid"
    file.write_text(
        "opening\n  2C hearts 5+, spades 5+; artificial\n    bid(X) unbid(X), X 3+\n    pass\n\n"
        "example 842.Q842.953.J52 after 2C (P) -> 2H\n"
    )
    reason = "unbid(X) does not hold here"
    assert f"    {file}:3  {reason}\n" in run("test", str(file)).out
    assert f"  = not 2H: {reason}: {file}:3:5\n" in run("check", str(file)).out


def test_a_more_specific_block_of_an_included_system_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "base.bid").write_text(
        'system base "Base"\n\nopening\n  1C hcp 12+\n  pass\n\n'
        "after 1m (P) when not passed_hand\n  1S spades 4+\n"
    )
    added = 'convention added "Added"\n\nafter 1m (P)\n  2S spades 5+; artificial\n'
    (tmp_path / "added.bid").write_text(added)
    ours = tmp_path / "ours.bid"
    hand = "example KQ842.J953.Q2.84 after 1C (P) -> 2S"
    ours.write_text(f'system ours "Ours"\n\ninclude base\ninclude added\n\n{hand}\n')
    reason = "comes later: the block of 1S is more specific, 'when' included"
    assert reason in run("test", str(ours)).out
    assert f"= not 2S: {reason}" in run("check", str(ours)).out
    (tmp_path / "added.bid").write_text(added.replace("(P)", "(P) when not passed_hand"))
    assert run("check", str(ours)).code == 0
