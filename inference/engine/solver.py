"""The answer-set solver: one program, grown step by step. The only module that imports clingo."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from bidwright.runtime import time_limits
from bidwright.runtime.interrupts import DeferredInterrupts

if TYPE_CHECKING:
    import clingo

_OPTIONS = (
    "--forget-on-step=lemmas,varScores",
    # Sums over order-encoded totals become thousands of rules otherwise: up to five times slower.
    "--trans-ext=no",
)


_PATIENCE = 0.1
"""The seconds between two looks for Ctrl-C in a search with a deadline."""


class Timeout(Exception):
    """The deadline passed before the answer was complete."""


@cache
def _encoding(name: str) -> str:
    """Return the text of a file in `encodings`."""
    folder = files("bidwright.inference.engine") / "encodings"
    return (folder / f"{name}.lp").read_text(encoding="utf-8")


@cache
def _symbol(text: str) -> clingo.Symbol:
    """Return the term of a text."""
    import clingo

    return clingo.parse_term(text)


class GateBuilder:
    """Adds rules to a ground program: each method makes an atom true exactly if something holds.

    Attributes:
        rules: the number of rules added.
    """

    def __init__(self, backend: clingo.Backend) -> None:
        """Add rules by an open backend."""
        self._backend = backend
        self.rules = 0

    def _rule(self, head: Sequence[int], body: Sequence[int], choice: bool = False) -> None:
        self._backend.add_rule(head, body, choice)
        self.rules += 1

    def all_of(self, literals: Iterable[int]) -> int:
        """Return a literal that is true if all literals are."""
        body = tuple(literals)
        if len(body) == 1:
            # A single literal needs no atom of its own.
            return body[0]
        atom = self._backend.add_atom()
        self._rule((atom,), body)
        return atom

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a literal that is true if some literal is."""
        if len(literals) == 1:
            return literals[0]
        return self.any_of_all([(literal,) for literal in literals])

    def any_of_all(self, bodies: Iterable[Sequence[int]]) -> int:
        """Return a literal that is true if all literals of some body are."""
        atom = self._backend.add_atom()
        for body in bodies:
            self._rule((atom,), body)
        return atom

    def sum_of(self, weighted: Sequence[tuple[int, int]], at_least: int) -> int:
        """Return a literal that is true if the weights of true literals reach a number."""
        atom = self._backend.add_atom()
        self._backend.add_weight_rule((atom,), at_least, weighted)
        self.rules += 1
        return atom

    def choice(self) -> int:
        """Return a literal that is true or false."""
        atom = self._backend.add_atom()
        self._rule((atom,), (), choice=True)
        return atom

    def forbid(self, literals: Sequence[int]) -> None:
        """Make it impossible that all literals are true."""
        self._rule((), literals)


