"""Joint policy search over a game tree: Algorithm 1 of the paper, with all states or with samples.

The gain of a chain of changed information sets is the sum of their policy-change densities
(Theorem 1); the game is swept once for each change that is made, never for one that is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import _kernels
from bidwright.lab.games.tree import Floats, Tree

Reading = Literal["algorithm", "text"]
"""How a depth is read. Algorithm 1 begins with d = 1 and stops where d >= D: a depth D changes
D - 1 information sets together. The text (section 7.3) counts D turns."""

TOLERANCE = 1e-9
"""How far the gain by Theorem 1 may be from the one that is, as a share of the largest payoff."""


@dataclass(frozen=True)
class Found:
    """What the search made of `S` policies.

    Attributes:
        policies: `[S, K]` the policies; with samples, the best after any pass.
        values: `[S]` what they are worth.
        passes: `[S]` how often all information sets were gone through.
        changes: `[S]` how many chains were changed.
        gap: The greatest difference between the gain by Theorem 1 and the one that is.
    """

    policies: Floats
    values: Floats
    passes: Floats
    changes: Floats
    gap: float


def chain_length(depth: int | None, reading: Reading = "algorithm") -> int:
    """Return how many information sets a search of this depth changes together.

    Args:
        depth: D of Algorithm 1; None for the maximal depth, down to the ends of the game.
        reading: How a depth is read.

    Raises:
        InvalidError: With this depth, nothing could change.
    """
    if depth is None:
        return 2**30
    length = depth - (reading == "algorithm")
    if length < 1:
        raise InvalidError(f"expected a depth of {2 - length + depth - 1} or more, got {depth}")
    return length


def improve(
    tree: Tree,
    policies: Floats,
    rng: np.random.Generator,
    *,
    length: int = 2**30,
    samples: int = 0,
    passes: int = 100,
) -> Found:
    """Return what joint policy search makes of policies.

    Args:
        tree: The game. All states of an information set must be equally deep.
        policies: `[S, K]` where to begin.
        rng: Order of the information sets, and samples; consumed.
        length: How many information sets may change together.
        samples: States drawn from each information set; 0 takes all.
        passes: Most passes over all information sets.

    Raises:
        InvalidError: The states of an information set are not equally deep.
        AssertionError: A gain is not what Theorem 1 says; never with a correct program.
    """
    shape = tree.shape
    depths = shape.depth[shape.members]
    shallow = np.minimum.reduceat(depths, shape.members_at[:-1])
    if (shallow != np.maximum.reduceat(depths, shape.members_at[:-1])).any():
        raise InvalidError(f"expected information sets of one depth each in {tree.game.name}")
    places = tree.infosets
    if samples:
        at = np.arange(places + 1, dtype=np.int32) * np.int32(samples)
        sample = _kernels.Sample(at, np.zeros(at[-1], np.int32), np.ones(at[-1]))
    else:
        sample = _kernels.Sample(shape.members_at, shape.members, np.ones(len(shape.members)))
    room = _room(tree)
    out, found = policies.copy(), np.zeros((len(policies), 4))
    for seed, policy in enumerate(np.array(policies, order="C")):  # a copy, which changes
        reach, value = np.empty((2, len(shape.parent)))
        worth = most = _kernels.sweep(shape, policy, reach, value)
        passed, changes, worst = 0, 0, 0.0
        while passed < passes:
            passed += 1
            if samples:
                _kernels.draw(shape, rng, sample)
            order = rng.permutation(places)
            worth, changed, gap = _kernels.search_once(
                shape, policy, length, sample, order, worth, reach, value, room
            )
            changes, worst = changes + changed, max(worst, gap)
            if worth > most + _kernels.SMALL:
                most = worth
                out[seed] = policy
            if changed == 0 and not samples:
                break
        found[seed] = most, passed, changes, worst
    gap = float(found[:, 3].max())
    if not samples and gap > TOLERANCE * max(1.0, float(np.abs(shape.payoff).max())):
        raise AssertionError(f"Theorem 1 is off by {gap} in {tree.game.name}")
    return Found(out, found[:, 0], found[:, 1], found[:, 2], 0.0 if samples else gap)


def _room(tree: Tree) -> _kernels.Stack:
    """Return room for a search."""
    levels = int(tree.shape.depth.max()) + 2
    most = int(np.diff(tree.shape.base).max())
    place, move, cursor, end, path, best = np.zeros((6, levels), np.int32)
    active = np.full(tree.infosets, -1, np.int32)
    gain, found = np.zeros(levels), np.zeros((levels, most))
    return _kernels.Stack(place, move, cursor, end, path, best, active, gain, found)
