"""Boxes around the hands of calls: one for each case in which the calls can have been made.

A case is a selection of the rules that made the calls, and of the literals of their conditions
that hold. Like the bounds of calls, its bounds are found by cells and witnesses where these are
enough; the solver is asked elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bidwright.inference.engine.box_unions import merged, volume
from bidwright.inference.engine.cells import (
    CellInterval,
    cells_by_rule,
    fitting_cells,
    literal_cells,
)
from bidwright.inference.engine.statements import Statement
from bidwright.inference.engine.witnesses import HandPool
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.formula import Clause, Literal
from bidwright.kb.logic.intervals import Intervals

_MOST_CASES = 16
"""Selections of rules that get boxes of their own before boxes are merged."""

_MOST_QUERIES = 32
"""Queries spent on telling apart the cases of conditions."""

_WORTHWHILE = 0.75
"""Each case of a condition must be smaller than the whole by this factor."""

MeantRule = tuple[Statement, int]
"""A call, and the index of the rule that makes it."""

Selection = tuple[MeantRule | Literal, ...]
"""The premises of a case: rules that made calls, and literals that hold."""

Narrow = Callable[[CellInterval, int, Bounds, Selection], Bounds | None]
"""Returns the bounds of a case from cells around its hands, some of its hands, a bit each, bounds
that it is within, and what is so in it; None if there is no hand."""


@dataclass(frozen=True, slots=True)
class _Case:
    """Some of the consistent hands.

    Attributes:
        selected: what is so in this case.
        bounds: the bounds of its hands.
        clauses: conditions of several literals that they satisfy.
        cells: the cells between which they lie.
        hands: those of the pool, a bit each.
    """

    selected: Selection
    bounds: Bounds
    clauses: tuple[Clause, ...]
    cells: CellInterval
    hands: int


class CallCases:
    """The cases of some calls by one player."""

    def __init__(
        self, statements: Sequence[Statement], whole: Bounds, pool: HandPool, narrow: Narrow
    ) -> None:
        """Take calls.

        Args:
            statements: what the calls say.
            whole: the bounds of all hands that are consistent with them.
            pool: hands that are witnesses.
            narrow: finds the bounds of a case.
        """
        self._statements = statements
        self._pool = pool
        self._narrow = narrow
        self._whole = _Case((), whole, (), fitting_cells(statements), pool.fitting(*statements))

    def boxes(self, limit: int) -> tuple[Bounds, ...]:
        """Return at most `limit` boxes that together hold every consistent hand."""
        return merged(self._split(self._by_rule(), limit), limit)

    def _by_rule(self) -> list[_Case]:
        """Return a case for each selection of the rules meant, as far as there are not too many."""
        cases = [self._whole]
        for statement in self._statements:
            # A call with many rules would multiply the cases: it stays undivided.
            if len(statement) > 1 and len(cases) * len(statement) > _MOST_CASES:
                continue
            cases = [part for case in cases for part in self._parts_by_rule(case, statement)]
        return cases

    def _parts_by_rule(self, case: _Case, statement: Statement) -> Iterator[_Case]:
        cells, hands = cells_by_rule(statement), self._pool.by_rule(statement)
        for alternative in statement:
            mixed = tuple(clause for clause in alternative.formula if len(clause) > 1)
            clauses = (*case.clauses, *mixed)
            if len(statement) == 1:
                yield _Case(case.selected, case.bounds, clauses, case.cells, case.hands)
                continue
            meant = (statement, alternative.index)
            yield from self._part(
                case, meant, cells[alternative.index], hands[alternative.index], clauses
            )

    def _part(
        self,
        case: _Case,
        also: MeantRule | Literal,
        cells: CellInterval,
        hands: int,
        clauses: tuple[Clause, ...],
    ) -> Iterator[_Case]:
        """Yield the part of a case under one more assumption, if some hand is in it.

        Args:
            case: the case.
            also: the assumption.
            cells: the cells of the hands that satisfy it.
            hands: those of the pool.
            clauses: the conditions of the part.
        """
        selected, cells, hands = (*case.selected, also), case.cells & cells, case.hands & hands
        # None means that no hand is in both: the case does not exist.
        bounds = self._narrow(cells, hands, case.bounds, selected)
        if bounds is not None:
            yield _Case(selected, bounds, clauses, cells, hands)

    def _parts_by_literal(
        self, case: _Case, clause: Clause, clauses: tuple[Clause, ...]
    ) -> list[_Case]:
        return [
            part
            for one in clause
            for part in self._part(
                case,
                one,
                literal_cells(one),
                self._pool.satisfying(case.hands, ((one,),)),
                clauses,
            )
        ]

    def _split(self, cases: Sequence[_Case], limit: int) -> Iterator[Bounds]:
        """Yield the boxes of the cases, or of the cases of a condition where they are smaller."""
        waiting = deque(cases)
        finished = 0
        queries = _MOST_QUERIES
        while waiting:
            case = waiting.popleft()
            # As many boxes as may be asked for, less those finished and those still waiting.
            room = limit - finished - len(waiting)
            parts: list[_Case] = []
            for place, clause in enumerate(case.clauses):
                # Literals that the bounds decide already tell nothing apart.
                open_literals = Intervals.around(case.bounds).reduce((clause,))
                if not open_literals or not 1 < len(clause) <= min(room, queries):
                    continue
                queries -= len(clause)
                parts = self._parts_by_literal(case, clause, case.clauses[place + 1 :])
                # A case that is hardly smaller than the whole would waste a box.
                most = _WORTHWHILE * volume(case.bounds)
                if parts and all(volume(part.bounds) <= most for part in parts):
                    break
                parts = []
            if parts:
                waiting.extend(parts)
            else:
                finished += 1
                yield case.bounds
