"""Readings as facts for the encodings, each literal, clause and formula stated only once.

A `Ledger` belongs to one program. It numbers what it has met and returns only the facts that are
new, so a formula that many decisions share is ground once per player.
"""

from __future__ import annotations

from bidwright.inference.readings import LARGEST, Reading
from bidwright.kb.features import FEATURES, HCP, INDEX, LENGTHS, POINTS
from bidwright.kb.formula import Clause, Formula, Literal

_CARDS = {index for index, name in enumerate(FEATURES) if name.startswith("card")}
_GIVEN = {*LENGTHS, *_CARDS, HCP, POINTS, INDEX["balanced"]}
"""Features that every program defines from the start."""


class Ledger:
    """What a program has been told."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._tests: dict[tuple[tuple[tuple[int, int], ...], int], str] = {}
        self._clauses: dict[Clause, int] = {}
        self._formulas: dict[Formula, int] = {}
        self._turns: dict[Reading, int] = {}
        self._features_of: dict[str, tuple[int, ...]] = {}
        self._tests_of: list[tuple[str, ...]] = []
        self._clauses_of: list[tuple[int, ...]] = []
        self._formulas_of: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self._stated: set[tuple[str, str, object]] = set()
        self._facts: list[str] = []
        self.size = 0

    def take(self) -> list[str]:
        """Return the facts noted since the last time."""
        facts, self._facts = self._facts, []
        self.size += len(facts)
        return facts

    def turn(self, step: int, player: str, reading: Reading) -> int:
        """Note a reading as a turn of a player; return the turn's number."""
        number = self._turns.get(reading)
        if number is None:
            number = self._turns[reading] = len(self._turns)
            self._note_reading(number, reading)
        if self._is_new(player, "turn", number):
            self._facts.append(f"turn({step},{player},{number}).")
            own, denied = self._formulas_of[number]
            for formula in own:
                self._define_clauses(step, player, formula)
            for formula in denied:
                self._define_formula(step, player, formula)
        return number

    def has_turn(self, player: str, reading: Reading) -> bool:
        """Tell whether the program knows the turn already."""
        number = self._turns.get(reading)
        return number is not None and (player, "turn", number) in self._stated

    def formula(self, step: int, player: str, formula: Formula) -> int:
        """Note that a formula is asked of a player's hand; return the formula's number."""
        number = self._formula(formula)
        self._define_formula(step, player, number)
        return number

    def clause(self, clause: Clause) -> int:
        """Return the number of a clause that has been noted."""
        return self._clauses[clause]

    def _is_new(self, player: str, kind: str, item: object) -> bool:
        before = len(self._stated)
        self._stated.add((player, kind, item))
        return len(self._stated) > before

    def _note_reading(self, turn: int, reading: Reading) -> None:
        facts = self._facts
        own: list[int] = []
        denied: list[int] = []
        previous = None
        for alternative in reading:
            formula = self._formula(alternative.formula)
            own.append(formula)
            facts.append(f"own({turn},{alternative.index},{formula}).")
            if previous is not None:
                facts.append(f"next({turn},{previous},{alternative.index}).")
            for index, condition in alternative.rivals:
                rival = self._formula(condition)
                denied.append(rival)
                facts.append(f"rival({turn},{alternative.index},{index},{rival}).")
            previous = alternative.index
        self._formulas_of.append((tuple(own), tuple(denied)))

    def _formula(self, formula: Formula) -> int:
        number = self._formulas.get(formula)
        if number is None:
            number = self._formulas[formula] = len(self._formulas)
            clauses = tuple(dict.fromkeys(self._clause(clause) for clause in formula))
            self._clauses_of.append(clauses)
            self._facts += [f"clause({number},{clause})." for clause in clauses]
        return number

    def _clause(self, clause: Clause) -> int:
        number = self._clauses.get(clause)
        if number is None:
            number = self._clauses[clause] = len(self._clauses)
            tests = tuple(self._test(literal) for literal in clause)
            self._tests_of.append(tests)
            for literal, test in zip(clause, tests, strict=True):
                sign = "pos" if literal.positive else "neg"
                self._facts.append(f"lit({number},{sign},{test}).")
        return number

    def _test(self, literal: Literal) -> str:
        key = (literal.terms, literal.at_least)
        test = self._tests.get(key)
        if test is None:
            indices = tuple(index for index, _ in literal.terms)
            match literal.terms:
                case ((only, 1),):
                    test = f"ge({FEATURES[only]},{literal.at_least})"
                case ((first, 1), (second, -1)) if LARGEST[first] > 1 and LARGEST[second] > 1:
                    test = f"diff({FEATURES[first]},{FEATURES[second]},{literal.at_least})"
                case _:
                    number = len(self._tests)
                    test = f"sum({number})"
                    self._facts.append(f"threshold({number},{literal.at_least}).")
                    self._facts += [
                        f"weight({number},{FEATURES[index]},{weight})."
                        for index, weight in literal.terms
                    ]
            self._tests[key] = test
            self._features_of[test] = indices
        return test

    def _define_formula(self, step: int, player: str, formula: int) -> None:
        if self._is_new(player, "formula", formula):
            self._facts.append(f"define({step},{player},formula({formula})).")
            self._define_clauses(step, player, formula)

    def _define_clauses(self, step: int, player: str, formula: int) -> None:
        for clause in self._clauses_of[formula]:
            if self._is_new(player, "clause", clause):
                self._facts.append(f"define({step},{player},clause({clause})).")
                for test in self._tests_of[clause]:
                    if self._is_new(player, "test", test):
                        self._define_test(step, player, test)

    def _define_test(self, step: int, player: str, test: str) -> None:
        self._facts.append(f"test({step},{player},{test}).")
        for index in self._features_of[test]:
            if index not in _GIVEN and self._is_new(player, "feature", index):
                self._facts.append(f"feature({step},{player},{FEATURES[index]}).")
