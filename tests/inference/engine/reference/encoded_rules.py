"""Statements as facts for `conditions.lp` and `grounds.lp`: the reference for the gates.

The engine builds conditions and calls as gates (`inference/engine/gates.py`). Here the same
statements are facts, and rules written for a grounder give them their meaning; nothing is shared
with the gates but the definition of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import clingo

from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import FEATURES, GIVEN, LARGEST
from bidwright.kb.logic.formula import Clause, Formula, Literal
from bidwright.kb.logic.intervals import ALL_HANDS

_ENGINE = files("bidwright.inference.engine") / "encodings"
REFERENCE = Path(__file__).parent
ENCODINGS = {
    **{name: _ENGINE / f"{name}.lp" for name in ("hand", "points", "features", "deal", "report")},
    **{name: REFERENCE / f"{name}.lp" for name in ("conditions", "grounds")},
}
_PARTS = ("features", "tests", "clauses", "formulas", "grounds")
_STEP = 1

Ground = tuple[int, int, Clause | None]
"""A ground: place of the call, index of the rule, clause promised (None: the rule was not used)."""


def encoding(name: str) -> str:
    """Return the text of an encoding of the engine or of the reference."""
    return ENCODINGS[name].read_text(encoding="utf-8")


class Facts:
    """Statements and formulas of players as facts."""

    def __init__(self) -> None:
        """Start without facts."""
        self._facts: dict[str, None] = {}
        self._numbers: dict[object, int] = {}

    @property
    def text(self) -> str:
        """The facts as a program."""
        return " ".join(f"{fact}." for fact in self._facts)

    def statement(self, player: str, statement: Statement) -> int:
        """Add a call; return the number of its turn."""
        turn = self._number(("turn", player, statement))
        self._add(f"explained({_STEP},{player},{turn})")
        previous = None
        for alternative in statement:
            index = alternative.index
            self._add(f"own({turn},{index},{self._formula(alternative.formula)})")
            if previous is not None:
                self._add(f"next({turn},{previous},{index})")
            previous = index
            for clause in alternative.formula:
                self._add(f"shows({_STEP},{player},{self.clause(clause)})")
                self._needs(player, clause)
            for place, condition in alternative.rivals:
                rival = self.formula(player, condition)
                self._add(f"rival({turn},{index},{place},{rival})")
        return turn

    def formula(self, player: str, formula: Formula) -> int:
        """Add a formula of a player's hand; return its number."""
        number = self._formula(formula)
        self._add(f"define({_STEP},{player},{number})")
        for clause in formula:
            self._needs(player, clause)
        return number

    def clause(self, clause: Clause) -> str:
        """Return the term of a clause."""
        if len(clause) == 1:
            return self._literal(clause[0])
        number = self._number(("clause", clause))
        for literal in clause:
            self._add(f"lit({number},{self._literal(literal)})")
        return f"any({number})"

    def _formula(self, formula: Formula) -> int:
        number = self._number(("formula", formula))
        for clause in formula:
            self._add(f"clause({number},{self.clause(clause)})")
        return number

    def _needs(self, player: str, clause: Clause) -> None:
        """Add the definitions that give a clause a value for a player."""
        if len(clause) > 1:
            self._add(f"some({_STEP},{player},{self._number(('clause', clause))})")
        for literal in clause:
            if not _is_threshold(literal):
                self._add(f"test({_STEP},{player},{self._test(literal)})")
            for index, _ in literal.terms:
                if index not in GIVEN:
                    self._add(f"feature({_STEP},{player},{FEATURES[index]})")

    def _literal(self, literal: Literal) -> str:
        if _is_threshold(literal):
            sign = "ge" if literal.positive else "lt"
            return f"{sign}({FEATURES[literal.terms[0][0]]},{literal.at_least})"
        return f"{'yes' if literal.positive else 'no'}({self._test(literal)})"

    def _test(self, literal: Literal) -> str:
        match literal.terms:
            case ((first, 1), (second, -1)) if LARGEST[first] > 1 and LARGEST[second] > 1:
                return f"diff({FEATURES[first]},{FEATURES[second]},{literal.at_least})"
        number = self._number(("sum", literal.terms))
        for index, weight in literal.terms:
            self._add(f"weight({number},{FEATURES[index]},{weight})")
        return f"sum({number},{literal.at_least})"

    def _number(self, key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _add(self, fact: str) -> None:
        self._facts[fact] = None


def _is_threshold(literal: Literal) -> bool:
    return len(literal.terms) == 1 and literal.terms[0][1] == 1


class Reference:
    """A program of its own for some calls and conditions.

    Attributes:
        grounds: the literal of each ground, in the order of the engine's.
        formulas: the literal of each condition; None if no hand can satisfy it.
    """

    def __init__(
        self,
        calls: Mapping[int, tuple[str, Statement]],
        conditions: Sequence[tuple[str, Formula]] = (),
        encodings: Iterable[str] = ("hand", "points", "features"),
        base: str = "player(x).",
    ) -> None:
        """Ground the program.

        Args:
            calls: player and statement, none of them empty, by place.
            conditions: player and formula.
            encodings: those that define the hands.
            base: facts for them.
        """
        facts = Facts()
        turns = {place: facts.statement(who, said) for place, (who, said) in calls.items()}
        reduced = [(who, ALL_HANDS.reduce(formula)) for who, formula in conditions]
        numbers = [None if each is None else facts.formula(who, each) for who, each in reduced]
        self._notes: list[str] = []
        self._control = clingo.Control(logger=lambda _, note: self._notes.append(note))
        for name in (*encodings, "conditions", "grounds"):
            self._control.add("base", [], encoding(name))
        self._control.add("base", [], base + facts.text)
        parts = [(part, [clingo.Number(_STEP)]) for part in _PARTS]
        self._control.ground([("base", []), *parts])
        assert not self._notes
        self.grounds: dict[Ground, int] = {}
        for place, (who, statement) in calls.items():
            because = f"because({who},{turns[place]},"
            for each in statement:
                for clause in each.formula:
                    term = f"shown({each.index},{facts.clause(clause)})"
                    self.grounds[place, each.index, clause] = self._atom(f"{because}{term})")
                for index, _ in each.rivals:
                    self.grounds[place, index, None] = self._atom(f"{because}unmade({index}))")
        self.formulas = [
            None if number is None else self._atom(f"fires({who},{number})")
            for (who, _), number in zip(reduced, numbers, strict=True)
        ]

    def core(self, assumptions: Sequence[int]) -> list[int] | None:
        """Return assumptions that contradict each other, None if all can hold."""
        with self._control.solve(assumptions=assumptions, yield_=True) as handle:
            return None if handle.model() is not None else list(handle.core())

    def ends(self, assumptions: Sequence[int]) -> dict[tuple[str, str], tuple[int, int]] | None:
        """Return the range of each number of `report.lp`, by player and name; None if no hand fits.

        It is read from the atoms that are true in some model, `report.lp` being among the
        encodings.
        """
        solve = self._control.configuration.solve
        assert isinstance(solve, clingo.Configuration)
        solve.enum_mode, solve.models = "brave", 0
        shown: list[clingo.Symbol] | None = None
        with self._control.solve(assumptions=assumptions, yield_=True) as handle:
            for model in handle:
                shown = list(model.symbols(shown=True))
        solve.enum_mode, solve.models = "auto", 1
        if shown is None:
            return None
        reached: dict[tuple[str, str], set[int]] = {}
        missed: dict[tuple[str, str], set[int]] = {}
        for atom in shown:
            player, name, number = atom.arguments
            key = str(player), str(name)
            reached.setdefault(key, {0})
            missed.setdefault(key, set())
            (reached if atom.name == "ge" else missed)[key].add(number.number)
        return {
            key: (min((n - 1 for n in missed[key]), default=max(numbers)), max(numbers))
            for key, numbers in reached.items()
        }

    def _atom(self, text: str) -> int:
        found = self._control.symbolic_atoms[clingo.parse_term(text)]
        assert found is not None, text
        return found.literal
