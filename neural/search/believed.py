"""Predictions of a belief network about the other hands, and exact draws of deals by them.

The network predicts for every card the probability that each of the others holds it. A plain one
sees the 480 bits alone. A residual one weighs it against the exact facts, and also predicts the
probability that each of the others has deviated from the file.

The probability of a deal is taken to be proportional to the product of these numbers over the cards
not in the own hand, among the deals in which everybody has 13 cards. Draws from that distribution
are exact: dynamic programming over the cards counts it, and its state is the number of cards that
two of the three hands still lack.

Letters in shapes: `D` deals, `H` hidden cards (39).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.sampling import DealBatch
from bidwright.neural.env.layout import CARD_BITS
from bidwright.neural.exact_facts import OTHERS, FittingDeals, exact_facts
from bidwright.neural.networks import Network
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.seeing import observe

BeliefNetwork = Network | ResidualBelief

_LEAST = 1e-4
"""The least probability of a card in a hand; smaller predictions are raised to it."""


@dataclass(frozen=True, eq=False)
class Belief:
    """The predictions of a belief network for the player in turn.

    Attributes:
        chances: float64 `[52, 3]`: the probability of each card with each of the others,
            clockwise; rows of the own hand mean nothing.
        deviated: float64 `[3]`: the probability that the hand of each of them is not among those
            that his calls possibly show; None from a plain network.
    """

    chances: NDArray[np.float64]
    deviated: NDArray[np.float64] | None = None

    @property
    def any_deviated(self) -> float:
        """The probability that at least one of them has deviated, by a residual network."""
        assert self.deviated is not None, "checked when the search was opened"
        return float(1 - (1 - self.deviated).prod())


def believe(
    network: BeliefNetwork, auction: Auction, hand: Hand, deals: FittingDeals | None = None
) -> Belief:
    """Return the predictions of a belief network for the player in turn.

    Args:
        network: the network, plain or residual.
        auction: the calls.
        hand: the player's hand.
        deals: the deals that fit the calls, for a residual network; None if none do.
    """
    seen = torch.from_numpy(observe([auction], [hand]))
    with torch.inference_mode():
        if not isinstance(network, ResidualBelief):
            return Belief(_by_card(network(seen)))
        facts = torch.from_numpy(exact_facts(deals, auction.turn, hand))[None]
        cards, deviated = network(seen, facts)
        return Belief(_by_card(cards), deviated[0].sigmoid().double().numpy())


def _by_card(logits: Tensor) -> NDArray[np.float64]:
    chances = logits[0].sigmoid().double().numpy().reshape(OTHERS, NUM_CARDS)
    return np.asarray(chances[:, CARD_BITS].T)


class BelievedDeals:
    """The distribution of deals by the predictions of a belief network."""

    def __init__(self, chances: NDArray[np.float64], me: Seat, hand: Hand) -> None:
        """Count the deals.

        Args:
            chances: float64 `[52, 3]`: the probability of each card with each of the others,
                clockwise; rows of the own hand mean nothing.
            me: the player in turn.
            hand: the player's hand.
        """
        self._me = me
        self._own = np.array(sorted(hand.cards))
        self._hidden = np.setdiff1d(np.arange(NUM_CARDS), self._own)
        # A card that the network excludes may still be there: nothing is impossible.
        share = np.maximum(chances[self._hidden], _LEAST)
        self._share = share / share.sum(axis=1, keepdims=True)
        self._ways, self._log_mean = _count(self._share)

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Draw `n` deals; `rng` is consumed."""
        # Every card starts with the searching player, and the hidden ones are dealt out.
        owner = np.full((n, NUM_CARDS), self._me, dtype=np.uint8)
        lack = np.full((n, OTHERS), HAND_SIZE)
        chance = rng.random((len(self._hidden), n))
        for place, card in enumerate(self._hidden.tolist()):
            ways = self._ways[place + 1]
            first, second = lack[:, 0], lack[:, 1]
            weight = np.stack(
                [
                    self._share[place, 0] * _at(ways, first - 1, second),
                    self._share[place, 1] * _at(ways, first, second - 1),
                    self._share[place, 2] * _at(ways, first, second) * (lack[:, 2] > 0),
                ]
            ).cumsum(axis=0)
            # The first hand whose running sum exceeds the draw gets the card.
            who = (chance[place] * weight[-1] >= weight[:-1]).sum(axis=0)
            lack[np.arange(n), who] -= 1
            owner[:, card] = (self._me + 1 + who) % len(Seat)
        return DealBatch(owner)

    def density(self, batch: DealBatch) -> NDArray[np.float64]:
        # Over a uniform draw, so that densities of different ways can be mixed.
        """Return the probabilities of deals over those of a uniform draw, float64 `[D]`."""
        return np.asarray(np.exp(self.log_weights(batch.owner) - self._log_mean))

    def log_weights(self, owner: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the log probabilities of deals, up to a constant, float64 `[D]`."""
        who = (owner[:, self._hidden].astype(np.int64) - self._me - 1) % len(Seat)
        logs = np.log(self._share)[np.arange(len(self._hidden)), who]
        return np.asarray(logs.sum(axis=1))


def _at(
    ways: NDArray[np.float64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the weights of the rest by the cards two hands lack; 0 where one has too many."""
    possible = (first >= 0) & (second >= 0)
    return np.where(possible, ways[np.maximum(first, 0), np.maximum(second, 0)], 0.0)


def _count(share: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the weights of all ways to deal the cards, and the logarithm of a deal's mean weight.

    The weights are float64 `[H + 1, 14, 14]`: those of the ways to deal the cards from a place on.
    The second and third axis are the cards that the first two hands lack; the third hand lacks the
    rest, and ways in which it has too many have weight 0. Each place is scaled by a factor of its
    own, which does not change the draws.
    """
    cards, log_scale = len(share), 0.0
    ways = np.zeros((cards + 1, HAND_SIZE + 1, HAND_SIZE + 1))
    ways[cards, 0, 0] = 1.0
    lacking = np.add.outer(np.arange(HAND_SIZE + 1), np.arange(HAND_SIZE + 1))
    for place in range(cards - 1, -1, -1):
        after = ways[place + 1]
        here = share[place, 2] * after
        here[1:] += share[place, 0] * after[:-1]
        here[:, 1:] += share[place, 1] * after[:, :-1]
        left = cards - place - lacking
        # Ways in which the third hand has too few or too many cards do not exist.
        here[(left < 0) | (left > HAND_SIZE)] = 0.0
        # Scaled, since products of 39 probabilities leave the range of floats.
        ways[place] = here / here.max()
        log_scale += float(np.log(here.max()))
    # The number of deals of the hidden cards: the mean is over all of them.
    deals = factorial(cards) / factorial(HAND_SIZE) ** OTHERS
    mean = float(np.log(ways[0, HAND_SIZE, HAND_SIZE])) + log_scale - float(np.log(deals))
    return ways, mean
