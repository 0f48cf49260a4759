"""Latitude in strength: conditions as players stretch them by a point.

A bound of strength is a threshold on a sum in which high-card points or points count. Players who
have bid before add or leave out a point for what no rule counts: texture, tens, a good suit. With
latitude a condition holds for every hand that is within some points of satisfying it, and a
condition is certain only for hands that satisfy it by as much.

Both directions are exact operations on formulas: a literal that must reach a threshold reaches a
lower one, a literal that must not reach it may reach more. Since each literal grows (or shrinks),
so does the formula.
"""

from __future__ import annotations

from functools import lru_cache

from bidwright.kb.logic.features import HCP, POINTS
from bidwright.kb.logic.formula import Formula, Literal

_STRENGTH = frozenset({HCP, POINTS})


@lru_cache(maxsize=50_000)
def stretched(formula: Formula, points: int) -> Formula:
    """Return a condition with every bound of strength moved.

    Args:
        formula: the condition.
        points: by how much; a positive number widens it, so that hands fit that are short of (or
            above) it by as many points; a negative number narrows it likewise.
    """
    return tuple(tuple(_moved(literal, points) for literal in clause) for clause in formula)


def _moved(literal: Literal, points: int) -> Literal:
    weight = sum(abs(weight) for index, weight in literal.terms if index in _STRENGTH)
    if not weight:
        return literal
    by = points * weight
    threshold = literal.at_least - by if literal.positive else literal.at_least + by
    return Literal(literal.terms, threshold, literal.positive)
