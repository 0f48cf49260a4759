"""Deals weighed by how usual they are: a hand that asks for judgement counts for less.

What calls possibly show is what deals are drawn from, so that a point more or less excludes
nothing. A hidden hand that is not among those that its calls *usually* show makes a deal
`JUDGEMENT` times as likely. So a deal's weight is a product over hands, and a weighted count is a
mixture of plain ones: of the deals where some of the hands are usual and the others possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import Seat
from bidwright.inference.sampling.compiled_predicates import CompiledPredicates, compile_predicates
from bidwright.inference.sampling.knowledge import JUDGEMENT, Knowledge
from bidwright.inference.sampling.predicate import hand_predicate
from bidwright.inference.sampling.problem import FREE_HAND, Problem


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
        known = self.knowledge
        for chosen in product((False, True), repeat=len(self.seats)):
            usual = {seat for seat, is_usual in zip(self.seats, chosen, strict=True) if is_usual}
            factor = (1 - JUDGEMENT) ** len(usual) * JUDGEMENT ** (len(self.seats) - len(usual))
            turns = {
                seat: (*turns, *(known.usual[seat] if seat in usual else ()))
                for seat, turns in known.turns.items()
            }
            yield factor, replace(known, turns=turns, usual={})
