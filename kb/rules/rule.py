"""A rule of a system, ready to be matched against auctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bidwright.kb.language import ast
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.patterns import Specificity


def _conjuncts(condition: ast.Condition) -> Iterator[ast.Condition]:
    if isinstance(condition, ast.And):
        for item in condition.items:
            yield from _conjuncts(item)
    else:
        yield condition


class RuleRank(NamedTuple):
    """A rule's place in the order of choice; of two ranks the smaller one is earlier.

    Attributes:
        specificity: of its pattern, the more specific being smaller.
        tier: the tier.
        layer: how many systems change the one that it is from.
        priority: less than nothing for a priority above 0.
        order: its place in the files.
    """

    specificity: Specificity
    tier: ast.Tier
    layer: int
    priority: int
    order: int

    @property
    def stated(self) -> tuple[Specificity, ast.Tier, int, int]:
        """What the author has decided, which leaves the place in the files out."""
        return self[:4]


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRule:
    """A rule ready to be matched.

    Attributes:
        id: unique in the system.
        module: the module it is from.
        pattern: the calls before it.
        call: the call it makes.
        condition: what the hand must satisfy, the block's `when` included; None is "anything".
            What usually holds as well is not among it.
        optional: a `may` rule.
        text: the author's words.
        span: where it stands.
        variables: suit variables that the call or the condition needs.
        rank: its place in the order of choice.
        artificial: the bid says nothing about its denomination.
        forcing: what it asks of partner.
        asks_in: the suit word that it asks about, if it is about one.
        choice: the calls of the rule that this one is one of, if it has several: `2C|2D`.
        kind: the named alternative that it is, with its letters; empty if it is none.
        forcing_to: the bid that it is forcing to, as written (`2NT`, `3M`), if it is to a level.
        invitational: it invites game.
        signoff: it asks partner to pass.
        agrees: the suit word that it agrees as trumps.
        asks: the question it puts.
        answers: the question it answers.
        alert: alert text; empty for a bare alert, None for none.
        announce: announcement text, likewise.
        convention: the convention's name.
        usually: what hands that are bid by the rule satisfy as well, though it is not promised.
        latitude: `strict` or `loose` if the author says so, else empty: that of the system.
    """

    id: str
    module: str
    pattern: ast.Pattern
    call: ast.CallExpr
    condition: ast.Condition | None
    optional: bool
    text: str | None
    span: ast.Span
    variables: tuple[str, ...]
    rank: RuleRank
    artificial: bool = False
    forcing: Forcing = Forcing.NO
    invitational: bool = False
    signoff: bool = False
    agrees: str | None = None
    asks: str | None = None
    answers: str | None = None
    alert: str | None = None
    announce: str | None = None
    convention: str | None = None
    usually: ast.Condition | None = None
    latitude: str = ""
    forcing_to: str | None = None
    asks_in: str | None = None
    choice: tuple[ast.CallExpr, ...] = ()
    kind: tuple[str, ...] = ()

    @property
    def is_catch_all(self) -> bool:
        """Whether it is for any auction at all, or for what no other rule of its book takes."""
        anywhere = self.pattern.open and not self.pattern.elements
        return anywhere or self.rank.tier is ast.Tier.LAST_RESORT

    @property
    def conjuncts(self) -> tuple[ast.Condition, ...]:
        """The parts of the condition that all have to hold."""
        return () if self.condition is None else tuple(_conjuncts(self.condition))
