"""A game that is none of the paper's: three players, chance in the middle, a player who forgets."""

from collections.abc import Hashable, Sequence

from bidwright.lab.games.game import CHANCE, OVER, History


class Relay:
    """A coin is shown to player 0, who tells 1 or 2 of it; another coin decides who is told.

    Moves: coin (chance, heads with 0.75), signal of player 0, who is told (chance), guess of
    player 1 or 2, guess of player 0, who has forgotten what he saw and hears all but the coin.
    """

    name = "relay"
    players = 3

    def turn(self, history: History) -> int:
        """Return the mover: coin, player 0, coin, 1 or 2, player 0."""
        if len(history) in (0, 2):
            return CHANCE
        if len(history) == 3:
            return 1 + history[2]
        return 0 if len(history) in (1, 4) else OVER

    def moves(self, history: History) -> Sequence[int]:
        """Return the numbers of the moves."""
        return range(3 if len(history) == 4 else 2)

    def odds(self, history: History) -> Sequence[float]:
        """Return the odds of the two coins."""
        return [0.75, 0.25] if not history else [0.5, 0.5]

    def view(self, history: History) -> Hashable:
        """Return the history, for the guessers without the first coin."""
        if len(history) in (3, 4):
            return self.turn(history), history[1:]
        return self.turn(history), history

    def payoff(self, history: History) -> float:
        """Return the payoff of the guess, and the last move."""
        coin, _, told, guess, last = history
        bonus = (0.0, 0.3, 0.2 * told)[last]
        return (2.0 if guess == coin else -1.0) + (bonus if last == 1 + coin else -bonus)
