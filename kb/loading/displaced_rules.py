"""The `may` rules that go when overrides take the places of their firm rules.

A `may` rule adds what is also done to what the firm rules say of a call. Once a system has put
its own rules in the place of all of those, what was also done by the old ones says nothing of the
call as it now is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.language.system import Located
from bidwright.kb.language.walk import PlacedRule, walk

_PASS = ast.LiteralCall(str(Call.PASS))
_Place = tuple[ast.Pattern, ast.CallExpr]


@dataclass(frozen=True, slots=True)
class Overridden:
    """A rule and the override that takes its place.

    Attributes:
        placed: the rule as it stood before.
        statement: the override.
        module: the module that the override is written in.
    """

    placed: PlacedRule
    statement: ast.Override
    module: str


def displaced_rules(
    statements: Iterable[Located], overridden: Iterable[Overridden], changed: Collection[ast.Span]
) -> Iterator[tuple[PlacedRule, Overridden]]:
    """Yield the `may` rules that go with overridden rules, with one of these each.

    They make the same call after the same calls, no firm rule for it is left there of those that
    the author of the override found, and he has not written them himself. Passes are what remains
    when nothing else fits: nothing displaces them; nor do general rules displace one another.

    Args:
        statements: the system with its overrides carried out.
        overridden: the rules whose places overrides took.
        changed: the places of the rules that took them.
    """
    overrides: defaultdict[_Place, list[Overridden]] = defaultdict(list)
    for override in overridden:
        rule, pattern = override.placed.rule, override.placed.pattern
        if not (
            # A rule of any auction, and a pass, are displaced by nothing.
            rule.optional or pattern.open or rule.call == _PASS or override.statement.keeps_may
        ):
            overrides[pattern, rule.call].append(override)
    if not overrides:
        return
    places: defaultdict[_Place, list[PlacedRule]] = defaultdict(list)
    for placed in walk(statements):
        if (placed.pattern, placed.rule.call) in overrides:
            places[placed.pattern, placed.rule.call].append(placed)
    for place, rules in places.items():
        for override in overrides[place]:
            displaced = [
                one
                for one in rules
                if one.rule.span not in changed
                and one.layer >= override.placed.layer
                and one.module != override.module
            ]
            # A firm rule that is left keeps what is also done beside it.
            if all(one.rule.optional for one in displaced):
                yield from ((one, override) for one in displaced)
                break
