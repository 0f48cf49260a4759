"""Conditions in the English of system notes: `15-17 hcp, balanced, 5+ !S or 5+ !H`.

`words_of` writes a condition about a hand; `exchange.interpreter` reads such words back, and much
of what people write besides. The names stand here once, for both ways.

Another notation has no suit letters, no definitions and no public facts. At a position `plain`
settles all of them: letters are suits, definitions are written out, and what the calls have shown
is a number. What is left speaks of the hand alone and means the same at that position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from bidwright.bridge.cards import SUITS
from bidwright.kb.conditions.environment import (
    SUIT_NUMBERS_FROM_PUBLIC,
    SUIT_OF_WORD,
    ConditionError,
    Environment,
)
from bidwright.kb.conditions.fold import fold
from bidwright.kb.conditions.reads import reads_hand
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.printer import combined_text, number_text, range_text
from bidwright.kb.loading.substitute import rewrite
from bidwright.kb.logic import feature_table
from bidwright.kb.logic.feature_records import NumberWord
from bidwright.kb.logic.formula import TRUE
from bidwright.kb.logic.public_facts import PLAIN_FACTS

SUIT_SIGNS = {"clubs": "!C", "diamonds": "!D", "hearts": "!H", "spades": "!S"}
"""The sign of a suit, by its word in the language."""


def _exchanged(number: NumberWord) -> str:
    """Return the spelling of a number that a suit follows."""
    return number.exchanged or number.noun.replace("HCP", "hcp").removesuffix(" {}")


NUMBERS = {each.name: _exchanged(each) for each in feature_table.NUMBERS if not each.is_of_suit}
"""Numbers of a hand."""

SUIT_NUMBERS = {each.name: _exchanged(each) for each in feature_table.NUMBERS if each.is_of_suit}
"""Numbers of a suit, which follows."""

FACTS = {each.name: each.exchanged for each in feature_table.FACTS if not each.is_of_suit}
"""Facts about a hand."""

SUIT_FACTS = {each.name: each.exchanged for each in feature_table.FACTS if each.is_of_suit} | {
    "longest": "no suit longer than"
}
"""Facts about a suit, which follows."""

HONOURS = {"A": "ace of", "K": "king of", "Q": "queen of", "J": "jack of", "T": "ten of"}
"""Single cards; the suit follows."""

ANY_HAND = "any hand"
"""No condition at all."""

OPERATORS = {"+": "plus", "-": "minus", "*": "times"}


class NoWordsError(ValueError):
    """A condition that these words cannot say."""


def words_of(condition: ast.Condition | None, *, joined: bool = False) -> str:
    """Return a condition about a hand in words.

    Args:
        condition: the condition; None is any hand.
        joined: whether to write no commas, since one would end the statement.

    Raises:
        NoWordsError: it reads more than the hand.
    """
    if condition is None or condition == ast.And(()):
        return ANY_HAND
    # An empty conjunction is any hand, an empty disjunction none; neither has words.
    for part in parts(condition):
        if isinstance(part, ast.And | ast.Or) and not part.items:
            raise NoWordsError("a condition that is always or never met")
    return combined_text(condition, _statement_words, commas=not joined, bracketed=False)


def _statement_words(node: ast.Condition) -> str:
    match node:
        case ast.InRange(expr=expr, ranges=ranges):
            words = "|".join(range_text(one, "at most ", "-") for one in ranges)
            return f"{words} {_number(expr)}"
        case ast.Compare(op=op, left=left, right=right):
            return f"{_number(left)} {op} {_number(right)}"
        case ast.Fact(expr=expr):
            return _fact(expr)
        case ast.Shape(patterns=patterns):
            return f"shape {'|'.join(patterns)}"
        case _:
            raise NoWordsError("a condition that the other notation has no words for")


def _number(expr: ast.Expr, inner: bool = False) -> str:
    match expr:
        case ast.Number(value=value):
            return number_text(value)
        case ast.Name(name=name) if name in SUIT_SIGNS:
            return SUIT_SIGNS[name]
        case ast.Name(name=name) if name in NUMBERS:
            return NUMBERS[name]
        case ast.Apply(name=name, args=(ast.Name(name=suit),)) if name in SUIT_NUMBERS:
            return f"{SUIT_NUMBERS[name]} {SUIT_SIGNS[suit]}"
        case ast.Binary(op=op, left=left, right=right):
            text = f"{_number(left, op == '*')} {OPERATORS[op]} {_number(right, True)}"
            return f"({text})" if inner else text
        case _:
            raise NoWordsError("a number that the other notation has no words for")


def _fact(expr: ast.Expr) -> str:
    match expr:
        case ast.Name(name=name) if name in FACTS:
            return FACTS[name]
        case ast.Apply(name=name, args=(ast.Name(name=suit),)) if name in SUIT_FACTS:
            return f"{SUIT_FACTS[name]} {SUIT_SIGNS[suit]}"
        case ast.Apply(name="has", args=(ast.Name(name=card),)):
            suit = next(text for text in SUIT_SIGNS.values() if text[1] == card[0].upper())
            return f"{HONOURS[card[1].upper()]} {suit}"
        case _:
            raise NoWordsError("a fact that the other notation has no words for")


_SUIT_NAMES = tuple(suit.name.lower() for suit in SUITS)
_FROM_PARTNER = frozenset({"fit", "combined"})

ALWAYS = ast.And(())
NEVER = ast.Or(())


@dataclass(frozen=True, slots=True)
class _Sum:
    """A number of the hand and a constant; without a number it is the constant alone."""

    expr: ast.Expr | None
    constant: Fraction


def plain(condition: ast.Condition, env: Environment) -> ast.Condition:
    """Return a condition that means the same at a position and speaks of the hand alone.

    `ALWAYS` and `NEVER` stand for what every hand and no hand meets.

    Raises:
        ConditionError: a part of it has no meaning here.
    """
    return _condition(_with_suits(condition, {**SUIT_OF_WORD, **env.suits}), env)


_Node = TypeVar("_Node", bound=ast.Node)


def _with_suits(condition: _Node, suits: Mapping[str, int]) -> _Node:
    """Return a tree with every word for a suit replaced by the suit's name."""

    def change(node: ast.Node) -> ast.Node | None:
        match node:
            case ast.Name(name=name) if name in suits:
                return ast.Name(_SUIT_NAMES[suits[name]], span=node.span)
            case ast.Public(path=(who, what, side)) if what in suits:
                return ast.Public((who, _SUIT_NAMES[suits[what]], side), span=node.span)
            # Their arguments are words, not suits: `partner_last(C)` asks about a call.
            case ast.Apply(name="has" | "partner_last" | "rho_last" | "lho_last"):
                return node
            case _:
                return None

    return rewrite(condition, change)


