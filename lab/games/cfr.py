"""Counterfactual regret minimisation, purified, as the paper runs it.

Source: Zinkevich et al., "Regret Minimization in Games with Incomplete Information" (2007). All
players update at once, and the policy of the last round is taken, not the average: the result is
made pure, and the average gains nothing by that.
"""

from __future__ import annotations

import numpy as np

from bidwright.lab.games import _kernels, policies
from bidwright.lab.games.tree import Floats, Tree

ROUNDS = 1000
"""Rounds that the paper gives it."""
NOISE = 0.01
"""The deviation from equal odds of moves that are never regretted, drawn once a seed."""
ROOM = 24_000_000
"""Numbers that one run may hold for each of its arrays: it bounds how many seeds run together."""


def solve(tree: Tree, seeds: int, rng: np.random.Generator, rounds: int = ROUNDS) -> Floats:
    """Return pure policies `[S, K]`, one from each of so many random beginnings.

    Args:
        tree: The game.
        seeds: The number of seeds.
        rng: Draws the policies of the first round; consumed.
        rounds: The number of updates.
    """
    # Seeds share one walk over the tree; a larger tree takes fewer at a time, since every seed
    # needs a value for each node, and the reach of the others for each player.
    together = max(1, min(16, ROOM // tree.nodes))
    done = []
    for at in range(0, seeds, together):
        count = min(together, seeds - at)
        first = policies.random(tree, count, rng)
        noise = 1 + NOISE * rng.standard_normal((count, tree.slots))
        # Where no move was ever regretted, equal odds would make the first move by rank after
        # purification, in all seeds alike.
        idle = policies.normalised(tree, policies.uniform(tree) * np.maximum(noise, 0.1))
        solved = _kernels.minimise_regret(
            tree.shape,
            tree.game.players,
            np.ascontiguousarray(first.T),
            np.ascontiguousarray(idle.T),
            rounds,
        )
        done.append(policies.purified(tree, solved.T))
    return np.concatenate(done)
