"""The graph of positions: which position follows another, and by which calls.

A position is a closed pattern (one without `...`) with the calls that its rules may make. Another
one follows it if its pattern has two elements more, a call of the first position and then one of
the opponents, and some auction fits both. Variables are compared by the calls that they may stand
for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bidwright.kb.expressions.call_nodes import Pattern
from bidwright.kb.rules.patterns import CallSet, may_be_same, run_of


@dataclass(frozen=True)
class GraphPosition:
    """A position before it is put into a graph.

    Attributes:
        pattern: the calls before it; where it is open, the position follows none.
        calls: what its rules may call, by the names under which a graph is to show them.
    """

    pattern: Pattern
    calls: Mapping[str, CallSet]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge from one position to another.

    Attributes:
        calls: the names of the calls that lead there.
        alike: the number of elements, of those in both patterns, that are written the same.
    """

    calls: tuple[str, ...]
    alike: int


def position_graph(positions: Sequence[GraphPosition]) -> list[dict[int, GraphEdge]]:
    """Return for each position those that lead to it, by their places in the sequence."""
    graph: list[dict[int, GraphEdge]] = [{} for _ in positions]
    runs = [run_of(each.pattern) for each in positions]
    # Every pair of positions would be some million comparisons for a system of 2,000 rules.
    by_length: dict[int, list[int]] = {}
    for place, position in enumerate(positions):
        if not position.pattern.open:
            by_length.setdefault(len(position.pattern.elements), []).append(place)
    for place, position in enumerate(positions):
        elements, run = position.pattern.elements, runs[place]
        if position.pattern.open or len(elements) < 2:
            continue
        for before in by_length.get(len(elements) - 2, ()):
            if not may_be_same(runs[before], run):
                continue
            # The last element of a pattern is the opponents' call: ours is the one before.
            names = [name for name, calls in positions[before].calls.items() if calls & run[-2]]
            if names:
                written = zip(positions[before].pattern.elements, elements, strict=False)
                alike = sum(one == other for one, other in written)
                graph[place][before] = GraphEdge(tuple(names), alike)
    return graph