def _inlined(node: ast.Name | ast.Apply, env: Environment) -> ast.Expr | ast.Condition:
    """Return the body of a definition, its arguments in their places."""
    let = env.lets[node.name]
    args = node.args if isinstance(node, ast.Apply) else ()
    if len(args) != len(let.params):
        raise ConditionError(f"'{let.name}' takes {len(let.params)} arguments", node)
    values = dict(zip(let.params, args, strict=True))

    def change(inner: ast.Node) -> ast.Node | None:
        match inner:
            case ast.Name(name=name) if name in values:
                return values[name]
            case ast.Public(path=(who, what, side)) if what in values:
                value = values[what]
                assert isinstance(value, ast.Name)
                return ast.Public((who, value.name, side))
            case _:
                return None

    # Parameters hide the letters of suits.
    letters = {word: suit for word, suit in SUIT_OF_WORD.items() if word not in values}
    body: ast.Expr | ast.Condition = rewrite(_with_suits(let.body, letters), change)
    return body


def _condition(node: ast.Condition, env: Environment) -> ast.Condition:
    match node:
        case ast.And(items=items):
            return conjunction(_condition(item, env) for item in items)
        case ast.Or(items=items):
            return disjunction(_condition(item, env) for item in items)
        case ast.Not(item=item):
            return _negation(_condition(item, env))
        case ast.InRange(expr=expr, ranges=ranges):
            return _in_ranges(_plain_number(expr, env), ranges)
        case ast.Compare():
            return _compare(node, env)
        case ast.Fact(expr=ast.Name() | ast.Apply() as expr):
            return _plain_fact(expr, env)
        case _:
            return node


