"""Whether calls conform to a system: whether its file allows them with the hand that made them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.bridge.hand import Hand
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.decision_list import DecisionList


def conforming_calls(decision: DecisionList, hand: Hand) -> frozenset[Call]:
    """Return the calls that a system allows with a hand: those whose meaning includes it.

    They are the calls of all rules that fit, as far as the first one that is not optional. A pass
    where no rule fits conforms.
    """
    found = frozenset(each.call for each in decision.allowed(features_of(hand)))
    return found or frozenset({Call.PASS})


def conforming_for(decision: DecisionList, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B, C]`: `conforming_calls` for hands, given by their features `[B, F]`."""
    found = decision.allowed_for(hands)
    found[:, Call.PASS] |= ~found.any(axis=1)
    return found


def conforms(decision: DecisionList, hand: Hand, call: Call) -> bool:
    """Tell whether a system allows a call with a hand: whether the hand is in what it means."""
    return call in conforming_calls(decision, hand)


@dataclass
class Openings:
    """How often a side opened with a bid, and how often that conformed."""

    made: int = 0
    conforming: int = 0

    @property
    def share(self) -> float:
        """The share that conformed."""
        return self.conforming / self.made if self.made else 0.0
