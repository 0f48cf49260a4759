"""Deals proposed in several ways at once, and how likely each was to be proposed.

What is drawn from one region alone never leaves it, however well a deal outside explains the
calls. A mixture of regions does, and the density of the whole mixture (the balance heuristic of
multiple importance sampling, Veach and Guibas 1995) keeps weights even: a deal that lies in
several regions is weighed by the sum of their densities, whichever of them proposed it.

Densities are relative to all deals with the cards known being alike. Shapes: `D` deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.batch import DealBatch, SampleReport
from bidwright.inference.sampling.errors import RareDealsError
from bidwright.inference.sampling.sampler import EFFORT, DealSampler

Floats = NDArray[np.float64]


class Proposer(Protocol):
    """A way to propose deals."""

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return up to `n` deals; `rng` is consumed."""

    def density(self, batch: DealBatch) -> Floats:
        """Return float64 `[D]`: how much likelier each deal is than if all were alike."""


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
        self._share = self._tries = 0.0

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return up to `n` deals, as many as were found with the effort; `rng` is consumed."""
        batch = self._sampler.draw(n, rng, effort=self._effort, at_least=0)
        report = batch.report or SampleReport({}, 1.0)
        tries = max((tried for _, tried in report.proposals.values()), default=1)
        self._tries += tries
        self._share += report.share * tries
        return batch

    def density(self, batch: DealBatch) -> Floats:
        """Return float64 `[D]`: how likely each deal is; it must have drawn some before."""
        return self._sampler.weights(batch) * self._tries / self._share


class Mixture:
    """Proposes deals in several ways, a fixed share in each."""

    def __init__(self, parts: Sequence[tuple[float, Proposer]]) -> None:
        """Mix ways to propose.

        Args:
            parts: what share of the deals each way proposes; the last is asked for what others
                do not find.
        """
        self._parts = tuple(parts)
        self._drawn = np.zeros(len(parts))
        self._has_more = [True] * len(parts)

    def draw(self, n: int, rng: np.random.Generator) -> DealBatch:
        """Return up to `n` deals, in the order of the ways; `rng` is consumed."""
        found: list[NDArray[np.uint8]] = []
        share = done = 0.0
        last = len(self._parts) - 1
        for place, (part, proposer) in enumerate(self._parts):
            share += part
            wanted = (n if place == last else round(n * share)) - int(done)
            if not self._has_more[place] or wanted <= 0:
                continue
            batch = proposer.draw(wanted, rng)
            self._has_more[place] = len(batch) == wanted
            self._drawn[place] += len(batch)
            done += len(batch)
            found.append(batch.owner)
        if not found:
            raise RareDealsError("no deals were found")
        return DealBatch(np.concatenate(found))

    def density(self, batch: DealBatch) -> Floats:
        """Return float64 `[D]`: how likely each deal was, by the shares of what was drawn."""
        total = np.zeros(len(batch))
        for (_, proposer), drawn in zip(self._parts, self._drawn, strict=True):
            if drawn:
                total += drawn / self._drawn.sum() * proposer.density(batch)
        return total
