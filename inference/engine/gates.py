"""Calls as gates: the meaning of turns, added to a ground program without a grounder.

This is `encodings/tests.lp` and `encodings/reasons.lp`, with every ground counted, written out
for one statement at a time. Bounds are asked for at every call of every auction, and grounding
took three times as long as solving; building the same few gates directly takes a tenth of that.
`tests/inference` holds the two equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bidwright.inference.engine.box import GIVEN, LARGEST
from bidwright.inference.engine.solver import Gates, Program
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import FEATURES
from bidwright.kb.logic.formula import Clause, Formula, Literal


def _family(index: int) -> tuple[int, ...]:
    """Return the feature and those that differ from it in the suit only."""
    kind = FEATURES[index].partition("(")[0]
    if kind == "pattern":
        return (index,)
    return tuple(i for i, name in enumerate(FEATURES) if name.partition("(")[0] == kind)


_FAMILY = tuple(_family(index) for index in range(len(FEATURES)))


class Circuit:
    """The gates of one program about one player's hand.

    Attributes:
        size: rules added so far, a measure of what the program carries.
    """

    def __init__(self, program: Program, player: str) -> None:
        """Start with no gates."""
        self._program = program
        self._player = player
        self._features = set(GIVEN)
        self._tests: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        self._clauses: dict[Clause, int] = {}
        self._formulas: dict[Formula, int] = {}
        self._made: dict[Statement, int] = {}
        self._meant: dict[tuple[Statement, int], int] = {}
        self.size = 0

    def prepare(self, statements: Iterable[Statement], formulas: Iterable[Formula]) -> None:
        """Build what is missing of the gates of statements and formulas."""
        new_statements = [each for each in dict.fromkeys(statements) if each not in self._made]
        new_formulas = [each for each in dict.fromkeys(formulas) if each not in self._formulas]
        if not new_statements and not new_formulas:
            return
        conditions = list(new_formulas)
        for statement in new_statements:
            for alternative in statement:
                conditions.append(alternative.formula)
                conditions += [condition for _, condition in alternative.rivals]
        new_clauses = dict.fromkeys(
            clause
            for condition in conditions
            for clause in condition
            if clause not in self._clauses
        )
        self._define_features(new_clauses)
        with self._program.build() as gates:
            for clause in new_clauses:
                self._clauses[clause] = self._clause(gates, clause)
            for formula in new_formulas:
                self._formulas[formula] = gates.all_of(self._clauses[each] for each in formula)
            for statement in new_statements:
                self._made[statement] = self._turn(gates, statement)
            self.size += gates.rules

    def made(self, statement: Statement) -> int:
        """Return the literal for "the player made this call"; it is free unless assumed."""
        return self._made[statement]

    def meant(self, statement: Statement, index: int) -> int:
        """Return the literal for "the call was made by the rule of this index"."""
        return self._meant[statement, index]

    def formula(self, formula: Formula) -> int:
        """Return the literal for "the player's hand satisfies the formula"."""
        return self._formulas[formula]

    def _define_features(self, clauses: Iterable[Clause]) -> None:
        """Ground the features that clauses need, all four suits of a kind at once."""
        wanted = {
            index
            for clause in clauses
            for literal in clause
            for index, _ in literal.terms
            if index not in self._features
        }
        if wanted:
            kin = sorted({other for index in wanted for other in _FAMILY[index]})
            self._features.update(kin)
            step = self._program.steps + 1
            facts = [f"feature({step},{self._player},{FEATURES[index]})." for index in kin]
            self._program.grow(facts, ("features",))

    def _at_least(self, index: int, number: int) -> int:
        return self._program.literal(f"ge({self._player},{FEATURES[index]},{number})")

    def _literal(self, gates: Gates, literal: Literal) -> int:
        key = (literal.terms, literal.at_least)
        gate = self._tests.get(key)
        if gate is None:
            gate = self._tests[key] = self._test(gates, literal)
        return gate if literal.positive else -gate

    def _test(self, gates: Gates, literal: Literal) -> int:
        terms = literal.terms
        if len(terms) == 1 and terms[0][1] == 1:
            return self._at_least(terms[0][0], literal.at_least)
        # w * N = sum of w over the N first steps; for w < 0 that is N steps not taken, less all
        least = literal.at_least
        weighted: list[tuple[int, int]] = []
        for index, weight in terms:
            steps = (self._at_least(index, n) for n in range(1, LARGEST[index] + 1))
            if weight > 0:
                weighted += [(step, weight) for step in steps]
            else:
                weighted += [(-step, -weight) for step in steps]
                least -= weight * LARGEST[index]
        return gates.sum_of(weighted, least)

    def _clause(self, gates: Gates, clause: Clause) -> int:
        return gates.any_of([self._literal(gates, literal) for literal in clause])

    def _turn(self, gates: Gates, statement: Statement) -> int:
        """Build a turn: if it was made, some rule for it was meant, and none before it."""
        made = gates.choice()
        if len(statement) == 1:
            (only,) = statement
            for clause in only.formula:
                gates.forbid((made, -self._clauses[clause]))
            for _, condition in only.rivals:
                gates.forbid((made, *self._all(condition)))
            return made
        vetoed: int | None = None
        for alternative in statement:
            before = [] if vetoed is None else [(vetoed,)]
            rivals = [self._all(condition) for _, condition in alternative.rivals]
            own = self._all(alternative.formula)
            if before or rivals:
                vetoed = gates.any_of_all([*before, *rivals])
                own = (*own, -vetoed)
            self._meant[statement, alternative.index] = gates.all_of(own)
        gates.forbid((made, *(-self._meant[statement, each.index] for each in statement)))
        return made

    def _all(self, formula: Formula) -> Sequence[int]:
        return tuple(self._clauses[clause] for clause in formula)
