"""The calls that a convention file allows at tables, with the hands that are held there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import NUM_CALLS
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.inference.reading.conformity import conforming_calls
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.neural.env.lanes import Index, Lanes

_MOST_KEPT = 20_000
"""The most positions with rules in memory."""


class AllowedCalls:
    """The calls that a system allows, with the system disclosed by all four players."""

    def __init__(self, rules: RuleBase) -> None:
        """Take the rules of a system; a position that is asked for twice is read once."""
        self._reader = Reader(dict.fromkeys(Side, rules))
        self._decisions: dict[Auction, DecisionList] = {}

    def at(self, lanes: Lanes, which: Index) -> NDArray[np.bool_]:
        """Return the allowed calls of the players to call, bool `[N, C]`; if none, all legal."""
        legal = lanes.legal(which)
        out = np.zeros((len(which), NUM_CALLS), dtype=np.bool_)
        for row, lane in enumerate(which.tolist()):
            auction = lanes.auction(lane)
            hand = deal_from_owner(lanes.boards.owner[lane // lanes.tables]).hands[auction.turn]
            assert hand is not None, "lanes have whole deals"
            out[row, [int(call) for call in conforming_calls(self._decision(auction), hand)]] = True
        out &= legal
        # A hand with no allowed call, after a call outside the file, may make any legal one.
        return np.where(out.any(axis=1, keepdims=True), out, legal)

    def _decision(self, auction: Auction) -> DecisionList:
        if auction not in self._decisions:
            if len(self._decisions) >= _MOST_KEPT:
                self._decisions.clear()
            self._decisions[auction] = self._reader.read(auction).decision
        return self._decisions[auction]
