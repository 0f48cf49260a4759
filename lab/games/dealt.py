"""Games that deal each player a secret number once, after which every move is public."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from bidwright.lab.games.game import CHANCE, OVER, History

Calls = tuple[int, ...]
"""The public moves so far: a history without its deal."""


class DealtGame(ABC):
    """A deal, uniform and independent, and then public calls.

    Attributes:
        name: A short name.
        holdings: How many different holdings each player can be dealt.
        calls: Names of the calls; a call is a number below their count.
    """

    name: str
    holdings: tuple[int, ...]
    calls: tuple[str, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.holdings)

    @property
    def deals(self) -> int:
        """The number of deals, which are equally likely."""
        return math.prod(self.holdings)

    def dealt(self, deal: int) -> tuple[int, ...]:
        """Return the holding of each player, by the number of the deal."""
        return tuple(int(x) for x in np.unravel_index(deal, self.holdings))

    @abstractmethod
    def caller(self, calls: Calls) -> int:
        """Return the next caller, or `OVER`."""

    @abstractmethod
    def legal(self, calls: Calls) -> Sequence[int]:
        """Return the calls that are allowed next, in rising order."""

    @abstractmethod
    def rewards(self, calls: Calls) -> NDArray[np.float64]:
        """Return the payoff of every deal, one axis a player, where the calls are over."""

    @abstractmethod
    def situation(self, calls: Calls) -> Hashable:
        """Return the part of the calls that matters: equal situations continue and pay alike."""

    def _end_view(self, holding: Sequence[int], calls: Calls) -> Hashable:
        """Return the last caller's view of an end position; equal ones are counted as one."""
        return self.caller(calls[:-1]), holding[self.caller(calls[:-1])], calls

    # The interface of `Game`.

    def turn(self, history: History) -> int:
        """Return `CHANCE` before the deal, then the caller."""
        return self.caller(history[1:]) if history else CHANCE

    def moves(self, history: History) -> Sequence[int]:
        """Return the deals, or the legal calls."""
        return self.legal(history[1:]) if history else range(self.deals)

    def odds(self, history: History) -> Sequence[float]:
        """Return equal odds for all deals."""
        return [1 / self.deals] * self.deals

    def view(self, history: History) -> Hashable:
        """Return the player, his holding, and the calls."""
        if not history:
            # One information set for the deal: chance sees nothing.
            return CHANCE
        holding, calls = self.dealt(history[0]), history[1:]
        caller = self.caller(calls)
        if caller == OVER:
            return OVER, self._end_view(holding, calls)
        return caller, holding[caller], calls

    def payoff(self, history: History) -> float:
        """Return the payoff of the deal after these calls."""
        return float(self.rewards(history[1:])[self.dealt(history[0])])
