"""The public part of a dealt game, as arrays for learning.

`P` positions (calls so far, the ends among them), `A` columns: the calls that a player can ever
make, counted for each player alone; `H` the most holdings of any player; `X` features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright import InvalidError
from bidwright.lab.games.dealt import Calls, DealtGame
from bidwright.lab.games.game import OVER
from bidwright.lab.games.tree import Floats, Ints, Tree

Singles = NDArray[np.float32]


class Table(NamedTuple):
    """The arrays that compiled code reads; positions of one length lie together, shortest first.

    Attributes:
        holdings: `[2]` how many holdings each player has.
        columns: `[2]` how many calls each player can ever make.
        caller: Who calls at each length; all positions of a length have one caller.
        levels: First position of each length, and the end of the last.
        options: `[P]` how many calls are legal; 0 where the calls are over.
        column: `[P, A]` the column of the n-th legal call.
        child: `[P, A]` the position after the n-th legal call.
        seen: `[P]` how many features a position has.
        features: `[P, longest]` which they are: which call was the k-th, and how many there are.
        end: `[P]` which row of `rewards` pays; -1 where the calls go on.
        rewards: `[ends, H0, H1]`, as shares of the largest payoff.
    """

    holdings: Ints
    columns: Ints
    caller: Ints
    levels: Ints
    options: Ints
    column: Ints
    child: Ints
    seen: Ints
    features: Ints
    end: Ints
    rewards: Singles


@dataclass(frozen=True)
class Public:
    """The public side of a game for two.

    Attributes:
        tree: The game.
        table: Its positions.
        features: `X`, how many features there are.
        first_slot: int32 `[P, H]` the first slot of what the caller holds; -1 for no holding.
    """

    tree: Tree
    table: Table
    features: int
    first_slot: Ints

    def policy_of(self, chosen: Ints) -> Floats:
        """Return the pure policy `[K]` that makes the n-th legal call, n from `[P, H]`."""
        policy = np.zeros(self.tree.slots)
        is_slot = self.first_slot >= 0
        policy[self.first_slot[is_slot] + chosen[is_slot]] = 1.0
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
    # Length by length, so positions of one length lie together, as the compiled loops walk them.
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
    # Columns for each player alone: outputs for calls that he can never make would only take time.
    columns = [{call: k for k, call in enumerate(sorted(calls))} for calls in used]
    width, count = max(map(len, used)), len(positions)
    options, end = np.zeros(count, np.int32), np.full(count, -1, np.int32)
    column, child = np.zeros((2, count, width), np.int32)
    first_slot = np.full((count, max(game.holdings)), -1, np.int32)
    rewards: list[NDArray[np.float64]] = []
    for place, calls in enumerate(positions):
        who = game.caller(calls)
        if who == OVER:
            end[place] = len(rewards)
            rewards.append(game.rewards(calls))
            continue
        for rank, call in enumerate(game.legal(calls)):
            column[place, rank] = columns[who][call]
            child[place, rank] = places[*calls, call]
        options[place] = rank + 1
        for holding in range(game.holdings[who]):
            infoset = tree.places[who, holding, calls]
            first_slot[place, holding] = tree.shape.base[infoset]
    paid = np.stack(rewards).astype(np.float32)
    seen, features, inputs = _features(positions, len(callers), len(game.calls))
    table = Table(
        np.array(game.holdings, np.int32),
        np.array([len(calls) for calls in used], np.int32),
        np.array(callers, np.int32),
        np.array(levels, np.int32),
        options,
        column,
        child,
        seen,
        features,
        end,
        paid / np.abs(paid).max(),
    )
    return Public(tree, table, inputs, first_slot)


def _features(positions: list[Calls], longest: int, calls: int) -> tuple[Ints, Ints, int]:
    """Return the number of features of each position, the features, and the number of all.

    Features: the k-th call, and the number of calls; only those that vary.
    """
    flags = np.zeros((len(positions), longest + 1, calls + 1), bool)
    for place, calls_so_far in enumerate(positions):
        flags[place, len(calls_so_far), calls] = True
        flags[place, np.arange(len(calls_so_far)), calls_so_far] = True
    flat = flags.reshape(len(positions), -1)
    # A feature that is the same for all positions would only add to the bias.
    flat = flat[:, (flat != flat[:1]).any(axis=0)]
    seen = flat.sum(axis=1)
    features = np.zeros((len(positions), seen.max()), np.int32)
    at, feature = np.nonzero(flat)
    features[at, np.arange(len(at)) - np.repeat(np.cumsum(seen) - seen, seen)] = feature
    return seen.astype(np.int32), features, flat.shape[1]
