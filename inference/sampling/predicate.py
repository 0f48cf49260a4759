"""The meaning of one player's calls, compiled for counting and checking hands.

A call means: the first rule that holds is one for this call. So each turn is a list of steps,
tried in order; the first whose condition holds decides whether the hand fits. Conditions are split
into what shape and points decide (a table) and what depends on honours (tests). From the
lists follow two tables for the whole hand: `upper`, the hands that may fit, and `lower`, those
that fit whatever their honours. Between the two the honours are tested one hand at a time,
unless they concern single suits: then they restrict the kinds of holdings that are counted.

The compiled loops check hands by the predicates of all four seats as plain arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.engine.statements import Turn
from bidwright.inference.sampling.hand_tables import (
    ALL_POINTS,
    KIND_EXISTS,
    NUM_KINDS,
    NUM_SHAPES,
    Table,
    as_table,
)
from bidwright.inference.sampling.literal_tables import Sum, flat_table, honour_sum
from bidwright.kb.logic.formula import Clause, Formula, Literal

Kinds = NDArray[np.bool_]
"""bool `[4, K]`: kinds of holdings in each suit."""

EVERY_HAND: Table = np.full(NUM_SHAPES, ALL_POINTS, dtype=np.int64)
NO_HAND: Table = np.zeros(NUM_SHAPES, dtype=np.int64)
EVERY_KIND: Kinds = np.tile(KIND_EXISTS, (4, 1))
for _constant in (EVERY_HAND, NO_HAND, EVERY_KIND):
    _constant.setflags(write=False)


@dataclass(frozen=True)
class HonourTest:
    """A literal that depends on honours.

    Attributes:
        sum: the sum.
        at_least: the threshold.
        positive: False if the threshold must not be reached.
    """

    sum: Sum
    at_least: int
    positive: bool

    @cached_property
    def tables(self) -> tuple[Table, Table]:
        """The hands that may pass, and those that pass whatever their honours."""
        least, largest = self.sum.extremes
        reachable, certain = largest >= self.at_least, least >= self.at_least
        if not self.positive:
            reachable, certain = ~certain, ~reachable
        # Shapes and points that no hand has would pass as "certain" by their empty extremes.
        exists = least <= largest
        return as_table(reachable & exists), as_table(certain & exists)

    def kinds(self, allowed: Kinds) -> Kinds:
        """Return the holdings that the test can hold with, the other suits being as allowed."""
        value = self.sum.by_kind if self.positive else -self.sum.by_kind.astype(np.int16)
        shape = self.sum.by_shape if self.positive else -self.sum.by_shape
        need = self.at_least if self.positive else 1 - self.at_least
        # The best that the other suits can add: a holding is dropped only if even that is too
        # little.
        best = np.where(allowed, value, -10_000).max(axis=1).astype(np.int64)
        others = best.sum() - best + int(shape.max())
        return np.asarray(value + others[:, None] >= need)

    def negated(self) -> HonourTest:
        """Return the opposite test."""
        return replace(self, positive=not self.positive)


@dataclass(frozen=True, slots=True, eq=False)
class MixedClause:
    """A clause with honours in it: the hands of a table, and those that pass one of the tests.

    Attributes:
        flat: hands that satisfy it by shape and points.
        sure: those, and the hands that pass a test whatever their honours.
        tests: what the others may pass.
    """

    flat: Table
    sure: Table
    tests: tuple[HonourTest, ...]

    @property
    def suit(self) -> int | None:
        """The one suit that all tests are about, if there is one."""
        suits = {test.sum.suit for test in self.tests}
        return suits.pop() if len(suits) == 1 else None

    def kinds(self, allowed: Kinds) -> Kinds:
        """Return the holdings that some test can hold with."""
        return np.asarray(np.logical_or.reduce([test.kinds(allowed) for test in self.tests]))


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A formula: the hands of a table that satisfy the mixed clauses as well.

    Attributes:
        upper: the hands that may satisfy it.
        lower: the hands that do, whatever their honours.
        mixed: the clauses that depend on honours.
    """

    upper: Table
    lower: Table
    mixed: tuple[MixedClause, ...]


_conditions: dict[int, tuple[Formula, Condition]] = {}
_MEMORY = 50_000


def condition(formula: Formula) -> Condition:
    """Return the compiled form of a formula, from memory if it was compiled before."""
    # Formulas are large and live as long as the rules: finding them by identity is what makes
    # this cheap. The formula is kept, so that its identity is not given to another one.
    stored = _conditions.get(id(formula))
    if stored is not None:
        return stored[1]
    if len(_conditions) >= _MEMORY:
        _conditions.clear()
    result = _compile(formula)
    _conditions[id(formula)] = (formula, result)
    return result


