"""Rules that stand for several: a rule for several calls becomes a rule for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bidwright.kb.language import ast


def expanded(statement: ast.Statement) -> ast.Statement:
    """Return a statement in which every rule has one call."""
    if isinstance(statement, ast.Replace):
        block = expanded(statement.block)
        assert isinstance(block, ast.Block)
        return statement if block is statement.block else replace(statement, block=block)
    if not isinstance(statement, ast.Block):
        return statement
    rules = tuple(_rules(statement.rules))
    return statement if rules == statement.rules else replace(statement, rules=rules)


def _rules(rules: Iterable[ast.Rule]) -> Iterator[ast.Rule]:
    for rule in rules:
        children = tuple(_entries(rule.children))
        choice = (rule.call, *rule.others) if rule.others else ()
        for call in (rule.call, *rule.others):
            yield replace(rule, call=call, others=(), choice=choice, children=children)


def _entries(entries: Iterable[ast.Rule | ast.Branch]) -> Iterator[ast.Rule | ast.Branch]:
    for entry in entries:
        if isinstance(entry, ast.Branch):
            yield replace(entry, rules=tuple(_rules(entry.rules)))
        else:
            yield from _rules((entry,))
