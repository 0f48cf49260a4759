"""Whether calls conform to a system: whether its file allows them with the hand that made them."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.bridge.calls import Call
from bidwright.bridge.hand import Hand
from bidwright.kb.decision import Decision
from bidwright.kb.features import features_of
from bidwright.kb.formula import holds


def conforms(decision: Decision, hand: Hand, call: Call) -> bool:
    """Tell whether a system allows a call with a hand: whether the hand is in what it means.

    It is if some rule for the call fits, and no rule before it that is not optional and makes
    another call does. A pass where no rule fits conforms.
    """
    row = features_of(hand)
    fits = False
    for instance in decision.instances:
        if holds(instance.formula, row):
            fits = True
            if instance.call == call:
                return True
            if not instance.optional:
                return False
    return call is Call.PASS and not fits


@dataclass
class Openings:
    """How often a side opened with a bid, and how often that conformed."""

    made: int = 0
    conforming: int = 0

    @property
    def share(self) -> float:
        """The share that conformed."""
        return self.conforming / self.made if self.made else 0.0
