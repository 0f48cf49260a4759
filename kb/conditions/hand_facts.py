"""The formulas of single facts and of shapes, the parts of conditions besides numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from bidwright.kb.conditions.environment import (
    CONTROLS,
    SUIT_PUBLIC_FACTS,
    SUIT_RELATIONS,
    WORD_FACTS,
    ConditionError,
    Environment,
    only_argument,
    suit_argument,
    word_argument,
)
from bidwright.kb.expressions.condition_nodes import Apply, Fact, Name, Public, Shape
from bidwright.kb.logic import linear
from bidwright.kb.logic.feature_table import FACTS
from bidwright.kb.logic.features import (
    HONOUR_LETTERS,
    INDEX,
    LENGTHS,
    PATTERN_INDEX,
    PATTERNS,
    suit_feature,
)
from bidwright.kb.logic.formula import FALSE, TRUE, Formula, both, either, negation
from bidwright.kb.logic.public_facts import PLAIN_FACTS


def _truth(value: int) -> Formula:
    # A public fact is known at the position: it leaves no condition on the hand.
    return TRUE if value else FALSE


def _has_value(index: int, value: int) -> Formula:
    """Return the formula of a feature with the values 0 and 1 that has one of them."""
    reached = linear.at_least(linear.feature(index), 1)
    return reached if value else negation(reached)


_HAND_FACTS = {
    fact.name: _has_value(INDEX[fact.feature], fact.value) for fact in FACTS if not fact.is_of_suit
}
_SUIT_FACTS = {
    fact.name: tuple(
        _has_value(suit_feature(fact.feature, suit), fact.value) for suit in range(len(LENGTHS))
    )
    for fact in FACTS
    if fact.is_of_suit
}


def atom_formula(node: Fact | Shape, env: Environment) -> Formula:
    """Return the formula of a fact that is no definition, or of a shape.

    Raises:
        ConditionError: it has no meaning.
    """
    return _of_shape(node.patterns) if isinstance(node, Shape) else _of_fact(node.expr, env)


def _of_shape(patterns: tuple[str, ...]) -> Formula:
    in_any_order = {
        lengths
        for pattern in patterns
        if "=" not in pattern
        for lengths in PATTERNS
        # `54xx` without an order fits a pattern in any of its orders.
        if any(_fits(order, lengths) for order in permutations(pattern))
    }
    # A hand has one pattern, so the sum is 1 where it is any of them.
    some = linear.total(tuple(PATTERN_INDEX[lengths] for lengths in sorted(in_any_order)))
    # Written spades first, indexed clubs first.
    in_order = [_exact_shape(pattern.split("=")[::-1]) for pattern in patterns if "=" in pattern]
    return either(linear.at_least(some, 1), *in_order)


def _fits(order: Sequence[str], lengths: Sequence[int]) -> bool:
    return all(digit in ("x", str(length)) for digit, length in zip(order, lengths, strict=True))


def _exact_shape(order: Sequence[str]) -> Formula:
    parts = []
    for index, digit in zip(LENGTHS, order, strict=True):
        if digit != "x":
            form, length = linear.feature(index), int(digit)
            parts += [linear.at_least(form, length), linear.at_most(form, length)]
    return both(*parts)


def _of_fact(expr: Name | Apply | Public, env: Environment) -> Formula:
    match expr:
        case Public():
            raise ConditionError("a number needs a range, such as 5+", expr)
        case Name(name=name):
            return _of_plain_fact(expr, name, env)
        case Apply(name="has"):
            return _of_card(expr, env)
        case Apply(name=name) if name in SUIT_RELATIONS:
            if len(expr.args) != 2:
                raise ConditionError(f"'{name}' takes two suits", expr)
            first, second = (suit_argument(argument, env) for argument in expr.args)
            return _truth(SUIT_RELATIONS[name](first, second))
        case Apply(
            name="asked" | "answered" | "told" | "partner_shows" as name, args=(word, _, *_)
        ):
            suits = (suit_argument(each, env) for each in expr.args[1:])
            return _truth(env.facts[(name, word_argument(word), *suits)])
        case Apply(name=name) if name in WORD_FACTS:
            return _truth(env.facts[name, word_argument(only_argument(expr))])
        case Apply(name=name):
            return _of_suit_fact(expr, name, suit_argument(only_argument(expr), env), env)


def _of_plain_fact(expr: Name, name: str, env: Environment) -> Formula:
    if name in _HAND_FACTS:
        return _HAND_FACTS[name]
    if name == "otherwise":
        return TRUE
    if name in PLAIN_FACTS:
        return _truth(env.facts[(name,)])
    raise ConditionError(f"'{name}' is not a fact; a number needs a range, such as 5+", expr)


def _of_card(expr: Apply, env: Environment) -> Formula:
    word = word_argument(only_argument(expr))
    # `MQ`: the suit is what the letter is bound to.
    suit, honour = env.suit(Name(word[:-1])), word[-1:].lower()
    if suit is None or honour not in HONOUR_LETTERS:
        raise ConditionError("expected a suit and an honour such as SA or MQ (A K Q J T)", expr)
    return _has_value(suit_feature(f"card_{honour}", suit), 1)


def _of_control(name: str, suit: int) -> Formula:
    """Return the formula of a control: the ace or a void first, the king or a singleton second."""
    first = either(_has_value(suit_feature("card_a", suit), 1), _SUIT_FACTS["void"][suit])
    second = either(_has_value(suit_feature("card_k", suit), 1), _SUIT_FACTS["singleton"][suit])
    return {"first_control": first, "second_control": second}.get(name, either(first, second))


def _of_suit_fact(expr: Apply, name: str, suit: int, env: Environment) -> Formula:
    if name in _SUIT_FACTS:
        return _SUIT_FACTS[name][suit]
    if name in CONTROLS:
        return _of_control(name, suit)
    if name in SUIT_PUBLIC_FACTS:
        return _truth(env.facts[name, suit])
    if name == "is_major":
        return _truth(suit >= 2)
    if name == "is_minor":
        return _truth(suit < 2)
    # Ties count: a 5-5 hand has two longest suits.
    if name == "longest":
        return both(*[_not_shorter(suit, other) for other in range(4) if other != suit])
    if name == "longest_unbid":
        unbid = [env.facts["unbid", other] for other in range(4)]
        others = [other for other in range(4) if other != suit and unbid[other]]
        return both(_truth(unbid[suit]), *[_not_shorter(suit, other) for other in others])
    raise ConditionError(f"'{name}' is not a fact", expr)


def _not_shorter(suit: int, other: int) -> Formula:
    mine = linear.feature(LENGTHS[suit])
    return linear.at_least(linear.add(mine, linear.feature(LENGTHS[other], -1)), 0)