def _compile(formula: Formula) -> Condition:
    upper, mixed = EVERY_HAND, []
    for clause in formula:
        flat, tests = _split(clause)
        possible = sure = flat
        for test in tests:
            possible = possible | test.tables[0]
            sure = sure | test.tables[1]
        upper = upper & possible
        if tests:
            mixed.append(MixedClause(flat, sure, tests))
    lower = upper
    for part in mixed:
        lower = lower & part.sure
    return Condition(upper, lower, tuple(mixed))


def _split(clause: Clause) -> tuple[Table, tuple[HonourTest, ...]]:
    """Return the hands that satisfy a clause by shape and points, and the tests in it."""
    flat, tests = NO_HAND, []
    for literal in clause:
        table = flat_table(literal)
        if table is None:
            tests.append(_honour_test(literal))
        else:
            flat = flat | table
    return flat, tuple(tests)


@lru_cache(maxsize=20_000)
def _honour_test(literal: Literal) -> HonourTest:
    return HonourTest(honour_sum(literal.terms), literal.at_least, literal.positive)


@dataclass(frozen=True, slots=True, eq=False)
class CompiledStep:
    """A step of a decision list, its condition compiled."""

    fits: bool
    condition: Condition


@dataclass(frozen=True, eq=False)
class HandPredicate:
    """The hands that fit all calls of a player.

    Attributes:
        upper: the hands that may fit.
        lower: the hands that fit whatever their honours.
        turns: steps of the turns that the tables do not decide.
        kinds: the holdings that a fitting hand may have in each suit.
        demands: True if some possible holding is not among `kinds`.
    """

    upper: Table
    lower: Table
    turns: tuple[tuple[CompiledStep, ...], ...]
    kinds: Kinds
    demands: bool

    @property
    def is_empty(self) -> bool:
        """True if surely no hand fits."""
        return not self.upper.any() or not self.kinds.any(axis=1).all()

    @property
    def is_free(self) -> bool:
        """True if every hand fits."""
        return self.is_countable and not self.demands and bool((self.upper == ALL_POINTS).all())

    @property
    def is_countable(self) -> bool:
        """True if a hand fits if and only if `upper` and `kinds` allow it."""
        return not self.turns


def hand_predicate(
    turns: Iterable[Turn], formulas: Iterable[Formula] = (), possible: Kinds | None = None
) -> HandPredicate:
    """Return the compiled predicate of a player's calls on his hand.

    Args:
        turns: his calls.
        formulas: further conditions.
        possible: the holdings that the cards known elsewhere leave possible.
    """
    lists = [
        [CompiledStep(step.fits, condition(step.formula)) for step in turn.steps] for turn in turns
    ]
    lists += [[CompiledStep(True, condition(formula))] for formula in formulas]
    start = EVERY_KIND if possible is None else possible
    kinds = start.copy()
    upper, open_lists = _narrow(EVERY_HAND, lists)
    open_lists, exact = _read_honours(upper, open_lists, kinds)
    if exact:
        upper, open_lists = _narrow(upper, open_lists)
    lower = upper
    for steps in open_lists:
        lower = lower & _sure(upper, steps)
    return HandPredicate(
        upper, lower, tuple(map(tuple, open_lists)), kinds, bool((kinds != start).any())
    )


def _narrow(
    upper: Table, lists: Sequence[list[CompiledStep]]
) -> tuple[Table, list[list[CompiledStep]]]:
    """Return the hands that may fit, and of each turn the steps that they leave open."""
    open_lists = list(lists)
    before = None
    # Turns narrow each other: a second bid may leave no hand for a rule of the first.
    while before is None or not np.array_equal(before, upper):
        before = upper
        for place, steps in enumerate(open_lists):
            open_lists[place], upper = _reachable(upper, steps)
    return upper, [
        steps for steps in open_lists if (upper & ~_sure(upper, steps)).any() or not steps
    ]


def _reachable(upper: Table, steps: list[CompiledStep]) -> tuple[list[CompiledStep], Table]:
    """Return the steps that some hand can reach and satisfy, and the hands that may then fit."""
    reach, fitting, reached = upper, NO_HAND, []
    for step in steps:
        hit = reach & step.condition.upper
        if hit.any():
            reached.append(step)
            if step.fits:
                fitting = fitting | hit
            reach = reach & ~step.condition.lower
    # Behind the last rule for the call every hand fails, with or without these steps.
    while reached and not reached[-1].fits:
        reached.pop()
    return reached, fitting


