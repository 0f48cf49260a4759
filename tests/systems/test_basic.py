"""The beginners' system: its size, and no convention where it says that it has none."""

from __future__ import annotations

import pytest

import bidwright
from bidwright.kb.loading.compiled import open_system

pytestmark = pytest.mark.system

MOST_RULES = 120
"""Rules of its own; what it shares with other systems is not counted."""


def test_it_has_few_rules_of_its_own() -> None:
    rules = [rule for rule in open_system("basic").rules if rule.module == "basic"]
    assert 80 <= len(rules) <= MOST_RULES


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [
        ("84.KQ975.K73.982", "1NT (P)", "2H"),  # no transfer
        ("K4.KQ975.K73.982", "1NT (P)", "3H"),
        ("KQ84.Q74.K73.AJ2", "1S (P)", "3NT"),  # no forcing raise by notrump
        ("KQ84.A7.K952.Q73", "1C (P)", "1S"),
        ("K84.QJ74.K3.J982", "1D (P)", "1H"),
        ("AQ84.K5.82.KQT73", "1C (P) 1S (P)", "3S"),
        ("KQT74.A9.K93.842", "(1H)", "1S"),
    ],
)
def test_natural_calls(hand: str, auction: str, call: str) -> None:
    bid = bidwright.open_system("basic").bid(hand, auction)
    assert str(bid.call) == call
