"""One walk over the syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter

from bidwright.kb.language import ast

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
        # Hashing a block is hashing all its rules, at every look-up; its identity is enough, since
        # the object is kept here.
        return id(self.node)


class SameInAnyLayer:
    """A node that is equal to itself only, and to its copies in other layers of a system."""

    __slots__ = ("_parts", "node")

    def __init__(self, node: ast.Node) -> None:
        """Stand for a node, and keep it with all that is in it."""
        self.node = node
        fields_of = _LAYERED.get(type(node))
        # A copy for another layer shares all its parts with the first: their identities tell it.
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


def pattern_of(statement: ast.Replace | ast.Undiscussed) -> ast.Pattern:
    """Return the first calls of the auctions that a statement overrides."""
    return statement.block.pattern if isinstance(statement, ast.Replace) else statement.pattern
