"""Conditions in the English of system notes: `15-17 hcp, balanced, 5+ !S or 5+ !H`.

`words_of` writes a condition about a hand; `exchange.interpreter` reads such words back, and much
of what people write besides. The names stand here once, for both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from bidwright.kb.language import ast
from bidwright.kb.language.printer import number_text
from bidwright.kb.logic import feature_table
from bidwright.kb.logic.feature_records import NumberWord

SUITS = {"clubs": "!C", "diamonds": "!D", "hearts": "!H", "spades": "!S"}
"""How a suit is written, by its word in the language."""


def _exchanged(number: NumberWord) -> str:
    """Return how a number is written; a suit follows."""
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


_COMMA, _OR, _AND, _NOT = range(4)


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
    return _words(condition, _OR if joined else _COMMA)


def _words(node: ast.Condition, level: int) -> str:
    match node:
        case ast.InRange(expr=expr, ranges=ranges):
            return f"{'|'.join(map(_range, ranges))} {_number(expr)}"
        case ast.Compare(op=op, left=left, right=right):
            return f"{_number(left)} {op} {_number(right)}"
        case ast.Fact(expr=expr):
            return _fact(expr)
        case ast.Shape(patterns=patterns):
            return f"shape {'|'.join(patterns)}"
        case ast.Not(item=item):
            return f"not {_words(item, _NOT)}"
        case ast.And(items=items) if items and level == _COMMA:
            return ", ".join(_words(item, _OR) for item in items)
        case ast.And(items=items) if items:
            return _joined(items, " and ", _AND, level)
        case ast.Or(items=items) if items:
            return _joined(items, " or ", _OR, level)
        case _:
            raise NoWordsError("a condition that is always or never met")


def _joined(items: Iterable[ast.Condition], word: str, own: int, level: int) -> str:
    text = word.join(_words(item, own + 1) for item in items)
    return f"({text})" if own < level else text


def _range(one: ast.Range) -> str:
    if one.high is None:
        return f"{number_text(one.low or Fraction(0))}+"
    if one.low is None:
        return f"at most {number_text(one.high)}"
    if one.low == one.high:
        return number_text(one.low)
    return f"{number_text(one.low)}-{number_text(one.high)}"


def _number(expr: ast.Expr, inner: bool = False) -> str:
    match expr:
        case ast.Number(value=value):
            return number_text(value)
        case ast.Name(name=name) if name in SUITS:
            return SUITS[name]
        case ast.Name(name=name) if name in NUMBERS:
            return NUMBERS[name]
        case ast.Apply(name=name, args=(ast.Name(name=suit),)) if name in SUIT_NUMBERS:
            return f"{SUIT_NUMBERS[name]} {SUITS[suit]}"
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
            return f"{SUIT_FACTS[name]} {SUITS[suit]}"
        case ast.Apply(name="has", args=(ast.Name(name=card),)):
            suit = next(text for text in SUITS.values() if text[1] == card[0].upper())
            return f"{HONOURS[card[1].upper()]} {suit}"
        case _:
            raise NoWordsError("a fact that the other notation has no words for")
