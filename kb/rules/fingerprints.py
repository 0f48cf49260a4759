"""Hashes of the meaning of rules, independent of their layout: of a system, and of its rules.

Two systems with the same fingerprint make and read every call alike. It covers the calls before
each rule, its call, its condition with the definitions it rests on, whether it is firm, what the
call does (forcing, artificial, agrees, ...) and the order of choice; and the rebased auctions. It
does not cover comments, layout, examples, titles, texts for alerts, names of rules and definitions,
or in which file a rule stands. Different texts may well mean the same and differ here.

A field that the syntax tree or a rule gains later does not change it as long as it has its default.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from enum import Enum
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Protocol
from weakref import WeakKeyDictionary

from bidwright.kb.expressions.agreements import Rebase, Tier
from bidwright.kb.expressions.call_nodes import Pattern
from bidwright.kb.expressions.condition_nodes import And, Apply, Condition, Let, Name, Or
from bidwright.kb.expressions.nodes import Node
from bidwright.kb.logic.latitude import SYSTEMS_OWN
from bidwright.kb.rules.rule import CompiledRule, RuleRank
from bidwright.kb.rules.superseded import SupersededAuctions
from bidwright.runtime.code import code_key

DIGITS = 16
"""Hexadecimal digits of a fingerprint."""

_WORDS = frozenset(
    {
        *("id", "module", "text", "span", "rank", "alert", "announce", "convention", "shows"),
        *("source", "measured"),
    }
)
"""Fields of a rule that are for people only; its rank counts as its place among the others."""

_LEAST_PRIORITY = 9

_KINDS = {-2: "-1 in a suit", -3: "-2"}
"""Kinds of patterns as they were written before answers about a suit were a kind of their own."""

_NO_PLACES: Mapping[str, str] = {}


def fingerprint(
    rules: Iterable[CompiledRule],
    lets: Mapping[str, Let],
    rebases: Iterable[Rebase],
    superseded: Iterable[SupersededAuctions],
    latitude: int = SYSTEMS_OWN,
) -> str:
    """Return the fingerprint of rules, the definitions they may use, changed auctions, latitude."""
    writer = RuleWriter(lets)
    ordered = sorted(rules, key=lambda rule: rule.rank)
    lines = [rule_text(writer, rule) for rule in ordered]
    lines += map(writer.text, rebases)
    lines += (_superseded_line(writer, auctions, ordered) for auctions in superseded)
    # Not written for systems that include none, so that their fingerprints, by which weights and
    # corpora know them, stay.
    if len({rule.rank.layer for rule in ordered}) > 1:
        lines.append(_layers_text(ordered))
    # The default is not written, for the same reason.
    if latitude != SYSTEMS_OWN:
        lines.append(f"latitude {latitude}")
    return hash_of("\n".join(lines))


def _layers_text(ordered: Iterable[CompiledRule]) -> str:
    """Return the depth of inclusion of each rule, and the rules that share a convention."""
    names: dict[str | None, int] = {}
    layers = (
        f"{rule.rank.layer}:{names.setdefault(rule.convention, len(names))}" for rule in ordered
    )
    return f"layers {','.join(layers)}"


def _superseded_line(
    writer: RuleWriter, auctions: SupersededAuctions, ordered: Iterable[CompiledRule]
) -> str:
    """Return the superseded auctions, with the places of their rules, as text to hash."""
    # By their places in the order of choice: places in the files change with layout.
    places = ",".join(str(at) for at, one in enumerate(ordered) if one.rank.order < auctions.rules)
    text = f"{writer.text(auctions.pattern)} {auctions.rebases} {hash_of(places)}"
    return f"{text} undiscussed" if auctions.undiscussed else text


def superseded_text(writer: RuleWriter, auctions: SupersededAuctions) -> str:
    """Return superseded auctions, and whether nothing is agreed there, as text to hash."""
    return f"{writer.text(auctions.pattern)}{' undiscussed' if auctions.undiscussed else ''}"


def rule_text(writer: RuleWriter, rule: CompiledRule) -> str:
    """Return a rule with its place in the order of choice, as text to hash."""
    kind, *rest = rule.rank.specificity
    specificity = ", ".join(map(str, (_KINDS.get(kind, kind), *rest)))
    return f"(({specificity}), {_place(rule.rank)}){writer.text(rule)}"


def _place(rank: RuleRank) -> str:
    """Return a rule's place among those that are as specific, as far as its author has decided.

    The tiers after the book go on from the lowest priority of one digit, as they were written
    before there were tiers, so that a system that has been rewritten keeps its fingerprint.
    """
    if rank.tier is Tier.BOOK and rank.priority <= _LEAST_PRIORITY:
        return str(rank.priority)
    if rank.tier is not Tier.BOOK and rank.priority == 0:
        return str(_LEAST_PRIORITY + rank.tier)
    return f"{rank.tier.word} {rank.priority}"


def hash_of(text: str) -> str:
    """Return the hash of a text."""
    return sha256(text.encode()).hexdigest()[:DIGITS]


@cache
def _meant(kind: type) -> tuple[tuple[str, object], ...]:
    """Return the fields of a kind of part that mean something, and their defaults."""
    words = _WORDS if kind is CompiledRule else frozenset({"span"})
    return tuple(
        (each.name, None if each.default is MISSING else each.default)
        for each in fields(kind)
        if each.name not in words
    )


class RuleWriter:
    """Writer of the parts of rules, with a single text for each meaning."""

    def __init__(self, lets: Mapping[str, Let]) -> None:
        """Take the definitions; their bodies are written in place of their names."""
        self._lets = lets
        self._bodies: dict[str, str] = {}
        self._patterns: dict[int, str] = {}

    def text(self, value: object, places: Mapping[str, str] = _NO_PLACES) -> str:
        """Return the text of a part; `places` stand for the parameters of a definition."""
        match value:
            # Enumerations are integers, too.
            case None | int():
                return value.name if isinstance(value, Enum) else str(value)
            case str():
                return repr(places.get(value, value))
            case tuple():
                return "[" + ",".join([self.text(each, places) for each in value]) + "]"
            case Name(name=name) if name in self._lets and name not in places:
                return self._body(name)
            case Apply(name=name, args=args) if name in self._lets:
                return self._body(name) + self.text(args, places)
            # Neither the order of items nor an item said twice means anything.
            case And() | Or():
                items = {self.text(each, places) for each in _flat(value)}
                return f"{type(value).__name__}[{','.join(sorted(items))}]"
            case Pattern():  # shared by many rules
                if id(value) not in self._patterns:
                    self._patterns[id(value)] = self._fields(value, places)
                return self._patterns[id(value)]
            case CompiledRule() | Node():
                return self._fields(value, places)
            case Fraction():  # last, since to look whether it is one takes longest
                return str(value)
        raise TypeError(f"expected a part of a rule, got {value!r}")

    def _fields(self, value: CompiledRule | Node, places: Mapping[str, str]) -> str:
        kind: type = type(value)
        values = [
            f"{name}={self.text(held, places)}"
            for name, default in _meant(kind)
            if (held := getattr(value, name)) != default
        ]
        return f"{kind.__name__}({','.join(values)})"

    def _body(self, name: str) -> str:
        """Return the hash of a definition's body."""
        if name not in self._bodies:
            let = self._lets[name]
            # By place, since names of parameters mean nothing.
            places = {param: f"#{place}" for place, param in enumerate(let.params)}
            self._bodies[name] = hash_of(f"{len(let.params)} {self.text(let.body, places)}")
        return self._bodies[name]


