"""Boards and solved deals in tensors, so that a device deals for itself.

Letters in shapes: `B` boards, `D` deals.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bidwright.bridge.calls import NUM_BIDS
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, SUITS, Denomination, Seat
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.bridge.symmetry import PERMUTATIONS
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.layout import CARD_OF_BIT
from bidwright.neural.env.points import POINTS

_SEATS = len(Seat)


@dataclass(frozen=True, eq=False)
class TensorBoards:
    """Boards with the dealer as seat 0 and the dealer's side as side 0, as `Boards` are.

    Attributes:
        owner: uint8 `[B, 52]`: the seat of each card, counted from the dealer.
        tricks: uint8 `[B, 5, 4]`: declarer's tricks by denomination and declarer.
        vulnerable: uint8 `[B, 2]`: 1 for a vulnerable side.
    """

    owner: Tensor
    tricks: Tensor
    vulnerable: Tensor

    @classmethod
    def of(cls, boards: Boards, device: torch.device | str = "cpu") -> TensorBoards:
        """Return boards on a device."""
        arrays = (boards.owner, boards.tricks, boards.vulnerable)
        return cls(*(torch.from_numpy(each).to(device) for each in arrays))

    def __len__(self) -> int:
        """Return the number of boards."""
        return len(self.owner)

    @property
    def device(self) -> torch.device:
        """The device of the boards."""
        return self.owner.device

    def hands(self) -> Tensor:
        """Return the hand of each seat in the bits of an observation, uint8 `[B, 4, 52]`."""
        # The bits are by rank, the owners by suit.
        by_bit = self.owner[:, torch.from_numpy(CARD_OF_BIT).long().to(self.device)]
        seats = torch.arange(_SEATS, device=self.device)[:, None]
        return (by_bit[:, None, :] == seats).to(torch.uint8)

    def best_scores(self) -> Tensor:
        """Return the best score of each side undoubled, at least 0, int32 `[B, 2]`."""
        points = torch.from_numpy(POINTS).to(self.device)
        bids = torch.arange(NUM_BIDS, device=self.device)
        taken = self.tricks[:, bids % len(Denomination)].long()  # [B, bids, declarers]
        sides = torch.arange(_SEATS, device=self.device) % 2
        vulnerable = self.vulnerable[:, sides].long()[:, None, :]
        best = points[vulnerable, 0, bids[:, None], taken].amax(dim=1).clamp(min=0)
        return torch.maximum(best[:, :2], best[:, 2:])


@dataclass(frozen=True, eq=False)
class TensorDeals:
    """Solved deals on a device.

    Attributes:
        owner: uint8 `[D, 52]`: the seat of each card.
        tricks: uint8 `[D, 5, 4]`.
    """

    owner: Tensor
    tricks: Tensor

    @classmethod
    def of(cls, deals: SolvedDeals, device: torch.device | str) -> TensorDeals:
        """Return deals on a device."""
        arrays = (deals.owner, deals.tricks)
        return cls(*(torch.from_numpy(each).to(device) for each in arrays))

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.owner)

    def boards(self, count: int, rng: torch.Generator, *, vulnerable: bool = True) -> TensorBoards:
        """Return boards of random deals in random views, as `Boards.at_random` does.

        Args:
            count: the number of boards.
            rng: consumed; a generator of the device.
            vulnerable: sides are vulnerable at random; else neither ever is.
        """
        device = self.owner.device

        def random(most: int, *shape: int) -> Tensor:
            return torch.randint(most, shape, generator=rng, device=device)

        which = random(len(self), count)
        view, turns = random(len(PERMUTATIONS), count), random(_SEATS, count)
        suits = torch.from_numpy(PERMUTATIONS).to(device)[view]
        owner, tricks = self.seen(which, suits, turns)
        # One draw in both cases, so that the calls drawn after it stay the same.
        sides = random(2, count, 2) * int(vulnerable)
        return TensorBoards(owner, tricks, sides.to(torch.uint8))

    def seen(self, which: Tensor, suits: Tensor, turns: Tensor) -> tuple[Tensor, Tensor]:
        """Return owners and tricks of some deals, each in a view (`bridge.symmetry.Views`)."""
        rows = torch.arange(len(which), device=which.device)[:, None]
        by_suit = self.owner[which].view(-1, len(SUITS), HAND_SIZE)[rows, suits]
        owner = ((by_suit + turns[:, None, None]) % _SEATS).to(torch.uint8).view(-1, NUM_CARDS)
        notrump = torch.full((len(suits), 1), len(SUITS), device=suits.device)
        strains = torch.cat((suits, notrump), dim=1)[:, :, None]
        seats = torch.arange(_SEATS, device=turns.device)
        declarers = ((seats - turns[:, None]) % _SEATS)[:, None, :]
        return owner, self.tricks[which][rows[:, :, None], strains, declarers]
