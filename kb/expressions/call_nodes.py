"""Calls as rules make them, and patterns of calls."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.kb.expressions.nodes import Node


@dataclass(frozen=True, slots=True)
class LiteralCall(Node):
    """A call written out: `1NT`, `P`, `X`, `XX` (canonical text as `bridge.Call` prints it)."""

    call: str


@dataclass(frozen=True, slots=True)
class LevelCall(Node):
    """Bids of a suit variable at a level or levels: `2M` (2, 2, "M"), `1..3Y` (1, 3, "Y")."""

    low: int
    high: int
    suit: str


@dataclass(frozen=True, slots=True)
class RelativeCall(Node):
    """`bid(M)`, `jump(NT)`, `doublejump game small_slam grand_slam`; `step(2)` has a number.

    `argument` is a denomination word (`C D H S NT`, `clubs`.. or a variable) or a decimal number.
    """

    kind: str
    argument: str


@dataclass(frozen=True, slots=True)
class ClassCall(Node):
    """A class of calls in a pattern: `any`, `bid`, `suit`; bids from `floor` to `cap` if given."""

    kind: str
    cap: str | None
    floor: str | None = None


@dataclass(frozen=True, slots=True)
class StepRange(Node):
    """`step(3..5)` in a pattern: one of these bids above the last one; `high` None is open."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class ParameterCall(Node):
    """A module's parameter used as a stretch of pattern; gone once parameters are filled in."""

    name: str


CallExpr = LiteralCall | LevelCall | RelativeCall
CallPattern = LiteralCall | LevelCall | RelativeCall | ClassCall | StepRange | ParameterCall


@dataclass(frozen=True, slots=True)
class Element(Node):
    """One call of a pattern: `theirs` if in brackets, one of the alternatives.

    `excluded` are calls that it is not: `any but 1S`.
    """

    theirs: bool
    alternatives: tuple[CallPattern, ...]
    excluded: tuple[CallPattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    """A run of calls ending just before ours; `open` if `...` (any calls) stands before it.

    The opening pattern is empty and not open; `anywhere` is empty and open. `head` are the calls
    that the auction begins with, before the `...` of an open pattern: `1NT ... 4NT (P)`. Those
    of an `answer` block are `about_question`: the question is known, so they are more special
    than others with `...`.
    """

    elements: tuple[Element, ...]
    open: bool = False
    head: tuple[Element, ...] = ()
    # A field of its own, since a pattern with `...` says nothing of what was asked.
    about_question: bool = False

    @property
    def every_element(self) -> tuple[Element, ...]:
        """The calls on both sides of `...`."""
        return (*self.head, *self.elements)
