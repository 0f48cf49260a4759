"""Hands kept as witnesses: which of them fit a call, a bit for each hand.

A hand that fits all calls shows that its numbers are possible: no solver is needed for them.
The truth of a condition for all hands of a pool is one integer, a bit a hand: a condition that
was evaluated before costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Card
from bidwright.inference.engine.hull import HOLDING, Array, held
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import Formula, Literal

_SAMPLE = 1024
"""Hands that a pool of all kinds starts with."""


class HandPool:
    """Hands, and which of them satisfy conditions."""

    def __init__(self, hands: Array) -> None:
        """Keep hands, given by their features `[B, F]`."""
        self._columns = np.ascontiguousarray(hands.T)
        self._known: dict[Literal, int] = {}
        self._every = (1 << len(hands)) - 1

    @classmethod
    def of_holdings(cls, holdings: Array) -> HandPool:
        """Return the pool of hands with these holdings, int `[B, 24]`."""
        return cls(features(held(holdings)))

    def fitting(self, *statements: Statement) -> int:
        """Return the hands that fit all statements, a bit each."""
        fitting = self._every
        for statement in statements:
            fitting &= self._fit(statement)
        return fitting

    def holdings(self, bits: int) -> Array:
        """Return int16 `[B, 24]`: the holdings of some hands, in their order."""
        return self._columns[:HOLDING, self.places(bits)].T

    def places(self, bits: int) -> NDArray[np.intp]:
        """Return the places of some hands in the pool."""
        count = self._columns.shape[1]
        packed = np.frombuffer(bits.to_bytes(-(-count // 8), "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(packed, bitorder="little"))

    def by_rule(self, statement: Statement) -> dict[int, int]:
        """Return the hands, a bit each, that fit a statement by each of its alternatives."""
        fitting, free = {}, self._every
        for alternative in statement:
            for _, rival in alternative.rivals:
                free &= ~self._formula(free, rival)
            fitting[alternative.index] = self._formula(free, alternative.formula)
        return fitting

    def satisfying(self, among: int, formula: Formula) -> int:
        """Return those of some hands, a bit each, that satisfy a formula."""
        return self._formula(among, formula)

    def _fit(self, statement: Statement) -> int:
        fit = 0
        for bits in self.by_rule(statement).values():
            fit |= bits
        return fit

    def _formula(self, among: int, formula: Formula) -> int:
        for clause in formula:
            some = 0
            for literal in clause:
                some |= self._literal(literal)
            among &= some
            if not among:
                break
        return among

    def _literal(self, literal: Literal) -> int:
        bits = self._known.get(literal)
        if bits is None:
            total = sum(self._columns[index] * np.int16(weight) for index, weight in literal.terms)
            packed = np.packbits(total >= literal.at_least, bitorder="little")
            bits = int.from_bytes(packed.tobytes(), "little")
            if not literal.positive:
                bits ^= self._every
            self._known[literal] = bits
        return bits


def random_deals(hands: int, known: Collection[Card]) -> Array:
    """Return int16 `[B, P, 24]`, always the same deals of the cards not known to `hands` hands."""
    rng = np.random.default_rng(_SAMPLE)
    cards = np.tile(
        np.array([card for card in range(NUM_CARDS) if card not in known]), (_SAMPLE // hands, 1)
    )
    dealt = rng.permuted(cards, axis=1).reshape(-1, HAND_SIZE)
    held_cards = np.zeros((len(dealt), NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(held_cards, dealt, True, axis=1)
    return features(held_cards)[:, :HOLDING].reshape(-1, hands, HOLDING)


@cache
def all_kinds() -> HandPool:
    """Return a pool of hands of all kinds, common and rare, always the same."""
    rng = np.random.default_rng(_SAMPLE)
    long_suits = rng.normal(size=(_SAMPLE, 4, 1)) * np.linspace(0, 2, _SAMPLE)[:, None, None]
    strong = np.linspace(-0.5, 0.5, HAND_SIZE) * rng.normal(size=(_SAMPLE, 1, 1)) * 2
    liking = (long_suits + strong + rng.gumbel(size=(_SAMPLE, 4, HAND_SIZE))).reshape(_SAMPLE, -1)
    hands = np.zeros((_SAMPLE, NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(hands, liking.argsort(axis=1)[:, -HAND_SIZE:], True, axis=1)
    return HandPool(features(hands))
