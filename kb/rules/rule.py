"""Rules of a system, compiled: ready to be matched against auctions, and grouped by pattern."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bidwright.kb.conditions.reads import words_of
from bidwright.kb.language import ast
from bidwright.kb.language.walk import PlacedRule
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.patterns import SUIT_VARIABLES, Specificity, specificity, variables_in


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
    shows: tuple[AuthorClaim, ...] = ()

    @property
    def is_catch_all(self) -> bool:
        """Whether it is for any auction at all, or for what no other rule of its book takes."""
        anywhere = self.pattern.open and not self.pattern.elements
        return anywhere or self.rank.tier is ast.Tier.LAST_RESORT

    @property
    def conjuncts(self) -> tuple[ast.Condition, ...]:
        """The parts of the condition that all have to hold."""
        return () if self.condition is None else tuple(_conjuncts(self.condition))


def _shown(condition: ast.Condition) -> Iterator[AuthorClaim]:
    """Yield the claims of a `shows`; the grammar lets nothing else through."""
    for part in _conjuncts(condition):
        match part:
            case ast.InRange(expr=ast.Name(name=name), ranges=(one,)):
                low, high = (None if end is None else int(end) for end in (one.low, one.high))
                yield AuthorClaim(name, low, high)
            case ast.Fact(expr=ast.Name(name=name)):
                yield AuthorClaim(name, 1, 1)
            case _:
                raise TypeError(f"nothing that a call shows: {part!r}")


_FORCING = {
    "forcing": Forcing.ONE_ROUND,
    "forcing_to": Forcing.LEVEL,
    "forcing_game": Forcing.GAME,
}


def _words_of_call(call: ast.CallExpr) -> Iterator[str]:
    match call:
        case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
            yield word
        case _:
            return


def suit_words(rule: ast.Rule, condition: ast.Condition | None) -> list[str]:
    """Return the suit variables that a rule's call, condition and actions mention, in order."""
    words = [*_words_of_call(rule.call), *words_of(condition), *_kind(rule)[1:]]
    words += (word for action in rule.actions for word in words_of(action.condition))
    for action in rule.actions:
        if action.kind == "agrees":
            words.append(action.argument or "")
        elif action.suit is not None:
            words.append(action.suit)
        elif action.kind == "forcing_to":
            words.append((action.argument or "")[1:])
    return [word for word in words if word in SUIT_VARIABLES]


def _kind(rule: ast.Rule) -> tuple[str, ...]:
    """Return the name of the alternative that a rule is, with its letters."""
    if rule.kind is None:
        return ()
    letters = (each.name for each in rule.kind.args if isinstance(each, ast.Name))
    return rule.kind.name, *letters


def compile_rule(placed: PlacedRule, order: int) -> CompiledRule:
    """Return a rule ready to be matched; `order` is its place in the files."""
    rule = placed.rule
    parts = [part for part in (placed.when, rule.condition) if part is not None]
    condition = None if not parts else parts[0] if len(parts) == 1 else ast.And(tuple(parts))
    actions = {action.kind: action for action in rule.actions}
    argument = {kind: action.argument for kind, action in actions.items()}
    priority = int(argument.get("priority") or 0)
    rank = tuple(-part for part in specificity(placed.pattern, placed.when))
    shows = actions["shows"].condition if "shows" in actions else None
    forcing = max((_FORCING[kind] for kind in actions if kind in _FORCING), default=Forcing.NO)
    return CompiledRule(
        id=placed.id,
        module=placed.module,
        pattern=placed.pattern,
        call=rule.call,
        condition=condition,
        optional=rule.optional,
        text=argument.get("as") or rule.text,
        span=rule.span,
        variables=variables_in(suit_words(rule, condition)),
        rank=RuleRank(
            (rank[0], rank[1], rank[2], rank[3]),
            rule.tier or ast.Tier.BOOK,
            placed.layer,
            -priority,
            order,
        ),
        artificial="artificial" in actions,
        forcing=forcing,
        invitational="invitational" in actions,
        signoff="signoff" in actions,
        agrees=argument.get("agrees"),
        asks=argument.get("asks"),
        answers=argument.get("answers"),
        alert=(argument["alert"] or "") if "alert" in actions else None,
        announce=(argument["announce"] or "") if "announce" in actions else None,
        convention=argument.get("convention"),
        latitude=next((kind for kind in ("strict", "loose") if kind in actions), ""),
        usually=actions["usually"].condition if "usually" in actions else None,
        forcing_to=argument.get("forcing_to"),
        asks_in=actions["asks"].suit if "asks" in actions else None,
        choice=rule.choice,
        kind=_kind(rule),
        shows=tuple(_shown(shows)) if shows is not None else (),
    )


class RuleGroup:
    """The rules that stand under one pattern.

    Loaded from a cache file it decodes them when they are first asked for: an auction needs few
    of a system's rules, and decoding all of them takes longer than explaining it.
    """

    __slots__ = ("_packed", "_rules", "pattern")

    def __init__(self, pattern: ast.Pattern, rules: Sequence[CompiledRule]) -> None:
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

    def __getstate__(self) -> tuple[ast.Pattern, bytes]:
        """Encode the rules apart from the pattern."""
        return self.pattern, pickle.dumps(self.rules, protocol=pickle.HIGHEST_PROTOCOL)

    def __setstate__(self, state: tuple[ast.Pattern, bytes]) -> None:
        """Leave the rules encoded."""
        self.pattern, self._packed = state


def by_pattern(rules: Iterable[CompiledRule]) -> tuple[RuleGroup, ...]:
    """Return rules by the pattern that they stand under, the first one's pattern first."""
    groups: dict[ast.Pattern, list[CompiledRule]] = {}
    for rule in rules:
        groups.setdefault(rule.pattern, []).append(rule)
    return tuple(RuleGroup(pattern, members) for pattern, members in groups.items())
