"""Algorithm 3 as printed: who is rejected, when it ends, what it adds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import NUM_CALLS, Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.bmcs.printed_search import (
    Compared,
    Limits,
    _accepted,
    candidates,
    find_as_printed,
    tabled,
)
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import RuleUse, Weighing, weigh
from bidwright.neural.search.parts import SearchParts
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.search.work import Work

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
SPADES = parse_hand("AKQJT98765432...")
ACE = 51
"""The ace of spades."""


@dataclass(frozen=True)
class Honest:
    """A player with a certain pass on the ace of spades, and a probable one without it."""

    without: float

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return passes."""
        return np.zeros(len(which), dtype=np.int64)

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return the probability of a pass."""
        caller = lanes.lengths[which] % 4
        return np.where(lanes.boards.owner[which, ACE] == caller, 1.0, self.without)


def all_the_tricks(owner: object, denomination: NDArray[np.int64], _: object) -> NDArray[np.uint8]:
    """Return thirteen tricks in spades, none elsewhere."""
    return np.where(denomination == 3, 13, 0).astype(np.uint8)


def parts(without: float) -> SearchParts:
    torch.manual_seed(1)
    belief = Network(NetworkShape(480, 156, 8, 1))
    models = dict.fromkeys(Side, Honest(without))
    return SearchParts(SearchConfig(), models, belief, None, all_the_tricks, Work())


def position(hand: Hand, shares: Mapping[str, float], passes: int) -> tuple[Reading, Weighing]:
    calls = (Call.PASS,) * passes
    reading = Reader(dict.fromkeys(Side, open_system(MINI))).read(
        Auction(Seat.NORTH, calls, Vulnerability.NONE)
    )
    logs = np.full(NUM_CALLS, np.log(1e-9))
    for text, share in shares.items():
        logs[parse_call(text)] = np.log(share)
    return reading, weigh(logs, reading, hand, RuleUse(0.0, "off"))


def test_a_deal_stays_with_the_probability_of_all_calls() -> None:
    owner = numbered_deals(5, range(4000))
    auction = Auction(Seat.NORTH, (Call.PASS, Call.PASS), Vulnerability.NONE)
    for without in (0.0, 0.5):
        kept = _accepted(owner, auction, parts(without), np.random.default_rng(3))
        # North and East have both passed; at most one of them has the ace.
        expected = np.where(owner[:, ACE] < 2, without, without**2)
        for chance in np.unique(expected):
            share = kept[expected == chance]
            error = (chance * (1 - chance) / len(share)) ** 0.5
            assert abs(share.mean() - chance) <= 4 * error


@pytest.mark.parametrize(("r_min", "call"), [(6, "7S"), (7, "P")])
def test_the_search_ends_after_r_max_and_falls_back_below_r_min(r_min: int, call: str) -> None:
    reading, weighing = position(SPADES, {"P": 0.6, "7S": 0.3, "7NT": 0.05, "1C": 0.01}, 0)
    limits = Limits(k=4, p_min=0.02, p_max=500, r_max=7, r_min=r_min)
    found = find_as_printed(parts(1.0), reading, SPADES, weighing, limits, np.random.default_rng(1))
    assert (found.call, found.usual) == (parse_call(call), Call.PASS)
    assert (found.drawn, found.rollouts) == (7, 7)
    # A pass is worth nothing, seven spades 1,510 each, thirteen down in notrump 650 less each.
    assert found.points == (0, 7 * 1510, -7 * 650)


def test_the_search_ends_after_p_max_where_deals_are_rejected() -> None:
    reading, weighing = position(SPADES, {"P": 0.6, "7S": 0.4}, 2)
    # South holds the ace, so neither North nor East passes in the model.
    found = find_as_printed(
        parts(0.0), reading, SPADES, weighing, Limits(p_max=100), np.random.default_rng(1)
    )
    assert (found.call, found.drawn, found.rollouts) == (Call.PASS, 100, 0)


def test_candidates_have_more_than_the_least_probability() -> None:
    _, weighing = position(SPADES, {"P": 0.5, "1S": 0.3, "2S": 0.1, "7S": 0.02}, 0)
    shown = [[str(c) for c in candidates(weighing, Limits(k, 0.05))] for k in (2, 4)]
    assert shown == [["P", "1S"], ["P", "1S", "2S"]]


def test_the_table_counts_calls_that_differ() -> None:
    rows = [
        Compared("P", "1S", "1S", 10, 8, 1.0, 0.5, 0.0),
        Compared("P", "P", "2S", 30, 4, 3.0, 0.5, 2.0),
    ]
    cells = {row[0]: row[1:] for row in zip(*(c.cells for c in tabled(rows).columns), strict=True)}
    assert cells["other calls than the policy's"] == ("1", "2")
    assert cells["calls that differ"] == ("", "1")
    assert cells["IMPs a decision"] == ("", "+1.00 ± 1.00")