def _sure(upper: Table, steps: Sequence[CompiledStep]) -> Table:
    """Return the hands that fit a turn whatever their honours."""
    reach, failing = upper, NO_HAND
    for step in steps:
        if not step.fits:
            failing = failing | reach & step.condition.upper
        reach = reach & ~step.condition.lower
    return upper & ~(failing | reach)


# ------------------------------------------------------------------- honours


def _read_honours(
    upper: Table, lists: list[list[CompiledStep]], kinds: Kinds
) -> tuple[list[list[CompiledStep]], bool]:
    """Narrow `kinds` by the turns' demands on single suits; drop conditions that are then exact.

    Returns:
        The turns, and True if anything was dropped.
    """
    result = [_demanding(upper, steps, kinds) for steps in lists]
    for _ in range(2):  # what one suit must hold depends on what the others can
        for steps in result:
            _narrow_by_rules(upper, [step for step in steps if step.fits], kinds)
    return result, any(old != new for old, new in zip(lists, result, strict=True))


def _demanding(upper: Table, steps: list[CompiledStep], kinds: Kinds) -> list[CompiledStep]:
    """Return the steps without those conditions that are demands on a single suit."""
    rules = [place for place, step in enumerate(steps) if step.fits]
    result: list[CompiledStep] = []
    for place, step in enumerate(steps):
        # Only before the first rule for the call: a rival behind it does not bar hands of that
        # rule.
        if place < rules[0] and (banned := _banned(upper, step.condition)) is not None:
            suit, holdings = banned
            kinds[suit] &= ~holdings
        # With a single rule every fitting hand passes its clauses; with two, a hand may pass by the
        # other.
        elif [place] == rules:
            result.append(_without_demands(upper, step, kinds))
        else:
            result.append(step)
    return result


def _without_demands(upper: Table, step: CompiledStep, kinds: Kinds) -> CompiledStep:
    """Move the clauses that every fitting hand passes by one suit alone into `kinds`."""
    rest: list[MixedClause] = []
    for clause in step.condition.mixed:
        suit = clause.suit
        # A clause that some hand passes by shape and points demands no honours of it.
        if suit is None or (clause.flat & upper).any():
            rest.append(clause)
        else:
            kinds[suit] &= clause.kinds(EVERY_KIND)[suit]
    if len(rest) == len(step.condition.mixed):
        return step
    lower = step.condition.upper
    for clause in rest:
        lower = lower & clause.sure
    return CompiledStep(True, Condition(step.condition.upper, lower, tuple(rest)))


def _banned(upper: Table, rival: Condition) -> tuple[int, NDArray[np.bool_]] | None:
    """Return the suit and the holdings that a rival takes, if it depends on nothing else."""
    suits = {clause.suit for clause in rival.mixed}
    suit = suits.pop() if len(suits) == 1 else None
    if suit is None or (upper & ~rival.upper).any():
        return None
    if any((clause.flat & upper).any() for clause in rival.mixed):
        return None
    return suit, np.logical_and.reduce([clause.kinds(EVERY_KIND)[suit] for clause in rival.mixed])


def _narrow_by_rules(upper: Table, rules: list[CompiledStep], kinds: Kinds) -> None:
    """Keep the holdings that some rule for the call can do with."""
    if not rules:
        return
    together = np.zeros_like(kinds)
    for step in rules:
        allowed = kinds.copy()
        here = upper & step.condition.upper
        for clause in step.condition.mixed:
            if not (clause.flat & here).any():
                allowed &= clause.kinds(allowed)
        together |= allowed
    kinds &= together


FREE = 0
"""Every hand fits."""
TABLES = 1
"""Shape and points decide, with `passes` for the hands that they leave open."""
KINDS = 2
"""The holdings have to be tested as well."""


class CompiledPredicates(NamedTuple):
    """The constraints on the hand of each seat, as arrays for compiled code.

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
                        # One sum serves all thresholds over it: stoppers and key cards come again
                        # in many rules.
                        place = sums.setdefault(test.sum, len(sums))
                        tests.append((place, test.at_least, test.positive))
            turns.append(len(steps))
        seats.append(len(turns) - 1)
    # A last row that is no step, so that the end of each range can be read as the start of the
    # next.
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
