"""Probabilities of events from counts of deals, without sampling, where deals can be counted.

They can be when every hidden hand's condition is one of shape, points and holdings of single
suits, and at most two hidden hands have one (three, if no fourth hand is hidden). Otherwise the
answer is an estimate from a sample, with its standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, Card, Denomination, Seat
from bidwright.inference.sampling.batch import DealBatch
from bidwright.inference.sampling.knowledge import InfeasibleError, Knowledge
from bidwright.inference.sampling.sampler import DealSampler
from bidwright.kb.logic.features import HCP, LENGTHS
from bidwright.kb.logic.formula import Formula, both, negation, reaches

_SAMPLE = 20_000
_MANY = 160
"""Parts of mixtures with soft edges that are counted for an event, at most."""
_FEWER = 40
"""A sample that is smaller by so much will do where deals are rare."""


@dataclass(frozen=True, slots=True)
class Probability:
    """The probability of an event, and the error of that figure.

    Attributes:
        value: the probability, from 0 to 1.
        error: its standard error; 0 if it was counted.
    """

    value: float
    error: float = 0.0

    @property
    def is_exact(self) -> bool:
        """True if it was counted, not estimated."""
        return self.error == 0.0

    def __str__(self) -> str:
        """Return a percentage, with its standard error if it was estimated."""
        error = "" if self.is_exact else f" +- {self.error:.1%}"
        return f"{self.value:.1%}{error}"


class Event(Protocol):
    """Something that may be so in a deal."""

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge given the event: cases that exclude each other."""

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: True for the deals of the event."""


def _between(index: int, low: int, high: int) -> Formula:
    terms = ((index, 1),)
    return both(reaches(terms, low), negation(reaches(terms, high + 1)))


@dataclass(frozen=True, slots=True)
class Holds:
    """A seat holds a card."""

    seat: Seat
    card: Card

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge with the card in the hand."""
        for seat in Seat:
            # A card on the table needs no count: 0 or the whole.
            if self.card in knowledge.known(seat):
                return (knowledge,) if seat is self.seat else ()
        if len(knowledge.known(self.seat)) == HAND_SIZE:
            return ()
        return (knowledge.with_card(self.seat, self.card),)

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: True where the seat holds the card."""
        return np.asarray(batch.owner[:, self.card] == self.seat)


@dataclass(frozen=True, slots=True)
class Points:
    """A seat has from `low` to `high` high-card points."""

    seat: Seat
    low: int = 0
    high: int = 37

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge with the points."""
        return (knowledge.with_condition(self.seat, _between(HCP, self.low, self.high)),)

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: True where the seat has the points."""
        points = batch.hcp(self.seat)
        return np.asarray((points >= self.low) & (points <= self.high))


@dataclass(frozen=True, slots=True)
class Length:
    """A seat has from `low` to `high` cards of a suit."""

    seat: Seat
    suit: Denomination
    low: int = 0
    high: int = HAND_SIZE

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge with the length."""
        length = _between(LENGTHS[self.suit], self.low, self.high)
        return (knowledge.with_condition(self.seat, length),)

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: True where the seat has the length."""
        lengths = batch.lengths(self.seat)[:, self.suit]
        return np.asarray((lengths >= self.low) & (lengths <= self.high))


@dataclass(frozen=True, slots=True)
class Fit:
    """A seat and its partner have from `low` to `high` cards of a suit together."""

    seat: Seat
    suit: Denomination
    low: int = 0
    high: int = HAND_SIZE

    def cases(self, knowledge: Knowledge) -> Sequence[Knowledge]:
        """Return the knowledge with each length of one hand and those of the other to match."""
        seat, partner = self.seat, self.seat.partner
        return [
            case
            # A fit is no condition on one hand: it is split by the length of the first, so that
            # each case is.
            for length in range(HAND_SIZE + 1)
            for first in Length(seat, self.suit, length, length).cases(knowledge)
            for case in Length(partner, self.suit, self.low - length, self.high - length).cases(
                first
            )
        ]

    def happens(self, batch: DealBatch) -> NDArray[np.bool_]:
        """Return bool `[D]`: True where the two hands have the length."""
        lengths, partner_lengths = (
            batch.lengths(seat)[:, self.suit] for seat in (self.seat, self.seat.partner)
        )
        return np.asarray(
            (lengths + partner_lengths >= self.low) & (lengths + partner_lengths <= self.high)
        )


def count_deals(knowledge: Knowledge) -> float | None:
    """Return the number of deals that agree with the knowledge; `None` if it cannot be counted.

    The count is exact but for the rounding of its sums.
    """
    try:
        sampler = DealSampler(knowledge)
    except InfeasibleError:
        return 0.0
    return sampler.count()


class Odds:
    """The probabilities of events, given an observer's knowledge."""

    def __init__(
        self, knowledge: Knowledge, rng: np.random.Generator, sample: int = _SAMPLE
    ) -> None:
        """Take the knowledge; `rng` is consumed, and `sample` deals are drawn, only if needed."""
        self.knowledge = knowledge
        self._rng = rng
        self._size = sample

    @cached_property
    def sampler(self) -> DealSampler:
        """The sampler that draws and counts the deals."""
        return DealSampler(self.knowledge)

    @cached_property
    def batch(self) -> DealBatch:
        """The sample behind estimates."""
        return self.sampler.draw(self._size, self._rng, at_least=self._size // _FEWER)

    def _is_long(self, cases: Sequence[Knowledge]) -> bool:
        """Return True if counting the cases of an event takes longer than drawing deals."""
        judgement = self.sampler.judgement
        return self.knowledge.soft and judgement is not None and len(cases) * judgement.size > _MANY

    def of(self, event: Event) -> Probability:
        """Return the probability of an event.

        Raises:
            InfeasibleError: If no deal agrees with what is known.
            RareDealsError: If the event has to be estimated, and hardly any deal agrees.
        """
        total = self.sampler.count()
        if total == 0:
            raise InfeasibleError("no deal agrees with what is known")
        cases = event.cases(self.knowledge)
        if not cases:
            return Probability(0.0)
        if total is not None and not self._is_long(cases):
            counts = [count_deals(case) for case in cases]
            # One case that cannot be counted leaves the sum unknown: then all of it is estimated.
            if None not in counts:
                return Probability(sum(count for count in counts if count) / total)
        value = self.batch.share(event.happens(self.batch))
        # One is added to successes and failures, so that "never seen" is not called certain.
        size = len(self.batch)
        guess = (value * size + 1) / (size + 2)
        return Probability(value, float(np.sqrt(guess * (1 - guess) / size)))
