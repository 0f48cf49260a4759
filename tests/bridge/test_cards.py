"""Cards, seats, calls, hands and deals: values, notations, and round trips."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import BIDS, CALLS, Call, bid, parse_call
from bidwright.bridge.cards import (
    NUM_CARDS,
    SUITS,
    Denomination,
    Rank,
    Seat,
    Side,
    Vulnerability,
    card_index,
    card_name,
    parse_card,
    parse_vulnerability,
)
from bidwright.bridge.contract import parse_contract
from bidwright.bridge.deal import NOBODY, Deal, deal_from_owner, random_deal
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.play import leaders, tricks_taken

HAND = Hand.from_pbn("KQ4.AQ8.K9873.K2")
hands = st.sets(st.integers(0, NUM_CARDS - 1), min_size=13, max_size=13).map(
    lambda cards: Hand(frozenset(cards))
)
deals = st.integers(0, 2**32).map(lambda seed: random_deal(np.random.default_rng(seed)))


def test_seats_go_round_clockwise() -> None:
    assert Seat.WEST.lho is Seat.NORTH
    assert Seat.NORTH.rho is Seat.WEST
    assert Seat.EAST.partner is Seat.WEST
    assert [seat.side for seat in Seat] == [Side.NS, Side.EW, Side.NS, Side.EW]
    assert Side.NS.other is Side.EW


def test_denominations_print_as_letters() -> None:
    assert " ".join(map(str, Denomination)) == "C D H S NT"
    assert f"{Denomination.NOTRUMP:>3}|{Seat.EAST}|{Rank.TEN}" == " NT|E|T"
    assert [d.is_major for d in Denomination] == [False, False, True, True, False]
    assert [d.is_minor for d in Denomination] == [True, True, False, False, False]
    assert [d.is_suit for d in Denomination] == [True, True, True, True, False]
    assert Denomination.SPADES.symbol == "\u2660"


def test_repr_is_the_expression() -> None:
    values = (Seat.EAST, Denomination.CLUBS, Rank.ACE, Call.C1NT, Vulnerability.BOTH)
    assert repr(values) == (
        "(Seat.EAST, Denomination.CLUBS, Rank.ACE, Call.C1NT, Vulnerability.BOTH)"
    )


@pytest.mark.parametrize(
    ("texts", "vulnerability"),
    [
        ("None none Love - o 0", Vulnerability.NONE),
        ("NS N-S ns n N/S", Vulnerability.NS),
        ("EW E-W ew e", Vulnerability.EW),
        ("All Both both b ALL", Vulnerability.BOTH),
    ],
)
def test_names_of_vulnerability(texts: str, vulnerability: Vulnerability) -> None:
    assert {parse_vulnerability(text) for text in texts.split()} == {vulnerability}


def test_words_of_vulnerability_are_those_of_the_language() -> None:
    assert [each.word for each in Vulnerability] == ["none", "ns", "ew", "both"]
    assert all(parse_vulnerability(each.word) is each for each in Vulnerability)


def test_vulnerability_of_sides() -> None:
    assert [v.is_vulnerable(Side.NS) for v in Vulnerability] == [False, True, False, True]
    assert [v.is_vulnerable(Side.EW) for v in Vulnerability] == [False, False, True, True]


@pytest.mark.parametrize("vulnerability", Vulnerability)
def test_sides_give_the_vulnerability_and_change_over(vulnerability: Vulnerability) -> None:
    sides = [vulnerability.is_vulnerable(side) for side in Side]
    assert Vulnerability.of(*sides) is vulnerability
    assert [vulnerability.turned.is_vulnerable(side) for side in Side] == sides[::-1]


def test_board_numbers_give_dealer_and_vulnerability() -> None:
    dealers = "".join(board_dealer(number).letter for number in range(1, 18))
    assert dealers == "NESWNESWNESWNESWN"
    letters = {"None": "o", "NS": "n", "EW": "e", "All": "b"}
    vulnerable = "".join(letters[board_vulnerability(n).value] for n in range(1, 18))
    assert vulnerable == "onebneboebonboneo"


@pytest.mark.parametrize("card", range(NUM_CARDS))
def test_card_name_reads_back(card: int) -> None:
    assert parse_card(card_name(card)) == card
    assert parse_card(card_name(card).lower().replace("t", "10")) == card


def test_card_index_is_thirteen_times_suit_plus_rank() -> None:
    assert card_index(Denomination.SPADES, Rank.ACE) == 51
    assert card_index(Denomination.DIAMONDS, Rank.TWO) == 13


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_call_reads_back(call: Call) -> None:
    assert parse_call(str(call)) is call
    assert parse_call(f" {str(call).lower()} ") is call


@pytest.mark.parametrize(
    ("texts", "call"),
    [
        ("P p pass Pass PASS", Call.PASS),
        ("X x D d dbl Dbl double", Call.DOUBLE),
        ("XX xx R r rdbl Rdbl redouble", Call.REDOUBLE),
        ("1N 1n 1NT 1nt", Call.C1NT),
        ("3H 3h 3\u2665 3\u2661 3\u2665\ufe0f", Call.C3H),
    ],
)
def test_ways_to_write_a_call(texts: str, call: Call) -> None:
    assert {parse_call(text) for text in texts.split()} == {call}


def test_bids_have_level_and_denomination() -> None:
    assert [bid(call.level, call.denomination) for call in BIDS] == list(BIDS)
    assert [call.is_bid for call in CALLS] == [False] * 3 + [True] * 35
    assert (Call.PASS.level, Call.C7NT.level) == (0, 7)


def test_level_and_denomination_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^expected a level from 1 to 7, got 8$"):
        bid(8, Denomination.CLUBS)
    with pytest.raises(ValueError, match=r"^double has no denomination$"):
        _ = Call.DOUBLE.denomination


def test_features_of_a_hand() -> None:
    assert HAND.hcp == 17
    assert HAND.lengths == (2, 5, 3, 3)
    assert [HAND.length(suit) for suit in SUITS] == [2, 5, 3, 3]
    assert HAND.holding(Denomination.DIAMONDS) == "K9873"
    assert HAND.has(Denomination.HEARTS, Rank.ACE)
    assert not HAND.has(Denomination.CLUBS, Rank.ACE)
    assert HAND.mask == sum(1 << card for card in HAND.cards)


@pytest.mark.parametrize(
    "text",
    [
        "KQ4.AQ8.K9873.K2",
        " kq4.aq8.k9873.k2 ",
        "KQ4 AQ8 K9873 K2",
        "KQ4, AQ8, K9873, K2",
        "K Q 4 . A Q 8 . K 9 8 7 3 . K 2",
        "SKQ4 HAQ8 DK9873 CK2",
        "SKQ4HAQ8DK9873CK2",
        "S: K Q 4 H: A Q 8 D: K 9 8 7 3 C: K 2",
        "\u2660KQ4 \u2665AQ8 \u2666K9873 \u2663K2",
        "CK2 DK9873 HAQ8 SKQ4",
    ],
)
def test_ways_to_write_a_hand(text: str) -> None:
    assert parse_hand(text) == HAND


@pytest.mark.parametrize("text", ["AKQJ1098765432...", "AKQJT98765432 - - -", "SAKQJT98765432"])
def test_tens_and_voids(text: str) -> None:
    assert str(parse_hand(text)) == "AKQJT98765432..."


@given(hands)
def test_hand_reads_back(hand: Hand) -> None:
    assert Hand.from_pbn(hand.to_pbn()) == parse_hand(str(hand)) == hand
    assert parse_hand(" ".join(part or "-" for part in hand.to_pbn().split("."))) == hand
    assert eval(repr(hand), {"Hand": Hand}) == hand
    assert hash(Hand.from_pbn(str(hand))) == hash(hand)
    assert sum(hand.lengths) == len(hand.cards) == 13


@given(deals, st.sampled_from(Seat))
def test_deal_reads_back_from_any_seat(deal: Deal, first: Seat) -> None:
    assert Deal.from_pbn(deal.to_pbn(first)) == deal
    assert deal_from_owner(deal.owner) == deal
    assert sum(hand.hcp for hand in deal if hand) == 40
    assert np.bincount(deal.owner).tolist() == [13] * 4


@given(deals, st.sampled_from(Seat))
def test_three_hands_give_the_fourth(deal: Deal, unknown: Seat) -> None:
    known = {seat: hand for seat in Seat if seat != unknown and (hand := deal[seat])}
    assert Deal.from_hands(known) == deal


def test_unknown_hands_are_kept_unknown() -> None:
    deal = Deal.from_pbn(f"E:{HAND} - - -")
    assert deal.hands == (None, HAND, None, None)
    assert deal.to_pbn() == f"N:- {HAND} - -"
    assert not deal.is_complete
    assert (deal.owner == NOBODY).sum() == 39


def test_same_seed_gives_the_same_deal() -> None:
    first, second = (random_deal(np.random.default_rng(7)) for _ in range(2))
    assert first == second


def test_trumps_win_tricks_and_the_winner_leads() -> None:
    names = "SA S2 S3 H2  H3 HA S4 H4  D2"
    play = [parse_card(name) for name in names.split()]
    assert leaders(play, Seat.WEST, Denomination.HEARTS) == [Seat.WEST, Seat.SOUTH, Seat.WEST]
    assert tricks_taken(play, Seat.SOUTH, Denomination.HEARTS) == 1


def test_score_is_north_souths() -> None:
    contract = parse_contract("4SX", Seat.EAST)
    board = Board(vulnerability=Vulnerability.EW, contract=contract, result=8)
    assert (board.declarer, board.score_ns) == (Seat.EAST, 500)
    assert Board(passed_out=True).score_ns == 0
    assert Board().score_ns is None
