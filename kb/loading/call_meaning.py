"""Comparison of two rules for a call: with the same meaning, the answers to it still fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bidwright.kb.checks.contradictions import Refutation
from bidwright.kb.conditions.reads import reads_hand
from bidwright.kb.language import ast
from bidwright.kb.language.scope import Definitions
from bidwright.kb.language.system import Located
from bidwright.kb.language.walk import PlacedRule, walk


def _actions(rule: ast.Rule) -> dict[str, str | None]:
    return {action.kind: action.argument for action in rule.actions}


def _names_denomination(rule: ast.Rule) -> bool:
    """Return True if a rule's call is natural by itself: a bid of its suit, or a pass."""
    match rule.call:
        case ast.LiteralCall(call="X" | "XX"):
            return False
        case _:
            return "artificial" not in _actions(rule)


# Doubles say nothing of a denomination.
def _public_conditions(placed: PlacedRule, lets: Mapping[str, ast.Let]) -> set[ast.Condition]:
    """Return the conditions of a rule that no hand decides: vulnerability, who bid what and so on.

    What its block asks after `when` is left aside.
    """
    condition = placed.rule.condition
    items = condition.items if isinstance(condition, ast.And) else (condition,)
    return {each for each in items if each is not None and not reads_hand(each, lets)}


def _holds_wherever(
    new: PlacedRule, old: Sequence[PlacedRule], lets: Mapping[str, ast.Let]
) -> bool:
    """Return True if a rule is firm, and stands wherever one of the old rules does."""
    if (
        # A `when` of the block limits where the new meaning holds.
        new.rule.optional
        or new.pattern.open
        or any(new.when not in (None, one.when) for one in old)
    ):
        return False
    asked = _public_conditions(new, lets)
    return all(asked <= _public_conditions(one, lets) for one in old)


def is_other_meaning(placed: PlacedRule, new: ast.Rule, lets: Mapping[str, ast.Let]) -> bool:
    """Return True if a rule gives a call another meaning than the rule that it replaces.

    It does if one of them is artificial and the other one is not, if they ask different things,
    or if they make different calls. Two artificial calls, or two doubles, mean different things
    if no hand fits both, as far as intervals tell.

    Args:
        placed: the rule of before.
        new: the rule that takes its place.
        lets: the system's definitions.
    """
    old = placed.rule
    before, after = _actions(old), _actions(new)
    if old.call != new.call or before.get("asks") != after.get("asks"):
        return True
    if ("artificial" in before) is not ("artificial" in after):
        return True
    # A bid or a pass says what it is by its denomination: other hands do not make it another
    # call.
    if _names_denomination(old) or old.condition is None or new.condition is None:
        return False
    # Definitions that need themselves cannot be folded; they are reported already.
    if Definitions(lets).cycles():
        return False
    return Refutation(lets).is_impossible([old.condition, new.condition])


def layer_of(statement: ast.Statement) -> int:
    """Return the number of systems that change the one that a block or an example is from."""
    return statement.layer if isinstance(statement, ast.Block | ast.Example) else 0


def in_layer(statement: ast.Statement, layer: int) -> ast.Statement:
    """Return a statement as one of a layer; those that have no layer stay as they are."""
    if layer == layer_of(statement) or not isinstance(statement, ast.Block | ast.Example):
        return statement
    return replace(statement, layer=layer)


def first_of_layer(statements: Sequence[Located], layer: int) -> int:
    """Return the place of the first block or example of a layer."""
    return next(
        index
        for index, (_, each) in enumerate(statements)
        if isinstance(each, ast.Block | ast.Example) and each.layer == layer
    )


def calls_with_other_meanings(
    statements: Sequence[Located], lets: Mapping[str, ast.Let]
) -> Iterator[tuple[PlacedRule, list[PlacedRule]]]:
    """Yield rules that give another meaning to a call of an included system, and the rules there.

    They stand after the same calls, and no rule of the system itself leaves the call its meaning.
    A rule that asks for something public, in a condition or `when`, counts if the rules there hold
    no further.
    """
    every = list(walk(statements))
    # Without layers no system changes another.
    deepest = max((each.layer for each in every), default=0)
    changing = {each.rule.call for each in every if each.layer < deepest}
    places: defaultdict[tuple[ast.Pattern, ast.CallExpr], list[PlacedRule]] = defaultdict(list)
    for placed in every:
        if placed.rule.call in changing:
            places[placed.pattern, placed.rule.call].append(placed)
    for rules in places.values():
        layer = min(each.layer for each in rules)
        old = [each for each in rules if each.layer > layer]
        if not old:
            continue
        new = [each for each in rules if each.layer == layer]
        # Another call may be given some other meaning by a `may` rule; that leaves the old one its
        # place.
        firm = next((each for each in new if _holds_wherever(each, old, lets)), None)
        pairs = ((one, each.rule) for one in old for each in new)
        if firm and all(is_other_meaning(one, rule, lets) for one, rule in pairs):
            yield firm, old
