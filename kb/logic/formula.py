"""Conditions on one hand in normal form: clauses of thresholds over the features.

A `Literal` says that a weighted sum of features reaches a number, or that it does not. A
condition is a conjunction of clauses, each a disjunction of literals; `()` is true and `((),)`
is false. This is the form that the fast evaluator runs, the answer-set program reads and the
explanations quote, so there is one meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd

import numpy as np
from numpy.typing import NDArray

MOST_CLAUSES = 500
"""A condition that needs more clauses than this is refused: it should be several rules."""


class FormulaTooLargeError(ValueError):
    """A condition with too many combinations of alternatives to be read or explained."""


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Literal:
    """`sum(weight * feature) >= at_least`, or its negation when not `positive`.

    There is one object for each literal, whoever makes it: literals are looked up all the time,
    and an object is compared and hashed faster than what it says.

    Attributes:
        terms: (feature index, weight) pairs, by index, weights non-zero and without a common
            divisor.
        at_least: the threshold.
        positive: False for "does not reach the threshold".
    """

    terms: tuple[tuple[int, int], ...]
    at_least: int
    positive: bool

    def __new__(
        cls, terms: tuple[tuple[int, int], ...], at_least: int, positive: bool = True
    ) -> Literal:
        """Return the one literal with these terms."""
        key = terms, at_least, positive
        literal = _LITERALS.get(key)
        if literal is None:
            new = object.__new__(cls)
            for name, value in zip(cls.__slots__, key, strict=True):
                object.__setattr__(new, name, value)
            literal = _LITERALS.setdefault(key, new)  # another thread may have been first
        return literal

    def __reduce__(self) -> tuple[type[Literal], tuple[object, ...]]:
        """Copy to the literal itself, and to the one of the process that it is sent to."""
        return Literal, (self.terms, self.at_least, self.positive)

    # A plain loop: readers judge hands by literals all the time.
    def holds(self, hand: Sequence[int]) -> bool:
        """Return True if a hand, given as its feature vector, satisfies the literal."""
        total = 0
        for index, weight in self.terms:
            total += weight * hand[index]
        return (total >= self.at_least) is self.positive

    def holds_for(self, hands: NDArray[np.int16] | NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return bool `[B]` for features `[B, F]`."""
        # A weight times a feature may not fit into 16 bits.
        columns = (hands[:, index].astype(np.int32, copy=False) for index, _ in self.terms)
        total = sum(
            weight * column for (_, weight), column in zip(self.terms, columns, strict=True)
        )
        reached: NDArray[np.bool_] = np.asarray(total >= self.at_least)
        return reached if self.positive else ~reached

    def negated(self) -> Literal:
        """Return the literal that holds exactly when this one does not."""
        return Literal(self.terms, self.at_least, not self.positive)


_LITERALS: dict[tuple[tuple[tuple[int, int], ...], int, bool], Literal] = {}
"""All literals that were made."""

Clause = tuple[Literal, ...]
Formula = tuple[Clause, ...]

TRUE: Formula = ()
FALSE: Formula = ((),)


