"""Statements as facts for the encodings, each clause and formula stated only once.

A `Ledger` belongs to one program. It numbers what the program has met and notes only the facts
that are new, so a formula that many decisions share is ground once per player.
"""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.inference.engine.box import GIVEN, LARGEST
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import FEATURES
from bidwright.kb.logic.formula import Clause, Formula, Literal

_PARTS = {
    "feature": "features",
    "test": "tests",
    "some": "clauses",
    "define": "formulas",
    "argued": "reasons",
    "shows": "reasons",
}
"""The part of the encodings that reads each kind of demand."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A clause or formula with what it needs defined.

    Attributes:
        term: the clause's term, or the formula's number.
        tests: tests that occur directly.
        features: features that occur directly.
        several: numbers of the clauses of several literals.
    """

    term: str
    tests: tuple[str, ...] = ()
    features: tuple[int, ...] = ()
    several: tuple[int, ...] = ()


class Ledger:
    """What a program has been told."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._facts: list[str] = []
        self._parts: set[str] = set()
        self._stated: set[tuple[str, str]] = set()
        self._sums: dict[tuple[tuple[int, int], ...], int] = {}
        self._literals: dict[Literal, _Known] = {}
        self._clauses: dict[Clause, _Known] = {}
        self._several: list[_Known] = []
        self._formulas: dict[Formula, _Known] = {}
        self._statements: dict[Statement, int] = {}
        self._features_of: dict[str, tuple[int, ...]] = {}
        self.size = 0

    def take(self) -> tuple[list[str], set[str]]:
        """Return the facts noted since the last time and the parts of the encodings they need."""
        facts, self._facts = self._facts, []
        parts, self._parts = self._parts, set()
        self.size += len(facts)
        return facts, parts

    def argued(self, step: int, player: str, statement: Statement) -> int:
        """Note a statement as a turn to be argued about; return the turn's number."""
        number = self._statement(statement)
        if self._state("argued", step, player, str(number)):
            for alternative in statement:
                for clause in alternative.formula:
                    known = self._clause(clause)
                    if self._state("shows", step, player, known.term):
                        self._define_parts(step, player, known)
                for _, condition in alternative.rivals:
                    self.formula(step, player, condition)
        return number

    def formula(self, step: int, player: str, formula: Formula) -> int:
        """Note that a formula is asked of a player's hand; return the formula's number."""
        known = self._formula(formula)
        if self._state("define", step, player, known.term):
            self._define_parts(step, player, known)
        return int(known.term)

    def clause_term(self, clause: Clause) -> str:
        """Return the term of a clause."""
        return self._clause(clause).term

    def _state(self, predicate: str, step: int, player: str, term: str) -> bool:
        """Note a fact about a player unless it was noted before; tell whether it is new."""
        fact = f"{player},{term})."
        key = (predicate, fact)
        if key in self._stated:
            return False
        self._stated.add(key)
        self._facts.append(f"{predicate}({step},{fact}")
        self._parts.add(_PARTS[predicate])
        return True

    def _define_parts(self, step: int, player: str, known: _Known) -> None:
        for index in known.features:
            if index not in GIVEN:
                self._state("feature", step, player, FEATURES[index])
        for test in known.tests:
            if self._state("test", step, player, test):
                for index in self._features_of[test]:
                    if index not in GIVEN:
                        self._state("feature", step, player, FEATURES[index])
        for number in known.several:
            if self._state("some", step, player, str(number)):
                self._define_parts(step, player, self._several[number])

    def _statement(self, statement: Statement) -> int:
        number = self._statements.get(statement)
        if number is not None:
            return number
        number = self._statements[statement] = len(self._statements)
        previous = None
        for alternative in statement:
            index = alternative.index
            formula = self._formula(alternative.formula).term
            self._facts.append(f"own({number},{index},{formula}).")
            if previous is not None:
                self._facts.append(f"next({number},{previous},{index}).")
            for place, condition in alternative.rivals:
                rival = self._formula(condition).term
                self._facts.append(f"rival({number},{index},{place},{rival}).")
            previous = index
        return number

    def _formula(self, formula: Formula) -> _Known:
        known = self._formulas.get(formula)
        if known is None:
            term = str(len(self._formulas))
            clauses = [self._clause(clause) for clause in formula]
            self._facts += [f"clause({term},{clause.term})." for clause in clauses]
            known = self._formulas[formula] = _joined(term, clauses)
        return known

    def _clause(self, clause: Clause) -> _Known:
        known = self._clauses.get(clause)
        if known is None:
            if len(clause) == 1:
                known = self._literal(clause[0])
            else:
                number = len(self._several)
                literals = [self._literal(literal) for literal in clause]
                self._facts += [f"lit({number},{literal.term})." for literal in literals]
                self._several.append(_joined("", literals))
                known = _Known(f"any({number})", several=(number,))
            self._clauses[clause] = known
        return known

    def _literal(self, literal: Literal) -> _Known:
        known = self._literals.get(literal)
        if known is None:
            terms = literal.terms
            if len(terms) == 1 and terms[0][1] == 1:
                index = terms[0][0]
                sign = "ge" if literal.positive else "lt"
                known = _Known(f"{sign}({FEATURES[index]},{literal.at_least})", features=(index,))
            else:
                sign = "yes" if literal.positive else "no"
                test = self._test(literal)
                known = _Known(f"{sign}({test})", tests=(test,))
            self._literals[literal] = known
        return known

    def _test(self, literal: Literal) -> str:
        terms = literal.terms
        match terms:
            case ((first, 1), (second, -1)) if LARGEST[first] > 1 and LARGEST[second] > 1:
                test = f"diff({FEATURES[first]},{FEATURES[second]},{literal.at_least})"
            case _:
                number = self._sums.get(terms)
                if number is None:
                    number = self._sums[terms] = len(self._sums)
                    self._facts += [
                        f"weight({number},{FEATURES[index]},{weight})." for index, weight in terms
                    ]
                test = f"sum({number},{literal.at_least})"
        self._features_of[test] = tuple(index for index, _ in terms)
        return test


def _joined(term: str, parts: list[_Known]) -> _Known:
    """Return what needs all that the parts need."""
    return _Known(
        term,
        tuple(test for part in parts for test in part.tests),
        tuple(index for part in parts for index in part.features),
        tuple(number for part in parts for number in part.several),
    )
