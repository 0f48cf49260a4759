"""Proofs against opponents with a given system: their calls are the ones that they make."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bidwright.authoring.hands.positions import Explorer, by_pattern
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.authoring.lint.whole import deal_of
from bidwright.bridge.cards import Seat
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import HCP, LENGTHS, features_of
from bidwright.kb.rules.rulebase import RuleBase

OURS = """
opening
  1NT hcp 15..17, balanced
  pass

after 1NT (P)
  2C "majors?" hcp 8+; artificial, forcing, asks major
    2H hearts 4+
    2S spades 4+
    2D
  pass

after 1NT (2H)
  2S spades 5+
  pass hcp ..9

anywhere
  may pass
"""

SILENT = """
opening
  pass
anywhere
  pass
"""

DOUBLERS = """
opening
  pass

after (1NT) P (2C)
  X "lead a club" clubs 5+, hcp 8+
  pass

anywhere
  pass
"""

HEARTS = """
opening
  1NT hcp 12..14, balanced
  pass

after (1NT)
  2H hearts 6+, hcp 11..14
  pass

anywhere
  pass
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def _rules(folder: Path, name: str, text: str) -> RuleBase:
    file = folder / f"{name}.bid"
    file.write_text(f'system {name} "{name}"\n{text}', encoding="utf-8")
    system = load(file)
    assert not system.has_errors
    return rule_base(system.name, system.title, system.statements)


def _found(folder: Path, vs: str | None, ours: str = OURS) -> Mapping[str, Finding]:
    """Return the findings against opponents, by code: each code once."""
    rules = _rules(folder, "ours", ours)
    system = load(folder / "ours.bid")
    theirs = None if vs is None else _rules(folder, "theirs", vs)
    found = prove(system, rules, deals=12, vs=theirs)
    some = [each for each in found if isinstance(each, Finding)]
    assert len({each.code for each in some}) == len(some)
    return {each.code: each for each in some}


def test_any_interference_shows_faults_that_silent_opponents_do_not(tmp_path: Path) -> None:
    anything = _found(tmp_path, None)
    assert {"W422", "W428"} <= anything.keys()
    assert _found(tmp_path, SILENT).keys() == {"W434"}, "2D needs no diamonds"


def test_opponents_who_double_leave_the_fault_over_a_double_alone(tmp_path: Path) -> None:
    found = _found(tmp_path, DOUBLERS)
    assert "W428" not in found
    fault = found["W422"]
    assert fault.diagnostic.message == "no rule says what to do after 2C and a double"
    assert fault.weight is not None
    assert _found(tmp_path, None)["W422"].diagnostic.message == (
        "no rule says what to do after 2C and a double, "
        "a suit at the same level (2D), a suit at the next level (3C)"
    )
    rarer = _found(tmp_path, DOUBLERS.replace("hcp 8+", "hcp 15+"))["W422"]
    assert rarer.weight is not None
    assert rarer.weight < fault.weight / 2


def test_their_meaning_restricts_what_they_hold_on_the_deal(tmp_path: Path) -> None:
    fault = _found(tmp_path, HEARTS)["W428"]
    assert fault.witness is not None
    assert str(fault.witness.auction) == "1NT (2H)"
    theirs = _rules(tmp_path, "theirs", HEARTS)
    deal = deal_of(fault, _rules(tmp_path, "ours", OURS), theirs)
    assert deal is not None
    overcaller = deal[fault.witness.auction.seat_of(1)]
    assert overcaller is not None
    assert features_of(overcaller)[LENGTHS[2]] >= 6
    assert 11 <= features_of(overcaller)[HCP] <= 14


def test_they_open_by_their_own_system(tmp_path: Path) -> None:
    text = OURS + "\nafter (1NT)\n  X hcp 14+\n  pass hcp ..12\n"
    rules = _rules(tmp_path, "ours", text)
    theirs = _rules(tmp_path, "theirs", HEARTS)
    group = next(g for g in by_pattern(rules).values() if g[0].id.startswith("(1NT)"))
    (found,) = Explorer(rules, vs=theirs).positions_of(group, 1)
    assert str(found.auction) == "1NT"
    opener = found.state.shown[Seat.NORTH]
    assert opener.hcp == (12, 14)
    assert not list(Explorer(rules, vs=_rules(tmp_path, "theirs", SILENT)).positions_of(group, 1))


def test_a_proof_against_others_is_no_proof_against_these(tmp_path: Path) -> None:
    assert "W422" in _found(tmp_path, DOUBLERS)
    assert "W422" not in _found(tmp_path, DOUBLERS.replace("(1NT) P (2C)", "(1NT) P (2D)"))
    assert "W422" in _found(tmp_path, DOUBLERS)


SHARED = """
block runs "What responder does with a long minor"
  3C clubs 6+, hcp ..7
  3D diamonds 6+, hcp ..7

opening
  1NT hcp 15..17, balanced
  pass

after 1NT (P)
  2S hcp ..7, clubs 6+
  2NT hcp ..7, diamonds 6+
  use runs
  pass

after 1NT (2H)
  use runs
  pass

anywhere
  pass
"""


def test_a_line_that_also_stands_over_calls_they_do_not_make_is_not_dead(tmp_path: Path) -> None:
    assert _found(tmp_path, SILENT, SHARED).keys() == {"W434"}, "2S needs no spades"
    alone = SHARED.replace("after 1NT (2H)\n  use runs\n  pass\n", "")
    rules = _rules(tmp_path, "ours", alone)
    system = load(tmp_path / "ours.bid")
    found = prove(system, rules, deals=12, vs=_rules(tmp_path, "theirs", SILENT))
    codes = [each.code for each in found if isinstance(each, Finding)]
    assert [code for code in codes if code != "W434"] == ["E411", "E411"]
