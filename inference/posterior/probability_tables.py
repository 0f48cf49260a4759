"""Probability tables of the hidden hands, counted where deals can be counted.

Shapes: suits in the order C D H S, seats N E S W.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, SUITS, Denomination, Rank, Seat, card_index
from bidwright.inference.sampling import (
    DealBatch,
    Event,
    FeasibleKnowledge,
    Holds,
    Length,
    Odds,
    Points,
)
from bidwright.inference.sampling.sampler import EFFORT

SAMPLE = 20_000
"""Deals drawn for tables."""

_ENOUGH = 200
"""Deals that tables are made of at least, where hardly any deal agrees."""

_EVENTS = 110
"""Events in the tables of a hand: points, lengths and honours."""

_MOST_EFFORT = 40_000_000
"""Proposals that tables from counts may cost (some ten seconds); those that cost more are drawn."""

_EFFORT = 5_000_000
"""Proposals that are made for so many deals (about a second); with them, fewer are enough."""

HONOURS = tuple(
    card_index(suit, rank)
    for suit in reversed(SUITS)
    for rank in (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK)
)
"""The cards of the table of holders, from the ace of spades down."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HandTables:
    """The probability tables of one hidden hand.

    Attributes:
        hcp: float64 `[38]`: each number of high-card points.
        lengths: float64 `[4, 14]`: each length of each suit.
        honours: float64 `[16]`: each of `HONOURS` being held.
    """

    hcp: Numbers
    lengths: Numbers
    honours: Numbers

    @property
    def mean_hcp(self) -> float:
        """The mean of the high-card points."""
        return mean(self.hcp)

    @property
    def mean_lengths(self) -> tuple[float, ...]:
        """The mean length of C D H S."""
        return tuple(mean(row) for row in self.lengths)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The probability tables of a deal, given an auction.

    Attributes:
        belief: the knowledge after the auction.
        batch: the deals drawn, for all figures that were not counted.
        deals: the number of deals that agree; `None` if they cannot be counted.
        share: the share of all deals with the cards known that agree.
        hands: the tables of each hidden hand.
    """

    belief: FeasibleKnowledge
    batch: DealBatch
    deals: float | None
    share: float
    hands: Mapping[Seat, HandTables]

    @property
    def is_exact(self) -> bool:
        """True if the tables of the hands were counted, not estimated."""
        return self.deals is not None

    @property
    def error(self) -> float:
        """The largest standard error of a share taken from the deals drawn."""
        # The error of a share of a half, which is the largest.
        return 0.5 / float(np.sqrt(len(self.batch)))

    @property
    def known(self) -> tuple[Seat, ...]:
        """The seats with a hand that is seen."""
        return tuple(seat for seat in Seat if seat not in self.hands)


def posterior(belief: FeasibleKnowledge, rng: np.random.Generator, size: int = SAMPLE) -> Posterior:
    """Return the probability tables of a deal; `rng` is consumed.

    Raises:
        RareDealsError: If hardly any deal agrees with what is known.
    """
    sampler = belief.sampler
    enough = min(size, _ENOUGH)
    # Drawn even where the tables are counted: fits and key cards come from the sample.
    batch = sampler.draw(size, rng, effort=_EFFORT, at_least=0)
    # Few deals fit: then as many as are enough, however long it takes.
    if len(batch) < enough:
        batch = sampler.draw(size, rng, effort=EFFORT - _EFFORT, at_least=enough)
    # With soft edges a count is of so many mixtures that drawing takes less time.
    deals = None if belief.knowledge.soft else sampler.count()
    # Counting costs an effort for each event of the tables; drawing is quicker beyond it.
    if deals is not None and _EVENTS * len(sampler.problem.hidden) * sampler.price() > _MOST_EFFORT:
        deals = None
    every = sampler.problem.deals
    hidden = [Seat(seat) for seat in sampler.problem.hidden]
    assert batch.report is not None
    share = batch.report.share if deals is None else deals / every
    hands = _sampled(batch, hidden) if deals is None else _counted(belief, hidden, rng)
    return Posterior(belief, batch, deals, share, hands)


def _sampled(batch: DealBatch, hidden: list[Seat]) -> dict[Seat, HandTables]:
    owners = batch.owner_table()[list(HONOURS)]
    return {
        seat: HandTables(batch.hcp_table(seat), batch.length_table(seat), owners[:, seat])
        for seat in hidden
    }


def _counted(
    belief: FeasibleKnowledge, hidden: list[Seat], rng: np.random.Generator
) -> dict[Seat, HandTables]:
    """Return tables from counts; hands of which nothing is known have the same."""
    odds = Odds(belief.knowledge, rng)
    predicates = belief.sampler.problem.predicates
    tables: dict[Seat, HandTables] = {}
    # Hands of which nothing is known have the same tables, counted once.
    alike: HandTables | None = None
    for seat in hidden:
        plain = predicates[seat].is_free and not belief.knowledge.known(seat)
        if plain and alike is not None:
            tables[seat] = alike
            continue
        tables[seat] = _counted_hand(odds, seat)
        alike = tables[seat] if plain else alike
    return tables


def _counted_hand(odds: Odds, seat: Seat) -> HandTables:
    def chance(event: Event) -> float:
        return odds.of(event).value

    return HandTables(
        np.array([chance(Points(seat, points, points)) for points in range(38)]),
        np.array(
            [
                [chance(Length(seat, suit, n, n)) for n in range(HAND_SIZE + 1)]
                for suit in (Denomination(each) for each in range(len(SUITS)))
            ]
        ),
        np.array([chance(Holds(seat, card)) for card in HONOURS]),
    )


def mean(table: Numbers) -> float:
    """Return the mean of a distribution over 0, 1, 2, ..."""
    return float(table @ np.arange(len(table)))


def middle(table: Numbers, share: float = 0.9) -> tuple[int, int]:
    """Return the central range of a distribution with a given share, as much out at each end."""
    sums = np.cumsum(table) / table.sum()
    edge = (1 - share) / 2
    return int(np.searchsorted(sums, edge)), int(np.searchsorted(sums, 1 - edge))
