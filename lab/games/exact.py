"""Exact optima of games for two, by dynamic programming over public knowledge.

The possible holdings of a caller after some calls are a set, and so for his partner, independently:
with pure policies (which lose nothing, as all get the same payoff) a call only shows that a holding
is in some set. So the best total payoff from a situation on depends on the two sets
only, and the caller's set is shared out among the calls. The work is 3^n for n holdings of the
caller, times 2^m for m of the other, a call and a situation: 8 holdings each are quick, 16 are out
of reach (`bidding` does those of Simple Bidding).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from bidwright import InvalidError
from bidwright.lab.games import _subsets
from bidwright.lab.games.dealt import Calls, DealtGame
from bidwright.lab.games.game import OVER
from bidwright.lab.games.tree import Floats, Tree

MOST_HOLDINGS = 10


@dataclass(frozen=True)
class Optimum:
    """The best that can be done in a game.

    Attributes:
        value: The greatest mean payoff of any joint policy.
        policy: `[K]` a pure policy that has it.
    """

    value: float
    policy: Floats


def solve(tree: Tree) -> Optimum:
    """Return the optimum of a game for two.

    Raises:
        InvalidError: The game is not for two, or too big.
    """
    game = tree.game
    if not isinstance(game, DealtGame) or game.players != 2 or max(game.holdings) > MOST_HOLDINGS:
        raise InvalidError(
            f"expected a game for two with at most {MOST_HOLDINGS} holdings each, got {game.name}"
        )
    return _Solver(tree, game).optimum()


class _Solver:
    """Totals of all situations, and the policy that reaches those of the start."""

    def __init__(self, tree: Tree, game: DealtGame) -> None:
        self.tree, self.game = tree, game
        self.full = tuple(2**held - 1 for held in game.holdings)
        self.totals: dict[Hashable, Floats] = {}
        self.stages: dict[Hashable, list[Floats]] = {}

    def optimum(self) -> Optimum:
        best = self._total(())[self.full[0], self.full[1]]
        policy = np.zeros(self.tree.slots)
        self._follow((), self.full, policy)
        # Where the optimum never comes to, any move will do.
        base = self.tree.shape.base
        idle = np.add.reduceat(policy, base[:-1]) == 0
        policy[base[:-1][idle]] = 1
        return Optimum(float(best) / self.game.deals, policy)

    def _total(self, calls: Calls) -> Floats:
        """Return the best total payoff for each pair of sets, `[F0, F1]`."""
        key = self.game.situation(calls)
        if key not in self.totals:
            self.totals[key] = self._compute(key, calls)
        return self.totals[key]

    def _compute(self, key: Hashable, calls: Calls) -> Floats:
        caller = self.game.caller(calls)
        if caller == OVER:
            # Sums over both sets of the payoffs of all pairs, as two products of matrices.
            inside = [_members(held) for held in self.game.holdings]
            return np.asarray(inside[0] @ self.game.rewards(calls) @ inside[1].T)
        legal = self.game.legal(calls)
        # The caller's set is shared out one call after the other; each stage is kept, because the
        # policy is read off backwards, from the last call to the first.
        first, *rest = (self._seen_by(caller, (*calls, call)) for call in legal)
        stages = [first]
        for after in rest:
            stages.append(_subsets.shared_out(stages[-1], after))
        self.stages[key] = stages
        return stages[-1] if caller == 0 else np.ascontiguousarray(stages[-1].T)

    def _seen_by(self, caller: int, calls: Calls) -> Floats:
        """Return totals with the set of a player as the first axis."""
        total = self._total(calls)
        return np.ascontiguousarray(total if caller == 0 else total.T)

    def _follow(self, calls: Calls, sets: tuple[int, ...], policy: Floats) -> None:
        """Write the moves of an optimum from here on into the policy."""
        caller = self.game.caller(calls)
        if caller == OVER:
            return
        stages = self.stages[self.game.situation(calls)]
        left, other = sets[caller], sets[1 - caller]
        legal = self.game.legal(calls)
        for k in range(len(legal) - 1, -1, -1):
            going = left
            if k:
                after = self._seen_by(caller, (*calls, legal[k]))
                parts = _parts(left)
                going = int(
                    parts[np.argmax(after[parts, other] + stages[k - 1][left ^ parts, other])]
                )
            left ^= going
            if going:
                for holding in _held(going):
                    place = self.tree.places[caller, holding, calls]
                    policy[self.tree.shape.base[place] + k] = 1
                # The call tells both players that the holding is in the set that makes it.
                narrowed = (going, other) if caller == 0 else (other, going)
                self._follow((*calls, legal[k]), narrowed, policy)


def _members(holdings: int) -> Floats:
    """Return the membership of holdings in sets, 0 or 1, `[F, holdings]`."""
    return np.asarray((np.arange(2**holdings)[:, None] >> np.arange(holdings) & 1).astype(float))


def _held(held: int) -> list[int]:
    """Return the holdings in a set."""
    return [k for k in range(held.bit_length()) if held >> k & 1]


def _parts(held: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return all sets within a set, the empty one first."""
    parts = np.zeros(1, np.int64)
    for k in _held(held):
        parts = np.concatenate([parts, parts | 1 << k])
    return parts
