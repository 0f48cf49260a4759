"""References of rules: `source` and `measured` lines, and the rules that they hold for.

A line holds for the rules after it, in its block or, at the margin, in its file, until the next
line; lines that stand together hold together. A rule that names one among its actions keeps that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from bidwright.kb.language import ast

KINDS = frozenset({"source", "measured"})
"""The kinds of actions that are references."""

_Entry = TypeVar("_Entry", ast.Rule, ast.Branch, ast.Rule | ast.Branch)


class References:
    """The lines that hold at a place of a file or a block."""

    def __init__(self) -> None:
        """Begin without any."""
        self._actions: tuple[ast.Action, ...] = ()
        self._together = False

    @property
    def actions(self) -> tuple[ast.Action, ...]:
        """The actions that rules get here."""
        return self._actions

    def see(self, line: ast.Reference) -> None:
        """Take a line: in the place of those before it, or beside them if they stand together."""
        action = ast.Action(line.kind, line.text, span=line.span)
        earlier = self._actions if self._together else ()
        self._actions = (*(each for each in earlier if each.kind != line.kind), action)
        self._together = True

    def end_lines(self) -> None:
        """Take note that something else stands here."""
        self._together = False

    def given_to(self, entry: _Entry) -> _Entry:
        """Return a rule or a branch with its references, and all rules under it with theirs."""
        return _with_actions(entry, self._actions) if self._actions else entry

    def given_to_all(self, statement: ast.Statement) -> ast.Statement:
        """Return a statement with references in its rules."""
        if not self._actions:
            return statement
        match statement:
            case ast.Block(rules=rules):
                return replace(statement, rules=tuple(map(self.given_to, rules)))
            case ast.NamedBlock(entries=entries) | ast.AnswerBlock(entries=entries):
                return replace(statement, entries=tuple(map(self.given_to, entries)))
            case ast.Replace(block=block):
                rules = tuple(map(self.given_to, block.rules))
                return replace(statement, block=replace(block, rules=rules))
            case ast.Override(rule=rule):
                return replace(statement, rule=self.given_to(rule))
            case _:
                return statement


def with_holding(
    statements: Iterable[ast.Statement],
) -> Iterator[tuple[ast.Statement, References]]:
    """Yield the statements of a file that are no such lines, each with the lines that hold for it.

    The second is the same object throughout, as it is at the statement.
    """
    holding = References()
    for statement in statements:
        if isinstance(statement, ast.Reference):
            holding.see(statement)
        else:
            holding.end_lines()
            yield statement, holding


def _with_actions(entry: _Entry, actions: tuple[ast.Action, ...]) -> _Entry:
    if isinstance(entry, ast.Branch):
        return replace(entry, rules=tuple(_with_actions(each, actions) for each in entry.rules))
    children = tuple(_with_actions(each, actions) for each in entry.children)
    has_own = any(action.kind in KINDS for action in entry.actions)
    given = entry.actions if has_own else (*entry.actions, *actions)
    return replace(entry, actions=given, children=children)


def has_reference(statement: ast.Statement) -> bool:
    """Return True if every rule of a statement has a reference, or if there is no rule."""
    match statement:
        case ast.Block(rules=rules):
            return all(map(_has_own, rules))
        case ast.NamedBlock(entries=entries) | ast.AnswerBlock(entries=entries):
            return all(map(_has_own, entries))
        case ast.Replace(block=block):
            return has_reference(block)
        case ast.Override(rule=rule):
            return _has_own(rule)
        case _:
            return True


def _has_own(entry: ast.Rule | ast.Branch) -> bool:
    if isinstance(entry, ast.Branch):
        return all(map(_has_own, entry.rules))
    # What stands under a rule has been given the rule's own.
    return any(action.kind in KINDS for action in entry.actions) and all(
        map(_has_own, entry.children)
    )
