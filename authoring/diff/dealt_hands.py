"""Random deals, and what rules can see of their hands.

Shapes: `B` some of the deals, `F` features.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.kb.logic.features import features

Rows = NDArray[np.intp]
"""Numbers of deals, int `[B]`, rising."""


class Deals:
    """Random deals."""

    def __init__(self, count: int, seed: int) -> None:
        """Deal; the same seed gives the same deals."""
        rng = np.random.default_rng(seed)
        order = rng.permuted(np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (count, 1)), axis=1)
        self._owner = np.empty((count, NUM_CARDS), dtype=np.uint8)
        seats = np.repeat(np.arange(len(Seat), dtype=np.uint8), HAND_SIZE)
        np.put_along_axis(self._owner, order.astype(np.intp), seats[None, :], axis=1)
        self._features = [features(self._owner == int(seat)) for seat in Seat]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._owner)

    def __getitem__(self, row: int) -> Deal:
        """Return a deal."""
        return deal_from_owner(self._owner[row])

    def features(self, seat: Seat, rows: Rows) -> NDArray[np.int16]:
        """Return the features of a seat's hands, int16 `[B, F]`."""
        return self._features[seat][rows]
