"""Calls that are forcing to a level: a public fact, and no pass below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import prove
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.hand import parse_hand
from bidwright.inference.explanation.call_text import flag_words
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.in_short import brief_of
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import System, load
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.rulebase import RuleBase

TEXT = """system levels "Forcing to a level"

opening
  2C "strong" hcp 20+; artificial, forcing to 2NT
  1S "five spades" spades 5+, hcp 11..19
  pass

after 2C (P)
  2D "waiting"; artificial

after 2C (P) 2D (P)
  pass "never made" hcp 20
  2NT "balanced" balanced
  2M "five cards" M 5+

after 2C (P) 2M (P)
  pass

after 1S (P)
  2H "hearts" hearts 5+, hcp 10+; forcing to 3M
  2S "a raise"

after 1S (P) 2H (P)
  2S "six" spades 6+
  3H "a fit" hearts 3+
  pass

after 1S (P) 2H (P) 2S (P)
  4S "enough" spades 3+
  3H "six"

anywhere
  may pass "nothing"
"""


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    file = tmp_path_factory.mktemp("levels") / "levels.bid"
    file.write_text(TEXT, encoding="utf-8")
    system = load(file)
    assert render(system.diagnostics, system.texts) == ""
    return system


@pytest.fixture(scope="module")
def rules(system: System) -> RuleBase:
    return rule_base(system.name, system.title, system.statements)


@pytest.mark.parametrize(
    ("auction", "forced", "passes"),
    [
        ("2C P", True, False),  # below 2NT, and a pass could end it
        ("2C P 2D P", True, False),
        ("2C P 2D P 2NT P", False, True),  # reached by us
        ("2C 2D", True, True),  # partner has another turn
        ("2C X", True, True),
        ("2C P 2D 2S P P", True, False),  # they would play undoubled
        ("2C P 2D 2S X P", True, True),  # they would play doubled
        ("2C 3C", False, True),  # reached by them
        ("1S P 2H P 2S P", True, False),  # to 3H, the letter being that of the call
        ("1S P 2H P 3H P", False, True),
        ("1S P 2S P", False, True),
    ],
)
def test_level_is_public_and_keeps_passes_out(
    rules: RuleBase, auction: str, forced: bool, passes: bool
) -> None:
    reading = reader_for(rules).read(parse_auction(auction))
    assert bool(PublicFacts(reading.state)["level_forced",]) is forced
    assert any(each.call == Call.PASS for each in reading.decision.instances) is passes


def test_a_call_that_reaches_its_level_is_not_forcing(rules: RuleBase) -> None:
    state = reader_for(rules).read(parse_auction("2C P 2D P 2NT P")).state
    assert not state.is_forced
    assert reader_for(rules).read(parse_auction("2C P")).state.is_forced


def test_hand_that_a_rule_would_pass_makes_the_next_call(rules: RuleBase) -> None:
    hand = parse_hand("KQ4.AQ8.AK98.AJ2")
    reading = reader_for(rules).read(parse_auction("2C P 2D P"))
    assert choose(reading, hand).call == Call.C2NT


def test_explained_with_its_level(rules: RuleBase) -> None:
    calls = Explainer(reader_for(rules)).explain(parse_auction("1S P 2H P")).calls
    assert calls[2].record.forcing is Forcing.LEVEL
    assert calls[2].record.forcing_to == Call.C3H
    assert calls[2].record.seat == Seat.SOUTH
    assert flag_words(calls[2]) == ["forcing to 3H"]
    brief = brief_of(reader_for(rules).read(parse_auction("1S P 2H")).meanings)
    assert brief.line().endswith("; forcing to 3H")
    assert brief.alert().endswith("; forcing to 3H.")


def test_proof_names_hands_that_have_no_call_below_the_level(tmp_path: Path) -> None:
    rules_text = (
        "  2C hcp 20+; artificial, forcing to 2NT\n    2D; artificial\n      2NT balanced\n"
    )
    (tmp_path / "short.bid").write_text(
        f'system short "Short"\n\nopening\n{rules_text}', encoding="utf-8"
    )
    system = load(tmp_path / "short.bid")
    rules = rule_base(system.name, system.title, system.statements)
    found = [each for each in prove(system, rules, deals=4) if isinstance(each, Finding)]
    messages = {(each.diagnostic.code, each.diagnostic.message) for each in found}
    assert ("W425", "our side is forced to 2NT, but some hands pass below it") in messages