class Program:
    """A ground program that grows by steps and answers queries under assumptions.

    An atom is named by its text; the solver's literal for it is looked up once.
    """

    def __init__(self, encodings: Iterable[str], facts: str = "") -> None:
        """Load encodings by name, with facts for the base, and ground the base."""
        # Most explanations ask nothing of the solver; to import it takes 20 ms.
        import clingo

        self._notes: list[str] = []
        self._control = clingo.Control(list(_OPTIONS), logger=self._log, message_limit=20)
        for name in encodings:
            self._control.add("base", [], _encoding(name))
        self._control.add("base", [], facts)
        self._literals: dict[str, int] = {}
        self._mode = ""
        self.steps = 0
        # Ctrl-C inside the solver would leave it half changed.
        with DeferredInterrupts():
            self._ground([("base", [])])

    def _log(self, code: clingo.MessageCode, message: str) -> None:
        self._notes.append(f"{code.name}: {message}")

    def _ground(self, parts: Sequence[tuple[str, Sequence[clingo.Symbol]]]) -> None:
        self._control.ground(parts)
        # What clingo remarks is a mistake of ours: it is a warning, not lost.
        if self._notes:
            notes, self._notes = self._notes, []
            warnings.warn("; ".join(notes), RuntimeWarning, stacklevel=3)

    def grow(self, facts: Iterable[str], parts: Iterable[str]) -> None:
        """Add facts and ground parts of the encodings over them, as step `steps` + 1."""
        self.steps += 1
        name = f"facts{self.steps}"
        import clingo

        step = clingo.Number(self.steps)
        with DeferredInterrupts():
            self._control.add(name, [], "".join(facts))
            self._ground([(name, []), *((part, [step]) for part in parts)])

    @contextmanager
    def build(self) -> Iterator[GateBuilder]:
        """Open the program for gates; until it is closed only `literal` may be called."""
        with DeferredInterrupts(), self._control.backend() as backend:
            yield GateBuilder(backend)

    def literal(self, atom: str) -> int:
        """Return the solver's literal of an atom, given as text.

        Raises:
            KeyError: If the program has no such atom.
        """
        literal = self._literals.get(atom)
        if literal is None:
            symbolic = self._control.symbolic_atoms[_symbol(atom)]
            if symbolic is None:
                raise KeyError(atom)
            literal = self._literals[atom] = symbolic.literal
        return literal

    def _set_mode(self, mode: str, models: int) -> None:
        if mode != self._mode:
            import clingo

            solve = self._control.configuration.solve
            assert isinstance(solve, clingo.Configuration)
            solve.enum_mode = mode
            solve.models = models
            self._mode = mode

    @contextmanager
    def _searching(
        self, assumptions: Sequence[int], deadline: float | None = None
    ) -> Iterator[_Search]:
        """Search for models; where there is a time limit, so that it can be given up."""
        # The question's own limit counts besides that of the caller.
        limit = time_limits.deadline()
        if limit is not None:
            deadline = limit if deadline is None else min(limit, deadline)
        # A search with a deadline has to be interruptible, and runs beside this thread for that.
        timed = deadline is not None
        with (
            DeferredInterrupts() as interrupts,
            self._control.solve(assumptions=assumptions, yield_=True, async_=timed) as handle,
        ):
            yield _Search(handle, deadline, interrupts)

    def explore(
        self,
        assumptions: Sequence[int],
        visit: Callable[[Callable[[int], bool]], Sequence[int]],
        deadline: float | None = None,
    ) -> bool:
        """Visit models, each restricted by those before it; return whether there is any.

        Args:
            assumptions: literals that must hold.
            visit: called with a function that returns whether a literal is true in the model. It
                returns literals, some of which must be true in every later model; none to stop.
            deadline: `time.monotonic()` value after which to give up.

        Raises:
            Timeout: If the deadline passed.
            OutOfTimeError: If the time limit of the question passed.
        """
        self._set_mode("user", 0)
        has_model = False
        with self._searching(assumptions, deadline) as search:
            while (model := search.next_model()) is not None:
                has_model = True
                wanted = visit(model.is_true)
                if not wanted:
                    break
                # The next model has to satisfy the clause, without a new search.
                model.context.add_clause(wanted)
        return has_model

    def core(self, assumptions: Sequence[int]) -> list[int] | None:
        """Return assumptions that contradict each other, None if all can hold.

        Raises:
            OutOfTimeError: If the time limit of the question passed.
        """
        self._set_mode("auto", 1)
        with self._searching(assumptions) as search:
            return search.core() if search.next_model() is None else None

    def model(self, assumptions: Sequence[int], literals: Sequence[int]) -> list[bool] | None:
        """Return the truth values of literals in some model; None if there is no model.

        Raises:
            OutOfTimeError: If the time limit of the question passed.
        """
        self._set_mode("auto", 1)
        with self._searching(assumptions) as search:
            model = search.next_model()
            return None if model is None else [model.is_true(literal) for literal in literals]

    def satisfiable(self, assumptions: Sequence[int]) -> bool:
        """Return True if some model satisfies the assumptions.

        Raises:
            OutOfTimeError: If the time limit of the question passed.
        """
        self._set_mode("auto", 1)
        with self._searching(assumptions) as search:
            return search.next_model() is not None


class _Search:
    """A search that is under way."""

    def __init__(
        self, handle: clingo.SolveHandle, deadline: float | None, interrupts: DeferredInterrupts
    ) -> None:
        """Search until a `time.monotonic()` value, if there is one, or Ctrl-C."""
        self._handle, self._deadline, self._interrupts = handle, deadline, interrupts

    def next_model(self) -> clingo.Model | None:
        """Return the next model, None if there is no other.

        Raises:
            Timeout: If the deadline passed.
            OutOfTimeError: If it is that of the question.
        """
        self._handle.resume()
        while self._deadline is not None:
            left = self._deadline - time.monotonic()
            if self._handle.wait(min(max(0.0, left), _PATIENCE)):
                break
            # Ctrl-C is looked for as well, since it is held back while clingo works.
            if left <= 0 or self._interrupts.pending:
                self._handle.cancel()
                time_limits.check()
                raise Timeout
        return self._handle.model()

    def core(self) -> list[int]:
        """Return assumptions that contradict each other, once there is no model."""
        return list(self._handle.core())
