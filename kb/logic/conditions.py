"""From a written condition to a formula: suits bound, definitions unfolded, public facts filled in.

`fold` takes a condition of the syntax tree and an environment and returns the clauses that
the hand has to satisfy. It does not stop early, so the set of public facts that it reads
depends on the condition and the binding alone (which `kb.rules.rulebase` relies on).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Protocol

from bidwright.bridge.cards import Denomination
from bidwright.kb.language import ast
from bidwright.kb.logic import linear
from bidwright.kb.logic.features import (
    HCP,
    HONOUR_LETTERS,
    INDEX,
    LENGTHS,
    PATTERN_INDEX,
    PATTERNS,
    POINTS,
    suit_feature,
)
from bidwright.kb.logic.formula import (
    FALSE,
    TRUE,
    Formula,
    FormulaTooLargeError,
    both,
    either,
    negation,
)
from bidwright.kb.logic.linear import Linear, NumberForm, SecondLongest
from bidwright.kb.logic.public_facts import PLAIN_FACTS, WHO, Key

SUIT_WORDS = {
    **{name: suit for suit, name in enumerate(("clubs", "diamonds", "hearts", "spades"))},
    **{letter: suit for suit, letter in enumerate("CDHS")},
}
"""The words for a fixed suit, in conditions and in calls."""

_WORD_FACTS = frozenset({"partner_last", "rho_last", "lho_last", "asked"})
_SUIT_NUMBERS_FROM_PUBLIC = frozenset({"known_fit", "level"})
_SUIT_PUBLIC_FACTS = frozenset(
    {"our_suit", "my_suit", "partner_suit", "their_suit", "unbid", "agreed"}
)


class ConditionError(ValueError):
    """A condition that has no meaning, with the node at fault.

    Attributes:
        node: where in the tree.
    """

    def __init__(self, message: str, node: ast.Node) -> None:
        """Keep the node so that the caller can show the place."""
        super().__init__(message)
        self.node = node


class Facts(Protocol):
    """Where public facts come from: anything that answers a key with a number."""

    def __getitem__(self, key: Key) -> int:
        """Return the value of a fact."""


@dataclass(frozen=True)
class Environment:
    """What names stand for while a condition is folded.

    Attributes:
        suits: suit (0..3) of each suit variable in scope.
        lets: the system's definitions by name.
        facts: the public facts at the position.
        numbers: values of a definition's numeric parameters.
    """

    suits: Mapping[str, int]
    lets: Mapping[str, ast.Let]
    facts: Facts
    numbers: Mapping[str, NumberForm]

    def suit(self, expr: ast.Expr) -> int | None:
        """Return the suit that an expression names, if it names one."""
        if not isinstance(expr, ast.Name):
            return None
        found = self.suits.get(expr.name)
        return SUIT_WORDS.get(expr.name) if found is None else found


def _sum_over_suits(kind: str, *, weight: int | Fraction = 1, without: int | None = None) -> Linear:
    indices = (suit_feature(kind, suit) for suit in range(4) if suit != without)
    return Linear(tuple((index, Fraction(weight)) for index in sorted(indices)))


def _honours(suit: int, top: int) -> Linear:
    return linear.total(tuple(suit_feature(f"card_{h}", suit) for h in HONOUR_LETTERS[:top]))


def _plus(*forms: NumberForm) -> NumberForm:
    result: NumberForm = linear.constant(0)
    for form in forms:
        result = linear.add(result, form)
    return result


def _losers() -> Linear:
    return _sum_over_suits("losers")


HAND_NUMBERS: dict[str, Callable[[], NumberForm]] = {
    "hcp": lambda: linear.feature(HCP),
    "points": lambda: linear.feature(POINTS),
    "length_points": lambda: _sum_over_suits("over4"),
    "aces": lambda: _sum_over_suits("card_a"),
    "kings": lambda: _sum_over_suits("card_k"),
    "queens": lambda: _sum_over_suits("card_q"),
    "controls": lambda: _plus(_sum_over_suits("card_a", weight=2), _sum_over_suits("card_k")),
    "voids": lambda: _sum_over_suits("void"),
    "singletons": lambda: _sum_over_suits("singleton"),
    "doubletons": lambda: _sum_over_suits("doubleton"),
    "losers": _losers,
    "quick_tricks": lambda: _sum_over_suits("quick", weight=Fraction(1, 2)),
    "playing_tricks": lambda: _plus(linear.constant(13), linear.scale(_losers(), Fraction(-1))),
    "longest": lambda: linear.largest_of(*map(linear.feature, LENGTHS)),
    "shortest": lambda: linear.smallest_of(*map(linear.feature, LENGTHS)),
    "second_longest": SecondLongest,
    "two_longest": linear.two_longest,
    "longest_minor": lambda: linear.largest_of(*map(linear.feature, LENGTHS[:2])),
    "longest_major": lambda: linear.largest_of(*map(linear.feature, LENGTHS[2:])),
}

SUIT_NUMBERS: dict[str, Callable[[int], NumberForm]] = {
    "len": lambda suit: linear.feature(LENGTHS[suit]),
    "keycards": lambda suit: _plus(
        _sum_over_suits("card_a"), linear.feature(suit_feature("card_k", suit))
    ),
    "top2": lambda suit: _honours(suit, 2),
    "top3": lambda suit: _honours(suit, 3),
    "top4": lambda suit: _honours(suit, 4),
    "top5": lambda suit: _honours(suit, 5),
    "shortness": lambda suit: _sum_over_suits("short531", without=suit),
    "shortness321": lambda suit: _sum_over_suits("short321", without=suit),
    "losers": lambda suit: linear.feature(suit_feature("losers", suit)),
    "suit_tricks": lambda suit: _plus(
        linear.feature(LENGTHS[suit]), linear.feature(suit_feature("losers", suit), -1)
    ),
    "hcp_in": lambda suit: Linear(
        tuple((suit_feature(f"card_{h}", suit), Fraction(4 - i)) for i, h in enumerate("akqj"))
    ),
}

_HAND_FACTS = {"balanced": INDEX["balanced"], "semibalanced": INDEX["semibalanced"]}
_SUIT_HAND_FACTS = frozenset({"stopper", "half_stopper", "void", "singleton", "doubleton"})


def _truth(value: int) -> Formula:
    return TRUE if value else FALSE


def _one(index: int) -> Formula:
    return linear.at_least(linear.feature(index), Fraction(1))


def _need_suit(expr: ast.Expr, env: Environment) -> int:
    suit = env.suit(expr)
    if suit is None:
        raise ConditionError("expected a suit", expr)
    return suit


def _argument(node: ast.Apply) -> ast.Expr:
    if len(node.args) != 1:
        raise ConditionError(f"'{node.name}' takes one argument, got {len(node.args)}", node)
    return node.args[0]


def _word(expr: ast.Expr) -> str:
    match expr:
        case ast.Name(name=name):
            return name
        case ast.Number(value=value):
            return str(value)
        case _:
            raise ConditionError("expected a word", expr)


# ------------------------------------------------------------------- numbers


def _public_key(node: ast.Public, env: Environment) -> Key:
    who, *path = node.path
    if who not in WHO or len(path) != 2 or path[1] not in ("min", "max"):
        raise ConditionError(
            "expected partner, lho, rho, me or opponents, a number, and min or max", node
        )
    what, side = path
    suit = env.suits.get(what, SUIT_WORDS.get(what))
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
        return HAND_NUMBERS[name]()
    if name in PLAIN_FACTS:
        return linear.constant(env.facts[(name,)])
    raise ConditionError(f"'{name}' is not a number", expr)


def _fold_apply(expr: ast.Apply, env: Environment) -> NumberForm:
    name = expr.name
    if name in env.lets:
        return _unfold_number(expr, env)
    argument = _argument(expr)
    if name in SUIT_NUMBERS:
        return SUIT_NUMBERS[name](_need_suit(argument, env))
    if name == "fit":
        suit = _need_suit(argument, env)
        shown = linear.constant(env.facts["partner", "len", suit, "min"])
        return linear.add(linear.feature(LENGTHS[suit]), shown)
    if name == "combined":
        what = _word(argument)
        shown = linear.constant(env.facts["partner", what, "min"])
        return linear.add(HAND_NUMBERS[what](), shown)
    if name in _SUIT_NUMBERS_FROM_PUBLIC:
        notrump = isinstance(argument, ast.Name) and argument.name == "NT"
        denomination = int(Denomination.NOTRUMP) if notrump else _need_suit(argument, env)
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
        case ast.Number() | ast.Name() | ast.Apply() | ast.Public() | ast.Binary() as body:
            return fold_number(body, within)
        case _:
            raise ConditionError(f"'{node.name}' is a condition, not a number", node)


# ---------------------------------------------------------------- conditions


def fold(condition: ast.Condition, env: Environment) -> Formula:
    """Return the formula of a condition.

    Raises:
        ConditionError: a part of it has no meaning, or it has too many alternatives.
    """
    try:
        return _fold(condition, env)
    except FormulaTooLargeError:
        message = "too many combinations of alternatives; write several rules"
        raise ConditionError(message, condition) from None
    except linear.NumberFormError as error:
        raise ConditionError(str(error), condition) from None


def _fold(condition: ast.Condition, env: Environment) -> Formula:
    match condition:
        case ast.And(items=items):
            return both(*[_fold(item, env) for item in items])
        case ast.Or(items=items):
            return either(*[_fold(item, env) for item in items])
        case ast.Not(item=item):
            return negation(_fold(item, env))
        case ast.InRange(expr=expr, ranges=ranges):
            form = fold_number(expr, env)
            return either(*[_within(form, one) for one in ranges])
        case ast.Compare():
            return _fold_compare(condition, env)
        case ast.Shape(patterns=patterns):
            return _fold_shape(patterns)
        case ast.Fact(expr=expr):
            return _fold_fact(expr, env)
        case ast.InParameter(name=name):
            raise ConditionError(f"the parameter '{name}' has no value", condition)


def _within(form: NumberForm, one: ast.Range) -> Formula:
    low = TRUE if one.low is None else linear.at_least(form, one.low)
    high = TRUE if one.high is None else linear.at_most(form, one.high)
    return both(low, high)


def _fold_compare(node: ast.Compare, env: Environment) -> Formula:
    left, right = fold_number(node.left, env), fold_number(node.right, env)
    try:
        if isinstance(right, Linear) and not right.terms:
            form, bound = left, right.constant
        else:
            form = linear.add(left, linear.scale(right, Fraction(-1)))
            bound = Fraction(0)
    except linear.NumberFormError as error:
        raise ConditionError(str(error), node) from None
    match node.op:
        case ">=":
            return linear.at_least(form, bound)
        case "<=":
            return linear.at_most(form, bound)
        case ">":
            return linear.more_than(form, bound)
        case "<":
            return negation(linear.at_least(form, bound))
        case "=":
            return both(linear.at_least(form, bound), linear.at_most(form, bound))
        case _:
            return either(linear.more_than(form, bound), negation(linear.at_least(form, bound)))


def _fold_shape(patterns: tuple[str, ...]) -> Formula:
    in_any_order = {
        lengths
        for pattern in patterns
        if "=" not in pattern
        for lengths in PATTERNS
        if any(_fits(order, lengths) for order in permutations(pattern))
    }
    some = linear.total(tuple(PATTERN_INDEX[lengths] for lengths in sorted(in_any_order)))
    in_order = [_exact_shape(pattern.split("=")[::-1]) for pattern in patterns if "=" in pattern]
    return either(linear.at_least(some, Fraction(1)), *in_order)


def _fits(order: Sequence[str], lengths: Sequence[int]) -> bool:
    return all(digit in ("x", str(length)) for digit, length in zip(order, lengths, strict=True))


def _exact_shape(order: Sequence[str]) -> Formula:
    parts = []
    for index, digit in zip(LENGTHS, order, strict=True):
        if digit != "x":
            form, length = linear.feature(index), Fraction(int(digit))
            parts += [linear.at_least(form, length), linear.at_most(form, length)]
    return both(*parts)


def _fold_fact(expr: ast.Name | ast.Apply | ast.Public, env: Environment) -> Formula:
    match expr:
        case ast.Public():
            raise ConditionError("a number needs a range, such as 5+", expr)
        case ast.Name(name=name):
            return _fold_plain_fact(expr, name, env)
        case ast.Apply(name=name) if name in env.lets:
            return _unfold_condition(expr, env)
        case ast.Apply(name="has"):
            return _fold_card(expr)
        case ast.Apply(name="above"):
            if len(expr.args) != 2:
                raise ConditionError("'above' takes two suits", expr)
            higher, lower = (_need_suit(argument, env) for argument in expr.args)
            return _truth(higher > lower)
        case ast.Apply(name=name) if name in _WORD_FACTS:
            return _truth(env.facts[name, _word(_argument(expr))])
        case ast.Apply(name=name):
            return _fold_suit_fact(expr, name, _need_suit(_argument(expr), env), env)


def _fold_plain_fact(expr: ast.Name, name: str, env: Environment) -> Formula:
    if name in env.lets:
        return _unfold_condition(ast.Apply(name, (), span=expr.span), env)
    if name in _HAND_FACTS:
        return _one(_HAND_FACTS[name])
    if name == "unbalanced":
        return negation(_one(_HAND_FACTS["balanced"]))
    if name == "otherwise":
        return TRUE
    if name in PLAIN_FACTS:
        return _truth(env.facts[(name,)])
    raise ConditionError(f"'{name}' is not a fact; a number needs a range, such as 5+", expr)


def _fold_card(expr: ast.Apply) -> Formula:
    word = _word(_argument(expr)).upper()
    if len(word) != 2 or word[0] not in "CDHS" or word[1].lower() not in HONOUR_LETTERS:
        raise ConditionError("expected a suit and an honour such as SA (A K Q J T)", expr)
    return _one(suit_feature(f"card_{word[1].lower()}", "CDHS".index(word[0])))


def _fold_suit_fact(expr: ast.Apply, name: str, suit: int, env: Environment) -> Formula:
    if name in _SUIT_HAND_FACTS:
        return _one(suit_feature(name, suit))
    if name in _SUIT_PUBLIC_FACTS:
        return _truth(env.facts[name, suit])
    if name == "is_major":
        return _truth(suit >= 2)
    if name == "is_minor":
        return _truth(suit < 2)
    if name == "longest":
        return both(*[_not_shorter(suit, other) for other in range(4) if other != suit])
    if name == "longest_unbid":
        unbid = [env.facts["unbid", other] for other in range(4)]
        others = [other for other in range(4) if other != suit and unbid[other]]
        return both(_truth(unbid[suit]), *[_not_shorter(suit, other) for other in others])
    raise ConditionError(f"'{name}' is not a fact", expr)


def _not_shorter(suit: int, other: int) -> Formula:
    mine = linear.feature(LENGTHS[suit])
    return linear.at_least(linear.add(mine, linear.feature(LENGTHS[other], -1)), Fraction(0))


def _unfold_condition(node: ast.Apply, env: Environment) -> Formula:
    let = env.lets[node.name]
    within = inside(let, node, env)
    match let.body:
        case ast.Number() | ast.Binary() | ast.Public():
            raise ConditionError(f"'{node.name}' is a number; it needs a range", node)
        case ast.Name() | ast.Apply() as body:
            return _fold_fact(body, within)
        case body:
            return _fold(body, within)


# -------------------------------------------------------------- what is read

_PUBLIC_FUNCTIONS = frozenset(
    {*_WORD_FACTS, *_SUIT_PUBLIC_FACTS, *_SUIT_NUMBERS_FROM_PUBLIC, "above", "is_major", "is_minor"}
)


def reads_hand(node: ast.Condition | ast.Expr, lets: Mapping[str, ast.Let]) -> bool:
    """Tell whether a condition or number depends on the hand, and not on public facts alone."""
    match node:
        case ast.Number() | ast.Public():
            return False
        case ast.Name(name=name) | ast.Apply(name=name) if name in lets:
            return reads_hand(lets[name].body, lets)
        case ast.Name(name=name):
            return name not in PLAIN_FACTS and name != "otherwise"
        case ast.Apply(name=name):
            return name not in _PUBLIC_FUNCTIONS
        case ast.And(items=items) | ast.Or(items=items):
            return any(reads_hand(item, lets) for item in items)
        case ast.Not(item=inner) | ast.InRange(expr=inner) | ast.Fact(expr=inner):
            return reads_hand(inner, lets)
        case ast.Compare(left=left, right=right) | ast.Binary(left=left, right=right):
            return reads_hand(left, lets) or reads_hand(right, lets)
        case _:
            return True


def words_of(node: object) -> Iterator[str]:
    """Yield the words of a condition that may be suits, in order of appearance."""
    match node:
        case ast.Name(name=name):
            yield name
        case ast.Public(path=path):
            yield from path
        case ast.Apply(name=name) if name in _WORD_FACTS or name == "has":
            return
        case ast.Apply(args=children) | ast.And(items=children) | ast.Or(items=children):
            for child in children:
                yield from words_of(child)
        case ast.Not(item=child) | ast.InRange(expr=child) | ast.Fact(expr=child):
            yield from words_of(child)
        case ast.Compare(left=left, right=right) | ast.Binary(left=left, right=right):
            yield from words_of(left)
            yield from words_of(right)
        case _:
            return
