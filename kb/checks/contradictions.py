"""Conditions that no hand meets, refuted with intervals, for any values of public facts.

A contradiction found is certain: intervals never exclude a hand that meets the condition. Those
that intervals cannot see, such as two long suits of variable letters, are left to `check --prove`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from bidwright.kb.conditions.environment import (
    ConditionError,
    Environment,
    NoPosition,
    with_opposites,
)
from bidwright.kb.conditions.fold import fold, unfolded
from bidwright.kb.conditions.reads import words_of
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, warning
from bidwright.kb.language.printer import condition_text
from bidwright.kb.logic.formula import TRUE, Formula
from bidwright.kb.logic.intervals import ALL_HANDS, Intervals
from bidwright.kb.rules.patterns import Binding, bindings, variables_in
from bidwright.runtime.sentences import listed

_FREE: Binding = {}

_ONE_DOT = re.compile(r"([0-9]+)\.([0-9]+)")
"""A number with a fraction, such as a range becomes whose second dot was forgotten."""

MOST_CASES = 2_000
"""Alternatives times conditions beside them: in longer conditions only the whole is looked at."""


@lru_cache(maxsize=20_000)
def _cut(intervals: Intervals, formula: Formula) -> Intervals | None:
    """Return intervals cut by a formula, None if no hand within them satisfies it."""
    if not intervals.may_hold(formula):
        return None
    narrowed = intervals.cut(formula)
    empty = any(low > high for low, high in zip(narrowed.low, narrowed.high, strict=True))
    return None if empty or not narrowed.may_hold(formula) else narrowed


class Refutation:
    """Refutes conditions with intervals."""

    def __init__(self, lets: Mapping[str, ast.Let]) -> None:
        """Use a system's definitions."""
        self._lets = lets

    def is_impossible(self, items: Sequence[ast.Condition], fixed: Binding = _FREE) -> bool:
        """Return True if no hand meets all of some conditions, for any suits of their open letters.

        Args:
            items: the conditions.
            fixed: the suits (0..3) of letters that are not open.
        """
        words = [word for item in items for word in words_of(item)]
        return all(
            self._within(items, self._environment(with_opposites(binding)), ALL_HANDS) is None
            for binding in bindings(variables_in(words), fixed)
        )

    def _environment(self, suits: Binding) -> Environment:
        return Environment(suits, self._lets, NoPosition(), {})

    def _within(
        self, items: Sequence[ast.Condition], env: Environment, intervals: Intervals
    ) -> Intervals | None:
        """Return intervals cut by conditions that hold together, None if they exclude all hands."""
        left: Intervals | None = intervals
        formulas: list[Formula] = []
        # Alternatives come last, when the other conditions have cut the intervals.
        for item in sorted(items, key=lambda each: isinstance(each, ast.Or)):
            if left is None:
                return None
            match item:
                case ast.And(items=inner):
                    left = self._within(inner, env, left)
                case ast.Or(items=inner):
                    cuts = [self._within((each,), env, left) for each in inner]
                    inside = [each for each in cuts if each is not None]
                    left = Intervals.union(inside) if inside else None
                case ast.Fact(expr=ast.Name(name=name) as word) if name in self._lets:
                    left = self._inside(ast.Apply(name, (), span=word.span), env, left)
                case ast.Fact(expr=ast.Apply(name=name) as call) if name in self._lets:
                    left = self._inside(call, env, left)
                case _:
                    formula = self._formula(item, env)
                    formulas.append(formula)
                    left = _cut(left, formula)
        # What was cut later may exclude what was judged before.
        if left is not None and not all(left.may_hold(formula) for formula in formulas):
            return None
        return left

    def _inside(self, call: ast.Apply, env: Environment, left: Intervals) -> Intervals | None:
        try:
            body, within = unfolded(call, env)
        except (ConditionError, KeyError):
            return left
        return self._within((body,), within, left)

    def _formula(self, item: ast.Condition, env: Environment) -> Formula:
        """Return the formula of a condition; true if it depends on public facts."""
        facts = NoPosition()
        try:
            formula = fold(item, Environment(env.suits, env.lets, facts, env.numbers))
        except (ConditionError, KeyError):
            # What has no meaning here is reported elsewhere; it excludes nothing.
            return TRUE
        return TRUE if facts.was_read else formula


def _core(items: Sequence[ast.Condition], refutation: Refutation) -> list[ast.Condition]:
    """Return a smallest part of some conditions that excludes all hands."""
    core = list(items)
    for item in items:
        fewer = [each for each in core if each is not item]
        # Only what is needed for the contradiction is shown.
        if refutation.is_impossible(fewer):
            core = fewer
    return core


def _listed(items: Sequence[ast.Condition]) -> str:
    return listed(map(condition_text, items), "and")


def _way_out(core: Sequence[ast.Condition]) -> str:
    """Return advice about conditions that no hand meets together."""
    if len(core) > 1:
        return "change one of them, or write 'or' between them if one is enough"
    text = condition_text(core[0])
    meant = _ONE_DOT.sub(r"\1..\2", text)
    return "change it, or leave the rule out" if meant == text else f"write '{meant}'"


def contradictions(condition: ast.Condition, lets: Mapping[str, ast.Let]) -> Iterator[Diagnostic]:
    """Yield the conditions in a condition that no hand meets, beside the others in it.

    Args:
        condition: the condition.
        lets: the system's definitions.
    """
    refutation = Refutation(lets)
    items = condition.items if isinstance(condition, ast.And) else (condition,)
    if refutation.is_impossible(items):
        core = _core(items, refutation)
        related = (Related("the other condition", core[0].span),) if len(core) > 1 else ()
        yield warning(
            "W206",
            f"no hand meets {_listed(core)}",
            core[-1].span,
            help=_way_out(core),
            related=related,
        )
        return
    choices = [item for item in items if isinstance(item, ast.Or)]
    if len(items) * sum(len(item.items) for item in choices) > MOST_CASES:
        return
    for item in choices:
        beside = [each for each in items if each is not item]
        for alternative in item.items:
            if refutation.is_impossible([*beside, alternative]):
                yield _dead(alternative, item, _core([*beside, alternative], refutation))


def _dead(alternative: ast.Condition, item: ast.Or, core: Sequence[ast.Condition]) -> Diagnostic:
    """Return the warning about an alternative that the conditions beside its choice exclude."""
    others = [each for each in core if each is not alternative]
    if not others:
        message = f"no hand meets {condition_text(alternative)}"
        return warning("W206", message, alternative.span, help=_way_out(core))
    loose = (
        "" if item.bracketed else "; ',' binds looser than 'or': write brackets around each case"
    )
    return warning(
        "W206",
        f"no hand meets {condition_text(alternative)} here, beside {_listed(others)}",
        alternative.span,
        help=f"leave it out, or change what excludes it{loose}",
        related=(Related("this excludes it", others[0].span),),
    )
