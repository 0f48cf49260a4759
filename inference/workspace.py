"""A program with its ledger: told about calls, it gives the literals to assume."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bidwright.inference.facts import Ledger
from bidwright.inference.known import Atom
from bidwright.inference.solve import Program
from bidwright.inference.statements import ANYTHING, Statement
from bidwright.kb.formula import Clause, Formula

Made = tuple[str, Statement]
"""A player's name in the program and what a call of his says."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A ground in a program: what one rule for a call, or against it, contributes.

    Attributes:
        literal: assumed when the ground counts.
        place: of the call among those argued about.
        index: of the rule's instance in the decision.
        clause: the clause it promises; None if the ground is that the rule was not used.
    """

    literal: int
    place: int
    index: int
    clause: Clause | None


_NEVER: Atom = ("suit(s)", False)
"""What is true of no hand."""


class Workspace:
    """A program that is replaced by a fresh one when it has been told more than `limit` facts.

    What was ground before slows down every later query a little, and so does grounding anew:
    the limit balances the two.
    """

    def __init__(self, encodings: Sequence[str], facts: str, limit: int) -> None:
        """Name the encodings and the facts of the base; nothing is ground before it is needed."""
        self._encodings = encodings
        self._base = facts
        self._limit = limit
        self._ledger = Ledger()
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        """The program as it stands."""
        if self._program is None:
            self._program = Program(self._encodings, self._base)
        return self._program

    def tell(
        self, made: Iterable[Made], asked: Iterable[tuple[str, Formula]] = ()
    ) -> tuple[list[int], list[int]]:
        """Return literals that assume calls, and literals that assume formulas of players."""
        step = self._next_step()
        turns = [(player, self._ledger.turn(step, player, said)) for player, said in made]
        formulas = [self._ask(step, player, formula) for player, formula in asked]
        self._grow()
        literal = self.program.literal
        return (
            [literal(f"made({player},{number})") for player, number in turns],
            self.assume(formulas),
        )

    def argue(
        self, made: Mapping[int, Made], player: str, claim: Formula
    ) -> tuple[list[Ground], int]:
        """Return the grounds that calls, by place, give, and the literal of a player's formula."""
        step = self._next_step()
        numbers = {
            place: self._ledger.argued(step, who, said) for place, (who, said) in made.items()
        }
        goal = self._ask(step, player, claim)
        self._grow()
        found: list[Ground] = []
        for place, (who, statement) in made.items():
            for alternative in statement:
                for clause in alternative.formula:
                    term = f"shown({alternative.index},{self._ledger.clause_term(clause)})"
                    atom = f"because({who},{numbers[place]},{term})"
                    found.append(
                        Ground(self.program.literal(atom), place, alternative.index, clause)
                    )
                for index, _ in alternative.rivals:
                    atom = f"because({who},{numbers[place]},unmade({index}))"
                    found.append(Ground(self.program.literal(atom), place, index, None))
        return found, self.assume([goal])[0]

    def assume(self, atoms: Iterable[Atom]) -> list[int]:
        """Return the literals that make atoms true or false."""
        literal = self.program.literal
        return [literal(atom) if value else -literal(atom) for atom, value in atoms]

    def meant(self, player: str, statement: Statement, index: int) -> int:
        """Return the literal for "the call was made by the rule of this index"."""
        number = self._ledger.turn(self.program.steps, player, statement)
        try:
            return self.program.literal(f"meant({player},{number},{index})")
        except KeyError:  # no hand makes the call by that rule
            return self.assume([_NEVER])[0]

    def _ask(self, step: int, player: str, formula: Formula) -> Atom:
        """Return the atom of a formula; one that no hand satisfies is a fact's opposite."""
        reduced = ANYTHING.reduce(formula)
        if reduced is None:
            return _NEVER
        return f"fires({player},{self._ledger.formula(step, player, reduced)})", True

    def _next_step(self) -> int:
        if self._ledger.size > self._limit:
            self._program = None
            self._ledger = Ledger()
        return self.program.steps + 1

    def _grow(self) -> None:
        facts, parts = self._ledger.take()
        if facts:
            self.program.grow(facts, parts)
