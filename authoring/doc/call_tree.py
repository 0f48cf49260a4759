"""The tree of auctions: positions under the calls that lead to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from bidwright.authoring.doc.document import CallNote, PositionNote, Section
from bidwright.authoring.doc.rule_words import call_words, with_symbols
from bidwright.authoring.exchange.call_tables import auctions_of
from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reading
from bidwright.kb.language import ast
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.graph import GraphEdge, GraphPosition, position_graph
from bidwright.kb.rules.patterns import CallSet, element_calls, possible_calls
from bidwright.kb.rules.rule import CompiledRule

_QUIET = frozenset({int(Call.PASS)})

Seen = dict[str, tuple[Instance, Reading]]
"""Rules by id, each at a position where it is live."""


@dataclass
class PatternNode:
    """A pattern with its rules, and what is known of them.

    Patterns that stand for the same single auction are one place.
    """

    shown: str
    pattern: ast.Pattern
    when: str = ""
    rules: list[CompiledRule] = field(default_factory=list)
    seen: Seen = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    titles: tuple[str, ...] = ()
    calls: list[CallNote] = field(default_factory=list)
    under: dict[str, list[PatternNode]] = field(default_factory=dict)
    see: dict[str, list[str]] = field(default_factory=dict)

    def may_call(self) -> dict[str, CallSet]:
        """Return the calls that the rules of the place may make, by their names."""
        by_name: dict[str, CallSet] = {}
        for rule in self.rules:
            name = self.names[rule.id]
            # A relative call that has its name by the one auction of the place stands for that call
            # alone.
            if name != call_words(rule.call):
                calls = CallSet({int(self.seen[rule.id][0].call)})
            else:
                calls = possible_calls(rule.call)
            by_name[name] = by_name.get(name, CallSet()) | calls
        return by_name


def settled_pattern(pattern: ast.Pattern) -> ast.Pattern:
    """Return a pattern with `bid(C)` as the bid that it is, where there is no other."""
    calls = [each for element in pattern.elements for each in element.alternatives]
    if pattern.open or not any(isinstance(each, ast.RelativeCall) for each in calls):
        return pattern
    # Two are enough to know that there is more than one: a pattern may stand for thousands.
    auctions = list(islice(auctions_of(pattern), 2))
    if len(auctions) != 1:
        return pattern
    return ast.Pattern(
        tuple(
            ast.Element(element.theirs, (ast.LiteralCall(str(call)),))
            for element, call in zip(pattern.elements, auctions[0], strict=True)
        )
    )


def nested(places: Sequence[PatternNode]) -> list[PatternNode]:
    """Put places under a call that leads to them, and name them at the other calls that do.

    Returns:
        The places that no call leads to.
    """
    graph = position_graph([GraphPosition(each.pattern, each.may_call()) for each in places])
    roots = []
    for number, place in enumerate(places):
        parents = _parents(graph[number], place.pattern)
        if not parents:
            roots.append(place)
            continue
        # Printed once, with references from the other calls: copies would grow with every level.
        parent, call = parents[0]
        places[parent].under.setdefault(call, []).append(place)
        for other, call in parents[1:]:
            places[other].see.setdefault(call, []).append(place.shown)
    return roots


def _parents(edges: Mapping[int, GraphEdge], pattern: ast.Pattern) -> list[tuple[int, str]]:
    """Return the positions and calls that lead to one, of those with the most similar patterns.

    The call that the pattern itself writes comes first.
    """
    # A block after `1M (P) 2NT (P)` belongs under the block `1M (P)`, not under one written for
    # `1X`.
    best = max((edge.alike for edge in edges.values()), default=0)
    pairs = [
        (before, call)
        for before, edge in edges.items()
        if edge.alike == best
        for call in edge.calls
    ]
    exact = with_symbols(pattern_text(ast.Pattern(pattern.elements[-2:-1])))
    return sorted(pairs, key=lambda pair: pair[1] != exact)


def _position(place: PatternNode) -> PositionNote:
    elements = place.pattern.elements
    last = ""
    # Their pass is the rule, and is left out of the heading.
    if len(elements) > 1 and element_calls(elements[-1]) != _QUIET:
        last = with_symbols(pattern_text(ast.Pattern(elements[-1:])))
    calls = []
    for call in place.calls:
        under = sorted(
            # Undisturbed continuations first: a stable sort by "they did something".
            map(_position, place.under.get(call.call, ())),
            key=lambda each: bool(each.last),
        )
        calls.append(replace(call, after=tuple(under), see=tuple(place.see.get(call.call, ()))))
    return PositionNote(
        place.shown, last, place.titles, place.when, place.pattern.open, tuple(calls)
    )


def sections_of(roots: Iterable[PatternNode]) -> Iterator[Section]:
    """Yield the parts of the notes: we open, they open, and rules for any auction."""
    parts: dict[str, list[PositionNote]] = {
        "We open": [],
        "They open": [],
        "In any auction": [],
    }
    for place in roots:
        if place.pattern.open:
            title = "In any auction"
        else:
            # An odd number of calls before ours begins with theirs.
            title = "They open" if len(place.pattern.elements) % 2 else "We open"
        parts[title].append(_position(place))
    for title, positions in parts.items():
        if positions:
            yield Section(title, tuple(positions))
