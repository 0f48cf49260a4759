"""A game laid out as arrays, which the solvers run over.

`N` nodes (states), numbered so that every child comes after its parent and the children of a node
follow each other; `I` information sets of players; `K` slots, one for each move of each
information set, `C` more for each move of each chance node. A policy is a vector of `K`
probabilities.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright import InvalidError
from bidwright.lab.games.game import CHANCE, OVER, Game, History

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


class Shape(NamedTuple):
    """The arrays that compiled code reads; all are indexed by node, information set or slot.

    Attributes:
        parent: `[N]` the node before; -1 for the root.
        slot: `[N]` the slot of the move that leads here; -1 for the root.
        turn: `[N]` a player, `CHANCE` or `OVER`.
        infoset: `[N]` the information set of the player to move; -1 elsewhere.
        first: `[N]` the first child; the others follow.
        depth: `[N]` moves since the root.
        payoff: `[N]` what is paid here; 0 where the game goes on.
        odds: `[C]` probability of each chance slot; slot `K + c` is `odds[c]`.
        base: `[I + 1]` first slot of each information set.
        members_at: `[I + 1]` where the nodes of each information set begin in `members`.
        members: Nodes of information sets.
        next_at: `[K + 1]` where the successors of each slot begin in `next_infosets`.
        next_infosets: Information sets that may be the next to decide after the move of a slot.
    """

    parent: Ints
    slot: Ints
    turn: Ints
    infoset: Ints
    first: Ints
    depth: Ints
    payoff: Floats
    odds: Floats
    base: Ints
    members_at: Ints
    members: Ints
    next_at: Ints
    next_infosets: Ints


@dataclass(frozen=True)
class Tree:
    """A game as arrays, with the names of its information sets.

    Attributes:
        game: What it is the tree of.
        shape: The arrays.
        views: `[I]` the view of each information set.
        moves: `[K]` the move of each slot, as the game numbers it.
        end_views: How many different views the end positions have.
    """

    game: Game
    shape: Shape
    views: list[Hashable]
    moves: Ints
    end_views: int
    places: dict[Hashable, int] = field(repr=False)

    @property
    def nodes(self) -> int:
        """The number of states, the root and the ends among them."""
        return len(self.shape.parent)

    @property
    def infosets(self) -> int:
        """The number of the players' information sets."""
        return len(self.views)

    @property
    def slots(self) -> int:
        """The number of probabilities of a policy."""
        return len(self.moves)

    @property
    def counted_infosets(self) -> int:
        """Information sets as Table 1 of the paper counts them: with ends and chance nodes."""
        return self.infosets + self.end_views + int((self.shape.turn == CHANCE).sum())


def grow(game: Game) -> Tree:
    """Return a game as arrays.

    Raises:
        InvalidError: Positions of one information set have different moves or players, or the
            odds of a chance node do not add up to 1.
    """
    histories: list[History] = [()]
    parent, slot, turn, infoset, first, depth = [-1], [-1], [0], [-1], [0], [0]
    payoff: list[float] = [0.0]
    odds: list[float] = []
    places: dict[Hashable, int] = {}
    views: list[Hashable] = []
    players: list[int] = []
    allowed: list[tuple[int, ...]] = []
    bases = [0]
    ends: set[Hashable] = set()
    node = 0
    # Breadth first: children come after their parent and lie together, as `Shape` promises.
    while node < len(histories):
        history = histories[node]
        who = turn[node] = game.turn(history)
        first[node] = len(histories)
        if who == OVER:
            payoff[node] = game.payoff(history)
            ends.add(game.view(history))
            node += 1
            continue
        moves = tuple(game.moves(history))
        if who == CHANCE:
            chances = list(game.odds(history))
            if len(chances) != len(moves) or abs(sum(chances) - 1) > 1e-9:
                raise InvalidError(f"expected odds that add up to 1 at {history}, got {chances}")
            # Below -1, which is the root's: counted down for now, since the number of the players'
            # slots is not known before all nodes are.
            base = -len(odds) - 2
            odds += chances
            step = -1
        else:
            view = game.view(history)
            place = places.setdefault(view, len(views))
            if place == len(views):
                views.append(view)
                players.append(who)
                allowed.append(moves)
                bases.append(bases[-1] + len(moves))
            elif allowed[place] != moves or players[place] != who:
                raise InvalidError(
                    f"expected one player with one list of moves in the information set {view}, "
                    f"got player {who} with {moves} at {history}"
                )
            infoset[node] = place
            base, step = bases[place], 1
        for k, move in enumerate(moves):
            histories.append((*history, move))
            parent.append(node)
            slot.append(base + step * k)
            depth.append(depth[node] + 1)
        fresh = len(moves)
        turn += [0] * fresh
        infoset += [-1] * fresh
        first += [0] * fresh
        payoff += [0.0] * fresh
        node += 1
    slots = np.array(slot, np.int32)
    # Slots of chance are known by number only now that those of the players are all counted.
    lucky = slots < -1
    slots[lucky] = bases[-1] - 2 - slots[lucky]
    arrays = _index(np.array(parent, np.int32), slots, np.array(turn, np.int32), infoset, bases)
    shape = Shape(
        parent=np.array(parent, np.int32),
        slot=slots,
        turn=np.array(turn, np.int32),
        infoset=np.array(infoset, np.int32),
        first=np.array(first, np.int32),
        depth=np.array(depth, np.int32),
        payoff=np.array(payoff),
        odds=np.array(odds),
        base=np.array(bases, np.int32),
        members_at=arrays[0],
        members=arrays[1],
        next_at=arrays[2],
        next_infosets=arrays[3],
    )
    numbers = np.array([move for moves in allowed for move in moves], np.int32)
    return Tree(game, shape, views, numbers, len(ends), places)


def _index(
    parent: Ints, slot: Ints, turn: Ints, infoset: list[int], bases: list[int]
) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the nodes of each information set, and the successors of each slot."""
    places = np.array(infoset, np.int32)
    decisions = np.flatnonzero(places >= 0)
    order = decisions[np.argsort(places[decisions], kind="stable")].astype(np.int32)
    sizes = np.bincount(places[decisions], minlength=len(bases) - 1)
    members_at = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    # The last slot of a player on the way to each decision; chance nodes hand theirs down.
    last = slot.copy()
    for node in np.flatnonzero(turn[np.maximum(parent, 0)] == CHANCE):
        last[node] = last[parent[node]] if parent[node] >= 0 else -1
    behind = decisions[last[decisions] >= 0]
    pairs = np.unique(np.stack([last[behind], places[behind]]), axis=1)
    counts = np.bincount(pairs[0], minlength=bases[-1])
    next_at = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return members_at, order, next_at, pairs[1].astype(np.int32)