def conjunction(items: Iterable[ast.Condition]) -> ast.Condition:
    """Return the condition that all items hold."""
    parts: list[ast.Condition] = []
    for item in items:
        parts += item.items if isinstance(item, ast.And) else [item]
    if NEVER in parts:
        return NEVER
    return parts[0] if len(parts) == 1 else ast.And(tuple(parts))


def disjunction(items: Iterable[ast.Condition]) -> ast.Condition:
    """Return the condition that some item holds."""
    parts: list[ast.Condition] = []
    for item in items:
        parts += item.items if isinstance(item, ast.Or) else [item]
    if ALWAYS in parts:
        return ALWAYS
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else ast.Or(tuple(parts))


def _negation(item: ast.Condition) -> ast.Condition:
    if item == ALWAYS:
        return NEVER
    return ALWAYS if item == NEVER else ast.Not(item)


def _truth(value: bool) -> ast.Condition:
    return ALWAYS if value else NEVER


# ------------------------------------------------------------------------ facts


def _plain_fact(expr: ast.Name | ast.Apply, env: Environment) -> ast.Condition:
    if expr.name in env.lets:
        # A word alone is parsed as a number; a definition that stands as a fact means it as one.
        body = _inlined(expr, env)
        if isinstance(body, ast.Name | ast.Apply):
            body = ast.Fact(body)
        assert not isinstance(body, ast.Expr)
        return _condition(body, env)
    fact = ast.Fact(expr)
    if expr.name == "otherwise":
        return ALWAYS
    if isinstance(expr, ast.Apply) and expr.name == "longest_unbid":
        return _longest_unbid(expr, env)
    if not reads_hand(fact, env.lets):
        return _truth(fold(fact, env) == TRUE)
    return fact


def _longest_unbid(expr: ast.Apply, env: Environment) -> ast.Condition:
    suit = env.suit(expr.args[0])
    # Another suit that nobody has bid may be longer.
    assert suit is not None
    if not env.facts["unbid", suit]:
        return NEVER
    others = (other for other in range(4) if other != suit and env.facts["unbid", other])
    return conjunction(
        ast.Compare(">=", ast.Name(_SUIT_NAMES[suit]), ast.Name(_SUIT_NAMES[other]))
        for other in others
    )


# ---------------------------------------------------------------------- numbers


def _plain_number(expr: ast.Expr, env: Environment) -> _Sum:
    match expr:
        case ast.Number(value=value):
            return _Sum(None, value)
        case ast.Public(path=(who, what, side)):
            suit = SUIT_OF_WORD.get(what)
            key = (who, what, side) if suit is None else (who, "len", suit, side)
            return _Sum(None, Fraction(env.facts[key]))
        case ast.Public():
            raise ConditionError("expected min or max of what somebody has shown", expr)
        case ast.Binary():
            return _binary(expr, env)
        case ast.Name(name=name) | ast.Apply(name=name) if name in env.lets:
            body = _inlined(expr, env)
            body = body.expr if isinstance(body, ast.Fact) else body
            assert isinstance(body, ast.Expr)
            return _plain_number(body, env)
        case ast.Name(name=name) if name in PLAIN_FACTS:
            return _Sum(None, Fraction(env.facts[(name,)]))
        case ast.Apply(name=name, args=(argument,)) if name in _FROM_PARTNER:
            return _with_partner(argument, env)
        case ast.Apply(name=name, args=(ast.Name(name=word),)) if name in SUIT_NUMBERS_FROM_PUBLIC:
            suit = 4 if word == "NT" else SUIT_OF_WORD[word]
            return _Sum(None, Fraction(env.facts[name, suit]))
        case _:
            return _Sum(expr, Fraction(0))


def _with_partner(argument: ast.Expr, env: Environment) -> _Sum:
    """Return the sum of a number of the hand and partner's shown part of it."""
    assert isinstance(argument, ast.Name)
    suit = env.suit(argument)
    key = ("partner", argument.name, "min") if suit is None else ("partner", "len", suit, "min")
    return _Sum(argument, Fraction(env.facts[key]))


