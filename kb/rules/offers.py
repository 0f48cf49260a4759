"""The calls that rules offer after some calls, and which of them public facts allow.

The general rules are hundreds, and a position allows few of them. Many begin with the same
guards: that of their block comes first. So the offers of a pattern are kept as a tree by their
guards, and a guard that fails puts all offers below it aside at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.rules.bindings import Conjunct, PublicPosition, Variant
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


@dataclass(slots=True)
class _Branch:
    """Offers that are left once some guards hold.

    Attributes:
        offers: those without another guard.
        branches: the others, by their next guard.
    """

    offers: list[Offer] = field(default_factory=list)
    branches: dict[Conjunct, _Branch] = field(default_factory=dict)


class Offers:
    """Offers of the rules of one pattern."""

    __slots__ = ("_root", "all")

    def __init__(self, offers: Iterable[Offer]) -> None:
        """Keep offers."""
        self.all = tuple(offers)
        self._root: _Branch | None = None

    def applying(self, position: PublicPosition) -> Iterator[tuple[Order, Instance]]:
        """Yield the rules that public facts allow, each with its place in the order of choice."""
        if self._root is None:
            self._root = _tree(self.all)
        waiting = [self._root]
        while waiting:
            branch = waiting.pop()
            for offer in branch.offers:
                instance = offer.variant.at(offer.call, position)
                if instance is not None:
                    yield offer.order, instance
            waiting += [below for guard, below in branch.branches.items() if position.holds(guard)]


def _tree(offers: Sequence[Offer]) -> _Branch:
    root = _Branch()
    for offer in offers:
        branch = root
        for guard in offer.variant.guards:
            branch = branch.branches.setdefault(guard, _Branch())
        branch.offers.append(offer)
    return root
