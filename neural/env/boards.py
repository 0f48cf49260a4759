"""Boards as arrays: seats counted from the dealer, ready for lanes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import NUM_BIDS
from bidwright.bridge.cards import HAND_SIZE, Denomination, Seat, Side
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.neural.env.layout import CARD_BITS
from bidwright.neural.env.points import POINTS


def hand_bits(owner: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the places of the bits of each seat's hand, uint8 `[B, 4, 13]`."""
    by_seat = np.argsort(owner, axis=1, kind="stable").reshape(-1, len(Seat), HAND_SIZE)
    return np.asarray(CARD_BITS[by_seat])


@dataclass(frozen=True, eq=False)
class Boards:
    """Boards with the dealer as seat 0 and the dealer's side as side 0.

    Attributes:
        owner: uint8 `[B, 52]`: the seat of each card, counted from the dealer.
        tricks: uint8 `[B, 5, 4]`: declarer's tricks by denomination and declarer.
        vulnerable: uint8 `[B, 2]`: 1 for a vulnerable side.
    """

    owner: NDArray[np.uint8]
    tricks: NDArray[np.uint8]
    vulnerable: NDArray[np.uint8]

    def __len__(self) -> int:
        """Return the number of boards."""
        return len(self.owner)

    def __getitem__(self, which: slice | NDArray[np.integer]) -> Boards:
        """Return some of the boards."""
        return Boards(self.owner[which], self.tricks[which], self.vulnerable[which])

    @classmethod
    def seen_from_dealer(
        cls,
        deals: SolvedDeals,
        dealer: NDArray[np.integer],
        vulnerable: NDArray[np.integer],
    ) -> Boards:
        """Return boards of deals with seats counted from North.

        Args:
            deals: the deals.
            dealer: `[B]`: the dealer's seat.
            vulnerable: `[B, 2]`: 1 where North-South and East-West are.
        """
        owner = (deals.owner.astype(np.int64) - dealer[:, None]) % len(Seat)
        # Tricks are by declarer, so they are turned with the seats.
        seats = (np.arange(len(Seat)) + dealer[:, None]) % len(Seat)
        tricks = np.take_along_axis(deals.tricks, seats[:, None, :], axis=2)
        # With East or West as dealer the first side is East-West.
        turned = np.where((dealer % 2 == 1)[:, None], vulnerable[:, ::-1], vulnerable)
        return cls(owner.astype(np.uint8), tricks, turned.astype(np.uint8))

    @classmethod
    def at_random(cls, deals: SolvedDeals, rng: np.random.Generator) -> Boards:
        """Return boards of the deals in random views, with random vulnerability; `rng` is consumed.

        A random view turns the seats, so that the dealer is a random player.
        """
        moved = deals.augmented(rng)
        vulnerable = rng.integers(0, 2, (len(moved), 2), dtype=np.uint8)
        return cls(moved.owner, moved.tricks, vulnerable)

    @classmethod
    def numbered(cls, deals: SolvedDeals, first: int = 1) -> Boards:
        """Return the deals as boards with consecutive numbers (Law 2)."""
        numbers = range(first, first + len(deals))
        dealer = np.array([board_dealer(number) for number in numbers], dtype=np.int64)
        vulnerable = np.array(
            [
                [board_vulnerability(number).is_vulnerable(side) for side in Side]
                for number in numbers
            ],
            dtype=np.uint8,
        )
        return cls.seen_from_dealer(deals, dealer, vulnerable.reshape(-1, 2))

    def nobody_vulnerable(self) -> Boards:
        """Return the same boards with neither side vulnerable."""
        return Boards(self.owner, self.tricks, np.zeros_like(self.vulnerable))

    @cached_property
    def hand_bits(self) -> NDArray[np.uint8]:
        """The places of the bits of each seat's hand, uint8 `[B, 4, 13]`."""
        return hand_bits(self.owner)

    @cached_property
    def best_scores(self) -> NDArray[np.int32]:
        """The best score of each side in an undoubled contract, at least 0, int32 `[B, 2]`."""
        denominations = np.arange(NUM_BIDS) % len(Denomination)
        # Nobody has to bid: 0 is the least that a side can have.
        best = np.zeros((len(self), 2), dtype=np.int32)
        for declarer in Seat:
            side = declarer % 2
            taken = self.tricks[:, denominations, declarer]
            points = POINTS[self.vulnerable[:, side, None], 0, np.arange(NUM_BIDS), taken]
            best[:, side] = np.maximum(best[:, side], points.max(axis=1))
        return best
