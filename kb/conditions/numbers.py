"""From a written number to its form: suits bound, definitions unfolded, public facts filled in."""

from __future__ import annotations

from fractions import Fraction

from bidwright.bridge.cards import Denomination
from bidwright.kb.conditions.environment import (
    SUIT_NUMBERS_FROM_PUBLIC,
    SUIT_OF_WORD,
    ConditionError,
    Environment,
    only_argument,
    suit_argument,
    word_argument,
)
from bidwright.kb.language import ast
from bidwright.kb.logic import linear
from bidwright.kb.logic.features import LENGTHS
from bidwright.kb.logic.hand_numbers import HAND_NUMBERS, SUIT_NUMBERS
from bidwright.kb.logic.linear import Linear, NumberForm
from bidwright.kb.logic.public_facts import PLAIN_FACTS, WHO, Key


def _public_key(node: ast.Public, env: Environment) -> Key:
    who, *path = node.path
    if who not in WHO or len(path) != 2 or path[1] not in ("min", "max"):
        raise ConditionError(
            "expected partner, lho, rho, me or opponents, a number, and min or max", node
        )
    what, side = path
    suit = env.suits.get(what, SUIT_OF_WORD.get(what))
    return (who, "len", suit, side) if suit is not None else (who, what, side)


def fold_number(expr: ast.Expr, env: Environment) -> NumberForm:
    """Return what a numeric expression counts in a hand.

    Raises:
        ConditionError: the expression is not a number.
    """
    match expr:
        case ast.Number(value=value):
            return linear.constant(value)
        case ast.Public():
            return linear.constant(env.facts[_public_key(expr, env)])
        case ast.Binary():
            return _fold_binary(expr, env)
        case ast.Name(name=name):
            return _fold_name(expr, name, env)
        case ast.Apply():
            return _fold_apply(expr, env)
        case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
            from bidwright.kb.conditions.fold import fold  # numbers and conditions hold each other

            holds = fold(condition, env)
            return linear.chosen(holds, fold_number(then, env), fold_number(otherwise, env))


def _fold_binary(expr: ast.Binary, env: Environment) -> NumberForm:
    left, right = fold_number(expr.left, env), fold_number(expr.right, env)
    try:
        match expr.op:
            case "+":
                return linear.add(left, right)
            case "-":
                return linear.add(left, linear.scale(right, Fraction(-1)))
            case _:
                for factor, other in ((left, right), (right, left)):
                    if isinstance(factor, Linear) and not factor.terms:
                        return linear.scale(other, factor.constant)
                raise ConditionError("one side of '*' must be a plain number", expr)
    except linear.NumberFormError as error:
        raise ConditionError(str(error), expr) from None


def _fold_name(expr: ast.Name, name: str, env: Environment) -> NumberForm:
    suit = env.suit(expr)
    if suit is not None:
        return linear.feature(LENGTHS[suit])
    if name in env.numbers:
        return env.numbers[name]
    if name in env.lets:
        return _unfold_number(ast.Apply(name, (), span=expr.span), env)
    if name in HAND_NUMBERS:
        return HAND_NUMBERS[name]
    if name in PLAIN_FACTS:
        return linear.constant(env.facts[(name,)])
    raise ConditionError(f"'{name}' is not a number", expr)


def _fold_apply(expr: ast.Apply, env: Environment) -> NumberForm:
    name = expr.name
    if name in env.lets:
        return _unfold_number(expr, env)
    if name in ("max", "min"):
        forms = [fold_number(each, env) for each in expr.args]
        try:
            return linear.extreme_of(forms, largest=name == "max")
        except linear.NumberFormError as error:
            raise ConditionError(str(error), expr) from None
    argument = only_argument(expr)
    if name in SUIT_NUMBERS:
        return SUIT_NUMBERS[name][suit_argument(argument, env)]
    if name == "fit":
        suit = suit_argument(argument, env)
        shown = linear.constant(env.facts["partner", "len", suit, "min"])
        return linear.add(linear.feature(LENGTHS[suit]), shown)
    if name == "combined":
        what = word_argument(argument)
        shown = linear.constant(env.facts["partner", what, "min"])
        return linear.add(HAND_NUMBERS[what], shown)
    if name in SUIT_NUMBERS_FROM_PUBLIC:
        notrump = isinstance(argument, ast.Name) and argument.name == "NT"
        denomination = int(Denomination.NOTRUMP) if notrump else suit_argument(argument, env)
        return linear.constant(env.facts[name, denomination])
    raise ConditionError(f"'{name}' is not a number", expr)


def inside(let: ast.Let, node: ast.Apply, env: Environment) -> Environment:
    """Return the environment of a definition's body for the arguments given."""
    if len(let.params) != len(node.args):
        count = f"{len(let.params)} argument{'s' * (len(let.params) != 1)}"
        raise ConditionError(f"'{let.name}' takes {count}, got {len(node.args)}", node)
    suits: dict[str, int] = {}
    values: dict[str, NumberForm] = {}
    for param, argument in zip(let.params, node.args, strict=True):
        suit = env.suit(argument)
        if suit is None:
            values[param] = fold_number(argument, env)
        else:
            suits[param] = suit
    return Environment(suits, env.lets, env.facts, values)


def _unfold_number(node: ast.Apply, env: Environment) -> NumberForm:
    let = env.lets[node.name]
    within = inside(let, node, env)
    match let.body:
        case ast.Fact(expr=expr):
            return fold_number(expr, within)
        case (
            ast.Number()
            | ast.Name()
            | ast.Apply()
            | ast.Public()
            | ast.Binary()
            | ast.Conditional() as body
        ):
            return fold_number(body, within)
        case _:
            raise ConditionError(f"'{node.name}' is a condition, not a number", node)