@cache
def reaches(terms: tuple[tuple[int, int], ...], at_least: int) -> Formula:
    """Return the formula `sum(weight * feature) >= at_least`, in lowest terms.

    A sum whose leading weight is negative is written as the negation of its mirror image, so
    that a test and its complement share one threshold.
    """
    collected: dict[int, int] = {}
    for index, weight in terms:
        collected[index] = collected.get(index, 0) + weight
    items = sorted((index, weight) for index, weight in collected.items() if weight)
    if not items:
        return TRUE if at_least <= 0 else FALSE
    divisor = gcd(*(weight for _, weight in items))
    # Sums are whole, so a threshold that is divided is rounded up.
    bound = -(-at_least // divisor)
    reduced = tuple((index, weight // divisor) for index, weight in items)
    if reduced[0][1] > 0:
        return ((Literal(reduced, bound),),)
    mirrored = tuple((index, -weight) for index, weight in reduced)
    # sum >= b holds exactly where not(-sum >= 1 - b) does, as sums are whole.
    return ((Literal(mirrored, 1 - bound, positive=False),),)


def both(*formulas: Formula) -> Formula:
    """Return the conjunction."""
    clauses: dict[Clause, None] = {}
    for formula in formulas:
        for clause in formula:
            if not clause:
                return FALSE
            clauses[clause] = None
    return tuple(clauses)


def either(*formulas: Formula) -> Formula:
    """Return the disjunction, by distribution, without tautologies and subsumed clauses."""
    if any(formula == TRUE for formula in formulas):
        return TRUE
    live = [formula for formula in formulas if formula != FALSE]
    if not live:
        return FALSE
    if len(live) == 1:
        return live[0]
    result = live[0]
    for other in live[1:]:
        result = _distribute(result, other)
    return result


def _distribute(one: Formula, other: Formula) -> Formula:
    # By their members, since a clause says the same in any order.
    merged: dict[frozenset[Literal], Clause] = {}
    for left, right in product(one, other):
        clause = tuple(dict.fromkeys((*left, *right)))
        members = frozenset(clause)
        # A clause with a literal and its negation says nothing.
        if not any(literal.negated() in members for literal in clause):
            merged.setdefault(members, clause)
    return tuple(_without_subsumed(merged))


def _without_subsumed(clauses: dict[frozenset[Literal], Clause]) -> list[Clause]:
    minimal: list[frozenset[Literal]] = []
    # Shorter clauses first: what they subsume is longer.
    for members in sorted(clauses, key=len):
        if not any(smaller < members for smaller in minimal):
            minimal.append(members)
            if len(minimal) > MOST_CLAUSES:
                raise FormulaTooLargeError(f"a condition of more than {MOST_CLAUSES} alternatives")
    chosen = set(minimal)
    return [clause for members, clause in clauses.items() if members in chosen]


def negation(formula: Formula) -> Formula:
    """Return the complement, in clauses again."""
    if formula == TRUE:
        return FALSE
    return either(*(both(*(((literal.negated(),),) for literal in clause)) for clause in formula))


class JudgedHand:
    """One hand, judged by many formulas; each literal is computed once.

    The rules at a position ask the same questions of a hand again and again. For one hand this
    takes a small part of the time of `holds_for`, which asks all of them of arrays.

    Attributes:
        hand: its feature vector.
    """

    __slots__ = ("_held", "hand")

    def __init__(self, hand: Sequence[int]) -> None:
        """Begin without results."""
        self.hand = hand
        self._held: dict[Literal, bool] = {}

    def failed(self, formula: Formula) -> Clause | None:
        """Return the first clause of a formula that the hand does not satisfy, None if all hold."""
        held = self._held
        for clause in formula:
            for literal in clause:
                answer = held.get(literal)
                if answer is None:
                    answer = held[literal] = literal.holds(self.hand)
                if answer:
                    break
            else:
                return clause
        return None

    def holds(self, formula: Formula) -> bool:
        """Return True if the hand satisfies a formula."""
        return self.failed(formula) is None


class JudgedHands:
    """Hands that are judged by many formulas; each literal and each formula is computed once.

    Attributes:
        hands: their features, int16 `[B, F]`.
    """

    __slots__ = ("_columns", "_formulas", "_literals", "hands")

    def __init__(self, hands: NDArray[np.int16]) -> None:
        """Begin without results."""
        self.hands = hands
        self._columns = np.ascontiguousarray(hands.T).astype(np.int32).T
        self._literals: dict[Literal, NDArray[np.bool_]] = {}
        self._formulas: dict[Formula, NDArray[np.bool_]] = {}

    def __len__(self) -> int:
        """Return the number of hands."""
        return len(self.hands)

    def holds_for(self, formula: Formula) -> NDArray[np.bool_]:
        """Return bool `[B]`, True for the hands that satisfy a formula; not to be written to."""
        held = self._formulas.get(formula)
        if held is None:
            held = np.ones(len(self.hands), dtype=np.bool_)
            for clause in formula:
                some = np.zeros(len(self.hands), dtype=np.bool_)
                for literal in clause:
                    some |= self._holds(literal)
                held &= some
            self._formulas[formula] = held
        return held

    def _holds(self, literal: Literal) -> NDArray[np.bool_]:
        held = self._literals.get(literal)
        if held is None:
            held = self._literals[literal] = literal.holds_for(self._columns)
        return held


def holds(formula: Formula, hand: Sequence[int]) -> bool:
    """Return True if a hand (its feature vector) satisfies a formula."""
    return JudgedHand(hand).holds(formula)


def holds_for(formula: Formula, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B]`, True for the hands, features `[B, F]`, that satisfy a formula."""
    result = np.ones(len(hands), dtype=np.bool_)
    for clause in formula:
        some = np.zeros(len(hands), dtype=np.bool_)
        for literal in clause:
            some |= literal.holds_for(hands)
        result &= some
    return result


def literals(formulas: Iterable[Formula]) -> set[Literal]:
    """Return the literals that occur in formulas."""
    return {literal for formula in formulas for clause in formula for literal in clause}
