"""The calls that rules offer after some calls, and which of them public facts allow.

The general rules are hundreds, and a position allows few of them. Many begin with the same
guards: that of their block comes first. So the offers of a pattern are kept as a tree by their
guards, and a guard that fails puts all offers below it aside at once. Guards that stand side by
side and read the same few public facts are looked up together, by the values of these facts; so is
what a rule comes to.

The offers of a pattern over a last bid are made when they are first needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.logic.formula import FALSE
from bidwright.kb.logic.public_facts import Key, PublicFacts
from bidwright.kb.rules.bindings import Conjunct, Names, Variant, Variants, nothing, values_of
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import Binding, BoundCall, Specificity, bound_call, call_over
from bidwright.kb.rules.rule import RuleGroup


class Order(NamedTuple):
    """The place of an offer in the order of choice: `RuleRank`, and what else decides."""

    specificity: Specificity
    echo: int
    tier: ast.Tier
    layer: int
    priority: int
    order: int
    call: int
    binding: int


_MOST_KNOWN = 1024
"""Answers that are kept of a question about public facts."""


_FACTS_TOGETHER = 4
"""Public facts by which guards that stand side by side are looked up together."""

_NOTHING_KNOWN: Any = {}
"""What is known of a question that was never asked: most never are."""

T = TypeVar("T")


class _Asked(ABC, Generic[T]):
    """What follows from some public facts, by their values.

    Attributes:
        values_of: what reads the facts; it reads nothing as long as they are not known.
        known: what follows, by the values; bounded.
    """

    __slots__ = ("known", "values_of")

    def __init__(self) -> None:
        """Start with nothing known."""
        self.values_of: Callable[[PublicFacts], Hashable] = nothing
        self.known: dict[Hashable, tuple[T, ...]] = _NOTHING_KNOWN

    def learn(self, facts: PublicFacts) -> tuple[T, ...]:
        """Return what follows where that is not known, and keep it."""
        found = self._answer(facts)
        if self.known is _NOTHING_KNOWN:
            keys = self._keys()
            if keys is None:
                return found
            self.values_of = values_of(keys)
            self.known = {}
        elif len(self.known) >= _MOST_KNOWN:
            self.known = {}
        self.known[self.values_of(facts)] = found
        return found

    @abstractmethod
    def _answer(self, facts: PublicFacts) -> tuple[T, ...]:
        """Return what follows, afresh."""

    @abstractmethod
    def _keys(self) -> tuple[Key, ...] | None:
        """Return the facts that all answers depend on; None as long as they are not known."""


class _Guarded(_Asked["_Branch"]):
    """Branches whose guards read the same few facts; those whose guard holds follow."""

    __slots__ = ("_below", "_read")

    def __init__(self, keys: tuple[Key, ...], below: Sequence[tuple[Conjunct, _Branch]]) -> None:
        super().__init__()
        self._read = keys
        self._below = below

    def _answer(self, facts: PublicFacts) -> tuple[_Branch, ...]:
        return tuple(below for guard, below in self._below if guard.formula(facts) is not FALSE)

    def _keys(self) -> tuple[Key, ...]:
        return self._read


class Offer(_Asked[tuple[Order, Instance]]):
    """A rule that applies after some calls; at a position it follows, if a hand can satisfy it.

    Attributes:
        variant: the rule under a binding.
        call: what it calls.
        echo: which view of the auction it applies in.
        place: which of the rule's bindings it is.
    """

    __slots__ = ("_order", "call", "echo", "place", "variant")

    def __init__(self, variant: Variant, call: Call, echo: int, place: int) -> None:
        """Offer a rule; its guards hold where it is asked about."""
        super().__init__()
        self.variant = variant
        self.call = call
        self.echo = echo
        self.place = place
        self._order: Order | None = None

    @property
    def order(self) -> Order:
        """Its place in the order of choice; no two after the same calls are equal."""
        if self._order is None:
            specificity, tier, layer, priority, order = self.variant.rule.rank
            self._order = Order(
                specificity, self.echo, tier, layer, priority, order, int(self.call), self.place
            )
        return self._order

    def _answer(self, facts: PublicFacts) -> tuple[tuple[Order, Instance], ...]:
        instance = self.variant.at(self.call, facts)
        return () if instance is None else ((self.order, instance),)

    def _keys(self) -> tuple[Key, ...] | None:
        return self.variant.keys


class _Branch:
    """Offers that are left once some guards hold.

    Most branches are never reached, so one is split by the next guards when it first is.

    Attributes:
        offers: those without another guard.
        guarded: the others, as branches by their next guard, together where their guards read the
            same few facts; None before the branch is first reached.
    """

    __slots__ = ("_depth", "_left", "guarded", "offers")

    def __init__(self, left: Sequence[Offer], depth: int) -> None:
        """Take offers of which so many guards hold."""
        self._left = left
        self._depth = depth
        self.offers: list[Offer] = []
        self.guarded: list[_Guarded] | None = None

    def split(self, facts: PublicFacts) -> list[_Guarded]:
        """Split the offers by the few facts that their next guards read, at some position."""
        depth = self._depth
        by_guard: dict[Conjunct, list[Offer]] = {}
        for offer in self._left:
            guards = offer.variant.guards
            if len(guards) == depth:
                self.offers.append(offer)
            else:
                by_guard.setdefault(guards[depth], []).append(offer)
        self._left = ()
        packs: list[tuple[dict[Key, None], list[tuple[Conjunct, _Branch]]]] = []
        for guard, offers in by_guard.items():
            if guard.keys is None:
                guard.formula(facts)
            assert guard.keys is not None, "it is folded"
            own = dict.fromkeys(guard.keys)
            member = guard, _Branch(offers, depth + 1)
            for keys, members in packs:
                if len(keys | own) <= max(_FACTS_TOGETHER, len(keys)):
                    keys |= own
                    members.append(member)
                    break
            else:
                packs.append((own, [member]))
        self.guarded = [_Guarded(tuple(keys), members) for keys, members in packs]
        return self.guarded


class Offers:
    """Offers of the rules of one pattern."""

    __slots__ = ("_root", "all")

    def __init__(self, offers: Iterable[Offer]) -> None:
        """Keep offers."""
        self.all = tuple(offers)
        self._root = _Branch(self.all, 0)

    def applying(self, facts: PublicFacts) -> list[tuple[Order, Instance]]:
        """Return the rules that public facts allow, each with its place in the order of choice."""
        found: list[tuple[Order, Instance]] = []
        waiting = [self._root]
        while waiting:  # without calls: this is the inner loop of every reading
            branch = waiting.pop()
            guarded = branch.guarded
            for each in branch.split(facts) if guarded is None else guarded:
                below = each.known.get(each.values_of(facts))
                waiting += each.learn(facts) if below is None else below
            for offered in branch.offers:
                rules = offered.known.get(offered.values_of(facts))
                found += offered.learn(facts) if rules is None else rules
        return found


_Key = tuple[int, Names, Call | None, tuple[bool, bool], Call | None, int]
"""A group, the suits that a pattern fixes, the last bid, whether we may double or redouble, their
bid that a double stands for, and which view of the auction it is."""


class SystemOffers:
    """The offers of a system's rules, made when they are first needed."""

    def __init__(self, variants: Variants) -> None:
        """Use the variants of a system's rules."""
        self._variants = variants
        self._offers: dict[_Key, Offers] = {}
        self._made: dict[tuple[Variant, Call, int, int], Offer] = {}
        self._called: dict[tuple[int, Names], dict[BoundCall, list[tuple[int, Variant]]]] = {}

    def of(
        self,
        group: RuleGroup,
        fixed: Binding,
        last_bid: Call | None,
        legal: Collection[Call],
        stolen: Call | None,
        echo: int,
    ) -> Offers:
        """Return the legal calls of a group's rules over a last bid, each with its place.

        Args:
            group: the rules of a pattern.
            fixed: the suits that the pattern fixes.
            last_bid: the last bid, if there is one.
            legal: the legal calls.
            stolen: their bid that a double takes the meaning of, if there is one.
            echo: which view of the auction it is.
        """
        doubles = (Call.DOUBLE in legal, Call.REDOUBLE in legal)
        suits = tuple(sorted(fixed.items()))
        key = (id(group), suits, last_bid, doubles, stolen, echo)
        offers = self._offers.get(key)
        if offers is None:
            made: list[Offer] = []
            for bound, variants in self._by_call(group, fixed, suits):
                call = call_over(bound, last_bid)
                if call is not None and call == stolen:
                    call = Call.DOUBLE
                if call is None or call not in legal:
                    continue
                made += [self._offer(variant, call, echo, place) for place, variant in variants]
            offers = self._offers[key] = Offers(made)
        return offers

    def _offer(self, variant: Variant, call: Call, echo: int, place: int) -> Offer:
        """Return an offer; what is known of it is known over every last bid."""
        key = (variant, call, echo, place)
        offer = self._made.get(key)
        if offer is None:
            offer = self._made[key] = Offer(*key)
        return offer

    def _by_call(
        self, group: RuleGroup, fixed: Binding, suits: Names
    ) -> Iterable[tuple[BoundCall, list[tuple[int, Variant]]]]:
        """Return the variants of a group's rules by their calls, each with its place."""
        key = (id(group), suits)
        found = self._called.get(key)
        if found is None:
            found = self._called[key] = {}
            for rule in group.rules:
                for place, variant in enumerate(self._variants.of(rule, fixed)):
                    bound = bound_call(rule.call, variant.binding)
                    if bound is not None:
                        found.setdefault(bound, []).append((place, variant))
        return found.items()
