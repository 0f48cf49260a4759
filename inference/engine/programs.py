"""Programs that are told about calls: one to decide what is consistent, one to argue about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.engine.box import ANYTHING
from bidwright.inference.engine.encoded_rules import Ledger
from bidwright.inference.engine.gates import Circuit
from bidwright.inference.engine.hull import steps
from bidwright.inference.engine.known_cards import Atom
from bidwright.inference.engine.solver import Program
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.formula import Clause, Formula

HAND = ("hand", "points", "features")
"""The encodings that say what a hand is."""

Made = tuple[str, Statement]
"""A player's name in the program and what a call of his says."""

_NEVER: Atom = ("suit(s)", False)
"""What is true of no hand."""


class _Workspace:
    """A program that is replaced by a fresh one when it carries more than `limit` rules or facts.

    What was added before slows down every later query a little, and so does starting anew: the
    limit balances the two.
    """

    def __init__(self, encodings: Sequence[str], base: str, limit: int) -> None:
        """Name the encodings and the facts of the base; nothing is ground before it is needed."""
        self._encodings = encodings
        self._base = base
        self._limit = limit
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        """The program as it stands."""
        if self._program is None:
            self._program = Program(self._encodings, self._base)
        return self._program

    def assume(self, atoms: Iterable[Atom]) -> list[int]:
        """Return the literals that make atoms true or false."""
        literal = self.program.literal
        return [literal(atom) if value else -literal(atom) for atom, value in atoms]


class Deciding(_Workspace):
    """A program that tells which hands are consistent with calls."""

    def __init__(self, encodings: Sequence[str], base: str, limit: int) -> None:
        """Start with no calls."""
        super().__init__(encodings, base, limit)
        self._circuits: dict[str, Circuit] = {}
        self._steps: dict[str, NDArray[np.int32]] = {}

    def tell(
        self, made: Iterable[Made], asked: Iterable[tuple[str, Formula]] = ()
    ) -> tuple[list[int], list[int]]:
        """Return literals that assume calls, and literals that assume formulas of players."""
        if sum(circuit.size for circuit in self._circuits.values()) > self._limit:
            self._program = None
            self._circuits = {}
            self._steps = {}
        said = list(made)
        reduced = [(player, ANYTHING.reduce(formula)) for player, formula in asked]
        for player in {player for player, _ in (*said, *reduced)}:
            self._circuit(player).prepare(
                [statement for who, statement in said if who == player],
                [formula for who, formula in reduced if who == player and formula is not None],
            )
        never = self.assume([_NEVER])[0]
        return (
            [self._circuits[player].made(statement) for player, statement in said],
            [
                never if formula is None else self._circuits[player].formula(formula)
                for player, formula in reduced
            ],
        )

    def meant(self, player: str, statement: Statement, index: int) -> int:
        """Return the literal for "the call was made by the rule of this index"."""
        return self._circuits[player].meant(statement, index)

    def steps(self, player: str) -> NDArray[np.int32]:
        """Return the literals of a player's numbers, as `hull.steps` does."""
        if player not in self._steps:
            self._steps[player] = steps(self.program, player)
        return self._steps[player]

    def _circuit(self, player: str) -> Circuit:
        if player not in self._circuits:
            self._circuits[player] = Circuit(self.program, player)
        return self._circuits[player]


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


class Arguing(_Workspace):
    """A program in which each ground that a call gives can be assumed or not."""

    def __init__(self, encodings: Sequence[str], base: str, limit: int) -> None:
        """Start with no calls."""
        super().__init__(encodings, base, limit)
        self._ledger = Ledger()

    def argue(
        self, made: Mapping[int, Made], player: str, claim: Formula
    ) -> tuple[list[Ground], int]:
        """Return the grounds that calls, by place, give, and the literal of a player's formula."""
        if self._ledger.size > self._limit:
            self._program = None
            self._ledger = Ledger()
        step = self.program.steps + 1
        numbers = {
            place: self._ledger.argued(step, who, said) for place, (who, said) in made.items()
        }
        goal = _NEVER
        reduced = ANYTHING.reduce(claim)
        if reduced is not None:
            goal = f"fires({player},{self._ledger.formula(step, player, reduced)})", True
        facts, parts = self._ledger.take()
        if facts:
            self.program.grow(facts, parts)
        literal = self.program.literal
        found: list[Ground] = []
        for place, (who, statement) in made.items():
            for alternative in statement:
                for clause in alternative.formula:
                    term = f"shown({alternative.index},{self._ledger.clause_term(clause)})"
                    atom = f"because({who},{numbers[place]},{term})"
                    found.append(Ground(literal(atom), place, alternative.index, clause))
                for index, _ in alternative.rivals:
                    atom = f"because({who},{numbers[place]},unmade({index}))"
                    found.append(Ground(literal(atom), place, index, None))
        return found, self.assume([goal])[0]
