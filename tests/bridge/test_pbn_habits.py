"""Passes before the first bid that a file leaves out, and hands whose suits are named."""

from __future__ import annotations

import pytest

from bidwright.bridge.board import Board
from bidwright.bridge.deal import Deal
from bidwright.bridge.pbn import read_pbn


def board(calls: str, declarer: str, contract: str, note: str = "") -> Board:
    (found,) = read_pbn(
        f'[Board "1"]\n[Dealer "N"]\n[Declarer "{declarer}"]\n[Contract "{contract}"]\n'
        f'[Auction "N"]\n{calls}\n{note}'
    )
    return found


@pytest.mark.parametrize(
    ("calls", "declarer", "added"),
    [
        ("1NT Pass 6NT AP", "N", 0),
        ("1NT Pass 6NT AP", "E", 1),
        ("1NT Pass 6NT AP", "S", 2),
        ("1NT Pass 6NT AP", "W", 3),
        ("Pass 1NT Pass 6NT AP", "S", 1),
        ("Pass 1NT Pass 6NT AP", "N", 0),
    ],
)
def test_the_one_number_that_leads_to_declarer_is_put_back(
    calls: str, declarer: str, added: int
) -> None:
    found = board(calls, declarer, "6NT")
    assert found.passes_put_back == added
    assert found.auction is not None
    assert len(found.auction.calls) == len(calls.replace("AP", "Pass Pass Pass").split()) + added
    leads = found.auction.contract() == found.contract
    assert found.leads_elsewhere is not leads
    assert leads is (declarer != "N" or not calls.startswith("Pass"))


def test_nothing_is_put_back_where_the_contract_is_another() -> None:
    found = board("1NT Pass 6NT AP", "E", "5NT")
    assert (found.passes_put_back, found.leads_elsewhere) == (0, True)
    assert len(found.errors) == 1


def test_notes_and_marks_stay_with_their_calls() -> None:
    found = board("1NT! =1= Pass 6NT AP", "E", "6NT", '[Note "1:15-17"]\n')
    assert (found.notes, found.marks) == ({1: "15-17"}, {1: "!"})


def test_an_auction_that_goes_on_is_left_alone() -> None:
    found = board("1NT Pass 6NT", "E", "6NT")
    assert (found.passes_put_back, found.leads_elsewhere) == (0, False)


def test_suits_of_a_hand_may_be_named() -> None:
    named = "S:SA7.HKQJ864.DQJ3.CA2 SQ2.H92.DT62.CJT9743 SKT853.HT3.DA954.C65 SJ964.HA75.DK87.CKQ8"
    plain = "S:A7.KQJ864.QJ3.A2 Q2.92.T62.JT9743 KT853.T3.A954.65 J964.A75.K87.KQ8"
    assert Deal.from_pbn(named) == Deal.from_pbn(plain)
