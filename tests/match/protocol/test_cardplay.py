"""The simple player: legal, and as good as double dummy when it sees all cards."""

from __future__ import annotations

import numpy as np
import pytest

from bidwright.bridge.cards import Card, Denomination, Seat, parse_card
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import IllegalError
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.match.protocol.cardplay import Play, best_card, guessed_card


def _hands(seed: int) -> dict[Seat, frozenset[Card]]:
    deal = random_deal(np.random.default_rng(seed))
    return {seat: hand.cards for seat, hand in zip(Seat, deal.hands, strict=True) if hand}


@pytest.mark.parametrize("seed", range(5))
def test_play_with_all_cards_seen_takes_the_double_dummy_tricks(seed: int) -> None:
    deal = random_deal(np.random.default_rng(seed))
    contract = Contract(3, Denomination(seed), 0, Seat(seed % 4))
    play = Play(contract)
    hands = _hands(seed)
    while not play.is_over:
        play.add(best_card(play, hands), hands[play.turn])
    assert play.tricks == DoubleDummy().contract_tricks(
        deal, contract.denomination, contract.declarer
    )


def test_play_with_guessed_cards_is_legal() -> None:
    hands = _hands(11)
    play = Play(Contract(2, Denomination.HEARTS, 0, Seat.EAST))
    while not play.is_over:
        known = {play.player: hands[play.player]}
        if play.cards:
            known[play.dummy] = hands[play.dummy]
        play.add(guessed_card(play, known, seed=1, layouts=1), hands[play.turn])
    assert 0 <= play.tricks <= 13


def test_card_that_does_not_follow_suit_is_refused() -> None:
    play = Play(Contract(1, Denomination.NOTRUMP, 0, Seat.NORTH))
    play.add(parse_card("SA"))
    hand = [parse_card(card) for card in ("S2", "S3", "HA")]
    with pytest.raises(IllegalError) as error:
        play.add(parse_card("HA"), hand)
    assert str(error.value) == "expected one of S3 S2 from south, got HA"
    with pytest.raises(IllegalError, match="expected a card not yet played, got SA"):
        play.add(parse_card("SA"))


def test_suit_that_was_not_followed_is_known_to_be_gone() -> None:
    play = Play(Contract(1, Denomination.NOTRUMP, 0, Seat.NORTH))
    for card in ("SA", "S2", "H3", "S4"):
        play.add(parse_card(card))
    assert play.shown_void(Seat.WEST) == {Denomination.SPADES}
    assert play.shown_void(Seat.SOUTH) == set()
    assert (play.turn, play.trick, play.is_lead) == (Seat.EAST, 2, True)
