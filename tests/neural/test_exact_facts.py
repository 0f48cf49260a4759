"""The facts that networks are shown are those that counting finds."""

from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import Knowledge, count_deals
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.env.layout import CARD_BITS, HIDDEN_HANDS
from bidwright.neural.exact_facts import (
    EVEN,
    FACTS,
    FittingDeals,
    card_shares,
    exact_facts,
    fitting_or_none,
    others_of,
)

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
HAND = parse_hand("KQ4.AQ8.K9873.42")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system(MINI)))


def south(text: str) -> Auction:
    return parse_auction(text, Seat.SOUTH, Vulnerability.NONE)


@pytest.mark.system
def test_shares_of_cards_are_those_that_counting_finds(reader: Reader) -> None:
    reading = reader.read(south("1S (P)"))
    shares = card_shares(
        FittingDeals.of(reading, HAND).draw(20_000, np.random.default_rng(3)), Seat.NORTH
    )
    known = Knowledge.of_reading(reading, Seat.NORTH, HAND)
    total = count_deals(known)
    assert total
    for card in (1, 3, 12, 39, 45, 51):
        assert card not in HAND.cards
        for place, seat in enumerate(others_of(Seat.NORTH)):
            counted = count_deals(known.with_card(seat, card))
            assert counted is not None
            assert shares[card, place] == pytest.approx(counted / total, abs=0.015)


def test_spot_cards_of_a_suit_are_alike(reader: Reader) -> None:
    batch = FittingDeals.of(reader.read(south("1S (P)")), HAND).draw(50, np.random.default_rng(1))
    shares = card_shares(batch, Seat.NORTH)
    spots = [card for card in range(39, 47) if card not in HAND.cards]
    assert len(spots) == 7
    assert (shares[spots] == shares[spots[0]]).all()
    hidden = [card for card in range(NUM_CARDS) if card not in HAND.cards]
    assert shares[hidden].sum(axis=1) == pytest.approx(1)
    assert shares[hidden].sum(axis=0) == pytest.approx(13)


def test_facts_stand_where_they_are_said_to(reader: Reader) -> None:
    reading = reader.read(south("1S (P)"))
    deals = FittingDeals.of(reading, HAND)
    facts = exact_facts(deals, Seat.NORTH, HAND)
    assert facts.shape == (FACTS,)
    assert (exact_facts(deals, Seat.NORTH, HAND) == facts).all(), "nothing is left to chance"
    odds = facts[:HIDDEN_HANDS].reshape(3, NUM_CARDS)[:, CARD_BITS]
    assert (odds[:, sorted(HAND.cards)] == 0).all()
    chances = 1 / (1 + np.exp(-odds - EVEN))
    hidden = [card for card in range(NUM_CARDS) if card not in HAND.cards]
    assert chances[:, hidden].sum(axis=0) == pytest.approx(1, abs=1e-5)
    assert chances[1, 39:47].mean() > 0.45, "South, two places on, has five spades"
    partner = facts[HIDDEN_HANDS:-2].reshape(3, 10)[1]
    assert 4 * partner[0] + 10 == pytest.approx(13.5, abs=1.5)
    assert 2 * partner[5] + 3.25 == pytest.approx(5.3, abs=0.4)
    assert facts[-2] == 1
    assert facts[-1] < 0


def test_calls_that_the_own_hand_refutes_are_not_believed(reader: Reader) -> None:
    strong = parse_hand("AKQ2.AKQ.AKQ.AK2")
    reading = reader.read(south("1NT (P)"))
    deals = fitting_or_none(reading, strong)
    assert deals is not None
    assert not deals.believed
    assert exact_facts(deals, Seat.NORTH, strong)[-2] == 0
    assert not exact_facts(None, Seat.NORTH, strong).any()
