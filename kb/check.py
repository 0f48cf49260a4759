"""Finds what is wrong in a system whose files can be read: names, ranges, auctions, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bidwright.kb import ast
from bidwright.kb.check_auctions import AuctionChecker
from bidwright.kb.check_conditions import ConditionChecker, is_reserved
from bidwright.kb.check_rules import (
    action_problems,
    example_problems,
    question_problems,
    rebase_problems,
    unreachable_rules,
)
from bidwright.kb.diagnostics import Diagnostic, in_order
from bidwright.kb.scope import Definitions, parts
from bidwright.kb.system import System
from bidwright.kb.walk import PlacedRule, walk

_LET = re.compile(r"\s*(?:override\s+)?let\s+(\w+)")
_INCOMPLETE = ("E301", "E302", "E303")


def check(system: System) -> list[Diagnostic]:
    """Return what is wrong in a system, by place; what `load` found is not repeated."""
    placed = list(walk(system.statements))
    found = [
        *_conditions(system, placed),
        *_auctions(system, placed),
        *(problem for each in placed for problem in action_problems(each.rule)),
        *_questions(system, placed),
        *example_problems(system.statements, system.texts),
    ]
    return in_order(found)


def _broken_definitions(system: System) -> Iterator[str]:
    """Yield the names of definitions that could not be read."""
    for diagnostic in system.diagnostics:
        lines = system.texts.get(diagnostic.span.file, "").split("\n")
        # A definition may go on over some lines; its name is on the first.
        for line in reversed(lines[: diagnostic.span.line]):
            found = _LET.match(line)
            if found:
                yield found[1]
            if not line[:1].isspace():
                break


def _conditions(system: System, placed: list[PlacedRule]) -> list[Diagnostic]:
    lets = {s.name: s for _, s in system.statements if isinstance(s, ast.Let)}
    usable = {name: let for name, let in lets.items() if not is_reserved(name)}
    checker = ConditionChecker(
        Definitions(usable),
        complete=not any(each.code in _INCOMPLETE for each in system.diagnostics),
        broken=frozenset(_broken_definitions(system)),
        parameters=system.parameters,
    )
    for let in lets.values():
        checker.check_let(let)
    checker.check_cycles()
    for _, statement in system.statements:
        if isinstance(statement, ast.Block) and statement.when is not None:
            checker.check(statement.when)
    for each in placed:
        rule = each.rule
        if rule.condition is not None:
            checker.check(rule.condition)
        for action in rule.actions:
            if action.condition is not None:
                checker.check(action.condition)
    return checker.problems


def _auctions(system: System, placed: list[PlacedRule]) -> list[Diagnostic]:
    checker = AuctionChecker(system.parameters)
    problems: list[Diagnostic] = []
    for _, statement in system.statements:
        if isinstance(statement, ast.Rebase):
            sides = (statement.source, statement.target)
            if all([checker.check_pattern(side) for side in sides]):
                problems += rebase_problems(statement)
                for side in sides:
                    checker.positions(side)
    applied = [(each, checker.check_rule(each)) for each in placed]
    checker.finish()
    return [*problems, *checker.problems, *unreachable_rules(applied)]


def _questions(system: System, placed: list[PlacedRule]) -> list[Diagnostic]:
    conditions: list[ast.Node] = []
    for _, statement in system.statements:
        if isinstance(statement, ast.Block) and statement.when is not None:
            conditions.append(statement.when)
        elif isinstance(statement, ast.Let):
            conditions.append(statement.body)
    conditions += [each.rule.condition for each in placed if each.rule.condition is not None]
    nodes = (node for condition in conditions for node in parts(condition))
    return list(question_problems([each.rule for each in placed], nodes))
