"""Phrases of conditions: public facts filled in, definitions unfolded where that is short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from bidwright.kb.conditions.environment import ConditionError, Environment
from bidwright.kb.conditions.fold import fold, fold_to, unfolded
from bidwright.kb.expressions.condition_nodes import (
    Apply,
    Condition,
    Expr,
    Fact,
    Name,
    Public,
    Shape,
)
from bidwright.kb.logic import linear
from bidwright.kb.logic.formula import FALSE as NEVER
from bidwright.kb.logic.formula import TRUE as ALWAYS
from bidwright.kb.logic.formula import Formula, Literal
from bidwright.kb.logic.linear import Cases, NumberForm
from bidwright.kb.wording.naming import Names
from bidwright.kb.wording.phrases import ANY, NONE, All, Named, Phrase, Some, negation, ranged
from bidwright.kb.wording.simplification import simplified
from bidwright.kb.wording.subjects import Measure, Subject, measure

_MOST_INLINE = (8, 3)
"""The most facts of a definition that is written out: used directly, and within another one."""


def phrase_of(condition: Condition | None, env: Environment, names: Names) -> Phrase:
    """Return the phrase of a condition at a position."""
    if condition is None:
        return ANY
    return simplified(fold_to(_Phrases(names), condition, env))


def phrase_of_clause(clause: Iterable[Literal], names: Names) -> Phrase:
    """Return the phrase of a disjunction of thresholds."""
    return simplified(Some(tuple(_literal(literal, names) for literal in clause)))


def _literal(literal: Literal, names: Names) -> Phrase:
    # Fractions, since a measure divides by the common factor of the weights: floating-point numbers
    # would give two keys for one count.
    form = linear.Linear(tuple((index, Fraction(weight)) for index, weight in literal.terms))
    measured = measure(form)
    assert isinstance(measured, Measure)
    phrase = _within(measured, names.subject(measured), Fraction(literal.at_least), None)
    return phrase if literal.positive else negation(phrase)


def _within(
    number: Measure, subject: Subject, low: Fraction | None, high: Fraction | None
) -> Phrase:
    least, most = number.counts(low, high)
    least, most = max(least, subject.domain[0]), min(most, subject.domain[1])
    return ranged(subject, [(least, most)] if least <= most else [])


class _Phrases:
    """The algebra of phrases, with the names of a system; phrases are not simplified."""

    def __init__(self, names: Names, depth: int = 0) -> None:
        """Fold conditions that stand within this number of definitions."""
        self._names = names
        self._depth = depth

    def every(self, items: Sequence[Phrase]) -> Phrase:
        return All(tuple(items))

    def some(self, items: Sequence[Phrase]) -> Phrase:
        return Some(tuple(items))

    def complement(self, item: Phrase) -> Phrase:
        return negation(item)

    def in_range(
        self,
        form: NumberForm,
        low: Fraction | None,
        high: Fraction | None,
        expr: Expr,
        env: Environment,
    ) -> Phrase:
        if isinstance(form, Cases):
            return Some(
                tuple(
                    All((self._formula(holds), self.in_range(part, low, high, expr, env)))
                    for holds, part in form.cases
                )
            )
        measured = measure(form)
        if isinstance(measured, Fraction):
            return _truth((low is None or measured >= low) and (high is None or measured <= high))
        return _within(measured, self._names.subject(measured, _hint(expr, env)), low, high)

    def _formula(self, formula: Formula) -> Phrase:
        """Return the phrase of a formula, clause by clause."""
        return All(
            tuple(Some(tuple(_literal(one, self._names) for one in clause)) for clause in formula)
        )

    def compared(
        self, op: str, form: NumberForm, bound: linear.Number, expr: Expr, env: Environment
    ) -> Phrase:
        bound = Fraction(bound)
        match op:
            case ">=":
                return self.in_range(form, bound, None, expr, env)
            case "<=":
                return self.in_range(form, None, bound, expr, env)
            # Counts are whole numbers but a named number may step by halves: "> 4" is "not at most
            # 4", and not "5 or more".
            case ">":
                return negation(self.in_range(form, None, bound, expr, env))
            case "<":
                return negation(self.in_range(form, bound, None, expr, env))
            case "=":
                return self.in_range(form, bound, bound, expr, env)
            case _:
                return negation(self.in_range(form, bound, bound, expr, env))

    def atom(self, node: Fact | Shape, formula: Formula, env: Environment) -> Phrase:
        if isinstance(node, Shape):
            return Named(f"shape {' or '.join(node.patterns)}", (), formula)
        # A fact of the auction is known at the position: it is true or false there, and not worded.
        if formula in (ALWAYS, NEVER):
            return _truth(formula == ALWAYS)
        # One threshold of one number: `balanced` and other words of the language that are features.
        if len(formula) == len(formula[0]) == 1:
            return _literal(formula[0][0], self._names)
        assert not isinstance(node.expr, Public)
        return Named(node.expr.name, _suits_of(node.expr, env), formula)

    def definition(self, node: Fact, env: Environment, call: Apply) -> Phrase:
        """Return the phrase of a definition's condition, or its name if that is long."""
        inner = _Phrases(self._names, self._depth + 1)
        phrase = simplified(fold_to(inner, *unfolded(call, env)))
        # Written out, a long definition hides the other conditions of its rule; inside another one
        # it grows with every level, so that less of it is allowed.
        if _size(phrase) <= _MOST_INLINE[min(self._depth, 1)]:
            return phrase
        try:
            return Named(call.name, _suits_of(call, env), fold(node, env))
        except ConditionError:  # by itself it is too large for a formula
            return phrase


def _suits_of(expr: Name | Apply, env: Environment) -> tuple[int, ...]:
    """Return the suits that stand in the brackets after a word."""
    args = expr.args if isinstance(expr, Apply) else ()
    return tuple(suit for arg in args if (suit := env.suit(arg)) is not None)


def _truth(value: bool) -> Phrase:
    return ANY if value else NONE


def _hint(expr: Expr, env: Environment) -> tuple[str, tuple[int, ...]] | None:
    """Return the name and suits that an author used for a number."""
    match expr:
        case Name(name=name):
            suit = env.suit(expr)
            return (name, ()) if suit is None else ("len", (suit,))
        case Apply(name=name):
            return name, _suits_of(expr, env)
        case _:
            return None


def _size(phrase: Phrase) -> int:
    match phrase:
        case All(items=items) | Some(items=items):
            return sum(map(_size, items))
        case _:
            return 1
