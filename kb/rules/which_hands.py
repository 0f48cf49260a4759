"""Which hands there are, as rules ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bidwright.kb.logic.formula import FALSE, Formula


class Hands(Protocol):
    """Which hands there are: what is needed to tell which rules displace others.

    Both answers have to be exact: then it does not matter how a condition is written.
    """

    def exist(self, formula: Formula) -> bool:
        """Tell whether some hand of 13 cards satisfies a formula."""

    def can_be_held(self, formula: Formula) -> bool:
        """Tell whether some hand that the player to call has shown satisfies a formula."""


class _AnyHands:
    """A player who has shown nothing, and conditions that some hand satisfies each."""

    def exist(self, formula: Formula) -> bool:
        return formula != FALSE

    def can_be_held(self, formula: Formula) -> bool:
        return formula != FALSE


ANY_HANDS: Hands = _AnyHands()
"""A player who has shown nothing, and conditions that some hand satisfies each."""


@dataclass(frozen=True, slots=True)
class NothingDisplaced:
    """What makes no rule displace another."""

    hands: Hands

    def exist(self, formula: Formula) -> bool:
        """Tell whether some hand of 13 cards satisfies a formula."""
        return self.hands.exist(formula)

    def can_be_held(self, formula: Formula) -> bool:
        """Take no hand to be held, so that no rule is used before another."""
        return False
