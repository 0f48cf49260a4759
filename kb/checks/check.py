"""Checks a system with readable files: names, ranges, auctions, examples.

Statements are checked one by one, and the result of each is kept in a `Memory` together with its
inputs, so that after an edit only the changed statement is checked again.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bidwright.kb.checks.answer_checks import answers_without_their_suit, once_a_block
from bidwright.kb.checks.auction_checks import AuctionChecker, PatternFindings
from bidwright.kb.checks.condition_checks import ConditionChecker, is_reserved
from bidwright.kb.checks.contradictions import Refutation, contradictions
from bidwright.kb.checks.rebase_checks import doubled_rebases
from bidwright.kb.checks.rule_checks import (
    action_problems,
    alternative_problems,
    example_problems,
    latitude_problems,
    question_problems,
    rebase_problems,
    rules_twice,
    unreachable_rules,
)
from bidwright.kb.checks.statement_cache import Circumstances, Memory
from bidwright.kb.checks.trap_checks import (
    cue_bids,
    idle_rebases,
    loose_alternatives,
    unused_definitions,
)
from bidwright.kb.expressions.condition_nodes import parts_with_definitions, plain_name
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error, in_order
from bidwright.kb.language.limits import MOST_DEPTH, MOST_WORDS
from bidwright.kb.language.scope import Definitions
from bidwright.kb.language.system import Located, System
from bidwright.kb.language.tree_parts import Same, pattern_of
from bidwright.kb.language.vocabulary import condition_words
from bidwright.kb.language.walk import PlacedRule, walk

_LET = re.compile(r"\s*(?:(?:override|export)\s+)?let\s+(\w+)")
_INCOMPLETE = ("E122", "E124", "E301", "E302", "E303", "E307")


def check(system: System, memory: Memory | None = None) -> list[Diagnostic]:
    """Return the mistakes in a system, by place, without those that `load` has found.

    Args:
        system: the system.
        memory: earlier results for statements that may be in this system too.
    """
    memory = memory or Memory()
    looks = [_look(located, system, memory) for located in system.statements]
    problems = [
        *once_a_block(_conditions(system, looks, memory)),
        *(problem for look in looks for problem in look.problems),
        *PatternFindings.settled(look.patterns for look in looks),
    ]
    # A convention answers what systems ask that include it.
    if not system.is_convention:
        problems += question_problems(
            {word for look in looks for word in look.asks},
            (action for look in looks for action in look.answers),
            (node for look in looks for node in look.asked),
        )
    problems += alternative_problems(
        {name for look in looks for name in look.kinds},
        (node for look in looks for node in look.shows),
    )
    # A statement with a mistake is not read as it is meant, so others would seem unused.
    if not any(each.is_error for each in (*system.diagnostics, *problems)):
        problems += _across(system, looks)
    return in_order(problems)


def _across(system: System, looks: Sequence[_Look]) -> Iterator[Diagnostic]:
    """Yield the mistakes that only the statements together show, if none of them is wrong."""
    used = {
        name
        for located, look in zip(system.statements, looks, strict=True)
        for name in look.names
        if not (isinstance(located.statement, ast.Let) and located.statement.name == name)
    }
    yield from unused_definitions(system.statements, system.name, used)
    yield from doubled_rebases(system.statements)
    yield from idle_rebases(
        system.statements, (placed.pattern for placed in walk(system.statements))
    )


# ------------------------------------------------------------ one statement


@dataclass(frozen=True, slots=True)
class _Look:
    """The results of checking one statement without the definitions.

    Attributes:
        problems: the mistakes.
        patterns: calls that are wrong unless they are right in another use.
        asks: the questions that its calls ask.
        answers: its actions that answer a question.
        asked: the places of its tests for asked questions.
        kinds: the named alternatives of its calls.
        shows: the places of its tests for partner's alternatives.
        names: the names in it that may be those of definitions.
    """

    problems: tuple[Diagnostic, ...]
    patterns: PatternFindings
    asks: frozenset[str]
    answers: tuple[ast.Action, ...]
    asked: tuple[ast.Apply, ...]
    kinds: frozenset[str]
    shows: tuple[ast.Apply, ...]
    names: frozenset[str]


def _look(located: Located, system: System, memory: Memory) -> _Look:
    """Return the results for a statement, from memory if it was checked before.

    Other values than its own matter only to a statement that has calls which are wrong without.
    """
    statement = located.statement
    file = statement.span.file
    on = located.module, system.parameters.get(file, ())
    look = memory.recall("statement", statement, on, partial(_look_at, located, system, False))
    # Values of its own are judged first: most modules are right with them, and then no others are
    # looked at.
    if file in system.revalued and look.patterns.wrong:
        again = partial(_look_at, located, system, True)
        look = memory.recall("revalued statement", statement, on, again)
    return look


def _look_at(located: Located, system: System, revalued: bool) -> _Look:
    statement = located.statement
    placed = list(walk([located]))
    checker = AuctionChecker(system.parameters, revalued)
    problems = [problem for each in placed for problem in action_problems(each.rule)]
    problems += example_problems([located], system.texts)
    if isinstance(statement, ast.Rebase):
        sides = (statement.source, statement.target)
        # In a list, so that both sides are checked.
        if all([checker.check_pattern(side) for side in sides]):
            problems += rebase_problems(statement)
            for side in sides:
                checker.positions(side)
    if isinstance(statement, ast.Latitude):
        problems += latitude_problems(statement)
    if isinstance(statement, ast.Replace | ast.Undiscussed):
        checker.check_tree(pattern_of(statement))
    applied = [(each, checker.check_rule(each)) for each in placed]
    problems += [*checker.problems, *unreachable_rules(applied), *rules_twice(placed)]
    actions = [action for each in placed for action in each.rule.actions]
    tests = [
        node
        for condition in _conditions_of(statement, placed)
        for node in parts(condition)
        if isinstance(node, ast.Apply)
    ]
    return _Look(
        tuple(problems),
        checker.findings,
        frozenset(each.argument or "" for each in actions if each.kind == "asks"),
        tuple(each for each in actions if each.kind == "answers"),
        tuple(node for node in tests if node.name == "asked"),
        frozenset(each.rule.kind.name for each in placed if each.rule.kind is not None),
        tuple(node for node in tests if node.name == "partner_shows"),
        _names_in(statement),
    )


def _conditions_of(statement: ast.Statement, placed: Iterable[PlacedRule]) -> Iterator[ast.Node]:
    """Yield the conditions of the rules in a statement."""
    if isinstance(statement, ast.Let):
        yield statement.body
    elif isinstance(statement, ast.Block) and statement.when is not None:
        yield statement.when
    for placed_rule in placed:
        if placed_rule.rule.condition is not None:
            yield placed_rule.rule.condition
        for action in placed_rule.rule.actions:
            if action.condition is not None:
                yield action.condition


# --------------------------------------------------------------- conditions


def _broken_definitions(system: System) -> Iterator[str]:
    """Yield the names of definitions that could not be read, or that no module exports."""
    for diagnostic in system.diagnostics:
        span = diagnostic.span
        lines = system.texts.get(span.file, "").split("\n")
        if diagnostic.code == "E230":
            yield lines[span.line - 1][span.column - 1 : span.end_column - 1]
            continue
        # A definition may go on over some lines; its name is on the first.
        for line in reversed(lines[: diagnostic.span.line]):
            match = _LET.match(line)
            # One that is defined twice is broken as well, and the last line tells its name.
            if match:
                yield match[1]
            if not line[:1].isspace():
                break


def _names_in(statement: ast.Statement) -> frozenset[str]:
    """Return the names in a statement that may be those of definitions."""
    names = (node for node in parts(statement) if isinstance(node, ast.Name | ast.Apply))
    return frozenset(node.name for node in names if not condition_words(node.name))


class _Dependence:
    """The definitions that statements depend on."""

    def __init__(self, system: System, checker: ConditionChecker, memory: Memory) -> None:
        definitions = checker.definitions
        self._memory = memory
        self._definitions = definitions
        self._parameters = system.parameters
        self._broken = checker.broken
        self._complete = checker.complete
        self._names = (checker.complete, frozenset(definitions.lets))
        self._uses: dict[str, frozenset[str]] = {}
        self._known: dict[Hashable, Circumstances] = {}

    def uses(self, name: str) -> frozenset[str]:
        """Return a definition with all that it is defined by."""
        # Before the others are looked at: a definition that needs itself ends here.
        if name not in self._uses:
            names = self._uses[name] = frozenset({name})
            for other in self._definitions.used_by(name):
                names |= self.uses(other)
            self._uses[name] = names
        return self._uses[name]

    def of(self, file: str, names: frozenset[str], *, is_varied: bool) -> Circumstances:
        """Return the circumstances that the findings in a statement depend on.

        Args:
            file: its file.
            names: the names in it.
            is_varied: True if the file is given other values than its own.
        """
        key = (names, self._parameters.get(file, ()), is_varied)
        if key not in self._known:
            circumstances, unknown = self._found(names), names.difference(self._definitions.lets)
            whole = (*circumstances, self._names if unknown else None, *key[1:])
            # Names that are alike matter to messages alone: without a fault the statement need not
            # be looked at again.
            faultless = (*circumstances, self._complete if unknown else None, *key[1:])
            self._known[key] = Circumstances(*map(self._memory.brief, (whole, faultless)))
        return self._known[key]

    def _found(self, names: frozenset[str]) -> tuple[Hashable, ...]:
        lets = self._definitions.lets
        defined = [name for name in names if name in lets]
        used = sorted({name for each in defined for name in self.uses(each)})
        return tuple(Same(lets[name]) for name in used), names & self._broken


def _conditions(system: System, looks: Sequence[_Look], memory: Memory) -> Iterator[Diagnostic]:
    lets = {s.name: s for _, s in system.statements if isinstance(s, ast.Let)}
    # A definition with a reserved name is reported, and the word keeps its meaning.
    every = Definitions({n: let for n, let in lets.items() if not is_reserved(n)})
    large = {name for name, let in every.lets.items() if every.extent(let.body).is_too_large}
    yield from _large_ones(system, looks, every, large, memory)
    definitions = Definitions({n: let for n, let in every.lets.items() if n not in large})
    checker = ConditionChecker(
        definitions,
        complete=not any(each.code in _INCOMPLETE for each in system.diagnostics),
        broken=frozenset(_broken_definitions(system)) | large,
        parameters=system.parameters,
        varied=system.varied,
    )
    checker.check_cycles()
    yield from checker.problems
    dependence = _Dependence(system, checker, memory)
    for located, look in zip(system.statements, looks, strict=True):
        statement = located.statement
        if isinstance(statement, ast.Let) and lets[statement.name] is not statement:
            continue
        file = statement.span.file
        is_varied = file in system.varied
        if is_varied:  # there less is wrong than by its own values
            by_own = dependence.of(file, look.names, is_varied=False)
            if memory.found_nothing("conditions", statement, by_own.faultless):
                continue
        yield from memory.recall_faults(
            "conditions",
            statement,
            dependence.of(file, look.names, is_varied=is_varied),
            partial(_conditions_in, located, checker),
        )


def _large_ones(
    system: System,
    looks: Sequence[_Look],
    definitions: Definitions,
    large: set[str],
    memory: Memory,
) -> Iterator[Diagnostic]:
    """Yield the errors about definitions and conditions that are too large.

    Args:
        system: the system.
        looks: the results for its statements.
        definitions: its definitions.
        large: the names of those that are too large; the ones that use them are not reported.
        memory: earlier results.
    """
    for name in large:
        if large.isdisjoint(definitions.used_by(name)):
            let = definitions.lets[name]
            # Where a definition is too large, what uses it is too large as well.
            yield _too_large(f"the definition of '{plain_name(name)}'", let)
    for located, look in zip(system.statements, looks, strict=True):
        if isinstance(located.statement, ast.Let) or not large.isdisjoint(look.names):
            continue
        used = definitions.lets.keys() & look.names
        yield from memory.recall(
            "size",
            located.statement,
            frozenset((name, definitions.extent_of(name)) for name in used),
            partial(_large_conditions, located, definitions),
        )


def _large_conditions(located: Located, definitions: Definitions) -> tuple[Diagnostic, ...]:
    return tuple(
        _too_large("this condition", condition)
        for condition in _conditions_of(located.statement, walk([located]))
        if definitions.extent(condition).is_too_large
    )


def _too_large(what: str, node: ast.Node) -> Diagnostic:
    return error(
        "E229",
        f"{what} is too large with all that it uses written out",
        node.span,
        expected=f"at most {MOST_WORDS:,} words, {MOST_DEPTH} inside each other",
        help="write several rules",
    )


def _conditions_in(located: Located, checker: ConditionChecker) -> tuple[Diagnostic, ...]:
    statement = located.statement
    checker.problems = []
    if isinstance(statement, ast.Let):
        checker.check_let(statement)
        # A definition with parameters says nothing by itself of a hand.
        if not statement.params and not isinstance(statement.body, ast.Expr):
            _traps(statement.body, checker)
    elif isinstance(statement, ast.Block):
        if statement.when is not None:
            _check_condition(statement.when, checker)
        for placed in walk([located]):
            if placed.rule.condition is not None:
                _check_condition(placed.rule.condition, checker)
            for action in placed.rule.actions:
                if action.condition is not None:
                    _check_condition(action.condition, checker)
            if not checker.problems:
                lets = checker.definitions.lets
                checker.problems += cue_bids(placed, lets, Refutation(lets))
        checker.problems += answers_without_their_suit(statement, checker.definitions.lets)
    return tuple(checker.problems)


def _check_condition(condition: ast.Condition, checker: ConditionChecker) -> None:
    before = len(checker.problems)
    checker.check(condition)
    if len(checker.problems) == before:
        _traps(condition, checker)


def _traps(condition: ast.Condition, checker: ConditionChecker) -> None:
    """Add the traps in a condition with right words."""
    lets = checker.definitions.lets
    if any(
        isinstance(part, ast.Name | ast.Apply) and part.name in checker.cyclic
        for part in parts_with_definitions(condition, lets)
    ):
        return
    checker.problems += loose_alternatives(condition)
    # The values may make a condition useless here that is of use in the module itself.
    # What excludes all hands in a module may be the value of a parameter.
    if condition.span.file not in checker.varied:
        checker.problems += contradictions(condition, lets)
