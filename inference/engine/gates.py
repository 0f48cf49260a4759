"""Statements as gates: what calls mean, added to a ground program without a grounder.

A gate is an atom that is true exactly if a condition of the hand holds. Bounds are computed for
every call of every auction, and grounding an encoding of the rules takes three times as long as
solving it; building the same few rules directly takes a tenth of that. The tests have an encoding
of statements as facts and rules, which was written independently, and hold the two equal
(`tests/inference/engine/reference`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bidwright.inference.engine.solver import GateBuilder, Program
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import FEATURES, GIVEN, LARGEST
from bidwright.kb.logic.formula import Clause, Formula, Literal


def _family(index: int) -> tuple[int, ...]:
    """Return the feature and those that differ from it in the suit only."""
    kind = FEATURES[index].partition("(")[0]
    if kind == "pattern":
        return (index,)
    return tuple(i for i, name in enumerate(FEATURES) if name.partition("(")[0] == kind)


_FAMILY = tuple(_family(index) for index in range(len(FEATURES)))


@dataclass(frozen=True, slots=True)
class GroundLiterals:
    """The literals that make single grounds of a statement count.

    Attributes:
        shown: by index of an alternative's rule and clause of its formula: the clause holds if
            the call was made by this rule.
        unmade: by index of a rival: its formula does not hold.
    """

    shown: Mapping[tuple[int, Clause], int]
    unmade: Mapping[int, int]


class PlayerGates:
    """The gates of one program about one player's hand.

    Attributes:
        size: rules added so far, a measure of what the program carries.
    """

    def __init__(self, program: Program, player: str) -> None:
        """Start with no gates."""
        self._program = program
        self._player = player
        # Features given by the encoding itself need not be ground.
        self._features = set(GIVEN)
        self._tests: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        self._steps: dict[int, tuple[int, ...]] = {}
        self._clauses: dict[Clause, int] = {}
        self._formulas: dict[Formula, int] = {}
        self._made: dict[Statement, int] = {}
        self._meant: dict[tuple[Statement, int], int] = {}
        self._grounds: dict[Statement, GroundLiterals] = {}
        self.size = 0

    def prepare(
        self,
        statements: Iterable[Statement] = (),
        formulas: Iterable[Formula] = (),
        in_grounds: Iterable[Statement] = (),
    ) -> None:
        """Build the missing gates of statements and formulas.

        Args:
            statements: those that count as a whole (`made`, `meant`).
            formulas: conditions (`formula`).
            in_grounds: statements, none of them empty, whose grounds count one by one (`grounds`).
        """
        new_statements = [each for each in dict.fromkeys(statements) if each not in self._made]
        new_formulas = [each for each in dict.fromkeys(formulas) if each not in self._formulas]
        new_in_grounds = [each for each in dict.fromkeys(in_grounds) if each not in self._grounds]
        if not new_statements and not new_formulas and not new_in_grounds:
            return
        conditions = list(new_formulas)
        for statement in (*new_statements, *new_in_grounds):
            for alternative in statement:
                conditions.append(alternative.formula)
                conditions += [condition for _, condition in alternative.rivals]
        new_clauses = dict.fromkeys(
            clause
            for condition in conditions
            for clause in condition
            if clause not in self._clauses
        )
        # Features before clauses: clauses refer to their atoms.
        self._define_features(new_clauses)
        with self._program.build() as gates:
            for clause in new_clauses:
                self._clauses[clause] = self._clause(gates, clause)
            for formula in new_formulas:
                self._formulas[formula] = gates.all_of(self._clauses[each] for each in formula)
            for statement in new_statements:
                self._made[statement] = self._whole(gates, statement)
            for statement in new_in_grounds:
                self._grounds[statement] = self._in_grounds(gates, statement)
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

    def grounds(self, statement: Statement) -> GroundLiterals:
        """Return the literals of a statement's grounds; each is free unless assumed."""
        return self._grounds[statement]

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

    def _steps_of(self, index: int) -> tuple[int, ...]:
        """Return the literals for "the feature is at least 1, 2, ... its largest value"."""
        steps = self._steps.get(index)
        if steps is None:
            steps = tuple(self._at_least(index, n) for n in range(1, LARGEST[index] + 1))
            self._steps[index] = steps
        return steps

    def _literal(self, gates: GateBuilder, literal: Literal) -> int:
        key = (literal.terms, literal.at_least)
        gate = self._tests.get(key)
        if gate is None:
            gate = self._tests[key] = self._test(gates, literal)
        return gate if literal.positive else -gate

    def _test(self, gates: GateBuilder, literal: Literal) -> int:
        terms = literal.terms
        if len(terms) == 1 and terms[0][1] == 1:
            # A plain threshold is an atom of the encoding already.
            return self._at_least(terms[0][0], literal.at_least)
        # w * N = sum of w over the N first steps; for w < 0 that is N steps not taken, less all
        least = literal.at_least
        weighted: list[tuple[int, int]] = []
        for index, weight in terms:
            steps = self._steps_of(index)
            if weight > 0:
                weighted += [(step, weight) for step in steps]
            else:
                weighted += [(-step, -weight) for step in steps]
                least -= weight * LARGEST[index]
        return gates.sum_of(weighted, least)

    def _clause(self, gates: GateBuilder, clause: Clause) -> int:
        return gates.any_of([self._literal(gates, literal) for literal in clause])

    def _whole(self, gates: GateBuilder, statement: Statement) -> int:
        """Build a call: if it was made, then by some rule for it and with no rival before that."""
        call = gates.choice()
        # With one rule nothing has to be chosen: if the call was made, its conditions hold.
        if len(statement) == 1:
            (only,) = statement
            for clause in only.formula:
                gates.forbid((call, -self._clauses[clause]))
            for _, condition in only.rivals:
                gates.forbid((call, *self._all(condition)))
            return call
        promises = [self._all(alternative.formula) for alternative in statement]
        denials = [
            [self._all(condition) for _, condition in alternative.rivals]
            for alternative in statement
        ]
        meant = self._by_some_rule(gates, promises, denials)
        for alternative, gate in zip(statement, meant, strict=True):
            self._meant[statement, alternative.index] = gate
        gates.forbid((call, *(-gate for gate in meant)))
        return call

    def _in_grounds(self, gates: GateBuilder, statement: Statement) -> GroundLiterals:
        # Each ground is a choice of its own, so that a core names the grounds that are needed.
        """Build a call that was made, but whose promises and denials count only if assumed."""
        shown: dict[tuple[int, Clause], int] = {}
        unmade: dict[int, int] = {}
        for alternative in statement:
            for clause in alternative.formula:
                shown[alternative.index, clause] = gates.choice()
            for index, _ in alternative.rivals:
                unmade[index] = gates.choice()
        grounds = GroundLiterals(shown, unmade)
        denials = [
            [(unmade[index], *self._all(condition)) for index, condition in alternative.rivals]
            for alternative in statement
        ]
        # With one rule its promises can be assumed one by one, without a gate that joins them.
        if len(statement) == 1:
            for (_, clause), ground in shown.items():
                gates.forbid((ground, -self._clauses[clause]))
            for denial in denials[0]:
                gates.forbid(denial)
            return grounds
        promises = [
            [
                # A promise that is not assumed counts as kept.
                gates.any_of_all([(-shown[each.index, clause],), (self._clauses[clause],)])
                for clause in each.formula
            ]
            for each in statement
        ]
        meant = self._by_some_rule(gates, promises, denials)
        gates.forbid([-gate for gate in meant])
        return grounds

    def _by_some_rule(
        self,
        gates: GateBuilder,
        promises: Sequence[Sequence[int]],
        denials: Sequence[Sequence[Sequence[int]]],
    ) -> list[int]:
        """Return for each alternative a literal that is true if its rule makes the call.

        Args:
            gates: adds the rules.
            promises: for each alternative, literals all of which must be true.
            denials: for each alternative, groups of literals; it is excluded, and so are those
                after it, if all literals of some group are true.
        """
        meant: list[int] = []
        excluded: int | None = None
        for conditions, rivals in zip(promises, denials, strict=True):
            before = [] if excluded is None else [(excluded,)]
            if before or rivals:
                # What excludes an alternative excludes all after it, as in a decision list.
                excluded = gates.any_of_all([*before, *rivals])
                conditions = (*conditions, -excluded)
            meant.append(gates.all_of(conditions))
        return meant

    def _all(self, formula: Formula) -> Sequence[int]:
        return tuple(self._clauses[clause] for clause in formula)
