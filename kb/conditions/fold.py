"""The fold of written conditions and numbers: suits, definitions and public facts filled in.

`fold` takes a condition of the syntax tree and an environment and returns the clauses that
the hand has to satisfy. It does not stop early, so the set of public facts that it reads
depends on the condition and the binding alone (which `kb.rules.bindings` relies on).

A condition is folded into an `Algebra`: formulas here, phrases in `kb.wording`. A number is folded
to a form over a hand's features, a `NumberForm`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Protocol, TypeVar

from bidwright.bridge.cards import Denomination
from bidwright.kb.conditions.environment import (
    SUIT_NUMBERS_FROM_PUBLIC,
    SUIT_OF_WORD,
    Called,
    ConditionError,
    Environment,
    Folded,
    Recorder,
    only_argument,
    suit_argument,
    with_opposites,
    word_argument,
)
from bidwright.kb.conditions.hand_facts import atom_formula
from bidwright.kb.expressions.condition_nodes import (
    And,
    Apply,
    Binary,
    Compare,
    Condition,
    Conditional,
    Expr,
    Fact,
    InParameter,
    InRange,
    Let,
    Name,
    Not,
    Number,
    Or,
    Public,
    Shape,
)
from bidwright.kb.logic import linear
from bidwright.kb.logic.features import LENGTHS
from bidwright.kb.logic.formula import TRUE, Formula, FormulaTooLargeError, both, either, negation
from bidwright.kb.logic.hand_numbers import HAND_NUMBERS, SUIT_NUMBERS
from bidwright.kb.logic.linear import Linear, NumberForm
from bidwright.kb.logic.public_facts import PLAIN_FACTS, WHO, Key
from bidwright.runtime.sentences import count_of

T = TypeVar("T")


class Algebra(Protocol[T]):
    """The target of a fold: operations that make the value of a condition from its parts."""

    def every(self, items: Sequence[T]) -> T:
        """Return the conjunction of items."""

    def some(self, items: Sequence[T]) -> T:
        """Return the disjunction of items."""

    def complement(self, item: T) -> T:
        """Return the complement of an item."""

    def in_range(
        self,
        form: NumberForm,
        low: Fraction | None,
        high: Fraction | None,
        expr: Expr,
        env: Environment,
    ) -> T:
        """Return the value of the test that a number, an expression, lies within bounds."""

    def compared(
        self, op: str, form: NumberForm, bound: linear.Number, expr: Expr, env: Environment
    ) -> T:
        """Return the value of `form op bound`; the left side was written as an expression."""

    def atom(self, node: Fact | Shape, formula: Formula, env: Environment) -> T:
        """Return the value of a fact that is no definition, or of a shape."""

    def definition(self, node: Fact, env: Environment, call: Apply) -> T:
        """Return the value of a definition that stands as a fact, called with its arguments."""


def fold_to(algebra: Algebra[T], node: Condition, env: Environment) -> T:
    """Return the value of a condition in an algebra.

    Raises:
        ConditionError: a part of it has no meaning.
    """
    match node:
        case And(items=items):
            return algebra.every([fold_to(algebra, item, env) for item in items])
        case Or(items=items):
            return algebra.some([fold_to(algebra, item, env) for item in items])
        case Not(item=item):
            return algebra.complement(fold_to(algebra, item, env))
        case InRange(expr=expr, ranges=ranges):
            form = fold_number(expr, env)
            return algebra.some(
                [algebra.in_range(form, one.low, one.high, expr, env) for one in ranges]
            )
        case Compare(op=op, left=left):
            return algebra.compared(op, *_difference(node, env), left, env)
        case Fact(expr=Name(name=name) as word) if name in env.lets:
            return algebra.definition(node, env, Apply(name, (), span=word.span))
        case Fact(expr=Apply(name=name) as call) if name in env.lets:
            return algebra.definition(node, env, call)
        case Fact() | Shape():
            return algebra.atom(node, atom_formula(node, env), env)
        case InParameter(name=name):
            raise ConditionError(f"the parameter '{name}' has no value", node)


def _difference(node: Compare, env: Environment) -> tuple[NumberForm, linear.Number]:
    """Return a form and a bound that compare as the two sides do."""
    left, right = fold_number(node.left, env), fold_number(node.right, env)
    # Left as it is, since the second longest suit can be compared but not added to.
    if isinstance(right, Linear) and not right.terms:
        return left, right.constant
    try:
        return linear.add(left, linear.scale(right, -1)), 0
    except linear.NumberFormError as error:
        raise ConditionError(str(error), node) from None


def unfolded(call: Apply, env: Environment) -> tuple[Condition, Environment]:
    """Return the body of a definition that is a condition, with the environment of its names.

    Raises:
        ConditionError: the definition is a number, or takes other arguments.
    """
    let = env.lets[call.name]
    within = inside(let, call, env)
    match let.body:
        case Number() | Binary() | Public() | Conditional():
            raise ConditionError(f"'{call.name}' is a number; it needs a range", call)
        # A word alone is parsed as a number; where a fact is asked for it is one.
        case Name() | Apply() as body:
            return Fact(body, span=body.span), within
        case body:
            return body, within


class _Formulas:
    """The algebra of formulas."""

    def every(self, items: Sequence[Formula]) -> Formula:
        return both(*items)

    def some(self, items: Sequence[Formula]) -> Formula:
        return either(*items)

    def complement(self, item: Formula) -> Formula:
        return negation(item)

    def in_range(
        self,
        form: NumberForm,
        low: Fraction | None,
        high: Fraction | None,
        expr: Expr,
        env: Environment,
    ) -> Formula:
        return both(
            TRUE if low is None else linear.at_least(form, linear.plain(low)),
            TRUE if high is None else linear.at_most(form, linear.plain(high)),
        )

    def compared(
        self, op: str, form: NumberForm, bound: linear.Number, expr: Expr, env: Environment
    ) -> Formula:
        match op:
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
                less = negation(linear.at_least(form, bound))
                return either(linear.more_than(form, bound), less)

    def atom(self, node: Fact | Shape, formula: Formula, env: Environment) -> Formula:
        return formula

    def definition(self, node: Fact, env: Environment, call: Apply) -> Formula:
        # Many conditions share a definition; what it folds to is kept by the facts that it reads,
        # so that 440 auctions of another program are read in 10.4 s of processor time instead of
        # 12.0.
        body, within = unfolded(call, env)
        cache = env.folded.formulas if env.folded else None
        return _once(cache, call.name, within, lambda inner: fold_to(self, body, inner))


_FORMULAS = _Formulas()


def fold(condition: Condition, env: Environment) -> Formula:
    """Return the formula of a condition.

    Raises:
        ConditionError: a part of it has no meaning, or it has too many alternatives.
    """
    try:
        return fold_to(_FORMULAS, condition, env)
    except FormulaTooLargeError:
        message = "too many combinations of alternatives; write several rules"
        raise ConditionError(message, condition) from None
    except linear.NumberFormError as error:
        raise ConditionError(str(error), condition) from None


# ------------------------------------------------------------------ numbers


def _public_key(node: Public, env: Environment) -> Key:
    who, *path = node.path
    # The check of names has reported it in files; conditions from elsewhere come here unchecked.
    if who not in WHO or len(path) != 2 or path[1] not in ("min", "max"):
        raise ConditionError(
            "expected partner, lho, rho, me or opponents, a number, and min or max", node
        )
    what, side = path
    suit = env.suits.get(what, SUIT_OF_WORD.get(what))
    return (who, "len", suit, side) if suit is not None else (who, what, side)


def fold_number(expr: Expr, env: Environment) -> NumberForm:
    """Return the form of a numeric expression over a hand's features.

    Raises:
        ConditionError: the expression is not a number.
    """
    match expr:
        case Number(value=value):
            return linear.constant(value)
        case Public():
            return linear.constant(env.facts[_public_key(expr, env)])
        case Binary():
            return _fold_binary(expr, env)
        case Name(name=name):
            return _fold_name(expr, name, env)
        case Apply():
            return _fold_apply(expr, env)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            holds = fold(condition, env)
            return linear.chosen(holds, fold_number(then, env), fold_number(otherwise, env))


def _fold_binary(expr: Binary, env: Environment) -> NumberForm:
    left, right = fold_number(expr.left, env), fold_number(expr.right, env)
    try:
        match expr.op:
            case "+":
                return linear.add(left, right)
            case "-":
                return linear.add(left, linear.scale(right, -1))
            case _:
                # A feature times a feature is no sum: no threshold on it is a clause.
                for factor, other in ((left, right), (right, left)):
                    if isinstance(factor, Linear) and not factor.terms:
                        return linear.scale(other, factor.constant)
                raise ConditionError("one side of '*' must be a plain number", expr)
    except linear.NumberFormError as error:
        raise ConditionError(str(error), expr) from None


def _fold_name(expr: Name, name: str, env: Environment) -> NumberForm:
    # Suits first: a letter may have the name of a number.
    suit = env.suit(expr)
    if suit is not None:
        return linear.feature(LENGTHS[suit])
    if name in env.numbers:
        return env.numbers[name]
    if name in env.lets:
        return _unfold_number(Apply(name, (), span=expr.span), env)
    if name in HAND_NUMBERS:
        return HAND_NUMBERS[name]
    if name in PLAIN_FACTS:
        return linear.constant(env.facts[(name,)])
    raise ConditionError(f"'{name}' is not a number", expr)


def _fold_apply(expr: Apply, env: Environment) -> NumberForm:
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
        # The least that partner has shown: a fit is what is certain.
        shown = linear.constant(env.facts["partner", "len", suit, "min"])
        return linear.add(linear.feature(LENGTHS[suit]), shown)
    if name == "combined":
        what = word_argument(argument)
        shown = linear.constant(env.facts["partner", what, "min"])
        return linear.add(HAND_NUMBERS[what], shown)
    if name in SUIT_NUMBERS_FROM_PUBLIC:
        notrump = isinstance(argument, Name) and argument.name == "NT"
        denomination = int(Denomination.NOTRUMP) if notrump else suit_argument(argument, env)
        return linear.constant(env.facts[name, denomination])
    raise ConditionError(f"'{name}' is not a number", expr)


def inside(let: Let, node: Apply, env: Environment) -> Environment:
    """Return the environment of a definition's body for the arguments given."""
    if len(let.params) != len(node.args):
        count = count_of(len(let.params), "argument")
        raise ConditionError(f"'{let.name}' takes {count}, got {len(node.args)}", node)
    suits: dict[str, int] = {}
    values: dict[str, NumberForm] = {}
    for param, argument in zip(let.params, node.args, strict=True):
        suit = env.suit(argument)
        if suit is None:
            values[param] = fold_number(argument, env)
        else:
            suits[param] = suit
    return Environment(with_opposites(suits), env.lets, env.facts, values, env.folded)


