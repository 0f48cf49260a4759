"""The invariant of the project: hands stay inside what their rules say they have shown."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import Deal, random_deal
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out, inconsistencies, outside
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.features import features_of


def lapses_in(deals: int, seed: int) -> list[str]:
    rules = open_system("sayc")
    reader = Reader({Side.NS: rules, Side.EW: rules})
    rng = np.random.default_rng(seed)
    found: list[str] = []
    for number in range(1, deals + 1):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        found += [
            f"{deal.to_pbn()} {reading.auction} {each}" for each in inconsistencies(reading, deal)
        ]
        found += [f"{reading.auction} {m.record}" for m in reading.meanings if m.conflict]
    return found


@pytest.mark.system
def test_sayc_hands_stay_inside_what_they_show() -> None:
    assert lapses_in(300, seed=11) == []


@pytest.mark.slow
def test_sayc_hands_stay_inside_what_they_show_on_many_deals() -> None:
    assert lapses_in(20_000, seed=12) == []


@pytest.mark.parametrize("about", ["hcp", "points", "clubs", "diamonds", "hearts", "spades"])
def test_a_hand_beyond_either_end_of_a_bound_is_outside(about: str) -> None:
    # 13 points, 14 with length: 2 clubs, 3 diamonds, 3 hearts, 5 spades.
    row = features_of(parse_hand("AKJ54.Q32.K32.32"))
    tight = Bounds((13, 13), (14, 14), ((2, 2), (3, 3), (3, 3), (5, 5)))
    assert outside(row, tight) is None
    suits = ("clubs", "diamonds", "hearts", "spades")

    def moved(by: int) -> Bounds:
        def end(name: str, interval: Interval) -> Interval:
            return (interval[0] + by, interval[1] + by) if name == about else interval

        clubs, diamonds, hearts, spades = map(end, suits, tight.lengths)
        return Bounds(
            end("hcp", tight.hcp), end("points", tight.points), (clubs, diamonds, hearts, spades)
        )

    assert outside(row, moved(1)) is not None, "below the lower end"
    assert outside(row, moved(-1)) is not None, "above the upper end"


def test_a_hand_swapped_after_the_auction_is_found_outside() -> None:
    rules = open_system("sayc")
    reader = Reader({Side.NS: rules, Side.EW: rules})
    rng = np.random.default_rng(3)
    kinds: Counter[str] = Counter()
    for number in range(1, 21):
        deal = random_deal(rng)
        reading = bid_out(reader, deal, board_dealer(number), board_vulnerability(number))
        turned = Deal(deal.east, deal.south, deal.west, deal.north)
        kinds.update(each.kind for each in inconsistencies(reading, turned))
    assert kinds["outside"] > 20
