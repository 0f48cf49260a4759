"""The syntax tree of a convention file: frozen nodes, each with its place in the text.

Spans are left out of comparison and representation, so two texts that say the same have equal
trees. The tree says what was written; names are resolved by `kb.checks.check`, meanings by
`kb.rules.rulebase`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction

from bidwright.kb.language.call_nodes import CallExpr as CallExpr
from bidwright.kb.language.call_nodes import CallPattern as CallPattern
from bidwright.kb.language.call_nodes import ClassCall as ClassCall
from bidwright.kb.language.call_nodes import Element as Element
from bidwright.kb.language.call_nodes import LevelCall as LevelCall
from bidwright.kb.language.call_nodes import LiteralCall as LiteralCall
from bidwright.kb.language.call_nodes import ParameterCall as ParameterCall
from bidwright.kb.language.call_nodes import Pattern as Pattern
from bidwright.kb.language.call_nodes import RelativeCall as RelativeCall
from bidwright.kb.language.call_nodes import StepRange as StepRange
from bidwright.kb.language.nodes import NOWHERE as NOWHERE
from bidwright.kb.language.nodes import Node as Node
from bidwright.kb.language.nodes import Span as Span

# ------------------------------------------------------------------ numbers


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A literal such as `15` or `2.5`."""

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
class InRange(Node):
    """`expr` lies in one of the ranges: `hcp 15..17`, `aces 0|4`."""

    expr: Expr
    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class InParameter(Node):
    """`expr in name`: the range is a module's parameter; gone once parameters are filled in."""

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
        bracketed: whether it was written in brackets; equal conditions may differ in that.
    """

    items: tuple[Condition, ...]
    bracketed: bool = field(default=False, compare=False, repr=False)


Condition = InRange | InParameter | Compare | Fact | Shape | Not | And | Or


# --------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Action(Node):
    """What a call does besides being made: `kind` is the word after `;`.

    kinds without argument: artificial natural forcing forcing_game invitational signoff
    nonforcing alert announce; with `argument`: forcing_to (a bid such as 2NT or 3M), agrees (suit
    word), asks (with the `suit` it asks in, if any), answers, alert, announce, convention (text),
    priority (number text), as (text); `usually` has a `condition`.
    """

    kind: str
    argument: str | None = None
    condition: Condition | None = None
    suit: str | None = None


class Tier(IntEnum):
    """A group of rules in the order of choice: every rule of an earlier tier comes first."""

    BOOK = 0
    DEFAULT = 1
    JUDGEMENT = 2
    LAST_RESORT = 3

    @property
    def word(self) -> str:
        """The tier as it is written."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class Use(Node):
    """`use NAME`: the entries of a named block, before the entry at `place` of those around."""

    name: str
    place: int


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """One line of a block: a call, what it shows, what it does, and what follows it.

    `tier` is that of the heading above the rule or of its own actions; None, where neither names
    one, is the book. `others` are the further calls of `2C|2D`, which is several rules that deny
    nothing of each other; each of them has all these calls as its `choice`.
    """

    call: CallExpr
    label: str | None = None
    optional: bool = False
    text: str | None = None
    condition: Condition | None = None
    actions: tuple[Action, ...] = ()
    children: tuple[Rule | Branch, ...] = ()
    tier: Tier | None = None
    others: tuple[CallExpr, ...] = ()
    choice: tuple[CallExpr, ...] = ()
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """An opponents' call after the rule above, with our rules over it: `(X)` or `(bid..3S)`."""

    element: Element
    rules: tuple[Rule, ...]
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedBlock(Node):
    """`block NAME`: rules and branches that `use NAME` puts in its place, in the same file."""

    name: str
    entries: tuple[Rule | Branch, ...]
    text: str | None = None
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerBlock(Node):
    """`answer QUESTION [in SUIT]`: the answers wherever a call of ours asks that.

    Its rules apply when the next player passes, those of a branch when he makes that call.
    """

    question: str
    suit: str | None
    entries: tuple[Rule | Branch, ...]
    text: str | None = None
    when: Condition | None = None
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Rules that apply after a pattern; `kind` is `opening`, `after` or `anywhere`.

    `layer` is 0 for what a system says itself, 1 in a system that it includes, and so on.
    """

    kind: str
    pattern: Pattern
    rules: tuple[Rule, ...]
    text: str | None = None
    when: Condition | None = None
    layer: int = 0
    uses: tuple[Use, ...] = ()


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


ArgumentValue = Pattern | Range | Number


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`name = value` of an include or of a convention's header; there the value is a default."""

    name: str
    value: ArgumentValue | None


@dataclass(frozen=True, slots=True)
class Include(Node):
    """`include path(arguments)`."""

    path: str
    arguments: tuple[Argument, ...] = ()


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
    layer: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Override(Node):
    """`override ID [keeping answers]` with the rule that takes its place."""

    target: str
    rule: Rule
    keeps_answers: bool = False


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove ID`."""

    target: str


@dataclass(frozen=True, slots=True)
class Replace(Node):
    """`replace after PATTERN` or `replace opening`: puts aside what was said there and after it.

    The rules of the block, if it has any, take its place.
    """

    block: Block


@dataclass(frozen=True, slots=True)
class Retire(Node):
    """`retire example ... "reason"`: an example of an included module that holds no longer."""

    example: Example
    reason: str


@dataclass(frozen=True, slots=True)
class Rebase(Node):
    """`rebase FROM -> TO [stolen]`: after FROM our calls mean what they mean after TO."""

    source: Pattern
    target: Pattern
    stolen: bool = False


@dataclass(frozen=True, slots=True)
class Needs(Node):
    """`needs name, name`: a line of a header."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Header(Node):
    """`system name "title"` or `convention name(parameters) "title"`, with what stands below it.

    `needs` are the definitions of other modules that this one uses.
    """

    kind: str
    name: str
    title: str
    parameters: tuple[Argument, ...] = ()
    sources: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    needs: tuple[Name, ...] = ()


Rules = Block | NamedBlock | AnswerBlock
Statement = Rules | Let | Include | Example | Override | Remove | Replace | Retire | Rebase


@dataclass(frozen=True, slots=True)
class File(Node):
    """One convention file."""

    header: Header | None
    statements: tuple[Statement, ...]
