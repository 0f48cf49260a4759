"""The predicates of the four seats as plain arrays, for the compiled loops to check hands by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.hand_tables import NUM_KINDS, NUM_SHAPES, Table
from bidwright.inference.sampling.literal_tables import Sum
from bidwright.inference.sampling.predicate import HandPredicate

FREE = 0
"""Every hand fits."""
TABLES = 1
"""Shape and points decide, with `passes` for the hands that they leave open."""
KINDS = 2
"""The holdings have to be tested as well."""


class CompiledPredicates(NamedTuple):
    """What the hand of each seat has to satisfy.

    A hand that may fit, but does not whatever its honours, passes if all turns of its seat do; a
    turn passes if the first of its steps that holds says so; a step holds if the hand is in its
    table and all its clauses hold; a clause holds if the hand is in its table or passes one of
    its tests.
    """

    level: NDArray[np.int8]
    """int8 `[4]`: what has to be tested: `FREE`, `TABLES` or `KINDS`."""
    decided: NDArray[np.int64]
    """int64 `[4, 2, S]`: hands that may fit, and hands that fit whatever their honours."""
    kinds: NDArray[np.bool_]
    """bool `[4, 4, K]`: holdings that a fitting hand may have."""
    seats: NDArray[np.int32]
    """int32 `[5]`: the turns of seat `i` are `seats[i]` to `seats[i + 1]`."""
    turns: NDArray[np.int32]
    """int32 `[turns + 1]`: likewise the steps of a turn."""
    steps: NDArray[np.int32]
    """int32 `[steps + 1, 3]`: whether it fits, its table, and its first clause."""
    clauses: NDArray[np.int32]
    """int32 `[clauses + 1, 2]`: its table and its first test."""
    tests: NDArray[np.int32]
    """int32 `[tests, 3]`: its sum, the threshold, and whether it must be reached."""
    tables: NDArray[np.int64]
    """int64 `[tables, S]`."""
    by_kind: NDArray[np.int16]
    """int16 `[sums, 4, K]`: what the holding of a suit adds to a sum."""
    by_shape: NDArray[np.int16]
    """int16 `[sums, S]`: what the shape adds."""


def compile_predicates(predicates: Sequence[HandPredicate]) -> CompiledPredicates:
    """Return the arrays of the predicates of N, E, S and W."""
    tables: list[Table] = []
    sums: dict[Sum, int] = {}
    seats, turns = [0], [0]
    steps: list[tuple[int, int, int]] = []
    clauses: list[tuple[int, int]] = []
    tests: list[tuple[int, int, int]] = []
    for predicate in predicates:
        for turn in predicate.turns:
            for step in turn:
                steps.append((step.fits, len(tables), len(clauses)))
                tables.append(step.condition.upper)
                for clause in step.condition.mixed:
                    clauses.append((len(tables), len(tests)))
                    tables.append(clause.sure)
                    for test in clause.tests:
                        place = sums.setdefault(test.sum, len(sums))
                        tests.append((place, test.at_least, test.positive))
            turns.append(len(steps))
        seats.append(len(turns) - 1)
    steps.append((0, 0, len(clauses)))
    clauses.append((0, len(tests)))
    return CompiledPredicates(
        level=np.array([_level(predicate) for predicate in predicates], dtype=np.int8),
        decided=np.array([(predicate.upper, predicate.lower) for predicate in predicates]),
        kinds=np.stack([predicate.kinds for predicate in predicates]),
        seats=np.array(seats, dtype=np.int32),
        turns=np.array(turns, dtype=np.int32),
        steps=np.array(steps, dtype=np.int32),
        clauses=np.array(clauses, dtype=np.int32),
        tests=np.array(tests, dtype=np.int32).reshape(-1, 3),
        tables=np.stack(tables) if tables else np.zeros((0, NUM_SHAPES), dtype=np.int64),
        by_kind=np.stack([one.by_kind for one in sums])
        if sums
        else np.zeros((0, 4, NUM_KINDS), dtype=np.int16),
        by_shape=np.stack([one.by_shape for one in sums])
        if sums
        else np.zeros((0, NUM_SHAPES), dtype=np.int16),
    )


def _level(predicate: HandPredicate) -> int:
    if predicate.is_free:
        return FREE
    return KINDS if predicate.demands else TABLES
