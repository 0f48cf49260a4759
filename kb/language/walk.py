"""Every rule of a list of statements, with the whole pattern it stands under and its id.

Nested rules are flattened here: a rule's children follow its call, with the opponents' pass or
the call of a branch between. Overrides, checks, the compiler and coverage all walk this way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import Same

SUIT_LETTERS = frozenset({*"CDHSMmXYZW", "oM", "om", "NT"})
"""The words that may stand after the level of a bid; a parameter stands there in brackets."""

THEY_PASS = ast.Element(theirs=True, alternatives=(ast.LiteralCall("P"),))

LASTING = {
    "passed_hand": "partner_passed_hand",
    "partner_passed_hand": "passed_hand",
    "vulnerable": "vulnerable",
    "they_vulnerable": "they_vulnerable",
    "favourable": "favourable",
    "unfavourable": "unfavourable",
}
"""Facts that stay as they are during an auction: what each is called at partner's turn."""


class PlacedRule(NamedTuple):
    """A rule with its place.

    Attributes:
        id: unique in the system: `module.label`, `opening.1NT`, or `1M (P): 3M`.
        module: the file's module name.
        pattern: the calls before the rule's own.
        when: the condition of its block.
        rule: the rule itself.
        path: indices that lead to it: statement, then child by child.
        layer: the number of systems that change the one that it is from.
    """

    id: str
    module: str
    pattern: ast.Pattern
    when: ast.Condition | None
    rule: ast.Rule
    path: tuple[int, ...]
    layer: int = 0


def call_text(call: ast.CallPattern) -> str:
    """Return a call or call pattern in the notation of the files."""
    match call:
        case ast.LiteralCall(call=text):
            return text
        case ast.LevelCall(low=low, high=high, suit=suit):
            # `2(suit)`: a parameter as a suit would read as a letter without brackets.
            if suit not in SUIT_LETTERS:
                return f"{low}({suit})"
            return f"{low}{suit}" if low == high else f"{low}..{high}{suit}"
        case ast.RelativeCall(kind=kind, argument=argument):
            return f"{kind}({argument})"
        case ast.ClassCall(kind=kind, cap=cap, floor=floor):
            return kind if cap is None else f"{floor or kind}..{cap}"
        case ast.StepRange(low=low, high=high):
            return f"step({low}+)" if high is None else f"step({low}..{high})"
        case ast.ParameterCall(name=name):
            return name


def pattern_text(pattern: ast.Pattern) -> str:
    """Return a pattern in the notation of the files; `anywhere` and `opening` by name."""
    if not pattern.every_element:
        return "anywhere" if pattern.open else "opening"
    words = [*map(element_text, pattern.head)]
    if pattern.open:
        words.append("...")
    return " ".join([*words, *map(element_text, pattern.elements)])


def element_text(element: ast.Element) -> str:
    """Return one call of a pattern in the notation of the files, in brackets if it is theirs."""
    text = "|".join(map(call_text, element.alternatives))
    if element.excluded:
        text += " but " + "|".join(map(call_text, element.excluded))
    return f"({text})" if element.theirs else text


def _own_id(module: str, pattern: ast.Pattern, rule: ast.Rule) -> str:
    if rule.label:
        return f"{module}.{rule.label}"
    place, call = pattern_text(pattern), call_text(rule.call)
    return f"opening.{call}" if place == "opening" else f"{place}: {call}"


def what_lasts(when: ast.Condition | None) -> ast.Condition | None:
    """Return the part of a block's condition that still holds at our side's next turn, partner's.

    Facts that may change with the next calls are left out.
    """
    match when:
        case ast.And(items=items):
            lasting = tuple(each for each in map(what_lasts, items) if each is not None)
            return replace(when, items=lasting) if len(lasting) > 1 else next(iter(lasting), None)
        # An alternative that ends with the turn leaves no fact behind: all of them have to last.
        case ast.Or(items=items):
            lasting = tuple(each for each in map(what_lasts, items) if each is not None)
            return replace(when, items=lasting) if _lasts_whole(when) else None
        case ast.Not(item=item):
            inner = what_lasts(item)
            return replace(when, item=inner) if inner is not None and _lasts_whole(item) else None
        case ast.Fact(expr=ast.Name(name=name) as expr) if name in LASTING:
            return replace(when, expr=replace(expr, name=LASTING[name]))
    return None


def _lasts_whole(condition: ast.Condition) -> bool:
    match condition:
        case ast.And(items=items) | ast.Or(items=items):
            return all(map(_lasts_whole, items))
        case ast.Not(item=item):
            return _lasts_whole(item)
        case ast.Fact(expr=ast.Name(name=name)):
            return name in LASTING
    return False


def _under(
    pattern: ast.Pattern,
    when: ast.Condition | None,
    rules: Iterable[ast.Rule],
    path: tuple[int, ...],
) -> Iterator[tuple[ast.Pattern, ast.Condition | None, ast.Rule, tuple[int, ...]]]:
    for index, rule in enumerate(rules):
        here = (*path, index)
        yield pattern, when, rule, here
        lasting = what_lasts(when)
        ours = ast.Element(theirs=False, alternatives=(rule.call,), span=rule.span)
        for place, child in enumerate(rule.children):
            # A child without a branch follows their pass.
            if isinstance(child, ast.Branch):
                after = replace(pattern, elements=(*pattern.elements, ours, child.element))
                yield from _under(after, lasting, child.rules, (*here, place))
            else:
                after = replace(pattern, elements=(*pattern.elements, ours, THEY_PASS))
                yield from (
                    (p, w, r, (*here, place, *rest[1:]))
                    # The pass between has no node of its own, so neither has it a place in the
                    # path.
                    for p, w, r, rest in _under(after, lasting, (child,), ())
                )


def walk(statements: Iterable[tuple[str, ast.Statement]]) -> Iterator[PlacedRule]:
    """Yield every rule in file order.

    Args:
        statements: (module name, statement) pairs, includes resolved.
    """
    # Over the whole system: an id is looked up without its file.
    seen: Counter[str] = Counter()
    for index, (module, statement) in enumerate(statements):
        if not isinstance(statement, ast.Block):
            continue
        layer = statement.layer
        for base, pattern, when, rule, path in _rules_of(module, Same(statement)):
            # Equal rules of equal patterns have a number each.
            seen[base] += 1
            name = base if seen[base] == 1 else f"{base}#{seen[base]}"
            yield PlacedRule(name, module, pattern, when, rule, (index, *path), layer)


_Placed = tuple[str, ast.Pattern, ast.Condition | None, ast.Rule, tuple[int, ...]]
"""A rule as its block alone shows it; its id has no number and its path no statement."""


@lru_cache(maxsize=16_384)
def _rules_of(module: str, block: Same) -> tuple[_Placed, ...]:
    """Return the rules of a block; an editor asks for the same blocks after every keystroke."""
    node = block.node
    assert isinstance(node, ast.Block)
    return tuple(
        (_own_id(module, pattern, rule), pattern, when, rule, path)
        for pattern, when, rule, path in _under(node.pattern, node.when, node.rules, ())
    )
