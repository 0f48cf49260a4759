"""A game in extensive form, as the solvers see it: histories, views and one shared payoff.

A history is the tuple of all moves so far, those of chance among them. Any number of players may
move in any order, chance may move anywhere, and a view may forget: nothing here asks for perfect
recall, for alternating players, or for beliefs that are independent of each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

CHANCE = -1
"""The turn of a position with a next move that is drawn at random."""
OVER = -2
"""The turn of a position at the end of the game."""

History = tuple[int, ...]
"""All moves from the start, as the numbers of `Game.moves`."""


class Game(Protocol):
    """A game with the same payoff for all players."""

    @property
    def name(self) -> str:
        """A short name, such as `bidding-8`."""

    @property
    def players(self) -> int:
        """The number of players; they are numbered from 0."""

    def turn(self, history: History) -> int:
        """Return the next to move: a player, `CHANCE` or `OVER`."""

    def moves(self, history: History) -> Sequence[int]:
        """Return the moves that are allowed next, always in the same order for the same view."""

    def odds(self, history: History) -> Sequence[float]:
        """Return the probability of each of the moves where it is the turn of chance."""

    def view(self, history: History) -> Hashable:
        """Return a value that identifies the information set.

        Two histories with the same player to move are in one information set if and only if
        their views are equal. For a history that is over, the view says which end positions the
        paper counts as one information set; no solver reads it.
        """

    def payoff(self, history: History) -> float:
        """Return the payoff of a position at the end of the game."""
