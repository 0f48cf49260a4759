"""Policies of a game tree: vectors `[K]` or stacks `[S, K]` of probabilities, one a slot."""

from __future__ import annotations

import numpy as np

from bidwright.lab.games import _kernels
from bidwright.lab.games.tree import Floats, Tree


def uniform(tree: Tree) -> Floats:
    """Return the policy `[K]` that makes every move with equal probability."""
    sizes = np.diff(tree.shape.base)
    return np.repeat(1 / sizes, sizes)


def random(tree: Tree, seeds: int, rng: np.random.Generator) -> Floats:
    """Return policies `[S, K]` with weights drawn between 0 and 1; `rng` is consumed."""
    # The small number keeps an information set from having all weights 0.
    return normalised(tree, rng.random((seeds, tree.slots)) + 1e-12)


def normalised(tree: Tree, weights: Floats) -> Floats:
    """Return weights `[S, K]`, not negative, scaled so that each information set adds up to 1."""
    totals = np.add.reduceat(weights, tree.shape.base[:-1], axis=1)
    return np.asarray(weights / np.repeat(totals, np.diff(tree.shape.base), axis=1))


def purified(tree: Tree, policies: Floats) -> Floats:
    """Return the policies `[S, K]` that always make the likeliest move, the first of equals."""
    base = tree.shape.base
    highest = np.repeat(np.maximum.reduceat(policies, base[:-1], axis=1), np.diff(base), axis=1)
    # Slots count down, so that the greatest of the numbers left is that of the first of equals.
    order = np.where(policies == highest, tree.slots - np.arange(tree.slots), 0)
    first = np.repeat(np.maximum.reduceat(order, base[:-1], axis=1), np.diff(base), axis=1)
    return np.asarray((order == first).astype(float))


def values(tree: Tree, policies: Floats) -> Floats:
    """Return the mean payoff of the game under each policy, `[S]`."""
    return _kernels.values_of(tree.shape, np.ascontiguousarray(policies))
