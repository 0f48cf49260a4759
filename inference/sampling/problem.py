"""Knowledge turned into problems: what is to be drawn, what it must fit, and how it is weighed.

What calls possibly show is what deals are drawn from, so that a point more or less excludes
nothing. A hidden hand that is not among those that its calls *usually* show makes a deal
`JUDGEMENT` times as likely. So a deal's weight is a product over hands, and a weighted count is a
mixture of plain ones: of the deals where some of the hands are usual and the others possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.sampling.hand_tables import (
    KIND_EXISTS,
    KIND_HONOURS,
    KIND_SPOTS,
    NUM_SPOTS,
)
from bidwright.inference.sampling.knowledge import JUDGEMENT, InfeasibleError, Knowledge
from bidwright.inference.sampling.predicate import (
    EVERY_KIND,
    CompiledPredicates,
    HandPredicate,
    Kinds,
    compile_predicates,
    hand_predicate,
)
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
        """Number of deals with the cards known."""
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


@dataclass(frozen=True, eq=False)
class Judgement:
    """The weights of deals.

    Attributes:
        knowledge: what is known, possible and usual.
        seats: those whose possible hands differ from the usual ones.
        compiled: what the hands of these seats usually fit.
    """

    knowledge: Knowledge
    seats: tuple[Seat, ...]
    compiled: CompiledPredicates

    @classmethod
    def of(cls, knowledge: Knowledge, problem: Problem) -> Judgement | None:
        """Return the weights that knowledge gives to deals; `None` if all weigh the same."""
        seats = [
            Seat(seat)
            for seat in problem.constrained
            if Seat(seat) in knowledge.usual
            and tuple(knowledge.usual[Seat(seat)]) != tuple(knowledge.turns.get(Seat(seat), ()))
        ]
        if not seats:
            return None
        usual = [hand_predicate(knowledge.usual[s]) if s in seats else FREE_HAND for s in Seat]
        return cls(knowledge, tuple(seats), compile_predicates(usual))

    def weights(self, hands: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return float64 `[D]`: the weight of each deal, given as masks int64 `[D, 4]`."""
        from bidwright.inference.sampling._conditions import fitting

        weights = np.ones(len(hands))
        for seat in self.seats:
            mask = np.ascontiguousarray(hands[:, seat])
            weights[~fitting(int(seat), mask, self.compiled)] *= JUDGEMENT
        return weights

    def parts(self) -> Iterator[tuple[float, Knowledge]]:
        """Yield plain knowledge with factors: weighted counts are sums of so many plain ones."""
        knowledge = self.knowledge
        for chosen in product((False, True), repeat=len(self.seats)):
            usual = {seat for seat, is_usual in zip(self.seats, chosen, strict=True) if is_usual}
            factor = (1 - JUDGEMENT) ** len(usual) * JUDGEMENT ** (len(self.seats) - len(usual))
            turns = {
                seat: (*turns, *(knowledge.usual[seat] if seat in usual else ()))
                for seat, turns in knowledge.turns.items()
            }
            yield factor, replace(knowledge, turns=turns, usual={})
