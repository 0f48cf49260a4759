"""Deals weighted by how well they explain the calls, for players who do not always obey.

Proposals are drawn exactly uniformly from a region wider than what the calls mean, and a small
part of them from all deals, whatever the calls. Each is weighted by what the caller says of it
(the probability of the calls made, by a policy, for instance) over its chance of being proposed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.batch import DealBatch
from bidwright.inference.sampling.compiled_predicates import compile_predicates
from bidwright.inference.sampling.errors import InfeasibleError
from bidwright.inference.sampling.hand_tables import ALL_POINTS, SHAPE_INDEX, SHAPES, Table
from bidwright.inference.sampling.knowledge import Knowledge
from bidwright.inference.sampling.mixture import Mixture, Region
from bidwright.inference.sampling.predicate import HandPredicate
from bidwright.inference.sampling.problem import FREE_HAND, problem_of
from bidwright.inference.sampling.sampler import DealSampler

Weigher = Callable[[DealBatch], NDArray[np.float64]]
"""Returns float64 `[D]`: how likely the calls are with each deal, up to a common factor."""


def _neighbours() -> NDArray[np.int16]:
    """Return int16 `[S, 12]`: the shapes with one card moved to another suit, or the same."""
    moved = []
    for one in range(4):
        for other in range(4):
            if one != other:
                lengths = SHAPES.astype(np.int16)
                lengths[:, one] -= 1
                lengths[:, other] += 1
                lengths[SHAPES[:, one] == 0] = SHAPES[SHAPES[:, one] == 0]
                moved.append(SHAPE_INDEX[tuple(lengths[:, :3].T)])
    return np.stack(moved, axis=1).astype(np.int16)


_NEIGHBOURS = _neighbours()


def slackened(predicate: HandPredicate, points: int, cards: int) -> HandPredicate:
    """Return a wider predicate: so many points and cards moved between suits are forgiven.

    Conditions on honours are forgiven altogether.
    """
    table: Table = predicate.upper
    for _ in range(cards):
        table = table | np.bitwise_or.reduce(table[_NEIGHBOURS], axis=1)
    for _ in range(points):
        table = (table | table << 1 | table >> 1) & ALL_POINTS
    return replace(FREE_HAND, upper=table, lower=table)


def near(knowledge: Knowledge, points: int = 2, cards: int = 1) -> DealSampler:
    """Return what draws deals that nearly agree with what is known, each with the same chance.

    Args:
        knowledge: what is known.
        points: high-card points that each hand may be off.
        cards: cards that it may have in another suit.

    Raises:
        InfeasibleError: If there is none, as far as counting shows.
    """
    problem = problem_of(knowledge)
    predicates = tuple(slackened(one, points, cards) for one in problem.predicates)
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
    """Return deals with weights: how well each explains the calls.

    Args:
        knowledge: cards seen, and what the calls mean.
        weigher: says how likely the calls are with each deal; consulted once.
        n: how many deals to propose.
        rng: consumed.
        wide: the share of proposals drawn from all deals.
        points: high-card points that the other proposals may be off in each hand.
        cards: cards that they may have in another suit.

    Returns:
        The proposals with their weights; `effective_size` says how many deals they are worth, and
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
    density = mixture.density(batch)
    weights = np.asarray(weigher(batch), dtype=np.float64) / density
    if not weights.sum() > 0:
        raise InfeasibleError("no deal proposed explains the calls")
    return replace(batch, weights=weights / weights.sum())
