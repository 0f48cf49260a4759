"""The base of every expression: frozen, with its place, quickly pickled; and a walk over them.

Expressions are what conditions, calls and definitions are made of. The syntax tree of a file holds
them, and so do compiled rules, which hold nothing else of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a source file; lines and columns count from 1, the end is exclusive.

    It is a tuple since there are as many spans as nodes, and tuples are made and read back fast.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """Return `file:line`, the place for readers."""
        return f"{self.file}:{self.line}"


NOWHERE = Span("<nowhere>", 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of a syntax tree, with the place it was read from."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the values of the fields; the way of dataclasses takes three times as long."""
        kind: type = type(self)
        # The span as five values and the fields without their names: `sayc` has 60,000 nodes, and
        # they are read from the cache at each start.
        return _again, (kind, *self.span, *[getattr(self, name) for name in _parts_of(kind)])


def _again(kind: type, *values: object) -> object:
    """Return the node of pickled values, the first five of which are its span."""
    node: object = object.__new__(kind)
    set_span, *setters = _setters_of(kind)
    set_span(node, Span._make(values[:_SPAN]))
    for set_value, value in zip(setters, values[_SPAN:], strict=True):
        set_value(node, value)
    return node


_SPAN = len(Span._fields)


@cache
def _setters_of(kind: type) -> tuple[Callable[[object, object], None], ...]:
    """Return the setters of a kind of node: that of its span, then those of its other fields."""
    # Frozen classes refuse assignments: fields are set past them, by the descriptors of their
    # slots.
    return tuple(getattr(kind, name).__set__ for name in ("span", *_parts_of(kind)))


@cache
def _parts_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a kind of term that may hold others."""
    # A span is a tuple too, and never holds a node.
    return tuple(each.name for each in fields(kind) if each.name != "span")


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly in a node, in order of appearance."""
    kind: type = type(node)
    for name in _parts_of(kind):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            # Tuples of words and numbers have no nodes in them.
            for item in value:
                if isinstance(item, Node):
                    yield item


def parts(node: Node, *, closed: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Yield a node and everything in it, each node before those in it.

    Args:
        node: the node.
        closed: says of which nodes the inside is left out; of none by default.
    """
    yield node
    if closed is None or not closed(node):
        for child in children(node):
            yield from parts(child, closed=closed)