def _binary(expr: ast.Binary, env: Environment) -> _Sum:
    left, right = _plain_number(expr.left, env), _plain_number(expr.right, env)
    if expr.op == "*":
        factor, other = (left, right) if left.expr is None else (right, left)
        if other.expr is None:
            return _Sum(None, factor.constant * other.constant)
        scaled = ast.Binary("*", ast.Number(factor.constant), other.expr)
        return _Sum(scaled, factor.constant * other.constant)
    sign = 1 if expr.op == "+" else -1
    constant = left.constant + sign * right.constant
    if right.expr is None:
        return _Sum(left.expr, constant)
    if left.expr is None:
        if sign > 0:
            return _Sum(right.expr, constant)
        return _Sum(ast.Binary("-", ast.Number(constant), right.expr), Fraction(0))
    return _Sum(ast.Binary(expr.op, left.expr, right.expr), constant)


# Ends of a range are numbers without a sign, so what may fall below 0 keeps its constant.
def _may_be_negative(expr: ast.Expr) -> bool:
    match expr:
        case ast.Binary(op=op, left=left, right=right):
            return op == "-" or _may_be_negative(left) or _may_be_negative(right)
        case _:
            return False


def _in_ranges(number: _Sum, ranges: tuple[ast.Range, ...]) -> ast.Condition:
    expr, constant = number.expr, number.constant
    if expr is not None and _may_be_negative(expr):
        if constant:
            sign = "+" if constant > 0 else "-"
            expr = ast.Binary(sign, expr, ast.Number(abs(constant)))
        return ast.InRange(expr, tuple(ast.Range(one.low, one.high) for one in ranges))
    if expr is None:
        return _truth(any(_is_within(constant, one) for one in ranges))
    return disjunction(
        _in_range(expr, _shifted(one.low, constant), _shifted(one.high, constant)) for one in ranges
    )


def _is_within(value: Fraction, one: ast.Range) -> bool:
    return (one.low is None or one.low <= value) and (one.high is None or value <= one.high)


def _shifted(end: Fraction | None, constant: Fraction) -> Fraction | None:
    return None if end is None else end - constant


def _in_range(expr: ast.Expr, low: Fraction | None, high: Fraction | None) -> ast.Condition:
    """Return the condition that a number, which is never negative, is within bounds."""
    if high is not None and high < 0:
        return NEVER
    # Counts begin at 0, so such an end says nothing.
    if low is not None and low <= 0:
        low = None
    return ALWAYS if low is high is None else ast.InRange(expr, (ast.Range(low, high),))


_MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}


def _compare(node: ast.Compare, env: Environment) -> ast.Condition:
    left, right = _plain_number(node.left, env), _plain_number(node.right, env)
    op, bound = node.op, right.constant - left.constant
    if left.expr is None and right.expr is None:
        return _truth(_holds(op, bound))
    if left.expr is None or right.expr is None:
        expr = left.expr or right.expr
        assert expr is not None
        if left.expr is None:
            op, bound = _MIRRORED.get(op, op), -bound
        return _against(op, expr, bound)
    # On the side where it is added, since a number is written without a sign.
    if bound > 0:
        return ast.Compare(op, left.expr, ast.Binary("+", right.expr, ast.Number(bound)))
    if bound < 0:
        return ast.Compare(op, ast.Binary("+", left.expr, ast.Number(-bound)), right.expr)
    return ast.Compare(op, left.expr, right.expr)


def _holds(op: str, bound: Fraction) -> bool:
    """Return True if `0 op bound`."""
    match op:
        case ">=":
            return bound <= 0
        case "<=":
            return bound >= 0
        case ">":
            return bound < 0
        case "<":
            return bound > 0
        case "=":
            return bound == 0
        case _:
            return bound != 0


def _against(op: str, expr: ast.Expr, bound: Fraction) -> ast.Condition:
    """Return the condition that a number of the hand compares to a constant."""
    if bound < 0 or _may_be_negative(expr):
        left = ast.Binary("+", expr, ast.Number(-bound)) if bound < 0 else expr
        return ast.Compare(op, left, ast.Number(max(bound, Fraction(0))))
    match op:
        case ">=":
            return _in_range(expr, bound, None)
        case "<=":
            return _in_range(expr, None, bound)
        case "=":
            return _in_range(expr, bound, bound)
        case _:
            return ast.Compare(op, expr, ast.Number(bound))
