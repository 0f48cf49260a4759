"""The information in each call: how much it tells of its maker's hand, and what changes.

A call splits the deals into those with which it is made and the others. The information in it is
the logarithm, to base two, of how many times fewer deals are left. That is also how far the
caller's hand moves (the Kullback-Leibler divergence of the distribution after the call from the
one before), since a call shows something of other hands only through his.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log2, sqrt

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.posterior.probability_tables import mean, middle
from bidwright.inference.sampling import (
    DealBatch,
    DealSampler,
    FeasibleKnowledge,
    Knowledge,
    RareDealsError,
)

_SAMPLE = 2_000
_ENOUGH = 50
_EFFORT = 5_000_000
"""Proposals for all calls together (about a second); a call has what those before it left."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A hand in a few numbers.

    Attributes:
        hcp: mean high-card points.
        hcp_range: the range of nine hands in ten.
        lengths: mean lengths of C D H S.
    """

    hcp: float
    hcp_range: tuple[int, int]
    lengths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """The information in a call.

    Attributes:
        place: of the call in the auction, from 0.
        seat: its maker, whose hand is hidden.
        call: the call.
        bits: the information in it; `None` if too few deals agree to say.
        error: the standard error of `bits`; 0 if they were counted.
        before: the hand before.
        after: the hand after.
    """

    place: int
    seat: Seat
    call: Call
    bits: float | None
    error: float
    before: Summary | None
    after: Summary | None


@dataclass(frozen=True, eq=False)
class _Stage:
    """The deals that agree with the auction up to a call.

    Attributes:
        batch: some deals; `None` if too few were found.
        share: the share of all deals that agree.
        variance: of the logarithm of the share; 0 if it was counted.
    """

    batch: DealBatch | None
    share: float
    variance: float


_NOTHING = _Stage(None, 0.0, 0.0)


def effects(
    belief: FeasibleKnowledge,
    auction: Auction,
    rng: np.random.Generator,
    drawn: DealBatch | None = None,
) -> tuple[Effect, ...]:
    """Return the information in each call of a hidden hand.

    Args:
        belief: the knowledge after the auction.
        auction: the auction.
        rng: consumed.
        drawn: deals that the sampler of `belief` drew, if any.
    """
    hidden = belief.sampler.problem.hidden
    work = _Work(rng, belief, drawn)
    last = max((place for place, turn in enumerate(belief.turns) if turn), default=-1)
    stage = work.stage(belief.before(0))
    result = []
    for place, call in enumerate(auction.calls):
        seat = auction.seat_of(place)
        if seat not in hidden:
            continue
        # Only hidden hands: the call of a hand that is seen tells nothing that is not on the table.
        says = belief.turns[place] is not None
        # A call that says nothing leaves the deals as they were.
        if not says:
            after = stage
        elif place == last:
            after = work.last_stage()
        else:
            after = work.stage(belief.before(place + 1))
        result.append(_effect(place, seat, call, stage, after))
        stage = after
    return tuple(result)


class _Work:
    """The drawing of deals for one stage after the other, with a limit for all of them together."""

    def __init__(
        self, rng: np.random.Generator, belief: FeasibleKnowledge, drawn: DealBatch | None
    ) -> None:
        self._rng = rng
        self._belief = belief
        self._drawn = drawn
        self._left = _EFFORT

    def last_stage(self) -> _Stage:
        """Return the stage after the auction: by the deals drawn before, if any."""
        # The tables of an explanation are made of deals of the same knowledge, which need not be
        # drawn again.
        if self._drawn is None or self._drawn.report is None or len(self._drawn) < _ENOUGH:
            return self.stage(self._belief.knowledge)
        return _counted(self._belief.sampler, self._drawn)

    def stage(self, knowledge: Knowledge) -> _Stage:
        """Return the stage of some knowledge, as far as the effort left shows."""
        if self._left <= 0:
            return _NOTHING
        sampler = DealSampler(knowledge)
        try:
            batch = sampler.draw(_SAMPLE, self._rng, effort=self._left, at_least=_ENOUGH)
        except RareDealsError:
            # Once deals are too rare, later stages are rarer still.
            self._left = 0
            return _NOTHING
        assert batch.report is not None
        self._left -= int(batch.report.effort)
        return _counted(sampler, batch)


def _counted(sampler: DealSampler, batch: DealBatch) -> _Stage:
    """Return the stage that a sampler drew deals of: counted where that is possible."""
    assert batch.report is not None
    # Counted where that is possible: then the information is exact.
    count = sampler.count()
    if count is not None:
        return _Stage(batch, count / sampler.problem.deals, 0.0)
    # The way of proposing that was tried most decides the error.
    accepted, tries = max(batch.report.proposals.values(), key=lambda tally: tally[1])
    # The variance of the logarithm of a share of binomial trials.
    return _Stage(batch, batch.report.share, (1 - accepted / tries) / accepted)


def _effect(place: int, seat: Seat, call: Call, before: _Stage, after: _Stage) -> Effect:
    bits, error = None, 0.0
    if after is before:
        bits = 0.0
    elif before.share and after.share:
        # Estimates may come out a hair above each other: information is never negative.
        bits = max(0.0, log2(before.share / after.share))
        error = sqrt(before.variance + after.variance) / log(2)
    return Effect(
        place, seat, call, bits, error, _summary(before.batch, seat), _summary(after.batch, seat)
    )


def _summary(batch: DealBatch | None, seat: Seat) -> Summary | None:
    if batch is None:
        return None
    points = batch.hcp_table(seat)
    lengths = tuple(mean(row) for row in batch.length_table(seat))
    return Summary(mean(points), middle(points), lengths)
