"""Agreements of a system besides its rules, as plain data: tiers, rebased auctions, examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from bidwright.kb.expressions.call_nodes import Pattern
from bidwright.kb.expressions.nodes import Node


class Tier(IntEnum):
    """A group of rules in the order of choice: every rule of an earlier tier comes first."""

    # Numbers, since the order of choice sorts by them.
    BOOK = 0
    DEFAULT = 1
    JUDGEMENT = 2
    LAST_RESORT = 3

    @property
    def word(self) -> str:
        """The tier as it is written."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Rebase(Node):
    """`rebase FROM -> TO [stolen]`: after FROM our calls mean what they mean after TO."""

    source: Pattern
    target: Pattern
    stolen: bool = False


@dataclass(frozen=True, slots=True)
class Undiscussed(Node):
    """`undiscussed PATTERN ["text"]`: nothing is agreed from the last call of the pattern on.

    Earlier rules there are overridden. A pattern that ends with their call concerns every call
    of ours over it.
    """

    pattern: Pattern
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Example(Node):
    """`example HAND after AUCTION -> CALL`: a test that lives in the file.

    `layer` is that of a block; equal examples may differ in it.
    """

    hand: str
    auction: tuple[str, ...]
    call: str
    vulnerability: str | None = None
    dealer: str | None = None
    # Not compared: a variant's copy of an example is the same test.
    layer: int = field(default=0, compare=False, repr=False)
