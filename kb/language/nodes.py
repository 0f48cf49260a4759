"""The base of all nodes of a syntax tree: frozen, with its place in the text, quickly pickled."""

from __future__ import annotations

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
        """Return the values of the node's fields; the way of dataclasses takes twice the time."""
        kind: type = type(self)
        return _again, (kind, *[getattr(self, name) for name in _names_of(kind)])


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _again(kind: type, *values: object) -> object:
    """Return the node of pickled values."""
    node: object = object.__new__(kind)
    for name, value in zip(_names_of(kind), values, strict=True):
        object.__setattr__(node, name, value)
    return node
