"""Deals that look alike to a player at a table, for the gain of a call over his information set.

They are drawn from those that fit the calls by a convention file and hold the player's own hand,
by the exact sampler; the policy that makes the calls may know them otherwise. Tricks are not
solved, which takes a third of a second a deal, but predicted: drawn from their probabilities, with
the same quantile for all contracts of a deal, so that a deal is good or bad for declarers as a
whole.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import DealSampler, Knowledge
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.exact_facts import EFFORT, fitting_or_none
from bidwright.neural.tricks import TricksNetwork, tricks_probabilities

_MOST_KEPT = 5_000
"""The most readings in memory."""


class AlikeDeals:
    """A source of deals of information sets, with the system disclosed by all four players."""

    def __init__(self, rules: RuleBase, tricks: TricksNetwork) -> None:
        """Take the rules of a system and the network that predicts tricks."""
        self._reader = Reader(dict.fromkeys(Side, rules), memory=_MOST_KEPT)
        self._tricks = tricks.eval()

    def draw(self, lanes: Lanes, which: Index, count: int, rng: torch.Generator) -> Lanes:
        """Return new lanes with `count` deals for each of some equally long ones, side by side.

        Args:
            lanes: The auctions; they are not changed.
            which: Lanes with a player to call.
            count: Deals of each.
            rng: Consumed.
        """
        draws = np.random.default_rng(int(torch.randint(2**62, (1,), generator=rng)))
        owner = np.concatenate([self._owners(lanes, lane, count, draws) for lane in which.tolist()])
        at = np.repeat(which, count)
        boards = Boards(
            owner, self._tricks_of(owner, draws), lanes.boards.vulnerable[at // lanes.tables]
        )
        out = Lanes(boards, 1)
        for place in range(int(lanes.lengths[which[0]])):
            out.step(lanes.calls[at, place].astype(np.int64))
        return out

    def _owners(
        self, lanes: Lanes, lane: int, count: int, rng: np.random.Generator
    ) -> NDArray[np.uint8]:
        """Return the seats of cards, uint8 `[count, 52]`, all with the hand of the player to call.

        Where no deal fits the calls, any deals with his hand.
        """
        auction = lanes.auction(lane)
        me = auction.turn
        hand = deal_from_owner(lanes.boards.owner[lane // lanes.tables]).hands[me]
        assert hand is not None, "lanes have whole deals"
        fitting = fitting_or_none(self._reader.read(auction), hand)
        drawn = fitting.draw(count, rng).owner if fitting else np.zeros((0, 52), np.uint8)
        if not len(drawn):
            anything = DealSampler(Knowledge(me, hand))
            drawn = anything.draw(count, rng, effort=EFFORT, at_least=1).owner
        # A sampler that ran out of effort has fewer; those it has stand for the others.
        return np.asarray(np.resize(drawn, (count, drawn.shape[1])))

    def _tricks_of(self, owner: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return drawn tricks by denomination and declarer, uint8 `[N, 5, 4]`."""
        chances = tricks_probabilities(self._tricks, owner).astype(np.float64)
        quantile = rng.random(len(owner))[:, None, None, None]
        tricks = (chances.cumsum(axis=3) < quantile).sum(axis=3)
        # Probabilities may add up to a little less than the quantile.
        return np.asarray(np.minimum(tricks, HAND_SIZE).astype(np.uint8))