def _flat(condition: And | Or) -> Iterator[Condition]:
    """Yield the items of a condition and of those of the same kind within it."""
    for item in condition.items:
        if isinstance(item, And | Or) and type(item) is type(condition):
            yield from _flat(item)
        else:
            yield item


class RulesOfSystem(Protocol):
    """The rules of a system with their superseded and rebased auctions, as `RuleBase` has them."""

    @property
    def rules(self) -> Sequence[CompiledRule]:
        """The rules."""

    @property
    def lets(self) -> Mapping[str, Let]:
        """The definitions that they may use."""

    @property
    def rebases(self) -> Sequence[Rebase]:
        """The rebased auctions."""

    @property
    def superseded(self) -> Sequence[SupersededAuctions]:
        """The overriding statements."""

    @property
    def latitude(self) -> int:
        """The points that hands may be short of a promise."""


class RuleFingerprints:
    """The fingerprints of a system's rules; use `rule_fingerprints`, which computes them once.

    Attributes:
        of_rule: by id, of the rule with the definitions that it uses.
        alone: by id, of the rule with definitions as names only.
        placed: by id, as `of_rule`, with the convention that the rule is from and how many systems
            its own one is away from the deepest that is included. A rule keeps it where another
            system includes its own.
        order: the ids in the order of choice.
        rebases: of each `rebase`, in their order.
        superseded: of each statement that supersedes what was said before it, in their
            order; which rules these are is not covered.
    """

    def __init__(self, rules: RulesOfSystem) -> None:
        """Compute the fingerprint of every rule."""
        whole, named = RuleWriter(rules.lets), RuleWriter({})
        ordered = sorted(rules.rules, key=lambda rule: rule.rank)
        self.order: tuple[str, ...] = tuple(rule.id for rule in ordered)
        self.of_rule = {rule.id: hash_of(rule_text(whole, rule)) for rule in ordered}
        self.alone = {rule.id: hash_of(rule_text(named, rule)) for rule in ordered}
        deepest = max((rule.rank.layer for rule in ordered), default=0)
        self.placed = {
            rule.id: f"{self.of_rule[rule.id]} {deepest - rule.rank.layer} {rule.convention or ''}"
            for rule in ordered
        }
        self.rebases = tuple(hash_of(whole.text(each)) for each in rules.rebases)
        self.superseded = tuple(hash_of(superseded_text(whole, each)) for each in rules.superseded)
        counts = (f"{each.rules} {each.rebases}" for each in rules.superseded)
        self._rest = (*self.rebases, *self.superseded, *counts, f"latitude {rules.latitude}")

    @property
    def system(self) -> str:
        """The fingerprint of the whole system, the ids of its rules, and the code that reads it."""
        rules = (f"{each} {self.placed[each]}" for each in self.order)
        return hash_of("\n".join((code_key("kb", "inference"), *self._rest, *rules)))


_COMPUTED: WeakKeyDictionary[RulesOfSystem, RuleFingerprints] = WeakKeyDictionary()


def rule_fingerprints(rules: RulesOfSystem) -> RuleFingerprints:
    """Return the fingerprints of a system's rules."""
    if rules not in _COMPUTED:
        _COMPUTED[rules] = RuleFingerprints(rules)
    return _COMPUTED[rules]
