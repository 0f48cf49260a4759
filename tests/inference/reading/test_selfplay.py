"""The invariant of the project: hands stay inside what their rules say they have shown."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import Deal, random_deal
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out, lapses
from bidwright.kb.loading.compiled import open_system


def lapses_in(deals: int, seed: int) -> list[str]:
    rules = open_system("sayc")
    reader = Reader({Side.NS: rules, Side.EW: rules})
    rng = np.random.default_rng(seed)
    found: list[str] = []
    for number in range(1, deals + 1):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        found += [f"{deal.to_pbn()} {reading.auction} {lapse}" for lapse in lapses(reading, deal)]
        found += [f"{reading.auction} {m.record}" for m in reading.meanings if m.conflict]
    return found


def test_sayc_hands_stay_inside_what_they_show() -> None:
    assert lapses_in(300, seed=11) == []


@pytest.mark.slow
def test_sayc_hands_stay_inside_what_they_show_on_many_deals() -> None:
    assert lapses_in(20_000, seed=12) == []


def test_a_hand_swapped_after_the_auction_is_found_outside() -> None:
    rules = open_system("sayc")
    reader = Reader({Side.NS: rules, Side.EW: rules})
    rng = np.random.default_rng(3)
    kinds: Counter[str] = Counter()
    for number in range(1, 21):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        turned = Deal(deal.east, deal.south, deal.west, deal.north)
        kinds.update(lapse.kind for lapse in lapses(reading, turned))
    assert kinds["outside"] > 20
