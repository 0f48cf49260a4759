"""The frequency of a fault that shows at several positions."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.frequency import weight_of
from bidwright.authoring.lint.prove import prove
from bidwright.kb.loading.load import load

_SETTINGS = ("N None", "N NS", "N All")
_STEPS = {"P": 0.5, "1C": 0.3, "1D": 0.2}
"""The frequency of each call, whatever went before."""

_CALLS = st.lists(st.sampled_from(sorted(_STEPS)), max_size=4)
_CHANCE = st.floats(0, 1)


def evidence(auction: str, likelihood: float, share: float) -> Evidence:
    return Evidence("E412", "r", "m", auction, likelihood=likelihood, share=share)


def at(setting: str, calls: list[str], likelihood: float) -> Evidence:
    share = prod(_STEPS[call] for call in calls)
    return evidence(" ".join([setting, *calls]), likelihood, share)


_GROUPS = st.lists(st.builds(at, st.sampled_from(_SETTINGS), _CALLS, _CHANCE), min_size=1)


@given(_GROUPS)
def test_a_weight_is_between_its_greatest_part_and_the_sum_and_one(group: list[Evidence]) -> None:
    weight = weight_of(group)
    assert max(each.weight for each in group) <= weight + 1e-9
    assert weight <= min(1.0, sum(each.weight for each in group)) + 1e-9


@given(_GROUPS, st.lists(_CHANCE, min_size=20))
def test_no_weight_exceeds_one_however_wrong_the_estimates(
    group: list[Evidence], shares: list[float]
) -> None:
    wrong = [replace(each, share=share) for each, share in zip(group, shares, strict=False)]
    assert 0 <= weight_of(wrong) <= 1


def test_auctions_that_part_are_added() -> None:
    group = [evidence("N None 1C", 0.5, 0.2), evidence("N None 1D P", 0.25, 0.4)]
    assert weight_of(group) == pytest.approx(0.2)


def test_a_later_position_counts_where_the_fault_did_not_come_up_before() -> None:
    group = [evidence("N None", 0.5, 1.0), evidence("N None P", 0.5, 0.8)]
    assert weight_of(group) == pytest.approx(0.5 + 0.5 * 0.4)


def test_vulnerabilities_are_not_added() -> None:
    group = [evidence("N None", 0.3, 1.0), evidence("N NS", 0.4, 1.0)]
    assert weight_of(group) == pytest.approx(0.4)


def test_a_gap_in_every_seat_is_less_than_all_deals(tmp_path: Path) -> None:
    """Four players in turn have no call for most of their hands."""
    file = tmp_path / "system.bid"
    file.write_text('system gap "A gap"\n\nopening\n  1NT hcp 15..17, balanced\n  1S spades 7+\n')
    found = [each for each in prove(load(file), deals=12) if isinstance(each, Finding)]
    (gap,) = (each for each in found if each.code == "E412")
    assert gap.positions > 1
    assert gap.weight is not None
    assert 0.9 < gap.weight <= 1
