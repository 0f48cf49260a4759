"""The calls that rules offer after some calls, and which of them public facts allow.

The general rules are hundreds, and a position allows few of them. Many begin with the same
guards: that of their block comes first. So the offers of a pattern are kept as a tree by their
guards, and a guard that fails puts all offers below it aside at once. Guards that stand side by
side and read the same few public facts are looked up together, by the values of these facts; so is
what a rule comes to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.logic.formula import FALSE
from bidwright.kb.logic.public_facts import Key, PublicFacts
from bidwright.kb.rules.bindings import Conjunct, Variant, nothing, values_of
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import Specificity


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


class Offer(NamedTuple):
    """A rule that applies after some calls, before public facts are looked at.

    Attributes:
        order: its place in the order of choice; no two are equal.
        variant: the rule under a binding.
        call: what it calls.
    """

    order: Order
    variant: Variant
    call: Call


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
        keys = self._keys()
        if keys is not None:
            self.values_of = values_of(keys)
            if self.known is _NOTHING_KNOWN or len(self.known) >= _MOST_KNOWN:
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


class _Offered(_Asked[tuple[Order, Instance]]):
    """An offer whose guards hold; its rule follows, if a hand can satisfy it."""

    __slots__ = ("_offer",)

    def __init__(self, offer: Offer) -> None:
        super().__init__()
        self._offer = offer

    def _answer(self, facts: PublicFacts) -> tuple[tuple[Order, Instance], ...]:
        instance = self._offer.variant.at(self._offer.call, facts)
        return () if instance is None else ((self._offer.order, instance),)

    def _keys(self) -> tuple[Key, ...] | None:
        return self._offer.variant.keys


class _Branch:
    """Offers that are left once some guards hold.

    Attributes:
        offers: those without another guard.
        branches: the others, by their next guard.
        guarded: the branches, together where their guards read the same few facts; None before
            the branch is first looked at.
    """

    __slots__ = ("branches", "guarded", "offers")

    def __init__(self) -> None:
        """Start with nothing."""
        self.offers: list[_Offered] = []
        self.branches: dict[Conjunct, _Branch] = {}
        self.guarded: list[_Guarded] | None = None

    def group(self, facts: PublicFacts) -> list[_Guarded]:
        """Put the branches together by the few facts that their guards read, at some position."""
        packs: list[tuple[dict[Key, None], list[tuple[Conjunct, _Branch]]]] = []
        for guard, below in self.branches.items():
            guard.formula(facts)
            assert guard.keys is not None, "it is folded"
            own = dict.fromkeys(guard.keys)
            for keys, members in packs:
                if len(keys | own) <= max(_FACTS_TOGETHER, len(keys)):
                    keys |= own
                    members.append((guard, below))
                    break
            else:
                packs.append((own, [(guard, below)]))
        self.guarded = [_Guarded(tuple(keys), members) for keys, members in packs]
        return self.guarded


class Offers:
    """Offers of the rules of one pattern."""

    __slots__ = ("_root", "all")

    def __init__(self, offers: Iterable[Offer]) -> None:
        """Keep offers."""
        self.all = tuple(offers)
        self._root: _Branch | None = None

    def applying(self, facts: PublicFacts) -> list[tuple[Order, Instance]]:
        """Return the rules that public facts allow, each with its place in the order of choice."""
        if self._root is None:
            self._root = _tree(self.all)
        found: list[tuple[Order, Instance]] = []
        waiting = [self._root]
        while waiting:  # without calls: this is the inner loop of every reading
            branch = waiting.pop()
            guarded = branch.guarded
            for each in branch.group(facts) if guarded is None else guarded:
                below = each.known.get(each.values_of(facts))
                waiting += each.learn(facts) if below is None else below
            for offered in branch.offers:
                rules = offered.known.get(offered.values_of(facts))
                found += offered.learn(facts) if rules is None else rules
        return found


def _tree(offers: Sequence[Offer]) -> _Branch:
    root = _Branch()
    for offer in offers:
        branch = root
        for guard in offer.variant.guards:
            below = branch.branches.get(guard)
            if below is None:
                below = branch.branches[guard] = _Branch()
            branch = below
        branch.offers.append(_Offered(offer))
    return root
