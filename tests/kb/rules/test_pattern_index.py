"""The index of patterns leaves out none that matches."""

from __future__ import annotations

import numpy as np
import pytest

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.rules.patterns import PatternIndex, last_bids, match


def _auctions(count: int) -> list[tuple[Call, ...]]:
    """Return the calls from the first bid on of random auctions, most of them low."""
    rng = np.random.default_rng(count)
    found = []
    for _ in range(count):
        auction = Auction(Seat.NORTH)
        for _ in range(int(rng.integers(1, 9))):
            legal = sorted(auction.legal_calls())
            if not legal:
                break
            auction = auction.with_call(legal[int(len(legal) * rng.random() ** 3)])
        calls = auction.calls
        while calls and calls[0] == Call.PASS:
            calls = calls[1:]
        found.append(calls)
    return found


@pytest.mark.parametrize("system", ["sayc", pytest.param("acol", marks=pytest.mark.system)])
def test_the_index_names_every_pattern_that_matches_and_few_others(system: str) -> None:
    patterns = list(dict.fromkeys(rule.pattern for rule in open_system(system).rules))
    index = PatternIndex(patterns)
    named = matching = 0
    for calls in _auctions(400):
        before = last_bids(calls)
        fits = {i for i, one in enumerate(patterns) if match(one, calls, before) is not None}
        candidates = list(index.candidates(calls))
        assert fits <= set(candidates)
        assert candidates == sorted(set(candidates))
        of_length = [
            i for i in candidates if patterns[i].open or len(patterns[i].elements) == len(calls)
        ]
        named += len(of_length)
        matching += len(fits)
    assert matching > 400
    assert named < len(patterns) * 400 / 50


def test_an_index_of_nothing_names_nothing() -> None:
    assert not list(PatternIndex([]).candidates((Call.PASS,)))
