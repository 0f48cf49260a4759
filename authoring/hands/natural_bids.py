"""Natural bids, which show their suit, where nobody else has it."""

from __future__ import annotations

from bidwright.bridge.cards import Denomination
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.decision_list import Instance

SHORT = 2
"""The most cards of a suit with which nobody wants to play there."""

_OFFERED = 3
"""The fewest cards of a suit that partner has offered to play in."""


def suit_to_hold(instance: Instance, state: PublicState) -> Denomination | None:
    """Return the suit that a rule's call offers to play in; None if it need not hold it.

    That is the suit of a bid that is not artificial, neither asks nor answers, and is not a suit
    that partner has shown: two cards are enough to prefer that one.

    Args:
        instance: the rule at a position.
        state: the public state there; the player to call is `state.me`.
    """
    rule, call = instance.rule, instance.call
    if not call.is_bid or not call.denomination.is_suit:
        return None
    if rule.artificial or rule.asks or rule.answers or rule.optional:
        return None
    if state.shown[state.me.partner].lengths[call.denomination][0] >= _OFFERED:
        return None
    return call.denomination
