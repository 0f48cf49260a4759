"""A sample of deals, with tables of the hidden hands.

Shapes: `D` deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import (
    HAND_SIZE,
    SUITS,
    Card,
    Denomination,
    Rank,
    Seat,
    card_index,
)
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.bridge.hand import HCP
from bidwright.inference.sampling.hand_tables import MAX_HCP

_POINTS = np.array([HCP.get(rank, 0) for _ in SUITS for rank in Rank], dtype=np.int64)


@dataclass(frozen=True)
class SampleReport:
    """The statistics of a sample: engines, proposals and their error.

    Attributes:
        proposals: for each engine used, the number of deals that fitted and that it proposed.
        share: the share of all deals with the cards known that agree with the rest, estimated.
        effort: what that took, in proposals of the cheaper engine.
    """

    proposals: Mapping[str, tuple[int, int]]
    share: float
    effort: float = 0.0

    def __str__(self) -> str:
        """Return one line for a log."""
        engines = ", ".join(
            f"{name} kept {found:,} of {tries:,}" for name, (found, tries) in self.proposals.items()
        )
        return f"{engines}; {self.share:.3g} of all deals agree"


@dataclass(frozen=True, eq=False)
class DealBatch:
    """Deals, all of the same weight unless `weights` says otherwise.

    Attributes:
        owner: uint8 `[D, 52]`: the seat that holds each card.
        weights: float64 `[D]`, adding up to 1; `None` if all weigh the same.
        report: how the deals were drawn.

    Example:
        >>> import bidwright
        >>> deals = bidwright.sample("1NT", 50, seed=1, system="sayc")
        >>> spades = deals.lengths(bidwright.Seat.NORTH)[:, bidwright.Denomination.SPADES]
        >>> len(deals), deals.owner.shape, spades.shape, deals[0].north.hcp in (15, 16, 17)
        (50, (50, 52), (50,), True)
    """

    owner: NDArray[np.uint8]
    weights: NDArray[np.float64] | None = None
    report: SampleReport | None = None

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.owner)

    def __getitem__(self, index: int) -> Deal:
        """Return a deal."""
        return deal_from_owner(self.owner[index])

    def __iter__(self) -> Iterator[Deal]:
        """Yield the deals."""
        return map(deal_from_owner, self.owner)

    @property
    def effective_size(self) -> float:
        """Effective sample size (Kish): 1 over the sum of the squared weights."""
        if self.weights is None:
            return float(len(self))
        return float(1 / np.square(self.weights).sum())

    def resampled(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return `n` of the deals, drawn by weight (systematically); `rng` is consumed."""
        weights = np.full(len(self), 1 / len(self)) if self.weights is None else self.weights
        # Systematic, by one random number and even steps: each deal is taken within one of its
        # share.
        places = (rng.random() + np.arange(n)) / n
        chosen = np.searchsorted(np.cumsum(weights), places, side="right")
        chosen = rng.permutation(np.minimum(chosen, len(self) - 1))
        return DealBatch(self.owner[chosen], report=self.report)

    def held(self, seat: Seat) -> NDArray[np.bool_]:
        """Return bool `[D, 52]`: the cards of a seat."""
        return np.asarray(self.owner == seat)

    def hcp(self, seat: Seat) -> NDArray[np.int64]:
        """Return int64 `[D]`: the high-card points of a seat."""
        return np.asarray(self.held(seat) @ _POINTS)

    @cached_property
    def _lengths(self) -> NDArray[np.int8]:
        # All seats in one pass: `lengths` is asked for each of them by every table.
        by_suit = self.owner.reshape(-1, 1, len(SUITS), HAND_SIZE)
        seats = np.arange(len(Seat), dtype=np.uint8)[None, :, None, None]
        return np.asarray((by_suit == seats).sum(axis=3, dtype=np.int8))

    def lengths(self, seat: Seat) -> NDArray[np.int8]:
        """Return int8 `[D, 4]`: the suit lengths of a seat, in the order C D H S."""
        return self._lengths[:, seat]

    def key_cards(self, seat: Seat, trumps: Denomination) -> NDArray[np.int64]:
        """Return int64 `[D]`: the aces and the king of trumps that a seat holds."""
        cards = [card_index(suit, Rank.ACE) for suit in SUITS]
        cards.append(card_index(trumps, Rank.KING))
        return np.asarray(self.held(seat)[:, cards].sum(axis=1, dtype=np.int64))

    # ----------------------------------------------------------- posterior tables

    def share(self, event: NDArray[np.bool_]) -> float:
        """Return the weight, 0 to 1, of the deals of an event, given as bool `[D]`."""
        return float(event.mean() if self.weights is None else self.weights[event].sum())

    def _histogram(self, values: NDArray[np.integer], size: int) -> NDArray[np.float64]:
        weights = self.weights
        counts = np.bincount(values, weights=weights, minlength=size)
        return np.asarray(counts / len(self) if weights is None else counts, dtype=np.float64)

    def hcp_table(self, seat: Seat) -> NDArray[np.float64]:
        """Return float64 `[38]`: the probability of each number of high-card points."""
        return self._histogram(self.hcp(seat), MAX_HCP + 1)

    def length_table(self, seat: Seat) -> NDArray[np.float64]:
        """Return float64 `[4, 14]`: the probability of each length of C D H S."""
        lengths = self.lengths(seat)
        return np.stack([self._histogram(lengths[:, suit], HAND_SIZE + 1) for suit in SUITS])

    def fit_table(self, seat: Seat) -> NDArray[np.float64]:
        """Return float64 `[4, 14]`: the probability of each length with partner's, in C D H S."""
        lengths = self.lengths(seat) + self.lengths(seat.partner)
        return np.stack([self._histogram(lengths[:, suit], HAND_SIZE + 1) for suit in SUITS])

    def key_card_table(self, seat: Seat, trumps: Denomination) -> NDArray[np.float64]:
        """Return float64 `[6]`: the probability of each number of key cards."""
        return self._histogram(self.key_cards(seat, trumps), len(SUITS) + 2)

    def owner_table(self) -> NDArray[np.float64]:
        """Return float64 `[52, 4]`: the probability of each card with each seat."""
        held = self.owner[:, :, None] == np.arange(len(Seat), dtype=np.uint8)
        return np.asarray(np.average(held, axis=0, weights=self.weights))

    def holds(self, seat: Seat, card: Card) -> float:
        """Return the probability that a seat holds a card."""
        return self.share(self.owner[:, card] == seat)
