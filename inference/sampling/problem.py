"""Knowledge turned into masks and predicates: what there is to be drawn, and what it must fit."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.sampling.compiled_predicates import CompiledPredicates, compile_predicates
from bidwright.inference.sampling.errors import InfeasibleError
from bidwright.inference.sampling.hand_tables import (
    KIND_EXISTS,
    KIND_HONOURS,
    KIND_SPOTS,
    NUM_SPOTS,
)
from bidwright.inference.sampling.knowledge import Knowledge
from bidwright.inference.sampling.predicate import EVERY_KIND, HandPredicate, Kinds, hand_predicate
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import holds

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
        predicates: what the hand of each seat must fit; every hand fits where all is known.
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
        """The hidden seats whose hand must fit something."""
        return tuple(seat for seat in self.hidden if not self.predicates[seat].is_free)

    @property
    def deals(self) -> int:
        """How many deals there are with the cards known."""
        left = int(self.need.sum())
        ways = 1
        for need in self.need.tolist():
            ways *= comb(left, need)
            left -= need
        return ways


def problem_of(knowledge: Knowledge) -> Problem:
    """Return the problem that knowledge poses.

    Raises:
        InfeasibleError: If surely no hand fits the calls of some seat.
    """
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
            predicate = hand_predicate(turns, formulas, _possible(base[seat], free))
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


def _check_known(knowledge: Knowledge, seat: Seat) -> None:
    """Raise `InfeasibleError` if a hand that is known does not satisfy the conditions on it."""
    conditions = knowledge.conditions.get(seat, ())
    if conditions:
        hand = features_of(Hand(knowledge.known(seat)))
        if not all(holds(formula, hand) for formula in conditions):
            raise no_hand(knowledge, seat)


def no_hand(knowledge: Knowledge, seat: int) -> InfeasibleError:
    """Return the error that no hand of a seat fits what is known of it."""
    calls = " ".join(str(turn.call) for turn in knowledge.turns.get(Seat(seat), ()))
    shown = f"the calls {calls}" if calls else "the conditions on it"
    name = Seat(seat).name.capitalize()
    return InfeasibleError(f"no hand of {name} fits {shown}, the cards seen taken into account")


def _possible(base: int, free: int) -> Kinds:
    """Return the kinds of holdings that a hand may have, given its known and the free cards."""
    if free | base == DECK:
        return EVERY_KIND
    possible = np.empty_like(EVERY_KIND)
    for suit in range(4):
        known, there = base >> 13 * suit & 0x1FFF, free >> 13 * suit & 0x1FFF
        spots = (1 << NUM_SPOTS) - 1
        fewest = (known & spots).bit_count()
        most = fewest + (there & spots).bit_count()
        honours, more = known >> NUM_SPOTS, there >> NUM_SPOTS
        possible[suit] = (
            KIND_EXISTS
            & (KIND_HONOURS & honours == honours)
            & (KIND_HONOURS & ~(honours | more) == 0)
            & (fewest <= KIND_SPOTS)
            & (most >= KIND_SPOTS)
        )
    return possible
