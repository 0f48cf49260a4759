"""The games of the paper.

Table 1 of the paper gives numbers of states and of information sets; the way of counting was found
by matching them. States: all positions with the cards of both players known, the one before
the deal and all end positions among them. Information sets: those of the players, one for the
position before the deal, and the end positions in groups: all that look alike to the player who
called last, except in Mini-Hanabi, where every end position counts.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bidwright import InvalidError
from bidwright.lab.games.dealt import Calls, DealtGame
from bidwright.lab.games.game import OVER

HANABI = np.array(
    [
        [
            [[10, 0, 0], [4, 8, 4], [10, 0, 0]],
            [[0, 0, 10], [4, 8, 4], [0, 0, 10]],
        ],
        [
            [[0, 0, 10], [4, 8, 4], [0, 0, 0]],
            [[10, 0, 0], [4, 8, 4], [10, 0, 0]],
        ],
    ],
    dtype=float,
)
"""Payoffs of Mini-Hanabi: first player's card, second player's card, first move, second move.

Source: the matrix game of Foerster et al., "Bayesian Action Decoder" (2019), figure 2; the same
numbers are the default of the game `tiny_hanabi` of OpenSpiel."""


class Communication(DealtGame):
    """The first player sends `length` bits, the second guesses the first one's holding.

    Definition 1 of the paper. The first holds one of 2^length numbers, the second nothing; the
    payoff is 1 for the right number and 0 for any other.
    """

    def __init__(self, length: int) -> None:
        """Make the game of so many bits."""
        self.length = length
        self.name = f"comm-{length}"
        self.holdings = (2**length, 1)
        self.calls = tuple(map(str, range(2**length)))

    def caller(self, calls: Calls) -> int:
        """Return the sender, then the one who guesses."""
        if len(calls) > self.length:
            return OVER
        return 0 if len(calls) < self.length else 1

    def legal(self, calls: Calls) -> Sequence[int]:
        """Return the bits, or the guesses."""
        return range(2 if len(calls) < self.length else 2**self.length)

    def rewards(self, calls: Calls) -> NDArray[np.float64]:
        """Return 1 where the guess is the first player's holding."""
        paid = np.zeros(self.holdings)
        paid[calls[-1]] = 1
        return paid

    def situation(self, calls: Calls) -> Hashable:
        """Return the number of bits sent, then the guess: bits matter by the beliefs after them."""
        return len(calls), calls[-1] if len(calls) > self.length else None


class Hanabi(DealtGame):
    """Mini-Hanabi: two cards, three moves, one move each; see `HANABI` for the payoffs."""

    name = "hanabi"
    holdings = (2, 2)
    calls = ("1", "2", "3")

    def caller(self, calls: Calls) -> int:
        """Return the players in turn."""
        return len(calls) if len(calls) < self.players else OVER

    def legal(self, calls: Calls) -> Sequence[int]:
        """Return the three moves."""
        return range(len(self.calls))

    def rewards(self, calls: Calls) -> NDArray[np.float64]:
        """Return the payoffs of the two moves."""
        return np.asarray(HANABI[:, :, calls[0], calls[1]])

    def situation(self, calls: Calls) -> Hashable:
        """Return all moves: each of them pays differently."""
        return calls

    def _end_view(self, holding: Sequence[int], calls: Calls) -> Hashable:
        return tuple(holding), calls


class _Auction(DealtGame):
    """Two players bid in turn, each bid above the last; call 0 is the pass, which ends it."""

    def __init__(self, name: str, size: int, bids: Sequence[str]) -> None:
        self.name = name
        self.holdings = (size, size)
        self.calls = ("P", *bids)

    def caller(self, calls: Calls) -> int:
        """Return the players in turn, until a pass that is not the opening one."""
        return OVER if len(calls) > 1 and calls[-1] == 0 else len(calls) % 2

    def legal(self, calls: Calls) -> Sequence[int]:
        """Return the pass and all higher bids."""
        return (0, *range(max(calls, default=0) + 1, len(self.calls)))

    def situation(self, calls: Calls) -> Hashable:
        """Return the last bid, the next caller, and True once anybody has called."""
        return max(calls, default=0), self.caller(calls), bool(calls)


class Bidding(_Auction):
    """Simple Bidding, definition 2 of the paper.

    Each holds a number below `size`. Bids are 1, 2, 4, ... up to the largest that two numbers can
    add up to; the first player must open. The last bid is paid if the sum of both numbers reaches
    it, nothing otherwise.
    """

    def __init__(self, size: int) -> None:
        """Make the game with so many numbers."""
        levels = [2**k for k in range(2 * size) if 2**k <= 2 * (size - 1)]
        self.levels = levels
        super().__init__(f"bidding-{size}", size, list(map(str, levels)))

    def legal(self, calls: Calls) -> Sequence[int]:
        """Return the pass and all higher bids; no pass to open with."""
        # The pass is the first of the legal calls; without calls it is cut off.
        return super().legal(calls)[not calls :]

    def rewards(self, calls: Calls) -> NDArray[np.float64]:
        """Return the last bid where the numbers reach it."""
        level = self.levels[max(calls) - 1]
        held = np.arange(self.holdings[0])
        return np.where(held[:, None] + held[None] >= level, float(level), 0.0)


class MiniBridge(_Auction):
    """2-Suit MiniBridge, definition 3 of the paper.

    Each holds 0 to `size` hearts, and spades for the rest. Bids are 1H, 1S, 2H, ... The bid kH
    needs size + k hearts between both, kS size + k spades; it pays 2^(k-1), or -1 if it fails. A
    first pass does not end the auction; two passes to begin with pay 0.
    """

    def __init__(self, size: int) -> None:
        """Make the game with so many cards a player."""
        self.size = size
        bids = [f"{k}{suit}" for k in range(1, size + 1) for suit in "HS"]
        super().__init__(f"mini-{size}", size + 1, bids)

    def rewards(self, calls: Calls) -> NDArray[np.float64]:
        """Return the payoffs of the last bid."""
        last = max(calls)
        hearts = np.add.outer(*[np.arange(held) for held in self.holdings])
        if last == 0:
            return np.zeros(self.holdings)
        # Bids are numbered from 1 and alternate hearts and spades; the pair has 2 * size cards, so
        # its spades are what its hearts leave.
        level, suit = (last + 1) // 2, (hearts if last % 2 else 2 * self.size - hearts)
        return np.where(suit >= self.size + level, 2.0 ** (level - 1), -1.0)


_FAMILIES = {"comm": (Communication, 1, 8), "bidding": (Bidding, 2, 32), "mini": (MiniBridge, 1, 7)}


@cache
def game_of(name: str) -> DealtGame:
    """Return the game of a name: `hanabi`, `comm-3`, `bidding-8`, `mini-4`, ...

    Raises:
        InvalidError: There is no such game, or it would be too big.
    """
    if name == Hanabi.name:
        return Hanabi()
    match = re.fullmatch(r"([a-z]+)-(\d+)", name)
    if match and match[1] in _FAMILIES:
        make, least, most = _FAMILIES[match[1]]
        if least <= int(match[2]) <= most:
            return make(int(match[2]))
    kinds = ", ".join(f"{key}-{low} to {key}-{high}" for key, (_, low, high) in _FAMILIES.items())
    raise InvalidError(f"expected the name of a game ({Hanabi.name}, {kinds}), got {name!r}")
