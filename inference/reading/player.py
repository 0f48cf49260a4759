"""The rule bidder: which call a hand makes, and why none of the rules before it."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.bridge.calls import Call
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Clause, JudgedHand
from bidwright.kb.rules.decision_list import Instance


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rule that came first but does not fit the hand.

    Attributes:
        instance: the rule.
        clause: the first part of its condition that the hand does not meet.
    """

    instance: Instance
    clause: Clause


@dataclass(frozen=True, slots=True)
class Choice:
    """The call that a hand makes by its system.

    Attributes:
        call: the call; a pass where no rule fits.
        instance: the rule, None where no rule fits.
        rejected: the rules before it, in the order of choice.
    """

    call: Call
    instance: Instance | None
    rejected: tuple[Rejected, ...]


def choose(reading: Reading, hand: Hand) -> Choice:
    """Return what the player to call bids with a hand, and the rules that were passed over."""
    judged = JudgedHand(features_of(hand))
    rejected: list[Rejected] = []
    for instance in reading.decision.instances:
        failed = judged.failed(instance.formula)
        if failed is None:
            return Choice(instance.call, instance, tuple(rejected))
        rejected.append(Rejected(instance, failed))
    return Choice(Call.PASS, None, tuple(rejected))
