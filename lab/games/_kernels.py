"""Compiled loops over game trees; all in one module, which numba's store of machine code watches.

Letters: `N` nodes, `I` information sets, `K` slots, `S` seeds; see `tree.Shape`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.lab.games.tree import Floats, Ints, Shape
from bidwright.runtime.jit import integer, jit

SMALL = 1e-9
"""Gains below this are rounding."""

_OVER = -2


class Sample(NamedTuple):
    """States that stand for those of information set i: from `at[i]` on, each with a weight."""

    at: Ints
    nodes: Ints
    weight: Floats


class Stack(NamedTuple):
    """Where a search stands, by level, and room for its result; `active` is by information set.

    Attributes:
        place: Information set of the level.
        move: Which of its moves is tried.
        cursor: The next of the successors of the move, in `Shape.next_infosets`.
        end: Behind the last of them.
        path: The slots that are tried, one a level.
        best: The slots that gain most.
        active: The slot that is forced in an information set, or -1.
        gain: Gain of the levels before.
        found: Gains of the moves of the level.
    """

    place: Ints
    move: Ints
    cursor: Ints
    end: Ints
    path: Ints
    best: Ints
    active: Ints
    gain: Floats
    gains: Floats


@jit
def _value_of(shape: Shape, policy: Floats, value: Floats) -> float:
    """Write the value of all nodes, `[N]`; return the value of the game."""
    slots = len(policy)
    for node in range(len(shape.parent)):
        value[node] = shape.payoff[node]
    for node in range(len(shape.parent) - 1, 0, -1):
        slot = shape.slot[node]
        odds = policy[slot] if slot < slots else shape.odds[slot - slots]
        value[shape.parent[node]] += odds * value[node]
    return float(value[0])


@jit
def sweep(shape: Shape, policy: Floats, reach: Floats, value: Floats) -> float:
    """Write the reach and the value of all nodes, `[N]` each; return the value of the game."""
    slots = len(policy)
    reach[0] = 1.0
    # Parents stand before their children, so one pass down gives the reach and one up the value.
    for node in range(1, len(shape.parent)):
        slot = shape.slot[node]
        odds = policy[slot] if slot < slots else shape.odds[slot - slots]
        reach[node] = reach[shape.parent[node]] * odds
    return _value_of(shape, policy, value)


@jit
def values_of(shape: Shape, policies: Floats) -> Floats:
    """Return the value of the game under each policy of `[S, K]`."""
    reach, value = np.empty(len(shape.parent)), np.empty(len(shape.parent))
    out = np.empty(len(policies))
    for seed in range(len(policies)):
        out[seed] = sweep(shape, policies[seed], reach, value)
    return out


@jit
def _match(shape: Shape, regret: Floats, start: Floats, policy: Floats) -> None:
    """Write policies in proportion to positive regrets; `start` where there are none."""
    seeds = policy.shape[1]
    total = np.empty(seeds)
    for place in range(len(shape.base) - 1):
        total[:] = 0.0
        for slot in range(shape.base[place], shape.base[place + 1]):
            for seed in range(seeds):
                total[seed] += max(regret[slot, seed], 0.0)
        for slot in range(shape.base[place], shape.base[place + 1]):
            for seed in range(seeds):
                if total[seed] > 0.0:
                    policy[slot, seed] = max(regret[slot, seed], 0.0) / total[seed]
                else:
                    # Regret matching leaves free what is played where no move has a positive
                    # regret.
                    policy[slot, seed] = start[slot, seed]


@jit
def minimise_regret(shape: Shape, players: int, first: Floats, idle: Floats, rounds: int) -> Floats:
    """Return the policies `[K, S]` after so many rounds of CFR, all players at once.

    `first` is played in the first round, `idle` where no move has positive regret.
    """
    nodes, slots, seeds = len(shape.parent), first.shape[0], first.shape[1]
    # Seeds are the last axis: the innermost loops run over numbers that lie side by side in memory,
    # and the tree is walked once for all seeds of a run.
    policy, regret = first.copy(), np.zeros((slots, seeds))
    value = np.empty((nodes, seeds))
    # The probability that chance and all others, but not the player himself, lead to a node.
    others = np.ones((players, nodes, seeds))
    for _ in range(rounds):
        for node in range(nodes):
            value[node] = shape.payoff[node]
        for node in range(nodes - 1, 0, -1):
            slot, up = shape.slot[node], shape.parent[node]
            if slot < slots:
                for seed in range(seeds):
                    value[up, seed] += policy[slot, seed] * value[node, seed]
            else:
                odds = shape.odds[slot - slots]
                for seed in range(seeds):
                    value[up, seed] += odds * value[node, seed]
        for node in range(1, nodes):
            if shape.turn[node] == _OVER:
                continue
            slot, up = shape.slot[node], shape.parent[node]
            for player in range(players):
                if slot >= slots:
                    odds = shape.odds[slot - slots]
                    for seed in range(seeds):
                        others[player, node, seed] = others[player, up, seed] * odds
                # Counterfactual reach leaves out the player's own probability: only chance and the
                # others count.
                elif shape.turn[up] == player:
                    for seed in range(seeds):
                        others[player, node, seed] = others[player, up, seed]
                else:
                    for seed in range(seeds):
                        others[player, node, seed] = others[player, up, seed] * policy[slot, seed]
        for place in range(len(shape.base) - 1):
            # Regrets only add up here: a turn's policy is read off afterwards, so all information
            # sets of a round see the same policy.
            base = shape.base[place]
            for at in range(shape.members_at[place], shape.members_at[place + 1]):
                node = shape.members[at]
                player = shape.turn[node]
                for slot in range(base, shape.base[place + 1]):
                    # The children of a node follow each other in the order of its slots.
                    child = shape.first[node] + slot - base
                    for seed in range(seeds):
                        regret[slot, seed] += others[player, node, seed] * (
                            value[child, seed] - value[node, seed]
                        )
        _match(shape, regret, idle, policy)
    return policy


@jit
def _altered(
    shape: Shape, policy: Floats, reach: Floats, active: Ints, node: int, top: int
) -> float:
    """Return the reach of a node under the changed policy; nothing above depth `top` changed."""
    slots = len(policy)
    odds = 1.0
    # Only the nodes below the first change differ; the reach above is known already.
    while shape.depth[node] > top:
        slot, up = shape.slot[node], shape.parent[node]
        if slot >= slots:
            odds *= shape.odds[slot - slots]
        else:
            forced = active[shape.infoset[up]]
            if forced < 0:
                odds *= policy[slot]
            # Another move is forced here, so the node is not reached at all.
            elif forced != slot:
                return 0.0
            if odds == 0.0:
                return 0.0
        node = up
    return float(odds * reach[node])


@jit
def _gains(
    shape: Shape,
    policy: Floats,
    reach: Floats,
    value: Floats,
    sample: Sample,
    active: Ints,
    place: int,
    top: int,
    out: Floats,
) -> None:
    """Write the gain of each move of an information set, by the policy-change density."""
    moves = shape.base[place + 1] - shape.base[place]
    out[:moves] = 0.0
    # Theorem 1: a change of the policy gains, at each state, its reach under the new policy times
    # the gain of the forced move there under the old one. So the values of the old policy are
    # enough.
    for at in range(sample.at[place], sample.at[place + 1]):
        node = sample.nodes[at]
        odds = sample.weight[at] * _altered(shape, policy, reach, active, node, top)
        if odds != 0.0:
            for move in range(moves):
                out[move] += odds * (value[shape.first[node] + move] - value[node])


@jit
def _explore(
    shape: Shape,
    policy: Floats,
    reach: Floats,
    value: Floats,
    sample: Sample,
    limit: int,
    start: int,
    stack: Stack,
) -> float:
    """Try every move of an information set, and every chain of moves after it.

    Algorithm 1 of the paper, depth first; with a stack of its own, because numba cannot keep the
    machine code of a function that calls itself. Returns the greatest gain; `stack.best` then
    begins with the slots that make it, ended by -1.
    """
    # All states of an information set lie at the same depth in these games.
    top = shape.depth[shape.members[shape.members_at[start]]]
    most = 0.0
    level = 0
    stack.place[0], stack.move[0], stack.gain[0] = start, -1, 0.0
    stack.cursor[0] = stack.end[0] = 0
    _gains(shape, policy, reach, value, sample, stack.active, start, top, stack.gains[0])
    # A level has three states: not begun (no successor left, move -1), between two successors of
    # its move, and done with a move. Successors come first, so that a chain is followed to its end
    # before the next move is tried.
    while level >= 0:
        place = stack.place[level]
        if stack.cursor[level] < stack.end[level]:
            after = integer(shape.next_infosets[stack.cursor[level]])
            stack.cursor[level] += 1
            level += 1
            stack.place[level], stack.move[level] = after, -1
            stack.cursor[level] = stack.end[level] = 0
            gains = stack.gains[level]
            _gains(shape, policy, reach, value, sample, stack.active, after, top, gains)
            continue
        # The move that was tried before is taken back before the next one.
        stack.active[place] = -1
        stack.move[level] += 1
        slot = shape.base[place] + stack.move[level]
        if slot == shape.base[place + 1]:
            # All moves were tried: next is another successor of the level before.
            level -= 1
            continue
        total = stack.gain[level] + stack.gains[level, stack.move[level]]
        stack.path[level] = slot
        # Rounding alone must not change a policy: two moves of equal gain would be changed back and
        # forth, and a search would never end.
        if total > most + SMALL:
            most = total
            for before in range(level + 1):
                stack.best[before] = stack.path[before]
            stack.best[level + 1] = -1
        # Going on costs a search of all successors: only as far as the limit, and where there are
        # some.
        if level + 1 < limit and shape.next_at[slot] < shape.next_at[slot + 1]:
            stack.active[place] = slot
            stack.gain[level + 1] = total
            stack.cursor[level], stack.end[level] = shape.next_at[slot], shape.next_at[slot + 1]
    return most


@jit
def draw(shape: Shape, rng: np.random.Generator, sample: Sample) -> None:
    """Draw states of each information set with replacement, each for an equal share of it."""
    for place in range(len(sample.at) - 1):
        low, size = shape.members_at[place], shape.members_at[place + 1] - shape.members_at[place]
        count = sample.at[place + 1] - sample.at[place]
        for k in range(sample.at[place], sample.at[place + 1]):
            sample.nodes[k] = shape.members[low + rng.integers(0, size)]
            # The weights make up for the number that was drawn, so the sum over the set is
            # unbiased.
            sample.weight[k] = size / count


@jit
def _force(shape: Shape, policy: Floats, slots: Ints) -> None:
    """Write the moves of slots, up to the first -1, into a policy."""
    # A pure policy after the change, whatever it was before: the density of a chain holds for moves
    # that are forced.
    for slot in slots:
        if slot < 0:
            break
        # A slot does not name its information set; the first slots do, and they are in rising
        # order.
        place = np.searchsorted(shape.base, slot, side="right") - 1
        policy[shape.base[place] : shape.base[place + 1]] = 0.0
        policy[slot] = 1.0


@jit
def search_once(
    shape: Shape,
    policy: Floats,
    limit: int,
    sample: Sample,
    order: NDArray[np.int64],
    total: float,
    reach: Floats,
    value: Floats,
    stack: Stack,
) -> tuple[float, int, float]:
    """Take each information set that is reached as the first of a chain; change what gains.

    Args:
        shape: The game.
        policy: Changed wherever a chain of at most `limit` forced moves gains.
        limit: Greatest number of information sets that change together.
        sample: The states that stand for those of each information set.
        order: The information sets in the order in which they are taken.
        total: The value of the policy before.
        reach: The reach of each node by the policy; kept up to date, as `value` is.
        value: See `sweep`.
        stack: Room for the search.

    Returns:
        The value of the policy, the number of changed chains, and the greatest difference between
        the gain by Theorem 1 and the true one.
    """
    changes, worst = 0, 0.0
    for place in order:
        # What is never reached cannot gain, and its policy is no matter.
        low, high = shape.members_at[place], shape.members_at[place + 1]
        reached = 0.0
        for at in range(low, high):
            reached += reach[shape.members[at]]
        if reached == 0.0:
            continue
        gain = _explore(shape, policy, reach, value, sample, limit, place, stack)
        if gain <= SMALL:
            continue
        _force(shape, policy, stack.best)
        # The reach and the value of all nodes change with it, and the next search needs them.
        after = sweep(shape, policy, reach, value)
        # By Theorem 1 the gain is exact where no states are sampled: a difference shows a mistake.
        worst = max(worst, abs(after - total - gain))
        total = after
        changes += 1
    return total, changes, worst


@jit
def exhaust(
    shape: Shape, policy: Floats, limit: int, start: int, total: float, value: Floats, stack: Stack
) -> tuple[float, int]:
    """Do the work of `_explore` without Theorem 1: evaluate the whole game for each chain.

    Args:
        shape: The game.
        policy: The policy to change.
        limit: Greatest number of information sets that change together.
        start: The first of a chain.
        total: The value of the policy.
        value: `[N]` room for values.
        stack: Room for the search.

    Returns:
        The greatest gain, and the number of chains that were tried.
    """
    most, tried, level = 0.0, 0, 0
    trial = policy.copy()
    stack.place[0], stack.move[0] = start, -1
    stack.cursor[0] = stack.end[0] = 0
    while level >= 0:
        place = stack.place[level]
        base, end = shape.base[place], shape.base[place + 1]
        if stack.cursor[level] < stack.end[level]:
            after = integer(shape.next_infosets[stack.cursor[level]])
            stack.cursor[level] += 1
            level += 1
            stack.place[level], stack.move[level] = after, -1
            stack.cursor[level] = stack.end[level] = 0
            continue
        stack.move[level] += 1
        slot = base + stack.move[level]
        if slot == end:
            for k in range(base, end):
                trial[k] = policy[k]
            level -= 1
            continue
        for k in range(base, end):
            trial[k] = 0.0
        trial[slot] = 1.0
        tried += 1
        gain = _value_of(shape, trial, value) - total
        if gain > most + SMALL:
            most = gain
        if level + 1 < limit and shape.next_at[slot] < shape.next_at[slot + 1]:
            stack.cursor[level], stack.end[level] = shape.next_at[slot], shape.next_at[slot + 1]
    return most, tried


@jit
def gain_from(
    shape: Shape,
    policy: Floats,
    limit: int,
    start: int,
    sample: Sample,
    known: Floats,
    stack: Stack,
) -> float:
    """Return the greatest gain of a chain that begins at an information set, by Theorem 1.

    `known` is `[2, N]`: reach and value of all nodes by the policy.
    """
    return _explore(shape, policy, known[0], known[1], sample, limit, start, stack)
