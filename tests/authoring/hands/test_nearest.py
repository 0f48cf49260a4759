"""The least change of a hand to another call, held against trying everything."""

from __future__ import annotations

from itertools import product

import pytest

from bidwright.authoring.hands.nearest import nearest_hand
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import NUM_CARDS, Side
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(dict.fromkeys(Side, open_system("sayc")))


def at(reader: Reader, auction: str) -> Reading:
    return reader.read(parse_auction(auction))


def one_card_away(reading: Reading, hand: Hand, call: str) -> bool:
    """Return True if one card makes the hand bid a call, by trying every exchange."""
    others = set(range(NUM_CARDS)) - hand.cards
    wanted = parse_call(call)
    return any(
        choose(reading, Hand(hand.cards - {gone} | {come})).call == wanted
        for gone, come in product(hand.cards, others)
    )


CASES = [
    ("", "K76.K62.Q754.A92", "1NT", 1),
    ("", "T4.QJ94.KT94.AK5", "1H", 1),
    ("1NT P", "Q95.Q93.AJ865.53", "2H", 2),
    ("1NT P", "Q9.QT93.AJ865.53", "3NT", 1),
    ("", "T4.QJ94.KT94.AK5", "1S", 3),
    ("1S P", "K742.A4.J873.962", "2NT", 1),
]


@pytest.mark.parametrize(("auction", "hand", "call", "cards"), CASES)
def test_so_few_cards_are_enough(
    reader: Reader, auction: str, hand: str, call: str, cards: int
) -> None:
    reading = at(reader, auction)
    own = parse_hand(hand)
    found = nearest_hand(reading, own, parse_call(call))
    assert found is not None
    assert choose(reading, found.hand).call == parse_call(call)
    assert (len(found.gone), len(found.come), found.is_least) == (cards, cards, True)
    assert found.hand.cards == own.cards - set(found.gone) | set(found.come)
    assert one_card_away(reading, own, call) == (cards == 1)


def test_a_hand_that_makes_the_call_is_its_own_nearest(reader: Reader) -> None:
    hand = parse_hand("KQ4.AQ8.K987.J52")
    found = nearest_hand(at(reader, ""), hand, parse_call("1NT"))
    assert found is not None
    assert (found.hand, found.gone, found.is_least) == (hand, (), True)


def test_the_nearest_hand_makes_the_earlier_calls_too(reader: Reader) -> None:
    reading = at(reader, "1S P 2S P")
    hand = parse_hand("AKJ54.Q4.K32.765")
    found = nearest_hand(reading, hand, parse_call("4S"))
    assert found is not None
    assert choose(at(reader, ""), found.hand).call == parse_call("1S")
    assert choose(reading, found.hand).call == parse_call("4S")


def test_a_call_that_nobody_makes_has_no_nearest_hand(reader: Reader) -> None:
    assert nearest_hand(at(reader, ""), parse_hand("KQ4.AQ8.K987.J52"), parse_call("6C")) is None
