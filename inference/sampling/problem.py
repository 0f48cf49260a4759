"""Knowledge as problems: the cards to be drawn, their predicates, and the weights of deals.

What calls possibly show is what deals are drawn from, so that a point more or less excludes
nothing. A hidden hand that is not among those that its calls *usually* show makes a deal
`JUDGEMENT` times as likely. Where edges are soft, hands that are near what is possible count too,
for less (`EDGES`). So a deal's weight is a product over hands, and a weighted count is a mixture of
plain ones: of the deals where some of the hands are usual, some possible and the others near.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.statements import Turn
from bidwright.inference.sampling.hand_tables import (
    ALL_POINTS,
    KIND_EXISTS,
    KIND_HONOURS,
    KIND_SPOTS,
    MAX_HCP,
    NUM_SHAPES,
    NUM_SPOTS,
    SHAPE_INDEX,
    SHAPES,
    Table,
    as_table,
)
from bidwright.inference.sampling.knowledge import (
    EDGES,
    JUDGEMENT,
    InfeasibleError,
    Knowledge,
    Slack,
)
from bidwright.inference.sampling.predicate import (
    EVERY_KIND,
    CompiledPredicates,
    HandPredicate,
    Kinds,
    compile_predicates,
    hand_predicate,
)
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Formula, holds

if TYPE_CHECKING:
    from bidwright.inference.sampling._conditions import Ceilings

DECK = (1 << NUM_CARDS) - 1
FREE_HAND = hand_predicate(())
"""The predicate that every hand satisfies."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A deal to be completed.

    Attributes:
        base: int64 `[4]`: the cards known in each hand, as masks (bit `13 * suit + rank`).
        need: int64 `[4]`: the cards to come in each hand.
        free: the cards to come, as a mask.
        predicates: the predicate of each seat's hand; every hand fits where all is known.
        compiled: the same predicates as arrays, for the compiled loops.
    """

    base: NDArray[np.int64]
    need: NDArray[np.int64]
    free: int
    predicates: tuple[HandPredicate, ...]
    compiled: CompiledPredicates

    @property
    def hidden(self) -> tuple[int, ...]:
        """The seats with cards to come."""
        return tuple(np.flatnonzero(self.need).tolist())

    @property
    def constrained(self) -> tuple[int, ...]:
        """The hidden seats with a predicate that excludes some hand."""
        return tuple(seat for seat in self.hidden if not self.predicates[seat].is_free)

    @property
    def deals(self) -> int:
        """Number of deals with the cards known."""
        left = int(self.need.sum())
        ways = 1
        for need in self.need.tolist():
            ways *= comb(left, need)
            left -= need
        return ways


def problem_of(knowledge: Knowledge) -> Problem:
    """Return the problem that knowledge poses.

    Where edges are soft it is that of all hands that count.

    Raises:
        InfeasibleError: If surely no hand fits the calls of some seat.
    """
    if knowledge.soft:
        (_, _), (widest, _) = EDGES
        slack = {seat: widest for seat in Seat if knowledge.turns.get(seat)}
        knowledge = replace(knowledge, slack=slack, soft=False)
    base = [sum(1 << card for card in knowledge.known(seat)) for seat in Seat]
    need = [HAND_SIZE - mask.bit_count() for mask in base]
    free = DECK & ~(base[0] | base[1] | base[2] | base[3])
    predicates = []
    for seat in Seat:
        predicate = FREE_HAND
        turns = knowledge.turns.get(seat, ())
        formulas = knowledge.conditions.get(seat, ())
        if not need[seat]:
            _check_known(knowledge, seat)
        elif turns or formulas:
            # Cards seen elsewhere leave fewer holdings: without this the counts would include
            # impossible ones, which every draw then had to reject.
            kinds = _possible(base[seat], free)
            if seat in knowledge.slack:
                predicate = _near(turns, formulas, knowledge.slack[seat], kinds)
            else:
                predicate = hand_predicate(turns, formulas, kinds)
            if predicate.is_empty:
                raise no_hand(knowledge, seat)
        predicates.append(predicate)
    return Problem(
        np.array(base, dtype=np.int64),
        np.array(need, dtype=np.int64),
        free,
        tuple(predicates),
        compile_predicates(predicates),
    )


def _near(
    turns: Sequence[Turn], formulas: Sequence[Formula], slack: Slack, kinds: Kinds
) -> HandPredicate:
    """Return the predicate of hands that nearly fit some turns and satisfy formulas."""
    # `upper`, so that conditions on honours are forgiven; formulas are facts, and hold exactly.
    near = slackened(hand_predicate(turns).upper, *slack)
    exact = hand_predicate((), formulas, kinds)
    return replace(exact, upper=exact.upper & near, lower=exact.lower & near)


def slackened(table: Table, points: int, cards: int) -> Table:
    """Return a wider table: so many points and cards moved between suits are forgiven."""
    for _ in range(cards):
        table = table | np.bitwise_or.reduce(table[_NEIGHBOURS], axis=1)
    for _ in range(points):
        table = (table | table << 1 | table >> 1) & ALL_POINTS
    return table


def _neighbours() -> NDArray[np.int16]:
    """Return int16 `[S, 12]`: the shapes with one card moved to another suit, or the same."""
    moved = []
    for giver in range(4):
        for taker in range(4):
            if giver != taker:
                lengths = SHAPES.astype(np.int16)
                lengths[:, giver] -= 1
                lengths[:, taker] += 1
                # A void has no card to give: the shape stands for itself.
                lengths[SHAPES[:, giver] == 0] = SHAPES[SHAPES[:, giver] == 0]
                moved.append(SHAPE_INDEX[tuple(lengths[:, :3].T)])
    return np.stack(moved, axis=1).astype(np.int16)


_NEIGHBOURS = _neighbours()


def _check_known(knowledge: Knowledge, seat: Seat) -> None:
    """Raise `InfeasibleError` if a hand that is known does not satisfy the conditions on it."""
    conditions = knowledge.conditions.get(seat, ())
    if conditions:
        hand = features_of(Hand(knowledge.known(seat)))
        if not all(holds(formula, hand) for formula in conditions):
            raise no_hand(knowledge, seat)


def no_hand(knowledge: Knowledge, seat: int) -> InfeasibleError:
    """Return the error that no hand of a seat fits the knowledge of it."""
    calls = " ".join(str(turn.call) for turn in knowledge.turns.get(Seat(seat), ()))
    shown = f"the calls {calls}" if calls else "the conditions on it"
    name = Seat(seat).name.capitalize()
    return InfeasibleError(f"no hand of {name} fits {shown}, the cards seen taken into account")


def _possible(base: int, free: int) -> Kinds:
    """Return the kinds of holdings that a hand may have, given its known and the free cards."""
    # All cards are with this hand or free: every kind is possible, and the table need not be made.
    if free | base == DECK:
        return EVERY_KIND
    possible = np.empty_like(EVERY_KIND)
    for suit in range(4):
        held, there = base >> 13 * suit & 0x1FFF, free >> 13 * suit & 0x1FFF
        spots = (1 << NUM_SPOTS) - 1
        fewest = (held & spots).bit_count()
        most = fewest + (there & spots).bit_count()
        honours, more = held >> NUM_SPOTS, there >> NUM_SPOTS
        possible[suit] = (
            KIND_EXISTS
            & (KIND_HONOURS & honours == honours)
            & (KIND_HONOURS & ~(honours | more) == 0)
            & (fewest <= KIND_SPOTS)
            & (most >= KIND_SPOTS)
        )
    return possible


class _Level(NamedTuple):
    """Hands that count alike, with all those within them that count for more.

    Attributes:
        weight: the factor of a deal's weight for such a hand.
        turns: the calls.
        slack: the distance forgiven; None for no distance.
    """

    weight: float
    turns: tuple[Turn, ...]
    slack: Slack | None = None


@dataclass(frozen=True, eq=False)
class Judgement:
    """The weights of deals.

    Attributes:
        knowledge: the knowledge, possible and usual.
        levels: for seats with hands of several weights, from the widest to the narrowest.
    """

    knowledge: Knowledge
    levels: Mapping[Seat, tuple[_Level, ...]]

    @classmethod
    def of(cls, knowledge: Knowledge, problem: Problem) -> Judgement | None:
        """Return the weights that knowledge gives to deals; `None` if all weigh the same."""
        seats = problem.hidden if knowledge.soft else problem.constrained
        levels = {Seat(seat): _levels(knowledge, Seat(seat)) for seat in seats}
        levels = {seat: each for seat, each in levels.items() if len(each) > 1}
        return cls(knowledge, levels) if levels else None

    @cached_property
    def _table(self) -> tuple[NDArray[np.int64], NDArray[np.float64], CompiledPredicates]:
        """The levels of all seats, the narrowest of a seat first, with their compiled predicates.

        Returns:
            int64 `[seats, 3]`: the seat, its first level, and the end of its levels; float64
            `[levels]`: their weights; and the predicates, by level. The widest level of a seat is
            that of all hands that count.
        """
        weights: list[float] = []
        seats, predicates = [], []
        for seat, levels in self.levels.items():
            first = len(weights)
            weights += [level.weight for level in reversed(levels)]
            # Deals that are weighed have passed the widest level already: it is not tested again.
            predicates += [_predicate(level) for level in reversed(levels[1:])] + [FREE_HAND]
            seats.append((seat, first, len(weights)))
        rows = np.array(seats, dtype=np.int64)
        return rows, np.array(weights), compile_predicates(predicates)

    def weights(
        self, hands: NDArray[np.int64], floors: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return float64 `[D]`: the weight of each deal that counts, as masks int64 `[D, 4]`.

        Args:
            hands: the deals.
            floors: float64 `[D]`: where given, a weight that is not above it may be any number
                that is not above it, which takes less time.
        """
        from bidwright.inference.sampling._conditions import weigh

        if floors is None:
            floors = np.full(len(hands), -1.0)
        return weigh(hands, floors, *self._table)

    @cached_property
    def ceilings(self) -> Ceilings:
        """The most that hands weigh, by shape and points: honours are not looked at."""
        from bidwright.inference.sampling._conditions import Ceilings

        _, weights, compiled = self._table
        widest = max(map(len, self.levels.values()))
        places = np.zeros((len(Seat), NUM_SHAPES, MAX_HCP + 1), dtype=np.uint8)
        bounds = np.ones((len(Seat), widest))
        for seat, first, end in self._table[0].tolist():
            bounds[seat, : end - first] = weights[first:end]
            places[seat] = end - first - 1
            # From the widest level to the narrowest: the most that a hand can weigh stays.
            for level in reversed(range(first, end - 1)):
                upper = compiled.decided[level, 0]
                is_in = (upper[:, None] >> np.arange(MAX_HCP + 1) & 1).astype(np.bool_)
                np.copyto(places[seat], np.uint8(level - first), where=is_in)
        return Ceilings(places, bounds)

    def tables(self, seat: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the hands of a seat by the most that they weigh: int64 `[T, S]`, float64 `[T]`."""
        places, bounds = self.ceilings
        # As np.unique, which takes 1.3 ms for these 21,280 small numbers; this takes 0.02.
        numbers = np.flatnonzero(np.bincount(places[seat].ravel()))
        return np.stack([as_table(places[seat] == place) for place in numbers]), bounds[
            seat, numbers
        ]

    @property
    def size(self) -> int:
        """The number of parts."""
        return prod(map(len, self.levels.values()))

    def parts(self) -> Iterator[tuple[float, Knowledge]]:
        """Yield plain knowledge with factors: weighted counts are sums of so many plain ones."""
        whole = self.knowledge
        # Levels of 0.02, 0.15, 0.25 and 1 are 0.02 of the widest and 0.13, 0.10 and 0.75 of those
        # inside: as steps, the weighted count is a sum of plain ones, and exact.
        for chosen in product(*map(_steps, self.levels.values())):
            turns, slack = dict(whole.turns), dict(whole.slack)
            factor = 1.0
            for seat, (more, level) in zip(self.levels, chosen, strict=True):
                factor *= more
                turns[seat] = level.turns
                if level.slack is not None:
                    slack[seat] = level.slack
            yield factor, replace(whole, turns=turns, usual={}, slack=slack, soft=False)


def _levels(knowledge: Knowledge, seat: Seat) -> tuple[_Level, ...]:
    """Return the levels of a seat's hands, the widest first; a single one if all count alike."""
    possible = tuple(knowledge.turns.get(seat, ()))
    usual = tuple(knowledge.usual.get(seat, possible))
    if not possible:
        return (_Level(1.0, possible),)
    levels = []
    if knowledge.soft:
        levels += [_Level(weight, possible, slack) for slack, weight in reversed(EDGES)]
    if usual == possible:
        return (*levels, _Level(1.0, possible))
    return (*levels, _Level(JUDGEMENT, possible), _Level(1.0, (*possible, *usual)))


def _predicate(level: _Level) -> HandPredicate:
    """Return the predicate of a level's hands."""
    if level.slack is None:
        return hand_predicate(level.turns)
    return _near(level.turns, (), level.slack, EVERY_KIND)


def _steps(levels: Sequence[_Level]) -> list[tuple[float, _Level]]:
    """Return the levels, each with its weight beyond that of the level around it."""
    around = (0.0, *(level.weight for level in levels))
    return [(level.weight - less, level) for less, level in zip(around, levels, strict=False)]
