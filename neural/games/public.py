"""What everybody sees of a dealt game, as tensors that networks learn from.

`P` positions (calls so far, the ends among them), `A` columns: the calls that a player can ever
make, counted for each player alone; `H` the most holdings of any player; `X` features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.errors import InvalidError
from bidwright.neural.games.dealt import Calls, DealtGame
from bidwright.neural.games.game import OVER
from bidwright.neural.games.tree import Floats, Tree


@dataclass(frozen=True)
class Public:
    """The public side of a game for two; positions of one length lie together, shortest first.

    Attributes:
        tree: The game.
        holdings: How many holdings each player has.
        columns: How many calls each player can ever make.
        caller: Who calls at each length; all positions of a length have one caller.
        levels: First position of each length, and the end of the last.
        child: int64 `[P, A]` the position after a call; 0 where it is illegal.
        legal: bool `[P, A]`; all false where the calls are over.
        features: float32 `[P, X]` 1 where a call was made as the k-th.
        end: int64 `[P]` which row of `rewards` pays; -1 where the calls go on.
        rewards: float32 `[ends, H0, H1]`, as shares of the largest payoff.
        first_slot: int64 `[P, H]` the first slot of what the caller holds; -1 for no holding.
    """

    tree: Tree
    holdings: tuple[int, int]
    columns: tuple[int, int]
    caller: list[int]
    levels: list[int]
    child: Tensor
    legal: Tensor
    features: Tensor
    end: Tensor
    rewards: Tensor
    first_slot: Tensor

    def policy_of(self, chosen: Tensor) -> Floats:
        """Return pure policies `[S, K]` from the columns chosen, int64 `[S, P, H]`."""
        first, legal = self.first_slot.numpy(), self.legal.numpy()
        # The n-th legal call has the n-th slot.
        rank = np.cumsum(legal, axis=1) - 1
        picked = np.take_along_axis(rank[None], chosen.numpy(), axis=2)
        position, holding = np.nonzero(np.logical_and(first >= 0, legal.any(axis=1, keepdims=True)))
        slots = first[position, holding][None] + picked[:, position, holding]
        policy = np.zeros((len(chosen), self.tree.slots))
        np.put_along_axis(policy, slots, 1.0, axis=1)
        return policy


def public_of(tree: Tree) -> Public:
    """Return the public side of a game.

    Raises:
        InvalidError: It is no dealt game for two, or who calls depends on the calls.
    """
    game = tree.game
    if not isinstance(game, DealtGame) or game.players != 2:
        raise InvalidError(f"expected a dealt game for two, got {game.name}")
    positions: list[Calls] = [()]
    places: dict[Calls, int] = {(): 0}
    levels, callers = [0], list[int]()
    while (low := levels[-1]) < len(positions):
        levels.append(len(positions))
        going = [calls for calls in positions[low:] if game.caller(calls) != OVER]
        if len(turns := {game.caller(calls) for calls in going}) > 1:
            raise InvalidError(f"expected one caller at a time in {game.name}")
        callers += turns
        for calls in going:
            for call in game.legal(calls):
                places[*calls, call] = len(positions)
                positions.append((*calls, call))
    used: list[set[int]] = [set(), set()]
    for calls in positions:
        if (who := game.caller(calls)) != OVER:
            used[who] |= set(game.legal(calls))
    column = [{call: k for k, call in enumerate(sorted(calls))} for calls in used]
    width, count = max(map(len, used)), len(positions)
    child = torch.zeros(count, width, dtype=torch.int64)
    legal = torch.zeros(count, width, dtype=torch.bool)
    first_slot = torch.full((count, max(game.holdings)), -1)
    end = torch.full((count,), -1)
    rewards: list[NDArray[np.float64]] = []
    for place, calls in enumerate(positions):
        who = game.caller(calls)
        if who == OVER:
            end[place] = len(rewards)
            rewards.append(game.rewards(calls))
            continue
        for call in game.legal(calls):
            child[place, column[who][call]] = places[*calls, call]
            legal[place, column[who][call]] = True
        for holding in range(game.holdings[who]):
            infoset = tree.places[who, holding, calls]
            first_slot[place, holding] = int(tree.shape.base[infoset])
    paid = torch.tensor(np.stack(rewards), dtype=torch.float32)
    return Public(
        tree,
        (game.holdings[0], game.holdings[1]),
        (len(used[0]), len(used[1])),
        callers,
        levels,
        child,
        legal,
        _features(positions, len(callers), len(game.calls)),
        end,
        paid / paid.abs().max(),
        first_slot,
    )


def _features(positions: list[Calls], longest: int, calls: int) -> Tensor:
    """Return which call was made as the k-th, and how many were; columns that vary only."""
    seen = torch.zeros(len(positions), longest + 1, calls + 1)
    for place, made in enumerate(positions):
        seen[place, len(made), calls] = 1
        for k, call in enumerate(made):
            seen[place, k, call] = 1
    flat = seen.flatten(1)
    return flat[:, (flat != flat[:1]).any(dim=0)]
