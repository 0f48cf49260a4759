"""Rules that count at a position: the present ones of a system, and its book before the rest.

A call that a system gives another meaning than the system it changes means nothing else there. The
rules below it for that call do not count where the new one stands, whatever auctions their patterns
are written for and however the call is written: `2S`, `jump(Z)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bidwright.bridge.calls import Call
from bidwright.kb.rules.decision_list import Hands, Instance
from bidwright.kb.rules.offers import Order
from bidwright.kb.rules.rule import CompiledRule

_DEEPEST = 99
"""Deeper than any system is included."""


def meaning_of(rule: CompiledRule) -> tuple[bool, str | None, str | None]:
    """Return the meaning of a call by a rule: artificial or not, its convention, its question."""
    return rule.artificial, rule.convention, rule.asks


def current(offered: Sequence[tuple[Order, Instance]], hands: Hands) -> list[Instance]:
    """Leave out rules of an included system for calls that mean something else now.

    A firm rule of a closed pattern gives a call its meaning, and of several the one from the system
    that is included least deep. Rules from deeper ones count if they agree with some rule there on
    whether the call is artificial, which convention it is and what it asks. General rules stay; and
    what is said of another auction does not change what is said of this one itself.

    Args:
        offered: the rules with their places, in the order of choice.
        hands: which hands there are; a rule that none of them satisfies says nothing.
    """
    layers: dict[tuple[Call, int], int] = {}
    meant = set()
    for order, instance in offered:
        rule = instance.rule
        if rule.pattern.open:
            continue
        meant.add((instance.call, order.layer, meaning_of(rule)))
        place = instance.call, order.echo
        # The solver is asked last, and only for rules that would change the layer.
        is_deeper = rule.optional or order.layer >= layers.get(place, _DEEPEST)
        if not is_deeper and hands.exist(instance.formula):
            layers[place] = order.layer

    def counts(order: Order, each: Instance) -> bool:
        # A rebased auction is spoken of later than the auction itself: only earlier echoes override
        # it.
        layer = min(layers.get((each.call, echo), _DEEPEST) for echo in range(order.echo + 1))
        return (
            each.rule.pattern.open
            or order.layer <= layer
            or (each.call, layer, meaning_of(each.rule)) in meant
        )

    return [each for order, each in offered if counts(order, each)]


def by_the_book(instances: Sequence[Instance], hands: Hands) -> tuple[Instance, ...]:
    """Leave out general rules for calls that the book covers, except catch-alls.

    The book is the rules of closed patterns: what it says of a call here is all there is. A rule
    that no hand at all satisfies says nothing.

    Args:
        instances: the rules, in the order of choice.
        hands: which hands there are.
    """
    general = {
        each.call
        for each in instances
        if each.rule.pattern.open and each.rule.condition is not None
    }
    covered: set[Call] = set()
    for instance in instances:
        # A catch-all has no condition: it stays, as the call of hands that the book forgot.
        is_book = not instance.rule.pattern.open and instance.call in general
        if is_book and instance.call not in covered and hands.exist(instance.formula):
            covered.add(instance.call)
    return tuple(
        each
        for each in instances
        if not each.rule.pattern.open or each.rule.condition is None or each.call not in covered
    )
