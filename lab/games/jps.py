"""Joint policy search over a game tree: Algorithm 1 of the paper, with all states or with samples.

The gain of a chain of changed information sets is the sum of their policy-change densities
(Theorem 1); the game is swept once for each change that is made, never for one that is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bidwright import InvalidError
from bidwright.lab.games import _kernels
from bidwright.lab.games.tree import Floats, Tree

Reading = Literal["algorithm", "text"]
"""The reading of a depth. Algorithm 1 begins with d = 1 and stops where d >= D: a depth D changes
D - 1 information sets together. The text (section 7.3) counts D turns."""

TOLERANCE = 1e-9
"""The largest error of the gain by Theorem 1, as a share of the largest payoff."""


@dataclass(frozen=True)
class Found:
    """The results of the search from `S` policies.

    Attributes:
        policies: `[S, K]` the policies; with samples, the best after any pass.
        values: `[S]` their values.
        passes: `[S]` the numbers of passes over all information sets.
        changes: `[S]` the numbers of changed chains.
        gap: The greatest difference between the gain by Theorem 1 and the true one.
    """

    policies: Floats
    values: Floats
    passes: Floats
    changes: Floats
    gap: float


def chain_length(depth: int | None, reading: Reading = "algorithm") -> int:
    """Return the number of information sets that a search of this depth changes together.

    Args:
        depth: D of Algorithm 1; None for the maximal depth, down to the ends of the game.
        reading: The reading of a depth.

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
    """Improve policies by joint policy search and return the results.

    Args:
        tree: The game. All states of an information set must be equally deep.
        policies: `[S, K]` the policies to begin with.
        rng: Order of the information sets, and samples; consumed.
        length: The most information sets that change together.
        samples: States drawn from each information set; 0 takes all.
        passes: Most passes over all information sets.

    Raises:
        InvalidError: The states of an information set are not equally deep.
        AssertionError: A gain is not that of Theorem 1; never with a correct program.
    """
    shape = tree.shape
    depths = shape.depth[shape.members]
    shallow = np.minimum.reduceat(depths, shape.members_at[:-1])
    # The kernel walks up to one depth for all states of an information set; with unequal depths it
    # would stop above or below the change.
    if (shallow != np.maximum.reduceat(depths, shape.members_at[:-1])).any():
        raise InvalidError(f"expected information sets of one depth each in {tree.game.name}")
    places = tree.infosets
    if samples:
        at = np.arange(places + 1, dtype=np.int32) * np.int32(samples)
        sample = _kernels.Sample(at, np.zeros(at[-1], np.int32), np.ones(at[-1]))
    else:
        sample = _kernels.Sample(shape.members_at, shape.members, np.ones(len(shape.members)))
    room = room_of(tree)
    out, results = policies.copy(), np.zeros((len(policies), 4))
    for seed, policy in enumerate(np.array(policies, order="C")):  # a copy, which changes
        reach, value = np.empty((2, len(shape.parent)))
        total = most = _kernels.sweep(shape, policy, reach, value)
        passed, changes, worst = 0, 0, 0.0
        while passed < passes:
            passed += 1
            if samples:
                _kernels.draw(shape, rng, sample)
            order = rng.permutation(places)
            total, changed, gap = _kernels.search_once(
                shape, policy, length, sample, order, total, reach, value, room
            )
            changes, worst = changes + changed, max(worst, gap)
            if total > most + _kernels.SMALL:
                most = total
                out[seed] = policy
            # With all states, a pass without a change is a local optimum; with samples the next
            # draw may still find one, so all passes are made.
            if changed == 0 and not samples:
                break
        results[seed] = most, passed, changes, worst
    gap = float(results[:, 3].max())
    if not samples and gap > TOLERANCE * max(1.0, float(np.abs(shape.payoff).max())):
        raise AssertionError(f"Theorem 1 is off by {gap} in {tree.game.name}")
    return Found(out, results[:, 0], results[:, 1], results[:, 2], 0.0 if samples else gap)


def room_of(tree: Tree) -> _kernels.Stack:
    """Return room for a search."""
    # One level for each depth that a chain can have, and one for the -1 that ends a path.
    levels = int(tree.shape.depth.max()) + 2
    most = int(np.diff(tree.shape.base).max())
    place, move, cursor, end, path, best = np.zeros((6, levels), np.int32)
    active = np.full(tree.infosets, -1, np.int32)
    gain, gains = np.zeros(levels), np.zeros((levels, most))
    return _kernels.Stack(place, move, cursor, end, path, best, active, gain, gains)
