"""Numbers and conditions, and the definitions that give names to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bidwright.kb.expressions.nodes import Node, parts

# ------------------------------------------------------------------ numbers


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A literal such as `15` or `2.5`."""

    # Exact: conditions are compared and merged, and `0.1 + 0.2` must be `0.3` there.
    value: Fraction


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A word: a hand number (`hcp`), a suit (`spades`, `M`), a definition or a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A function of suits, expressions or words: `support_points(M)`, `stopper(X)`, `has(SA)`."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Public(Node):
    """A dotted public number: `partner.hcp.min` is `("partner", "hcp", "min")`."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`left op right`, op one of `+ - *`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`(then if condition else otherwise)`: a number that depends on a condition."""

    condition: Condition
    then: Expr
    otherwise: Expr


Expr = Number | Name | Apply | Public | Binary | Conditional


# --------------------------------------------------------------- conditions


@dataclass(frozen=True, slots=True)
class Range(Node):
    """Numbers from low to high, both included; None is open."""

    low: Fraction | None
    high: Fraction | None


@dataclass(frozen=True, slots=True)
class ComputedRange(Node):
    """Numbers from low to high that parameters decide; gone once parameters are filled in."""

    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class InRange(Node):
    """`expr` lies in one of the ranges: `hcp 15..17`, `aces 0|4`."""

    expr: Expr
    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class InParameter(Node):
    """`expr in name`: a range that is a parameter or has a name; gone once these are filled in."""

    expr: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`left op right`, op one of `>= <= > < = !=`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Fact(Node):
    """A bare fact: `balanced`, `stopper(X)`, `vulnerable`, or a definition that is a condition."""

    expr: Name | Apply | Public


@dataclass(frozen=True, slots=True)
class Shape(Node):
    """`shape 5431|4=4=3=2`: each pattern four digits or x, with `=` in S=H=D=C order."""

    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """The item does not hold."""

    item: Condition


@dataclass(frozen=True, slots=True)
class And(Node):
    """Every item holds. `comma` items bind loosest; the tree does not keep which was written."""

    items: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """Some item holds.

    Attributes:
        items: the alternatives.
        bracketed: True if it was written in brackets; equal conditions may differ in that.
    """

    items: tuple[Condition, ...]
    # Kept for the printer alone: `a and (b or c)` needs its brackets back.
    bracketed: bool = field(default=False, compare=False, repr=False)


Condition = InRange | InParameter | Compare | Fact | Shape | Not | And | Or


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let name(params) = body`: a number or a condition, as its body is.

    `export` gives the name to the modules around; `override` (`replaces`) changes another's body.
    """

    name: str
    params: tuple[str, ...]
    body: Expr | Condition
    replaces: bool = False
    exported: bool = False


def plain_name(name: str) -> str:
    """Return a definition's name as the author wrote it."""
    # Loading numbers the second body of a name, `opener_range#2`; `#` begins a comment in a file,
    # so no author can write such a name.
    return name.partition("#")[0]


def name_in_words(name: str) -> str:
    """Return the name of a definition or a feature as it reads in a sentence."""
    return plain_name(name).replace("_", " ").replace("hcp", "HCP")


def parts_with_definitions(node: Node, lets: Mapping[str, Let]) -> Iterator[Node]:
    """Yield everything in a node and in the definitions that it uses, each definition once."""
    waiting = [node]
    opened: set[str] = set()
    while waiting:
        for part in parts(waiting.pop()):
            yield part
            # Each once: definitions that use each other would be opened for ever.
            if isinstance(part, Name | Apply) and part.name in lets and part.name not in opened:
                opened.add(part.name)
                waiting.append(lets[part.name].body)
