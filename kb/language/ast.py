"""The syntax tree of a convention file: frozen nodes, each with its place in the text.

Spans are left out of comparison and representation, so two texts that say the same have equal
trees. The tree says what was written; names are resolved by `kb.checks.check`, meanings by
`kb.rules.rulebase`.
"""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.kb.expressions.agreements import Example as Example
from bidwright.kb.expressions.agreements import Rebase as Rebase
from bidwright.kb.expressions.agreements import Tier as Tier
from bidwright.kb.expressions.agreements import Undiscussed as Undiscussed
from bidwright.kb.expressions.call_nodes import CallExpr as CallExpr
from bidwright.kb.expressions.call_nodes import CallPattern as CallPattern
from bidwright.kb.expressions.call_nodes import ClassCall as ClassCall
from bidwright.kb.expressions.call_nodes import Element as Element
from bidwright.kb.expressions.call_nodes import LevelCall as LevelCall
from bidwright.kb.expressions.call_nodes import LiteralCall as LiteralCall
from bidwright.kb.expressions.call_nodes import ParameterCall as ParameterCall
from bidwright.kb.expressions.call_nodes import Pattern as Pattern
from bidwright.kb.expressions.call_nodes import RelativeCall as RelativeCall
from bidwright.kb.expressions.call_nodes import StepRange as StepRange
from bidwright.kb.expressions.condition_nodes import And as And
from bidwright.kb.expressions.condition_nodes import Apply as Apply
from bidwright.kb.expressions.condition_nodes import Binary as Binary
from bidwright.kb.expressions.condition_nodes import Compare as Compare
from bidwright.kb.expressions.condition_nodes import ComputedRange as ComputedRange
from bidwright.kb.expressions.condition_nodes import Condition as Condition
from bidwright.kb.expressions.condition_nodes import Conditional as Conditional
from bidwright.kb.expressions.condition_nodes import Expr as Expr
from bidwright.kb.expressions.condition_nodes import Fact as Fact
from bidwright.kb.expressions.condition_nodes import InParameter as InParameter
from bidwright.kb.expressions.condition_nodes import InRange as InRange
from bidwright.kb.expressions.condition_nodes import Let as Let
from bidwright.kb.expressions.condition_nodes import Name as Name
from bidwright.kb.expressions.condition_nodes import Not as Not
from bidwright.kb.expressions.condition_nodes import Number as Number
from bidwright.kb.expressions.condition_nodes import Or as Or
from bidwright.kb.expressions.condition_nodes import Public as Public
from bidwright.kb.expressions.condition_nodes import Range as Range
from bidwright.kb.expressions.condition_nodes import Shape as Shape
from bidwright.kb.expressions.nodes import NOWHERE as NOWHERE
from bidwright.kb.expressions.nodes import Node as Node
from bidwright.kb.expressions.nodes import Span as Span

# --------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Action(Node):
    """An action of a call: `kind` is the word after `;`.

    kinds without argument: artificial natural forcing forcing_game invitational signoff
    nonforcing strict loose alert announce; with `argument`: forcing_to (a bid such as 2NT or 3M),
    agrees (suit word), asks (with the `suit` it asks in, if any), answers, alert, announce,
    convention (text), priority (number text), group (its name), source and measured (texts), as
    (text). `usually` has a `condition` and stands among the rule's own: it decides which hands make
    the call, and is not promised. `shows` has a condition, too: the author's claims about the call,
    which decide nothing.
    """

    kind: str
    argument: str | None = None
    condition: Condition | None = None
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Use(Node):
    """`use NAME`: the entries of a named block, before the entry at `place` of those around."""

    name: str
    place: int


@dataclass(frozen=True, slots=True)
class NamedAlternative(Node):
    """`either NAME(M): ...` under a rule: one of the meanings of its call, with a name.

    The name is a definition, too; its `letters` are the parameters. Without a condition it is
    all that the rule asks for.
    """

    name: str
    letters: tuple[str, ...] = ()
    text: str | None = None
    condition: Condition | None = None
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """One line of a block: a call, what it shows, what it does, and what follows it.

    `tier` is that of the heading above the rule or of its own actions; None, where neither names
    one, is the book. `others` are the further calls of `2C|2D`, which is several rules that deny
    nothing of each other; each of them has all these calls as its `choice`. `alternatives` are
    several rules for the call, too; each of them has its name and letters as its `kind`.
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
    alternatives: tuple[NamedAlternative, ...] = ()
    kind: Apply | None = None


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
    """`answer QUESTION|... [in SUIT]`: the answers to calls of our side that ask one of these.

    Its rules apply when the next player passes, those of a branch when he makes that call. The
    continuations stand under each answer: the asker's calls, and the answerer's after them.
    """

    questions: tuple[str, ...]
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
class LetRange(Node):
    """`let name = 5..10`: a range that has a name; gone once it is put where it is used."""

    name: str
    body: Range | ComputedRange
    replaces: bool = False
    exported: bool = False


ArgumentValue = Pattern | Range | Number | Name
"""The value of a parameter: a run of calls, a range, a number, or a suit by its name."""


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """`name = value` of an include or of a convention's header; there the value is a default."""

    name: str
    value: ArgumentValue | None


@dataclass(frozen=True, slots=True)
class Include(Node):
    """`include path(arguments)`, or `include path for another`.

    The latter puts the file where files that are included later include the other one.
    """

    path: str
    arguments: tuple[Argument, ...] = ()
    instead_of: str | None = None


@dataclass(frozen=True, slots=True)
class Override(Node):
    """`override ID [keeping answers|may]` with the rule that takes its place.

    It keeps the answers to a call that it gives another meaning, or the `may` rules for its call.
    """

    target: str
    rule: Rule
    keeps_answers: bool = False
    keeps_may: bool = False


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove ID`."""

    target: str


@dataclass(frozen=True, slots=True)
class Replace(Node):
    """`replace after PATTERN` or `replace opening`: overrides all rules there and after it.

    The rules of the block, if it has any, take its place.
    """

    block: Block


@dataclass(frozen=True, slots=True)
class Retire(Node):
    """`retire example ... "reason"`: an example of an included module that holds no longer."""

    example: Example
    reason: str


@dataclass(frozen=True, slots=True)
class Latitude(Node):
    """`latitude N`: the points that players of the system may be away from a bound of strength."""

    points: int


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """`source "..."` or `measured "..."`: what the rules after it rest on, until the next."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class GroupOrder(Node):
    """`order A > B > rest > C`: the groups of a module's rules, the first to be tried first."""

    groups: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Needs(Node):
    """`needs name, name`: a line of a header."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Header(Node):
    """`system name "title"` or `convention name(parameters) "title"`, with what stands below it.

    `needs` are the definitions of other modules that this one uses, `also` its other names.
    """

    kind: str
    name: str
    title: str
    parameters: tuple[Argument, ...] = ()
    sources: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    needs: tuple[Name, ...] = ()
    also: tuple[str, ...] = ()


Rules = Block | NamedBlock | AnswerBlock
Definition = Let | LetRange
Change = Override | Remove | Replace | Retire
Loose = Rebase | Latitude | Undiscussed | Reference | GroupOrder
Statement = Rules | Definition | Include | Example | Change | Loose


@dataclass(frozen=True, slots=True)
class File(Node):
    """One convention file."""

    header: Header | None
    statements: tuple[Statement, ...]
