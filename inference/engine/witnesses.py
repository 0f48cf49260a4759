"""Hands kept as witnesses: which of them fit a call, a bit for each hand.

A hand that fits all calls shows that its numbers are possible: no solver is needed for them.
The truth of a condition for all hands of a pool is one integer, a bit a hand: a condition that
was evaluated before costs next to nothing, and is evaluated for hands that came in since alone.
Systems say of one suit what they say of another, so a hand is kept with its suits in every order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Card
from bidwright.inference.engine.hull import (
    HOLDING,
    NUMBERS,
    SUITS,
    Array,
    Ranges,
    held,
    terms_of,
)
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.feature_table import SUIT_FEATURES
from bidwright.kb.logic.features import FEATURES, features
from bidwright.kb.logic.formula import Formula, Literal

_SAMPLE = 256
"""Hands that a pool of all kinds starts with, not counting other orders of their suits."""

_DEALT = 1024
"""Hands dealt at random."""

_MOST_LITERALS = 16_384
"""Literals that a pool remembers the truth of."""

# Features by kind and suit, so that an order of suits is an order of columns.
_ORDERS = np.array(
    [
        (
            *(SUITS * kind + suit for kind in range(len(SUIT_FEATURES)) for suit in order),
            *range(SUITS * len(SUIT_FEATURES), len(FEATURES)),
        )
        for order in permutations(range(SUITS))
    ]
)
"""Int `[24, F]`: for each order of the suits, the places of the features in the original order."""


class HandPool(ABC):
    """Hands, and which of them satisfy conditions."""

    def __init__(self, size: int) -> None:
        """Keep so many hands."""
        self._resize(size)
        self._known: dict[Literal, tuple[int, int]] = {}

    def _resize(self, size: int) -> None:
        self._size = size
        self._every = (1 << size) - 1

    @abstractmethod
    def _column(self, index: int, start: int) -> Array:
        """Return int16 `[B]`, a feature of the hands from some place on."""

    def __len__(self) -> int:
        """Return the number of hands."""
        return self._size

    @property
    def every(self) -> int:
        """All hands, a bit each."""
        return self._every

    def ranges(self, bits: int, within: Ranges, others: Ranges | None = None) -> Ranges | None:
        """Return the ranges of the numbers of some hands, and of others; None if there are none.

        Args:
            bits: the hands, a bit each.
            within: ranges that they lie within.
            others: the ranges of hands that are counted with them; None for no such hands.
        """
        if not bits:
            return others
        floor, top = within
        low, high = others if others is not None else (top, floor)
        found_low, found_high = list(low), list(high)
        # A range that reaches its limits already needs no look.
        for place, reaching in enumerate(_reaching()):
            if found_high[place] < top[place]:
                found_high[place] = self._largest(bits, reaching, high[place], top[place])
            if found_low[place] > floor[place]:
                found_low[place] = self._least(bits, reaching, floor[place], low[place])
        return found_low, found_high

    def _largest(self, bits: int, reaching: Sequence[Literal], low: int, high: int) -> int:
        """Return the largest value of a number within limits that a hand reaches, or the least."""
        middle = high  # most hands asked about reach as far as they may
        while low < high:
            if bits & self._literal(reaching[middle]):
                low = middle
            else:
                high = middle - 1
            middle = (low + high + 1) // 2
        return low

    def _least(self, bits: int, reaching: Sequence[Literal], low: int, high: int) -> int:
        """Return the least value of a number within limits that a hand has, or the largest."""
        middle = low
        while low < high:
            # "At least middle + 1" is false for some hand: one has so little.
            if bits & self._literal(reaching[middle + 1]) != bits:
                high = middle
            else:
                low = middle + 1
            middle = (low + high) // 2
        return low

    def fitting(self, *statements: Statement) -> int:
        """Return the hands that fit all statements, a bit each."""
        fitting = self._every
        for statement in statements:
            fitting &= self._fit(statement)
        return fitting

    def places(self, bits: int) -> NDArray[np.intp]:
        """Return the places of some hands in the pool."""
        packed = np.frombuffer(bits.to_bytes(-(-len(self) // 8), "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(packed, bitorder="little"))

    def by_rule(self, statement: Statement) -> dict[int, int]:
        """Return the hands, a bit each, that fit a statement by each of its alternatives.

        The dictionary is shared by all who ask: it is to be read only.
        """
        fitting, free = {}, self._every
        for alternative in statement:
            for _, rival in alternative.rivals:
                # The bits that go are a part of those that were free, so "exclusive or" takes them
                # away.
                free ^= self._formula(free, rival)
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
        cached, size = self._known, len(self)
        for clause in formula:
            some = 0
            for literal in clause:
                bits, seen = cached.get(literal, (0, 0))
                # The bits are up to date if they were worked out for all hands there are.
                some |= bits if seen == size else self._literal(literal)
            among &= some
            if not among:
                break
        return among

    def _literal(self, literal: Literal) -> int:
        bits, checked = self._known.get(literal, (0, 0))
        # Only hands that came in since are looked at.
        if checked < len(self):
            total = self._weighted(*literal.terms[0], checked)
            for index, weight in literal.terms[1:]:
                total = total + self._weighted(index, weight, checked)
            least = literal.at_least
            true = total >= least if literal.positive else total < least
            packed = np.packbits(true, bitorder="little")
            bits |= int.from_bytes(packed.tobytes(), "little") << checked
            if len(self._known) >= _MOST_LITERALS:
                self._known.clear()
            self._known[literal] = bits, len(self)
        return bits

    def _weighted(self, index: int, weight: int, start: int) -> Array:
        column = self._column(index, start)
        return column if weight == 1 else column * np.int16(weight)


class KeptHands(HandPool):
    """A growing pool of hands with all their features."""

    def __init__(self, hands: Array) -> None:
        """Keep hands, given by their features `[B, F]`."""
        super().__init__(len(hands))
        self._columns = np.ascontiguousarray(hands.T)
        # Only this pool remembers what fits: caches of their own methods kept pools of tried hands
        # alive until the garbage collector came by.
        self._cached_fit = lru_cache(maxsize=1024)(super()._fit)
        self._cached_by_rule = lru_cache(maxsize=1024)(super().by_rule)

    @classmethod
    def of_holdings(cls, holdings: Array) -> KeptHands:
        """Return the pool of hands with these holdings, int `[B, 24]`."""
        return cls(features(held(holdings)))

    def add(self, hands: Array) -> None:
        """Keep more hands, given by their features `[B, F]`."""
        self._columns = np.concatenate([self._columns, hands.T], axis=1)
        self._resize(self._columns.shape[1])
        self._cached_fit.cache_clear()
        self._cached_by_rule.cache_clear()

    def by_rule(self, statement: Statement) -> dict[int, int]:
        """Return the hands, a bit each, that fit a statement by each of its alternatives."""
        return self._cached_by_rule(statement)

    def _fit(self, statement: Statement) -> int:
        return self._cached_fit(statement)

    def _column(self, index: int, start: int) -> Array:
        return self._columns[index, start:]


def random_deals(hands: int, known: Collection[Card]) -> Array:
    """Return int16 `[B, P, 24]`, always the same deals of the cards not known to `hands` hands."""
    # A fixed seed: the same witnesses, and so the same answers, on every run.
    rng = np.random.default_rng(_DEALT)
    cards = np.tile(
        np.array([card for card in range(NUM_CARDS) if card not in known]), (_DEALT // hands, 1)
    )
    dealt = rng.permuted(cards, axis=1).reshape(-1, HAND_SIZE)
    held_cards = np.zeros((len(dealt), NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(held_cards, dealt, True, axis=1)
    return features(held_cards)[:, :HOLDING].reshape(-1, hands, HOLDING)


@cache
def _reaching() -> tuple[tuple[Literal, ...], ...]:
    """Return for each number the literals that it is at least 0, 1, ... its largest value."""
    return tuple(
        tuple(Literal(terms_of(name), value) for value in range(top + 1)) for name, top in NUMBERS
    )


def in_every_order(hands: Array) -> Array:
    """Return hands, by their features `[B, F]`, with their suits in every order `[24 * B, F]`."""
    return hands[:, _ORDERS].reshape(-1, len(FEATURES))


def all_kinds() -> KeptHands:
    """Return a pool of hands of all kinds, common and rare, always the same to begin with."""
    return KeptHands(_hands_of_all_kinds())


@cache
def _hands_of_all_kinds() -> Array:
    rng = np.random.default_rng(_SAMPLE)
    # From flat to wild shapes, and from weak to strong hands: rare kinds are what ends ranges.
    long_suits = rng.normal(size=(_SAMPLE, 4, 1)) * np.linspace(0, 2, _SAMPLE)[:, None, None]
    strong = np.linspace(-0.5, 0.5, HAND_SIZE) * rng.normal(size=(_SAMPLE, 1, 1)) * 2
    liking = (long_suits + strong + rng.gumbel(size=(_SAMPLE, 4, HAND_SIZE))).reshape(_SAMPLE, -1)
    hands = np.zeros((_SAMPLE, NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(hands, liking.argsort(axis=1)[:, -HAND_SIZE:], True, axis=1)
    return in_every_order(features(hands))
