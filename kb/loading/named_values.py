"""Puts ranges and suits that have names where the names stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.conditions.environment import WORD_FACTS
from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.system import Located
from bidwright.kb.language.tree_parts import SameInAnyLayer
from bidwright.kb.language.vocabulary import FIXED_SUITS, HAND_NUMBERS, SUIT_NAMES
from bidwright.kb.loading.call_meaning import in_layer, layer_of
from bidwright.kb.loading.substitute import rewrite


def with_values_of_names(
    statements: Sequence[Located], memory: Memory
) -> tuple[list[Located], list[Diagnostic]]:
    """Return the statements without definitions of ranges, which stand where their names stood.

    A definition that is only a suit, such as `let trumps = hearts`, may stand where a suit must;
    one that is only another name stands for that name.

    Args:
        statements: the statements, every definition under a name of its own.
        memory: keeps statements with their names replaced.
    """
    range_lets = {s.name: s for _, s in statements if isinstance(s, ast.LetRange)}
    ranges = {name: let.body for name, let in range_lets.items() if isinstance(let.body, ast.Range)}
    suits = dict(_suits(statements))
    problems = [_not_known(let) for name, let in range_lets.items() if name not in ranges]
    same = dict(_other_names(statements))
    # Without names to fill in statements stay the very same objects.
    if not ranges and not suits and not same:
        return [each for each in statements if each.statement not in range_lets.values()], problems
    context = memory.brief((tuple(ranges.items()), tuple(suits.items()), tuple(same.items())))

    def suited(node: ast.Expr) -> ast.Expr:
        word = _word(node)
        return ast.Name(suits[word], span=node.span) if word in suits else node

    def change(node: ast.Node) -> ast.Node | None:
        match node:
            case ast.Apply(name=name, args=(word, *others)) if name in WORD_FACTS:
                suits_of_it = tuple(rewrite(suited(each), change) for each in others)
                return ast.Apply(name, (word, *suits_of_it), span=node.span)
            case ast.Name(name=name) if name in same:
                return ast.Name(same[name], span=node.span)
            case ast.Apply(name=name, args=args) if name in same:
                return rewrite(ast.Apply(same[name], args, span=node.span), change)
            case ast.InParameter(expr=expr, name=name) if name in ranges:
                return ast.InRange(rewrite(expr, change), (ranges[name],), span=node.span)
            case ast.Apply(name=name, args=args) if suits.keys() & set(map(_word, args)):
                return ast.Apply(name, tuple(map(suited, args)), span=node.span)
            case ast.RelativeCall(kind=kind, argument=word) if word in suits:
                return ast.RelativeCall(kind, suits[word], span=node.span)
            case ast.LevelCall(low=level, suit=word) if word in suits:
                return ast.LiteralCall(f"{level}{suits[word]}", span=node.span)
            case ast.Action(kind="agrees", argument=str(word)) if word in suits:
                return ast.Action("agrees", suits[word], span=node.span)
            case _:
                return None

    result = []
    for module, statement in statements:
        if not isinstance(statement, ast.LetRange):
            filled = partial(rewrite, statement, change)
            new = memory.recall("named", statement, context, filled)
            # Rewriting may give an equal one in its place.
            if SameInAnyLayer(new) == SameInAnyLayer(statement):
                new = statement  # as it is: what others keep of it goes by its identity
            result.append(Located(module, in_layer(new, layer_of(statement))))
    return result, problems


_HAND_WORDS = frozenset(each.name for each in HAND_NUMBERS) - FIXED_SUITS
"""The numbers of a hand that have a name."""


def _word(expr: ast.Expr) -> str:
    return expr.name if isinstance(expr, ast.Name) else ""


def _suits(statements: Sequence[Located]) -> Iterator[tuple[str, str]]:
    for _, statement in statements:
        match statement:
            case ast.Let(name=name, params=(), body=ast.Name(name=word)) if word in FIXED_SUITS:
                yield name, SUIT_NAMES.get(word, word)
            case _:
                continue


def _other_names(statements: Sequence[Located]) -> Iterator[tuple[str, str]]:
    """Yield definitions that are other names only, as the values of parameters may make them."""
    for _, statement in statements:
        match statement:
            case ast.Let(name=name, params=(), body=ast.Name(name=word)) if word in _HAND_WORDS:
                yield name, word
            case ast.Let(name=name, params=params, body=ast.Apply(name=word, args=args)):
                if params and args == tuple(map(ast.Name, params)):
                    yield name, word
            case _:
                continue


def _not_known(let: ast.LetRange) -> Diagnostic:
    return error(
        "E243",
        f"the ends of the range '{plain_name(let.name)}' are not known",
        let.body.span,
        expected="numbers, and the ends of parameters, such as 25 - notrump.max",
        help="write a condition, such as hcp 5..10",
    )
