"""Conditions asked about outside of rules."""

from __future__ import annotations

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import parse_hand
from bidwright.kb.conditions.query import read_condition
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("hcp 15..17, balanced", True),
        ("balanced", True),
        ("not balanced", False),
        ("keycards(H) 2+", True),
        ("has(SK) and has(SA)", False),
        ("aces 4 or shape 5332", False),
    ],
)
def test_a_condition_holds_for_a_hand(condition: str, true: bool) -> None:
    hand = features_of(parse_hand("KQ4.AQ82.A73.K52"))
    assert holds(read_condition("hcp 18, " + condition.replace("15..17", "18")), hand) is true


def test_definitions_of_a_system_may_be_used() -> None:
    lets = open_system("tests/systems/mini.bid").lets
    assert read_condition("support_points(S) 10+", lets)
    with pytest.raises(InvalidError, match="support_points"):
        read_condition("support_points(S) 10+")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hpc 12+", "'hpc' is not a number"),
        ("hcp 12..", "expected a condition such as 'hcp 15\\+, spades 5\\+'"),
        ("hcp", "a number needs a range"),
        ("fit(S) 8+", "expected a condition on a hand alone"),
        ("balanced) or (hcp 3+", "expected a condition such as"),
        ("", "expected a condition such as"),
    ],
)
def test_what_is_no_condition_on_a_hand_is_said(text: str, reason: str) -> None:
    with pytest.raises(InvalidError, match=reason):
        read_condition(text)
