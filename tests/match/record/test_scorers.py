"""Scorers: double dummy, perfect doubling, blind leads."""

from __future__ import annotations

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Denomination, Seat, Vulnerability, parse_card
from bidwright.bridge.contract import parse_contract
from bidwright.bridge.deal import Deal, random_deal
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.match.play.blind_leads import blind_lead, blind_result, leader_deals
from bidwright.match.record.scorers import board_imps, punished, score_ns, scores_ns

NONE, BOTH = Vulnerability.NONE, Vulnerability.BOTH

SURE_THING = Deal.from_pbn("N:AKQ2.AKQ.AKQ.AKQ JT9.J98.JT98.JT9 8765.765.765.876 43.T432.432.5432")
"""North takes all tricks in notrump, whatever is led."""


@pytest.mark.parametrize(
    ("contract", "declarer", "vulnerability", "tricks", "plain", "perfect"),
    [
        ("4S", Seat.NORTH, NONE, 10, 420, 420),
        ("4S", Seat.EAST, NONE, 10, -420, -420),
        ("4S", Seat.NORTH, NONE, 9, -50, -100),
        ("4S", Seat.NORTH, BOTH, 8, -200, -500),
        ("4S", Seat.WEST, NONE, 7, 150, 500),
        ("4SX", Seat.NORTH, NONE, 8, -300, -300),
        ("4SXX", Seat.NORTH, NONE, 8, -600, -600),
        ("4SX", Seat.NORTH, NONE, 10, 590, 590),
    ],
)
def test_a_failing_contract_is_doubled_by_perfect_defenders(
    contract: str,
    declarer: Seat,
    vulnerability: Vulnerability,
    tricks: int,
    plain: int,
    perfect: int,
) -> None:
    played = parse_contract(contract, declarer)
    assert score_ns(played, vulnerability, tricks) == plain
    assert score_ns(played, vulnerability, tricks, perfect=True) == perfect


def test_a_contract_that_makes_is_left_alone() -> None:
    contract = parse_contract("4S", Seat.NORTH)
    assert punished(contract, 10) is contract


def test_all_scorers_at_once() -> None:
    contract = parse_contract("3NT", Seat.SOUTH)
    scores = scores_ns(contract, NONE, {"dd": 8, "blind": 9})
    assert scores == {"dd": -50, "dd+pd": -100, "blind": 400, "blind+pd": 400}
    assert scores_ns(None, NONE, {"dd": 0}) == {"dd": 0, "dd+pd": 0}
    assert board_imps(scores, {"dd": 400, "dd+pd": 400}) == {"dd": -10, "dd+pd": -11}


def test_a_hand_with_all_tricks_takes_them() -> None:
    assert DoubleDummy().contract_tricks(SURE_THING, Denomination.NOTRUMP, Seat.NORTH) == 13


def test_every_lead_is_counted_and_the_best_is_the_result() -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        deal = random_deal(rng)
        contract = parse_contract("3NT", Seat.SOUTH)
        leads = DoubleDummy().lead_tricks(deal, contract)
        assert deal.west is not None
        assert leads.keys() == deal.west.cards
        assert min(leads.values()) == DoubleDummy().contract_tricks(
            deal, contract.denomination, Seat.SOUTH
        )


def test_the_leader_imagines_deals_with_his_own_hand() -> None:
    auction = parse_auction("1NT (P) 3NT (P) P (P)")
    contract = auction.contract()
    deal = random_deal(np.random.default_rng(1))
    assert contract is not None
    assert deal.east is not None
    deals = leader_deals(auction, contract, deal.east, Disclosure(), 5, seed=2)
    assert [each.east for each in deals] == [deal.east] * 5
    assert len(set(deals)) == 5
    assert deals == leader_deals(auction, contract, deal.east, Disclosure(), 5, seed=2)


def test_a_leader_who_sees_the_deal_finds_the_best_lead() -> None:
    deal = random_deal(np.random.default_rng(8))
    contract = parse_contract("3NT", Seat.NORTH)
    lead = blind_lead(contract, False, [deal])
    leads = DoubleDummy().lead_tricks(deal, contract)
    assert leads[lead] == min(leads.values())


def test_points_come_before_tricks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lead that beats the contract once is better than one that saves overtricks twice."""
    low, high = parse_card("S2"), parse_card("SA")
    taken = iter([{low: 9, high: 8}, {low: 9, high: 12}])
    monkeypatch.setattr(DoubleDummy, "lead_tricks", lambda *_: next(taken))
    contract = parse_contract("3NT", Seat.NORTH)
    assert blind_lead(contract, False, [SURE_THING, SURE_THING]) == high


def test_a_blind_lead_never_beats_the_best_one() -> None:
    auction = parse_auction("1NT (P) 3NT (P) P (P)")
    for seed in range(2):
        deal = random_deal(np.random.default_rng(seed))
        found = blind_result(auction, deal, Disclosure(), 4, seed)
        assert found is not None
        contract = auction.contract()
        assert contract is not None
        assert found[1] >= DoubleDummy().contract_tricks(
            deal, contract.denomination, contract.declarer
        )


def test_nobody_leads_to_a_board_that_is_passed_out() -> None:
    auction = parse_auction("P (P) P (P)")
    assert blind_result(auction, SURE_THING, Disclosure(), 4, 1) is None
