"""One walk over the syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from operator import attrgetter

from bidwright.kb.language import ast

_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind) if each.name != "span")
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.Node)
}
"""The fields of each kind of node that may hold others."""


_LAYERED: dict[type, Callable[[ast.Node], tuple[object, ...]]] = {
    kind: attrgetter(*(each.name for each in fields(kind) if each.name != "layer"))
    for kind in (ast.Block, ast.Example)
}
"""Getters of the fields, without the layer, of each kind of node that has one."""


class Same:
    """A node that is equal to itself only, even if another one is alike."""

    __slots__ = ("node",)

    def __init__(self, node: ast.Node) -> None:
        """Stand for a node, and keep it."""
        self.node = node

    def __eq__(self, other: object) -> bool:
        """Return True if the other one stands for the very same node."""
        return isinstance(other, Same) and other.node is self.node

    def __hash__(self) -> int:
        """Hash the node's identity."""
        return id(self.node)


class SameInAnyLayer:
    """A node that is equal to itself only, and to its copies in other layers of a system."""

    __slots__ = ("_parts", "node")

    def __init__(self, node: ast.Node) -> None:
        """Stand for a node, and keep it with all that is in it."""
        self.node = node
        fields_of = _LAYERED.get(type(node))
        self._parts = id(node) if fields_of is None else tuple(map(id, fields_of(node)))

    def __eq__(self, other: object) -> bool:
        """Return True if the other one stands for the very same parts."""
        return isinstance(other, SameInAnyLayer) and other._parts == self._parts

    def __hash__(self) -> int:
        """Hash the identity of the parts."""
        return hash(self._parts)

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the node: where it is read back, it has another identity."""
        return SameInAnyLayer, (self.node,)


def children(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the nodes directly in a node, in order of appearance."""
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, ast.Node):
            yield value
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, ast.Node):
                    yield item


def parts(
    node: ast.Node, *, closed: Callable[[ast.Node], bool] | None = None
) -> Iterator[ast.Node]:
    """Yield a node and everything in it, each node before those in it.

    Args:
        node: the node.
        closed: says of which nodes the inside is left out; of none by default.
    """
    yield node
    if closed is None or not closed(node):
        for child in children(node):
            yield from parts(child, closed=closed)


def parts_with_definitions(node: ast.Node, lets: Mapping[str, ast.Let]) -> Iterator[ast.Node]:
    """Yield everything in a node and in the definitions that it uses, each definition once."""
    waiting = [node]
    opened: set[str] = set()
    while waiting:
        for part in parts(waiting.pop()):
            yield part
            if (
                isinstance(part, ast.Name | ast.Apply)
                and part.name in lets
                and part.name not in opened
            ):
                opened.add(part.name)
                waiting.append(lets[part.name].body)