def _unfold_number(node: Apply, env: Environment) -> NumberForm:
    let = env.lets[node.name]
    within = inside(let, node, env)
    match let.body:
        # A word alone may have been parsed as a fact, too.
        case Fact(expr=expr):
            body: Expr = expr
        case Number() | Name() | Apply() | Public() | Binary() | Conditional() as number:
            body = number
        case _:
            raise ConditionError(f"'{node.name}' is a condition, not a number", node)
    cache = env.folded.numbers if env.folded else None
    return _once(cache, node.name, within, lambda inner: fold_number(body, inner))


def _once(
    cache: dict[Called, Folded[T]] | None,
    name: str,
    within: Environment,
    fold_body: Callable[[Environment], T],
) -> T:
    """Return the folded body of a definition, from the cache or afresh.

    Args:
        cache: the definitions folded before; None keeps none.
        name: the name of the definition.
        within: the environment of its body.
        fold_body: folds the body.
    """
    if cache is None:
        return fold_body(within)
    called = name, tuple(within.suits.items()), tuple(within.numbers.items())
    folded = cache.get(called)
    if folded is not None:
        cached = folded.by_values.get(folded.values(within.facts))
        if cached is not None:
            return cached
    # A definition reads the same facts whatever their values (`fold` does not stop early), so those
    # recorded once are the key for all later ones.
    recorder = Recorder(within.facts)
    value = fold_body(replace(within, facts=recorder))
    if folded is None:
        folded = cache[called] = Folded(tuple(recorder.keys))
    folded.by_values[folded.values(within.facts)] = value
    return value
