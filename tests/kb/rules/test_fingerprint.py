"""The fingerprint of a system: what rules mean changes it, what they look like does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.cli import main
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.rules.rulebase import RuleBase

SYSTEM = """\
system two "Two"

let support_points(S) = hcp + shortness(S)
let strong = hcp 22+ or playing_tricks 9+

opening "Openings"
  2C "strong" strong; artificial, forcing game, alert "any shape"
  1NT "15 to 17" hcp 15..17, balanced; announce "15 to 17"
  1S "spades" spades 5+, hcp 11..21, spades >= hearts
  1H "hearts" hearts 5+, hcp 11..21
  may 2S "weak" spades 6, hcp 5..10, usually top3(S) 2+
  pass "nothing"

after 1M (P)
  3M "limit raise" M 3+, support_points(M) 10..12; invitational, agrees M
  2M "raise" M 3+, support_points(M) 6..9; agrees M
  pass "weak"

after 1NT (P)
  2C "asks" hcp 8+; asks major
    2H "hearts" hearts 4+; answers major

rebase 1NT (2C) -> 1NT (P) stolen

example AQ765.K84.QJ2.96 -> 1S
"""

FINGERPRINT = "6842d5a8cd0e9e9f"
"""Of the system above, in every process and on every version of Python."""

Of = Callable[[str], str]


@pytest.fixture
def of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Of:
    """Return a function from the text of a system to its fingerprint."""
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))

    def fingerprint(text: str) -> str:
        path = tmp_path / "two.bid"
        path.write_text(text, encoding="utf-8")
        return open_system(path).fingerprint

    return fingerprint


def changed(old: str, new: str) -> str:
    assert SYSTEM.count(old) == 1, old
    return SYSTEM.replace(old, new)


def test_a_system_has_one_fingerprint_everywhere(of: Of, tmp_path: Path) -> None:
    assert of(SYSTEM) == FINGERPRINT
    path = str(tmp_path / "two.bid")
    code = (
        "from bidwright.kb.loading.compiled import open_system; "
        f"print(open_system({path!r}).fingerprint)"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "BIDWRIGHT_CACHE": str(tmp_path / "other")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.strip() == FINGERPRINT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("opening ", "# a comment\n\n\nopening "),
        ('system two "Two"', 'system other "Another title"'),
        ('pass "nothing"', 'none: pass "nothing at all"'),
        ("example AQ765.K84.QJ2.96 -> 1S\n", "example KQ4.AQ8.K9873.K2 -> 1NT\n"),
        ('"limit raise" M 3+, ', '"limit raise"   M 3+ and '),
        ("hearts 5+, hcp 11..21", "hcp 11..21, hearts 5+"),
        ('alert "any shape"', 'alert "strong"'),
        ("points(S) = hcp + shortness(S)", "points(X) = hcp + shortness(X)"),
        ("let strong =", "let unused = hcp 3\nlet strong ="),
    ],
)  # fmt: skip
def test_what_means_the_same_has_the_same_fingerprint(of: Of, old: str, new: str) -> None:
    assert of(changed(old, new)) == of(SYSTEM)


def test_blocks_that_never_compete_may_change_places(of: Of) -> None:
    head, lets, opening, raises, asks, *rest = SYSTEM.split("\n\n")
    moved = "\n\n".join([head, asks, raises, opening, lets, *rest])
    assert of(moved) == of(SYSTEM)


def test_another_name_for_a_definition_changes_nothing(of: Of) -> None:
    assert of(SYSTEM.replace("support_points", "raise_points")) == of(SYSTEM)


def test_formatting_changes_nothing(of: Of, tmp_path: Path) -> None:
    untidy = SYSTEM.replace(", ", " ,   ").replace("\n\n", "\n\n\n\n")
    before = of(untidy)
    path = tmp_path / "two.bid"
    assert main(["fmt", str(path)]) == 0
    assert path.read_text(encoding="utf-8") != untidy
    assert open_system(path).fingerprint == before == of(SYSTEM)


def test_rules_in_an_included_file_are_the_same_rules(of: Of, tmp_path: Path) -> None:
    cut = SYSTEM.index("opening")
    (tmp_path / "part.bid").write_text(SYSTEM[cut:], encoding="utf-8")
    assert of(SYSTEM[:cut] + "include part\n") == of(SYSTEM)


def test_what_a_call_is_said_to_show_is_no_meaning(of: Of) -> None:
    assert of(changed("hearts 5+, hcp 11..21", "hearts 5+, hcp 11..21 shows hearts 5+")) == of(
        SYSTEM
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hcp 15..17", "hcp 14..17"),
        ("M 3+, support_points(M) 10..12", "M 4+, support_points(M) 10..12"),
        ("2H \"hearts\"", "2S \"hearts\""),
        ("may 2S", "2S"),
        ("artificial, forcing game", "artificial, forcing"),
        ("artificial, forcing game", "forcing game"),
        ("; invitational, agrees M", "; agrees M"),
        ("10..12; invitational, agrees M", "10..12; invitational"),
        ("asks major", "asks kings"),
        ("answers major", "signoff"),
        ("usually top3(S) 2+", "usually top3(S) 1+"),
        ("spades >= hearts", "spades > hearts"),
        ("hearts 5+, hcp 11..21", "hearts 5+, hcp 11..21; priority 3"),
        ("hearts 5+, hcp 11..21", "hearts 5+, hcp 11..21; judgement"),
        ("hcp + shortness(S)", "hcp + shortness321(S)"),
        ("or playing_tricks 9+", "and playing_tricks 9+"),
        ("after 1NT (P)", "after 1NT (X)"),
        ("after 1NT (P)", "after ... 1NT (P)"),
        (" stolen", ""),
        ("rebase 1NT (2C) -> 1NT (P) stolen\n", ""),
        ('  pass "nothing"\n', '  pass "nothing"\n  1C "never" clubs 3+\n'),
    ],
)  # fmt: skip
def test_what_means_something_else_has_another_fingerprint(of: Of, old: str, new: str) -> None:
    assert of(changed(old, new)) != of(SYSTEM)


def test_each_place_of_a_rule_has_another_fingerprint(of: Of) -> None:
    old = "hearts 5+, hcp 11..21"
    places = [f"priority {n}" for n in (-13, -12, -11, -10, -9, 9, 10)]
    tiers = ["default", "judgement", "last resort"]
    places += [*tiers, *(f"{tier}, priority {n}" for tier in tiers for n in (-1, 1))]
    assert len({of(changed(old, f"{old}; {place}")) for place in places}) == len(places)


def test_the_order_of_rules_that_compete_is_part_of_the_meaning(of: Of) -> None:
    lines = SYSTEM.split("\n")
    place = next(at for at, line in enumerate(lines) if line.startswith('  1S "spades"'))
    lines[place : place + 2] = lines[place + 1], lines[place]
    assert of("\n".join(lines)) != of(SYSTEM)


def test_the_fingerprint_is_kept_with_the_compiled_system(
    of: Of, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = of(SYSTEM)
    monkeypatch.setattr(RuleBase, "rules", None)
    assert open_system(tmp_path / "two.bid").fingerprint == before


def test_a_changed_condition_in_memory_changes_it(tmp_path: Path, of: Of) -> None:
    before = of(SYSTEM)
    rules = open_system(tmp_path / "two.bid")
    assert rules.with_conditions({}, {}).fingerprint == before
    assert rules.with_conditions({"opening.1NT": None}, {}).fingerprint != before
