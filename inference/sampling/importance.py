"""Importance sampling: deals proposed in several ways at once, and weighted by what calls mean.

Players do not always obey their system. So deals are drawn exactly uniformly from a region wider
than what the calls mean, and a small part of them from all deals, whatever the calls. Each is
weighted by what the caller says of it (the probability of the calls made, by a policy, for
instance) over its chance of being proposed.

What is drawn from one region alone never leaves it, however well a deal outside explains the
calls. A mixture of regions does, and the density of the whole mixture (the balance heuristic of
multiple importance sampling, Veach and Guibas 1995) keeps weights even: a deal that lies in
several regions is weighed by the sum of their densities, whichever of them proposed it.

Densities are relative to all deals with the cards known being alike. Shapes: `D` deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.batch import DealBatch, SampleReport
from bidwright.inference.sampling.knowledge import InfeasibleError, Knowledge, RareDealsError
from bidwright.inference.sampling.predicate import compile_predicates
from bidwright.inference.sampling.problem import FREE_HAND, problem_of, slackened
from bidwright.inference.sampling.sampler import EFFORT, DealSampler

Floats = NDArray[np.float64]


class Proposer(Protocol):
    """A way to propose deals."""

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return up to `n` deals; `rng` is consumed."""

    def density(self, batch: DealBatch) -> Floats:
        """Return float64 `[D]`: the density of each deal relative to that of all deals alike."""


class Region:
    """Proposes the deals that agree with some knowledge, by its sampler.

    Its density depends on how rare they are, which is estimated from what it drew: exactly where
    all proposals of the sampler fit.
    """

    def __init__(self, sampler: DealSampler, effort: int = EFFORT) -> None:
        """Propose by a sampler.

        Args:
            sampler: draws the deals.
            effort: after which each draw makes do with the deals it has, in proposals of E1.
        """
        self._sampler, self._effort = sampler, effort
        self.spent = 0.0
        """The effort of all draws so far."""
        self._share = self._tries = 0.0

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return up to `n` deals, as many as were found with the effort; `rng` is consumed."""
        # Fewer deals than asked for are no error here: another part of the mixture makes up for
        # them.
        batch = self._sampler.draw(n, rng, effort=self._effort, at_least=0)
        report = batch.report or SampleReport({}, 1.0)
        tries = max((tried for _, tried in report.proposals.values()), default=1)
        self.spent += report.effort
        self._tries += tries
        # The share is averaged by proposals: a short draw says less about it.
        self._share += report.share * tries
        return batch

    def density(self, batch: DealBatch) -> Floats:
        """Return float64 `[D]`: the relative density of each deal; some must have been drawn."""
        return self._sampler.weights(batch) * self._tries / self._share


class Mixture:
    """Proposes deals in several ways, a fixed share in each."""

    def __init__(self, parts: Sequence[tuple[float, Proposer]]) -> None:
        """Mix ways to propose.

        Args:
            parts: the share of the deals of each way to propose; the last is asked for those
                that others do not find.
        """
        self._parts = tuple(parts)
        self._drawn = np.zeros(len(parts))
        self._has_more = [True] * len(parts)

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return up to `n` deals, in the order of the ways; `rng` is consumed."""
        drawn: list[NDArray[np.uint8]] = []
        share = done = 0.0
        last = len(self._parts) - 1
        for place, (part, proposer) in enumerate(self._parts):
            share += part
            wanted = (n if place == last else round(n * share)) - int(done)
            if not self._has_more[place] or wanted <= 0:
                continue
            batch = proposer.draw(wanted, rng)
            # A part that came short once has spent its effort; asked again it would spend it again.
            self._has_more[place] = len(batch) == wanted
            self._drawn[place] += len(batch)
            done += len(batch)
            drawn.append(batch.owner)
        if not drawn:
            raise RareDealsError("no deals were found")
        return DealBatch(np.concatenate(drawn))

    def density(self, batch: DealBatch) -> Floats:
        """Return float64 `[D]`: the relative density of each deal, by the shares drawn so far."""
        total = np.zeros(len(batch))
        for (_, proposer), drawn in zip(self._parts, self._drawn, strict=True):
            if drawn:
                # Shares of what was drawn, not of what was planned: a part that found nothing
                # proposed nothing.
                total += drawn / self._drawn.sum() * proposer.density(batch)
        return total


Weigher = Callable[[DealBatch], NDArray[np.float64]]
"""Returns float64 `[D]`: the probability of the calls with each deal, up to a common factor."""


def near(knowledge: Knowledge, points: int = 2, cards: int = 1) -> DealSampler:
    """Return a sampler of the deals that nearly agree with some knowledge, all equally likely.

    Conditions on honours are forgiven altogether.

    Args:
        knowledge: the knowledge.
        points: high-card points that each hand may be off.
        cards: cards that it may have in another suit.

    Raises:
        InfeasibleError: If there is none, as far as counting shows.
    """
    problem = problem_of(knowledge)
    tables = [slackened(one.upper, points, cards) for one in problem.predicates]
    predicates = tuple(replace(FREE_HAND, upper=table, lower=table) for table in tables)
    wider = replace(problem, predicates=predicates, compiled=compile_predicates(predicates))
    return DealSampler(knowledge, wider)


def weigh_deals(
    knowledge: Knowledge,
    weigher: Weigher,
    n: int,
    rng: np.random.Generator,
    *,
    wide: float = 0.15,
    points: int = 2,
    cards: int = 1,
) -> DealBatch:
    """Return deals weighted by the likelihood of the calls.

    Args:
        knowledge: the cards seen, and the calls as evidence.
        weigher: gives the probability of the calls with each deal; consulted once.
        n: the number of deals to propose.
        rng: consumed.
        wide: the share of proposals drawn from all deals.
        points: high-card points that the other proposals may be off in each hand.
        cards: cards that they may have in another suit.

    Returns:
        The proposals with their weights; `effective_size` is their effective sample size, and
        `resampled` turns them into deals of equal weight.

    Raises:
        InfeasibleError: If the weigher gives no deal any weight.
    """
    far = Region(
        DealSampler(Knowledge(knowledge.observer, knowledge.hand, knowledge.dummy, knowledge.cards))
    )
    try:
        close = Region(near(knowledge, points, cards))
    except InfeasibleError:  # nothing near what the calls mean: all that is left is any deal
        parts: list[tuple[float, Region]] = [(1.0, far)]
    else:
        parts = [(1.0 - wide, close), (wide, far)]
    mixture = Mixture(parts)
    batch = mixture.draw(n, rng)
    # Weighing by the likelihood of the calls alone counted the auction twice for deals of the
    # belief network, and three times for a mixture with it.
    density = mixture.density(batch)
    weights = np.asarray(weigher(batch), dtype=np.float64) / density
    if not weights.sum() > 0:
        raise InfeasibleError("no deal proposed explains the calls")
    return replace(batch, weights=weights / weights.sum())
