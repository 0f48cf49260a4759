"""Rules of a system, compiled: ready to be matched against auctions, and grouped by pattern."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bidwright.kb.expressions.agreements import Tier
from bidwright.kb.expressions.call_nodes import CallExpr, Pattern
from bidwright.kb.expressions.condition_nodes import And, Condition
from bidwright.kb.expressions.nodes import Span
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.patterns import Specificity


def conjuncts_of(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of a condition that all have to hold."""
    if isinstance(condition, And):
        for item in condition.items:
            # Nested: a block's `when` and a rule's own condition are joined by an outer And.
            yield from conjuncts_of(item)
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
    tier: Tier
    layer: int
    priority: int
    order: int

    @property
    def stated(self) -> tuple[Specificity, Tier, int, int]:
        """The part of the rank that the author has decided, without the place in the files."""
        return self[:4]


class AuthorClaim(NamedTuple):
    """An author's claim about the hands of a call.

    Attributes:
        about: `hcp`, `points`, `balanced`, or a suit word such as `hearts` or `M`.
        low: the least value; None for no limit.
        high: the largest value, likewise. For `balanced` both are 1.
    """

    about: str
    low: int | None
    high: int | None


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
        shows: the author's claims about the call's hands; they decide nothing.
        latitude: `strict` or `loose` if the author says so, else empty: that of the system.
        source: the book, booklet or practice that it is from, if that is said.
        measured: what was measured of it, if that is said.
    """

    id: str
    module: str
    pattern: Pattern
    call: CallExpr
    condition: Condition | None
    optional: bool
    text: str | None
    span: Span
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
    usually: Condition | None = None
    latitude: str = ""
    forcing_to: str | None = None
    asks_in: str | None = None
    choice: tuple[CallExpr, ...] = ()
    kind: tuple[str, ...] = ()
    shows: tuple[AuthorClaim, ...] = ()
    source: str | None = None
    measured: str | None = None

    @property
    def is_catch_all(self) -> bool:
        """True for a rule of any auction, or of hands that no other rule of its book takes."""
        anywhere = self.pattern.open and not self.pattern.elements
        return anywhere or self.rank.tier is Tier.LAST_RESORT

    @property
    def conjuncts(self) -> tuple[Condition, ...]:
        """The parts of the condition that all have to hold."""
        return () if self.condition is None else tuple(conjuncts_of(self.condition))


class RuleGroup:
    """The rules that stand under one pattern.

    Loaded from a cache file it decodes them when they are first asked for: an auction needs few
    of a system's rules, and decoding all of them takes longer than explaining it.
    """

    __slots__ = ("_packed", "_rules", "pattern")

    def __init__(self, pattern: Pattern, rules: Sequence[CompiledRule]) -> None:
        """Keep rules, in file order, with their pattern."""
        self.pattern = pattern
        self._rules = tuple(rules)
        self._packed: bytes | None = None

    @property
    def rules(self) -> tuple[CompiledRule, ...]:
        """The rules, in file order."""
        if self._packed is not None:
            self._rules, self._packed = pickle.loads(self._packed), None
        return self._rules

    def with_rules(self, changed: Mapping[int, CompiledRule]) -> RuleGroup:
        """Return the group with rules in the places of others, which are named by identity."""
        if not any(id(rule) in changed for rule in self.rules):
            return self
        return RuleGroup(self.pattern, [changed.get(id(rule), rule) for rule in self.rules])

    def __getstate__(self) -> tuple[Pattern, bytes]:
        """Encode the rules apart from the pattern."""
        return self.pattern, pickle.dumps(self.rules, protocol=pickle.HIGHEST_PROTOCOL)

    def __setstate__(self, state: tuple[Pattern, bytes]) -> None:
        """Leave the rules encoded."""
        self.pattern, self._packed = state


def by_pattern(rules: Iterable[CompiledRule]) -> tuple[RuleGroup, ...]:
    """Return rules by the pattern that they stand under, the first one's pattern first."""
    groups: dict[Pattern, list[CompiledRule]] = {}
    for rule in rules:
        # By equality and not by place: a pattern that stands in several files is matched once.
        groups.setdefault(rule.pattern, []).append(rule)
    return tuple(RuleGroup(pattern, members) for pattern, members in groups.items())
