"""The 96 symmetries of a deal that leave its double-dummy results the same.

Suits may change their names, 24 ways, if trumps change theirs with them; seats may turn, 4 ways, if
declarers turn with them. East and West may not change places: the lead comes from declarer's left.

Shapes: `D` deals; `owner` is uint8 `[D, 52]`, `tricks` uint8 `[D, 5, 4]` (denomination, declarer).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, SUITS, Seat

PERMUTATIONS: NDArray[np.int64] = np.array(list(permutations(range(len(SUITS)))))
"""int64 `[24, 4]`: the orders of the suits."""

KEY_SIZE = 13
"""Bytes of a key: two bits for each card."""

_POWERS = np.int64(4) ** np.arange(HAND_SIZE)


@dataclass(frozen=True, eq=False)
class Views:
    """For each deal, one of its symmetries: suits reordered, seats turned.

    Attributes:
        suits: int64 `[D, 4]`: the suit that becomes each suit.
        turns: int64 `[D]`: places that each seat moves, clockwise.
    """

    suits: NDArray[np.int64]
    turns: NDArray[np.int64]

    def __getitem__(self, which: NDArray[np.int64]) -> Views:
        """Return the views of some of the deals."""
        return Views(self.suits[which], self.turns[which])

    def of_deals(self, owner: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the deals with their suits reordered and seats turned."""
        by_suit = owner.reshape(-1, len(SUITS), HAND_SIZE)
        moved = np.take_along_axis(by_suit, self.suits[:, :, None], axis=1)
        turned = (moved + self.turns[:, None, None]) % len(Seat)
        return turned.astype(np.uint8).reshape(-1, owner.shape[1])

    def _places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for each denomination and declarer of the view those of the deal."""
        notrump = np.full((len(self.suits), 1), len(SUITS))
        denominations = np.concatenate((self.suits, notrump), axis=1)
        declarers = (np.arange(len(Seat)) - self.turns[:, None]) % len(Seat)
        return denominations[:, :, None], declarers[:, None, :]

    def of_tricks(self, tricks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tricks of the reordered deals, given those of the deals."""
        return np.asarray(tricks[(np.arange(len(tricks))[:, None, None], *self._places())])

    def back(self, tricks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tricks of the deals, given those of the reordered deals."""
        result = np.empty_like(tricks)
        result[(np.arange(len(tricks))[:, None, None], *self._places())] = tricks
        return result


def random_views(count: int, rng: np.random.Generator) -> Views:
    """Return random symmetries for so many deals; `rng` is consumed."""
    chosen = rng.integers(0, len(PERMUTATIONS), count)
    return Views(PERMUTATIONS[chosen], rng.integers(0, len(Seat), count))


def canonical(owner: NDArray[np.uint8]) -> tuple[list[bytes], Views]:
    """Return for each deal the key that all 96 views share, and the view that has this form.

    Each suit is a number in base four, two bits for each card; seats are turned so that the
    numbers in rising order come first.
    """
    by_suit = owner.reshape(-1, 1, len(SUITS), HAND_SIZE).astype(np.int64)
    turned = (by_suit + np.arange(len(Seat))[:, None, None]) % len(Seat)
    numbers = turned @ _POWERS
    # Two suits that are held alike have one number; a stable order is the same on every machine.
    orders = np.argsort(numbers, axis=2, kind="stable")
    ranked = np.take_along_axis(numbers, orders, axis=2)
    rows = np.arange(len(owner))
    best = np.zeros(len(owner), dtype=np.int64)
    for turn in range(1, len(Seat)):
        difference = ranked[:, turn] - ranked[rows, best]
        # Where all four are equal this is the first, whose difference is 0.
        first = np.argmax(difference != 0, axis=1)
        best = np.where(difference[rows, first] < 0, turn, best)
    return _keys(ranked[rows, best]), Views(orders[rows, best], best)


def _keys(numbers: NDArray[np.int64]) -> list[bytes]:
    """Return four numbers of 26 bits as bytes, for each row."""
    return [
        # 13 cards of two bits: 26 bits a suit, 104 bits or 13 bytes in all.
        (((a << 26 | b) << 26 | c) << 26 | d).to_bytes(KEY_SIZE, "big")
        for a, b, c, d in numbers.tolist()
    ]
