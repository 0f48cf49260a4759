"""Exact facts from the calls, as numbers for networks.

Deals that fit the calls are drawn uniformly, weighed by what is usual (`Knowledge.of_reading`), and
counted: the holders of each card, points and lengths. Conditions on hands distinguish cards below
the ten only by their number, so those of a suit are counted together, which is exact and leaves
hardly any noise in them.

Letters in shapes: `D` deals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, SUITS, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import (
    DealBatch,
    DealSampler,
    InfeasibleError,
    Knowledge,
    feasible_knowledge,
)
from bidwright.neural.env.layout import CARD_OF_BIT, HIDDEN_HANDS

EFFORT = 400_000
"""The most proposals of the sampler (some 0.1 s), after which fewer deals are used."""

OTHERS = len(Seat) - 1
"""The other players, clockwise."""

MOMENTS = 2 * (1 + len(SUITS))
"""The number of moments of a hidden hand: mean and spread of its points, then of lengths."""

FACTS = HIDDEN_HANDS + OTHERS * MOMENTS + 2
"""The number of facts of a position.

They are the log-odds of each card with each of the others, in the order of bits of `layout`, over
those of one in three (0 for cards in the own hand); the moments; 1 if all calls are believed; and
the logarithm of the share of deals that fit, scaled. All are 0 where no deal is found to fit.
"""

EVEN = -float(np.log(2))
"""The log-odds of one in three."""

_DRAWN = 1000
_SPOTS = 8
"""Cards of a suit below the ten."""
_POINTS_SCALE, _CARDS_SCALE, _RARE_SCALE = 4.0, 2.0, 10.0
_MEAN_POINTS, _MEAN_LENGTH = 10.0, 3.25


@dataclass(frozen=True, eq=False)
class FittingDeals:
    """The deals that fit the calls, to be drawn.

    Attributes:
        sampler: the sampler.
        believed: True if all calls count in full; False if some had to be relaxed for a deal to
            fit.
    """

    sampler: DealSampler
    believed: bool

    @classmethod
    def of(cls, reading: Reading, hand: Hand) -> FittingDeals:
        """Return the deals for the player in turn, with calls relaxed if no deal fits them.

        Raises:
            InfeasibleError: If no deal fits even so.
        """
        me = reading.state.me
        try:
            sampler = DealSampler(Knowledge.of_reading(reading, me, hand))
            # One deal is drawn to find out now, not later, that none fits.
            sampler.draw(1, np.random.default_rng(0), effort=EFFORT, at_least=0)
        except InfeasibleError:
            return cls(feasible_knowledge(reading, me, hand).sampler, False)
        return cls(sampler, True)

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Draw up to `n` deals, as many as the effort allows; `rng` is consumed."""
        return self.sampler.draw(n, rng, effort=EFFORT, at_least=0)


def fitting_or_none(reading: Reading, hand: Hand) -> FittingDeals | None:
    """Return the deals that fit; None if there are none."""
    try:
        return FittingDeals.of(reading, hand)
    except InfeasibleError:
        return None


def others_of(me: Seat) -> list[Seat]:
    """Return the other players, clockwise."""
    return [Seat((me + place) % len(Seat)) for place in range(1, len(Seat))]


def card_shares(batch: DealBatch, me: Seat) -> NDArray[np.float64]:
    """Return the probability of each card with each of the others, clockwise, float64 `[52, 3]`.

    A deal of each kind is added to those drawn, so that nothing is certain. Rows of the own cards
    mean nothing.
    """
    held = np.stack([batch.held(seat).mean(axis=0) for seat in others_of(me)], axis=1)
    # A view: what is averaged below changes `held`.
    by_suit = held.reshape(len(SUITS), HAND_SIZE, OTHERS)
    spots = by_suit[:, :_SPOTS]
    # A suit whose small cards are all in the own hand has none to share out.
    hidden = spots.sum(axis=2, keepdims=True) > 0
    count = np.maximum(hidden.sum(axis=1, keepdims=True), 1)
    by_suit[:, :_SPOTS] = spots.sum(axis=1, keepdims=True) / count
    # One deal added of each kind: the log-odds of what never occurred stay finite.
    return np.asarray((len(batch) * held + 1) / (len(batch) + OTHERS))


def exact_facts(deals: FittingDeals | None, me: Seat, hand: Hand) -> NDArray[np.float32]:
    """Return the facts that the calls show the player in turn, float32 `[FACTS]`.

    The deals are drawn with a fixed seed, so the facts are always the same.

    Args:
        deals: the deals that fit, None if none do.
        me: the player in turn.
        hand: the player's hand.
    """
    facts = np.zeros(FACTS, dtype=np.float32)
    # A fixed seed: the facts of a position must not differ between training and use.
    batch = deals.draw(_DRAWN, np.random.default_rng(0)) if deals else None
    if deals is None or batch is None or not len(batch):
        return facts
    shares = card_shares(batch, me)
    odds = np.log(shares / (1 - shares)) - EVEN
    # Own cards are at no other player's: their odds mean nothing and are left at 0.
    odds[sorted(hand.cards)] = 0.0
    facts[:HIDDEN_HANDS] = odds[CARD_OF_BIT].T.reshape(-1)
    facts[HIDDEN_HANDS:-2] = np.concatenate([_moments(batch, seat) for seat in others_of(me)])
    share = batch.report.share if batch.report else 1.0
    # The share spans many orders of magnitude, so its logarithm is shown, scaled to about 1.
    facts[-2:] = deals.believed, np.log(max(share, 1e-12)) / _RARE_SCALE
    return facts


def _moments(batch: DealBatch, seat: Seat) -> NDArray[np.float64]:
    points, lengths = batch.hcp(seat), batch.lengths(seat)
    return np.array(
        [
            (points.mean() - _MEAN_POINTS) / _POINTS_SCALE,
            points.std() / _POINTS_SCALE,
            *((lengths.mean(axis=0) - _MEAN_LENGTH) / _CARDS_SCALE),
            *(lengths.std(axis=0) / _CARDS_SCALE),
        ]
    )
