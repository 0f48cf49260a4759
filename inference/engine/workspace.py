"""The ground program of an engine: calls and conditions become literals to be assumed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.engine.gates import PlayerGates
from bidwright.inference.engine.hull import steps
from bidwright.inference.engine.known_cards import Atom
from bidwright.inference.engine.solver import Program
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.formula import Clause, Formula
from bidwright.kb.logic.intervals import ALL_HANDS

HAND = ("hand", "points", "features")
"""The encodings that define a hand."""

MadeCall = tuple[str, Statement]
"""A player's name in the program and the statement of a call by this player."""

# A fact of the encodings, negated.
_FALSE: Atom = ("suit(s)", False)
"""An atom that is false for every hand."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A literal that makes one ground count: a clause of a rule for a call, or a rule not used.

    Attributes:
        literal: assumed when the ground counts.
        place: of the call among those explained.
        index: of the rule's instance in the decision.
        clause: the clause that the rule promises; None if the ground is that the rule was not
            used.
    """

    literal: int
    place: int
    index: int
    clause: Clause | None


class Workspace:
    """A program with calls, their grounds and conditions as assumptions.

    It is replaced by a fresh one when it carries more than `limit` rules: what was added before
    slows down every later query a little, and so does starting anew; the limit balances the two.
    Literals are valid until the next call of `assume_calls` or `assumptions`.
    """

    def __init__(self, encodings: Sequence[str], base: str, limit: int) -> None:
        """Name the encodings and the facts of the base; nothing is ground before it is needed."""
        self._encodings = encodings
        self._base = base
        self._limit = limit
        self._program: Program | None = None
        self._gates: dict[str, PlayerGates] = {}
        self._steps: dict[str, NDArray[np.int32]] = {}

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

    def assume_calls(
        self, made: Iterable[MadeCall], queries: Iterable[tuple[str, Formula]] = ()
    ) -> tuple[list[int], list[int]]:
        """Return literals that assume calls, and literals that assume formulas of players."""
        self._renew_if_large()
        calls = list(made)
        # Reduced, so that equal conditions become one gate.
        reduced = [(player, ALL_HANDS.reduce(formula)) for player, formula in queries]
        for player in {player for player, _ in (*calls, *reduced)}:
            self._of(player).prepare(
                statements=[statement for who, statement in calls if who == player],
                formulas=[f for who, f in reduced if who == player and f is not None],
            )
        return (
            [self._gates[player].made(statement) for player, statement in calls],
            [self._formula(player, formula) for player, formula in reduced],
        )

    def assumptions(
        self, made: Mapping[int, MadeCall], player: str, claim: Formula
    ) -> tuple[list[Assumption], int]:
        """Return the grounds that calls, by place, give, and the literal of a player's formula.

        The statements must not be empty. Grounds are ordered by call, then by alternative: its
        clauses, then its rivals.
        """
        self._renew_if_large()
        reduced = ALL_HANDS.reduce(claim)
        for who in {player, *(who for who, _ in made.values())}:
            self._of(who).prepare(
                formulas=[] if reduced is None or who != player else [reduced],
                in_grounds=[statement for each, statement in made.values() if each == who],
            )
        result: list[Assumption] = []
        for place, (who, statement) in made.items():
            literals = self._gates[who].grounds(statement)
            for alternative in statement:
                for clause in alternative.formula:
                    literal = literals.shown[alternative.index, clause]
                    result.append(Assumption(literal, place, alternative.index, clause))
                for index, _ in alternative.rivals:
                    result.append(Assumption(literals.unmade[index], place, index, None))
        return result, self._formula(player, reduced)

    def meant(self, player: str, statement: Statement, index: int) -> int:
        """Return the literal for "the call was made by the rule of this index"."""
        return self._gates[player].meant(statement, index)

    def steps(self, player: str) -> NDArray[np.int32]:
        """Return the literals of a player's numbers, as `hull.steps` does."""
        if player not in self._steps:
            self._steps[player] = steps(self.program, player)
        return self._steps[player]

    # Before anything is assumed: literals of a dropped program would mean other things.
    def _renew_if_large(self) -> None:
        if sum(gates.size for gates in self._gates.values()) > self._limit:
            self._program = None
            self._gates = {}
            self._steps = {}

    def _of(self, player: str) -> PlayerGates:
        if player not in self._gates:
            self._gates[player] = PlayerGates(self.program, player)
        return self._gates[player]

    def _formula(self, player: str, reduced: Formula | None) -> int:
        """Return the literal of a formula reduced to its satisfiable part, or of false."""
        if reduced is None:
            return self.assume([_FALSE])[0]
        return self._gates[player].formula(reduced)
