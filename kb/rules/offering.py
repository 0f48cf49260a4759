"""Which calls the rules of a pattern offer over a last bid, each with its place in the order."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bidwright.bridge.calls import Call
from bidwright.kb.rules.bindings import Names, Variant, Variants
from bidwright.kb.rules.offers import Offer, Offers
from bidwright.kb.rules.patterns import Binding, BoundCall, bound_call, call_over
from bidwright.kb.rules.rule_group import RuleGroup

_Key = tuple[int, Names, Call | None, tuple[bool, bool], Call | None, int]
"""A group, the suits that a pattern fixes, the last bid, whether we may double or redouble, their
bid that a double stands for, and which view of the auction it is."""


class Offering:
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
