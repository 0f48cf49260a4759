"""Natural bids, which show their suit, where nobody else has it."""

from __future__ import annotations

from bidwright.bridge.cards import Denomination
from bidwright.kb.logic.features import FEATURES
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.decision_list import Instance

SHORT = 2
"""The most cards of a suit that nobody wants as trumps."""

_HONOURS = tuple(
    frozenset(
        place
        for place, name in enumerate(FEATURES)
        if name.startswith((f"stopper({suit})", f"half_stopper({suit})", f"card({suit},"))
    )
    for suit in "cdhs"
)
"""The features that are about honours of a suit, C D H S."""

_OFFERED = 3
"""The fewest cards of a suit that partner has offered to play in."""


def suit_to_hold(instance: Instance, state: PublicState) -> Denomination | None:
    """Return the suit that a rule's call offers to play in; None if it need not hold it.

    That is the suit of a bid that is not artificial, neither asks nor answers, and is not a suit
    that partner has shown: two cards are enough to prefer that one. A rule that asks for a stopper
    or for honours of the suit shows these, on the way to three notrump or to a slam.

    Args:
        instance: the rule at a position.
        state: the public state there; the player to call is `state.me`.
    """
    rule, call = instance.rule, instance.call
    if not call.is_bid or not call.denomination.is_suit:
        return None
    if rule.artificial or rule.asks or rule.answers or rule.optional:
        return None
    # With three cards offered by partner two are enough to go back to the suit.
    if state.shown[state.me.partner].lengths[call.denomination][0] >= _OFFERED:
        return None
    return None if _shows_honours(instance, int(call.denomination)) else call.denomination


def _shows_honours(instance: Instance, suit: int) -> bool:
    """Return True if a rule asks for honours of a suit, of every hand."""
    return any(
        # A clause of one literal is asked of every hand.
        literal.positive and {place for place, _ in literal.terms} <= _HONOURS[suit]
        for clause in instance.formula
        if len(clause) == 1
        for literal in clause
    )
