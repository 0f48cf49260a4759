"""The tree of auctions that a system describes, as a networkx graph.

Nodes are positions (``("position", "1M (P)")``) and rules (``("rule", id)``). Edges carry a
``kind``: a position *offers* a rule; a rule *leads* to the positions whose pattern it may
continue into; a position *falls back* on a more general one when none of its rules holds.
Variables are compared by the calls they may stand for, so an edge means "some auction does this".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bidwright.bridge.calls import CALLS, parse_call
from bidwright.kb.language import ast
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.rules.patterns import VARIABLES, denomination_of
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

if TYPE_CHECKING:
    import networkx as nx

Node = tuple[str, str]
_Calls = frozenset[int]
_OPPOSITES = {"oM": "M", "om": "m"}
_BIDS = frozenset(int(call) for call in CALLS if call.is_bid)


def _denominations(word: str) -> frozenset[int]:
    fixed = denomination_of(word, {})
    if fixed is not None:
        return frozenset({fixed})
    return frozenset(VARIABLES[_OPPOSITES.get(word, word)])


def possible_calls(pattern: ast.CallPattern) -> _Calls:
    """Return every call that a call pattern may stand for under some binding."""
    match pattern:
        case ast.LiteralCall(call=text):
            return frozenset({int(parse_call(text))})
        case ast.LevelCall(low=low, high=high, suit=word):
            suits = _denominations(word)
            return frozenset(
                int(c)
                for c in CALLS
                if c.is_bid and low <= c.level <= high and int(c.denomination) in suits
            )
        case ast.RelativeCall(kind="step"):
            return _BIDS
        case ast.RelativeCall(argument=word):
            suits = _denominations(word)
            return frozenset(i for i in _BIDS if int(CALLS[i].denomination) in suits)
        case ast.ClassCall(kind="any"):
            return frozenset(map(int, CALLS))
        case ast.ClassCall(kind=kind, cap=cap):
            top = len(CALLS) if cap is None else int(parse_call(cap))
            return frozenset(
                i for i in _BIDS if i <= top and (kind == "bid" or CALLS[i].denomination.is_suit)
            )
        case ast.ParameterCall(name=name):
            raise ValueError(f"the parameter {name!r} has no value")


def _element_calls(element: ast.Element) -> _Calls:
    return frozenset().union(*map(possible_calls, element.alternatives))


def _run(pattern: ast.Pattern) -> tuple[_Calls, ...]:
    return tuple(map(_element_calls, pattern.elements))


def _overlap(shorter: Sequence[_Calls], longer: Sequence[_Calls]) -> bool:
    """Tell whether the last elements of two runs may be the same calls."""
    count = min(len(shorter), len(longer))
    pairs = zip(shorter[len(shorter) - count :], longer[len(longer) - count :], strict=True)
    return all(one & other for one, other in pairs)


def _continues(rule: CompiledRule, run: tuple[_Calls, ...], pattern: ast.Pattern) -> bool:
    """Tell whether a position may come right after a rule's call and one call of theirs."""
    head = run[:-2]
    before = _run(rule.pattern)
    if len(run) < 2 or not possible_calls(rule.call) & run[-2]:
        return False
    if not pattern.open and not rule.pattern.open and len(head) != len(before):
        return False
    if not pattern.open and len(head) < len(before):
        return False
    if not rule.pattern.open and len(before) < len(head):
        return False
    return _overlap(head, before)


def auction_graph(base: RuleBase) -> nx.DiGraph[Node]:
    """Return the graph of positions and rules of a system."""
    import networkx as nx

    graph: nx.DiGraph[Node] = nx.DiGraph()
    patterns = {pattern_text(rule.pattern): rule.pattern for rule in base.rules}
    runs = {text: _run(pattern) for text, pattern in patterns.items()}
    for rule in base.rules:
        graph.add_edge(("position", pattern_text(rule.pattern)), ("rule", rule.id), kind="offers")
    for text, pattern in patterns.items():
        for rule in base.rules:
            if _continues(rule, runs[text], pattern):
                graph.add_edge(("rule", rule.id), ("position", text), kind="leads")
        for other, general in patterns.items():
            if other != text and _covers(general, runs[other], pattern, runs[text]):
                graph.add_edge(("position", text), ("position", other), kind="falls back")
    return graph


def _covers(
    general: ast.Pattern, wide: tuple[_Calls, ...], special: ast.Pattern, narrow: tuple[_Calls, ...]
) -> bool:
    """Tell whether every auction of the special pattern is one of the general pattern."""
    if special.open and not general.open:
        return False
    if len(wide) > len(narrow) or (not general.open and len(wide) != len(narrow)):
        return False
    pairs = zip(narrow[len(narrow) - len(wide) :], wide, strict=True)
    return all(one <= other for one, other in pairs)


def unreachable_positions(base: RuleBase) -> list[str]:
    """Return the positions that no auction bid by the system's own rules leads to.

    Positions that start with a call of theirs, and open patterns, are always reachable.
    """
    graph = auction_graph(base)
    roots: Iterable[Node] = {
        ("position", pattern_text(rule.pattern))
        for rule in base.rules
        if rule.pattern.open
        or not rule.pattern.elements
        or len(rule.pattern.elements) == 1
        or (len(rule.pattern.elements) % 2 == 1)
    }
    import networkx as nx

    reached = set().union(*(nx.descendants(graph, root) | {root} for root in roots))
    return sorted(text for kind, text in graph.nodes - reached if kind == "position")
