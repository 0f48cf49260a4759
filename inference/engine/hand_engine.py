"""Inference from calls about one hand by itself: bounds, reasons, conflicts, boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_

import numpy as np

from bidwright.bridge.hand import Hand
from bidwright.inference.engine.cases import CallCases, MeantRule, Selection
from bidwright.inference.engine.cells import (
    CellInterval,
    cells_by_rule,
    complement,
    fitting_cells,
    formula_cells,
    ranges,
)
from bidwright.inference.engine.ends import Ends
from bidwright.inference.engine.hull import (
    Array,
    Hull,
    Ranges,
    common,
    held,
    ranges_of,
    settle,
    to_bounds,
)
from bidwright.inference.engine.known_cards import atoms_of_shape, hand_of
from bidwright.inference.engine.listed_hands import tens_in
from bidwright.inference.engine.reasons import Claim, Ground, conflict, why
from bidwright.inference.engine.statements import (
    Alternative,
    Statement,
    Turn,
    by_rule,
    state,
)
from bidwright.inference.engine.weighed_hands import Makers, WeighedHands
from bidwright.inference.engine.within_cells import statement_within
from bidwright.inference.engine.witnesses import all_kinds, in_every_order
from bidwright.inference.engine.workspace import HAND, MadeCall, Workspace
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import Formula, Literal
from bidwright.kb.logic.intervals import Intervals
from bidwright.kb.rules.decision_list import Step

_SOMEONE = "x"
"""The name of the player in the program."""

_MOST_HANDS = 32_768
"""Hands that are kept as witnesses."""

_HANDS_AT_ONCE = 48
"""Hands that the solver has to find before they are taken among the witnesses."""


_WEIGHED = (1_024, 16_384)
"""The numbers of hands weighed for the shares of rules: the second if too few make the call."""

_ENOUGH = 100
"""The number of hands with a call that is enough for the shares of its rules."""


class HandEngine:
    """Inference from a player's calls to his hand, apart from the other hands.

    One engine serves every seat and many auctions: all turns of a query are calls by one player,
    in any seat, and their bounds are computed once for all players and calls. The program
    inside grows with new turns and is dropped when it is large.
    """

    # A program of 2,000 rules is replaced: larger ones slow down, smaller ones are built too often.
    def __init__(self, limit: int = 2000, memory: int = 65536) -> None:
        """Make an engine.

        Args:
            limit: rules or facts after which a program is replaced by a fresh one.
            memory: number of answers of `bounds` that are kept.
        """
        base = f"player({_SOMEONE})."
        self._workspace = Workspace((*HAND, "report"), base, limit)
        self._pool = all_kinds()
        self._found: list[Array] = []
        self._cached_bounds = lru_cache(maxsize=memory)(self._bounds)
        self._cached_possible = lru_cache(maxsize=memory)(self._possible)
        self._cached_live = lru_cache(maxsize=memory)(self._rules_live)
        self._cached_statements = lru_cache(maxsize=memory)(self._statements)
        # Makers hold lists of hands, so far fewer are kept than answers.
        self._cached_makers = lru_cache(maxsize=memory // 64)(self._makers)
        self._cached_boxes = lru_cache(maxsize=memory // 16)(self._boxes)

    def bounds(self, turns: Sequence[Turn]) -> Bounds | None:
        """Return the exact bounds of the hands consistent with all turns; None if there is none."""
        return self._cached_bounds(_of_anyone(turns))

    def statements(self, turns: Sequence[Turn]) -> list[Statement] | None:
        """Return the statement of each turn, given those before it; None if they contradict."""
        return self._cached_statements(_of_anyone(turns))

    def consistent(self, turns: Sequence[Turn]) -> bool:
        """Return True if some hand is consistent with all turns."""
        return self.possible(turns, ())

    def possible(self, turns: Sequence[Turn], formula: Formula) -> bool:
        """Return True if some hand consistent with all turns satisfies a formula."""
        return self._cached_possible(_of_anyone(turns) if turns else (), formula)

    def _possible(self, turns: tuple[Turn, ...], formula: Formula) -> bool:
        statements = self.statements(turns)
        if statements is None:
            return False
        pool = self._pool
        # Witnesses first, then cells; the solver last, as it is slowest by far.
        if pool.satisfying(pool.fitting(*statements), formula):
            return True
        cells = fitting_cells(statements) & formula_cells(formula)
        # Some inner cell is enough; with no outer cell there is no hand.
        if cells.inner or not cells.outer:
            return bool(cells.inner)
        assumed, queried = self._workspace.assume_calls(
            _by_someone(statements), [(_SOMEONE, formula)]
        )
        return self._workspace.program.satisfiable(assumed + queried)

    def example(self, turns: Sequence[Turn], formula: Formula = ()) -> Hand | None:
        """Return a hand consistent with all turns that satisfies a formula; None if there is none.

        It is some hand, not a typical one; its spot cards are the highest.
        """
        statements = self.statements(turns)
        if statements is None:
            return None
        assumed, queried = self._workspace.assume_calls(
            _by_someone(statements), [(_SOMEONE, formula)]
        )
        atoms = list(atoms_of_shape(_SOMEONE))
        literals = self._workspace.assume((atom, True) for atom in atoms)
        values = self._workspace.program.model(assumed + queried, literals)
        if values is None:
            return None
        return hand_of(atom for atom, value in zip(atoms, values, strict=True) if value)

    def why(self, turns: Sequence[Turn], claim: Claim | Formula) -> list[Ground] | None:
        """Return an irreducible set of grounds for a claim; None if it does not follow.

        No ground of the set can be left out. The list is empty if every hand is as claimed. Calls
        that no rule makes give no grounds.
        """
        return why(self._workspace, turns, _calls(turns), _SOMEONE, claim, ())

    def conflict(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return a minimal set of places of turns that contradict; empty if they do not."""
        return conflict(self._workspace, _calls(turns), ())

    def boxes(self, turns: Sequence[Turn], limit: int = 8) -> tuple[Bounds, ...]:
        """Return at most `limit` boxes that together hold every consistent hand.

        There is a box for each selection of the rules that the calls can have been made by, and
        for each case of a rule's condition where that makes the boxes clearly smaller. There is
        none if nothing is consistent.
        """
        return self._cached_boxes(_of_anyone(turns), limit)

    def _boxes(self, turns: tuple[Turn, ...], limit: int) -> tuple[Bounds, ...]:
        whole = self.bounds(turns)
        statements = self.statements(turns)
        if statements is None or whole is None:
            return ()

        def narrow(
            cells: CellInterval, hands: int, within: Bounds, selected: Selection
        ) -> Bounds | None:
            return self._narrow(
                [*statements, *map(_statement_of, selected)],
                cells,
                within,
                lambda: hands,
                lambda: self._selected(statements, selected),
            )

        return CallCases(statements, whole, self._pool, narrow).boxes(limit)

    def _selected(self, statements: Sequence[Statement], selected: Selection) -> list[int]:
        """Return the literals that assume calls, and what is so in one case of them."""
        holding = [each for each in selected if isinstance(each, Literal)]
        assumed, queried = self._workspace.assume_calls(
            _by_someone(statements), [(_SOMEONE, ((literal,),)) for literal in holding]
        )
        meant = [
            self._workspace.meant(_SOMEONE, *each)
            for each in selected
            if not isinstance(each, Literal)
        ]
        return [*assumed, *meant, *queried]

    def rules_meant(self, turns: Sequence[Turn]) -> tuple[tuple[int, ...], frozenset[int]]:
        """Return the rules that may have made the last call, and those of them that matter.

        Returns:
            The places of the rules among the steps of the last turn, in the order of choice, and
            those with a hand that no other rule covers: firm rules are tried before optional
            ones, and earlier before later ones.
        """
        live = self.rules_live(turns)
        if len(live) < 2:
            return live, frozenset(live)
        statements = self.statements(turns)
        assert statements, "there are rules that can have been meant"
        *earlier, last = statements
        steps = turns[-1].steps
        hands, by_rule = self._pool.fitting(*earlier), self._pool.by_rule(last)
        needed: list[int] = []
        # Firm rules are tried first, so an optional one is needed only where it alone explains.
        for index in sorted(live, key=lambda index: (_is_optional(steps[index]), index)):
            if hands & by_rule[index] or self._is_needed(statements, index, needed):
                # Each needed rule takes its hands away, so that later ones must show hands of their
                # own.
                needed.append(index)
                hands &= ~by_rule[index]
        return live, frozenset(needed)

    def _is_needed(
        self, statements: Sequence[Statement], index: int, covering: Iterable[int]
    ) -> bool:
        """Return True if some hand fits a rule for the last call and none of some others."""
        *earlier, last = statements
        by_rule = cells_by_rule(last)
        cells = fitting_cells(earlier) & by_rule[index]
        for other in covering:
            cells = cells & complement(by_rule[other])
        if cells.inner or not cells.outer:
            return bool(cells.inner)
        assumed, _ = self._workspace.assume_calls(_by_someone(statements))
        not_by_others = [-self._workspace.meant(_SOMEONE, last, each) for each in covering]
        by_this = self._workspace.meant(_SOMEONE, last, index)
        return self._workspace.program.satisfiable([*assumed, by_this, *not_by_others])

    def rules_live(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return the places of the last turn's steps that may have made the call, in order."""
        return self._cached_live(_of_anyone(turns))

    def _rules_live(self, turns: tuple[Turn, ...]) -> tuple[int, ...]:
        statements = self.statements(turns)
        if not statements:
            return ()
        *earlier, last = statements
        pool = self._pool
        seen = pool.fitting(*earlier)
        unseen = [index for index, hands in pool.by_rule(last).items() if not hands & seen]
        cells, by_rule = fitting_cells(earlier), cells_by_rule(last)
        within = {index: cells & by_rule[index] for index in unseen}
        excluded = {index for index, found in within.items() if not found.outer}
        undecided = [index for index, found in within.items() if found.outer and not found.inner]
        if undecided:
            assumed, _ = self._workspace.assume_calls(_by_someone(statements))
            for index in undecided:
                # With one rule only, the call itself is the question.
                rule = [self._workspace.meant(_SOMEONE, last, index)] if len(last) > 1 else []
                if not self._workspace.program.satisfiable([*assumed, *rule]):
                    excluded.add(index)
        return tuple(each.index for each in last if each.index not in excluded)

    def makers(self, turns: Sequence[Turn]) -> Makers | None:
        """Return the hands that make the last call, by rule; None if none of them was found."""
        return self._cached_makers(_of_anyone(turns))

    def _makers(self, turns: tuple[Turn, ...]) -> Makers | None:
        statements = self.statements(turns)
        if not statements:
            return None
        by_rule = cells_by_rule(statements[-1])
        cells = fitting_cells(statements[:-1]).outer & reduce(
            or_, (c.outer for c in by_rule.values())
        )
        *earlier, last = [statement_within(each, cells) for each in statements]
        if not all(earlier) or not last:
            return None
        # A short list first: it distinguishes most calls.
        for most in _WEIGHED:
            hands = WeighedHands(cells, tens_in([*earlier, last], None), most)
            free = hands.fitting(*earlier)
            by_index: dict[int, int] = {}
            for index, fitting in hands.by_rule(last).items():
                by_index[index] = fitting & free
                # A hand belongs to the first rule that it fits, as in bidding.
                free &= ~fitting
            if hands.is_complete or sum(map(int.bit_count, by_index.values())) >= _ENOUGH:
                break
        return Makers(hands, by_index) if any(by_index.values()) else None

    def _statements(self, turns: tuple[Turn, ...]) -> list[Statement] | None:
        if not turns:
            return []
        *earlier, turn = turns
        # What was known before cuts the conditions down to what is new.
        statements, before = self.statements(earlier), self.bounds(earlier)
        if statements is None or before is None:
            return None
        statement = state(turn, Intervals.around(before))
        return [*statements, statement] if statement else None

    def _bounds(self, turns: tuple[Turn, ...]) -> Bounds | None:
        statements = self.statements(turns)
        if statements is None:
            return None
        before = self.bounds(turns[:-1]) if turns else None
        return self._narrow(
            statements,
            fitting_cells(statements),
            before or ANYTHING,
            lambda: self._pool.fitting(*statements),
            lambda: self._workspace.assume_calls(_by_someone(statements))[0],
        )

    def _narrow(
        self,
        statements: Sequence[Statement],
        cells: CellInterval,
        within: Bounds,
        witnesses: Callable[[], int],
        assumptions: Callable[[], Sequence[int]],
    ) -> Bounds | None:
        """Return the exact bounds of some hands; None if there is none.

        Args:
            statements: what they fit.
            cells: the cells between which they lie.
            within: bounds that they have.
            witnesses: those of the pool, a bit each; asked for where cells do not tell the bounds.
            assumptions: the literals that hold for them; asked for where the solver is needed.
        """
        if not cells.outer:
            return None
        by_cells = ranges(cells.outer)
        # Cells alone decide: most bounds end here.
        if cells.inner == cells.outer:
            return to_bounds(*by_cells)
        outer = common([ranges_of(within), by_cells])
        # Every hand of the inner cells fits, so their ranges are attained for certain.
        attained = ranges(cells.inner) if cells.inner else None
        if attained != outer:
            attained = self._pool.ranges(witnesses(), outer, attained)
        # What is still open may be a matter of a few hands, which are listed.
        if attained != outer and attained is not None:
            ends = Ends(statements, cells, outer, attained)
            ends.search()
            self._remember(ends.found)
            outer, attained = ends.outer, ends.attained
        if attained == outer:
            return to_bounds(*outer)
        # Only now a solver: for 90 of 650 questions on 440 auctions.
        return self._decide(assumptions(), to_bounds(*outer), attained)

    def _decide(
        self, assumptions: Sequence[int], outer: Bounds, attained: Ranges | None
    ) -> Bounds | None:
        """Return the bounds of the hands that satisfy literals; None if there is no such hand.

        Args:
            assumptions: the literals.
            outer: bounds that the hands are known to have.
            attained: the ranges of some of the hands; None if none is known.
        """
        ranges = None if attained is None else [attained]
        hull = Hull([self._workspace.steps(_SOMEONE)], [outer], attained=ranges)
        settled = settle(hull, self._workspace.program, assumptions)
        self._remember(hull.hands[:, 0])
        return hull.bounds()[0] if settled else None

    def _remember(self, hands: Iterable[Array]) -> None:
        # Extreme hands are the best witnesses: they end ranges of other calls as well.
        """Keep hands that the solver found: they are extreme, and fit other calls as well."""
        if len(self._pool) < _MOST_HANDS:
            self._found.extend(hands)
        # Taken in together: each time all that is known of hands is looked at anew.
        if len(self._found) >= _HANDS_AT_ONCE:
            self._pool.add(in_every_order(features(held(np.array(self._found)))))
            self._found.clear()


def _of_anyone(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    # Players and calls make no difference: two of five questions were the same but for these.
    """Return turns without their players and calls: all else here depends on what they show."""
    return tuple([turn.of_anyone for turn in turns])


def _statement_of(selected: MeantRule | Literal) -> Statement:
    """Return the statement that an assumption of a case makes of a hand."""
    if isinstance(selected, Literal):
        return (Alternative(0, ((selected,),), ()),)
    return by_rule(*selected)


def _is_optional(step: Step) -> bool:
    return step.instance is not None and step.instance.optional


def _by_someone(statements: Iterable[Statement]) -> list[MadeCall]:
    return [(_SOMEONE, statement) for statement in statements]


def _calls(turns: Sequence[Turn]) -> dict[int, MadeCall]:
    """Return the statement of each call by itself, by place."""
    return {place: (_SOMEONE, turn.statement) for place, turn in enumerate(turns)}
