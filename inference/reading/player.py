"""The rule bidder: which call a hand makes, and why none of the rules before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.formula import Clause, JudgedHand
from bidwright.kb.rules.decision_list import DecisionList, Instance


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rule that came first but does not fit the hand.

    Attributes:
        instance: the rule.
        clause: the first part of its condition that the hand does not meet.
    """

    instance: Instance
    clause: Clause


@dataclass(frozen=True)
class Choice:
    """The call that a hand makes by its system.

    Attributes:
        call: the call; a pass where no rule fits.
        instance: the rule, None where no rule fits.
        decision: the rules among which it was chosen.
        hand: the hand, judged by the rules that were asked.
    """

    call: Call
    instance: Instance | None
    decision: DecisionList = field(repr=False)
    hand: JudgedHand = field(compare=False, repr=False)

    @cached_property
    def rejected(self) -> tuple[Rejected, ...]:
        """The rules before it, in the order of choice; few ask for them, so they are found late."""
        rejected: list[Rejected] = []
        for instance in self.decision.instances:
            failed = self.hand.failed(instance.formula)
            if failed is None:
                break
            rejected.append(Rejected(instance, failed))
        return tuple(rejected)


def choose(reading: Reading, hand: Hand) -> Choice:
    """Return the call of a hand for the player to call, and the rules that were passed over."""
    judged = JudgedHand(features_of(hand))
    instance = reading.decision.choose(judged)
    call = Call.PASS if instance is None else instance.call
    return Choice(call, instance, reading.decision, judged)
