"""Latitude: conditions as players stretch them, by a point or by a card.

A bound of strength is a threshold on a sum in which high-card points or points count. Players who
have bid before add or leave out a point for what no rule counts: texture, tens, a good suit. With
latitude a condition holds for every hand that is within some points of satisfying it, and a
condition is certain only for hands that satisfy it by as much. Where an author says that a rule is
loose, bounds of length give way by a card as well.

Both directions are exact operations on formulas: a literal that must reach a threshold reaches a
lower one, a literal that must not reach it may reach more. Since each literal grows (or shrinks),
so does the formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from bidwright.kb.logic.features import HCP, LENGTHS, POINTS
from bidwright.kb.logic.formula import Formula, Literal

_STRENGTH = frozenset({HCP, POINTS})
_LENGTHS = frozenset(LENGTHS)

MOST_POINTS = 4
"""Points that a system may allow its players."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The latitude of players in conditions.

    Attributes:
        points: points in bounds of strength.
        cards: cards in bounds of length.
    """

    points: int
    cards: int = 0


SYSTEMS_OWN = 1
"""The latitude, in points, of players who have bid before, in a system that names none."""

BY_WORD = {"strict": Tolerance(0), "loose": Tolerance(2, 1)}
"""The latitude of rules, first bids included, by the author's word."""


@lru_cache(maxsize=50_000)
def stretched(formula: Formula, points: int, cards: int = 0) -> Formula:
    """Return a condition with every bound of strength moved, and of length.

    Args:
        formula: the condition.
        points: the points; a positive number widens it, so that hands fit that are short of (or
            above) it by as many points; a negative number narrows it likewise.
        cards: the same for lengths. A sum of strength and length moves by points alone.
    """
    if not points and not cards:
        return formula
    # Literal by literal is exact: each grows or each shrinks, and so does every clause of them.
    return tuple(tuple(_moved(literal, points, cards) for literal in clause) for clause in formula)


def _moved(literal: Literal, points: int, cards: int) -> Literal:
    # A sum in which points count twice moves twice as far.
    by = points * sum(abs(weight) for index, weight in literal.terms if index in _STRENGTH)
    if cards and all(index in _LENGTHS for index, _ in literal.terms):
        # One card more or less in one of the suits, that of the largest weight.
        by = cards * max(abs(weight) for _, weight in literal.terms)
    if not by:
        return literal
    threshold = literal.at_least - by if literal.positive else literal.at_least + by
    return Literal(literal.terms, threshold, literal.positive)
