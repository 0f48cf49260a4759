"""Positions of a corpus: the observation of the player to call, and the call to learn.

Letters in shapes: `P` positions, `N` some of them, `C` calls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import FIRST_BID, NUM_CALLS, Call
from bidwright.bridge.cards import Seat
from bidwright.neural.data.auctions import NO_CALL, Auctions
from bidwright.neural.env import _kernels as kernels
from bidwright.neural.env.boards import hand_bits
from bidwright.neural.env.layout import CRITIC, OBSERVATION


class Positions:
    """Every position of a corpus with a call to learn.

    Attributes:
        auction: int64 `[P]`: the auction of each.
        turn: int64 `[P]`: calls made before it.
        wanted: uint8 `[P]`: the call to learn.
        card: int64 `[P, 2]`: the rows of the own and of the other side in the corpus's `cards`.
        sets: uint64 `[P, 2]`: the calls allowed, usually and possibly, a bit each; None if the
            corpus has none.
    """

    def __init__(self, auctions: Auctions) -> None:
        """Find the positions."""
        self.auction, self.turn = np.nonzero(auctions.wanted != NO_CALL)
        self.wanted = auctions.wanted[self.auction, self.turn]
        dealer = auctions.dealer.astype(np.int64)
        # Seats are turned so that the dealer is first, as the observations count them.
        owner = (auctions.owner + len(Seat) - dealer[:, None]) % len(Seat)
        self._hand_bits = hand_bits(owner.astype(np.uint8))
        # With East or West as dealer the sides change places.
        swapped = auctions.vulnerable[:, ::-1]
        self._vulnerable = np.where((dealer % 2 == 1)[:, None], swapped, auctions.vulnerable)
        # The side to call alternates with each call.
        side = (dealer[self.auction] + self.turn) % 2
        card = auctions.card[self.auction].astype(np.int64)
        # The own side's row comes first at every position.
        self.card = np.where((side == 1)[:, None], card[:, ::-1], card)
        sets = auctions.sets
        self.sets = None if sets is None else sets[self.auction, self.turn]
        self._calls = auctions.calls
        self._own_row = np.arange(len(auctions))

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.auction)

    def observe(self, which: NDArray[np.int64], *, hidden: bool = False) -> NDArray[np.uint8]:
        """Return the observations at positions, uint8 `[N, 480]`; `[N, 636]` with all hands."""
        out = np.empty((len(which), CRITIC if hidden else OBSERVATION), dtype=np.uint8)
        kernels.observe(
            self._calls,
            self.auction[which],
            self.turn[which],
            self._own_row,
            self._hand_bits,
            self._vulnerable,
            hidden,
            out,
        )
        return out

    def legal(self, which: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the legal calls at positions, bool `[N, C]`."""
        turn = self.turn[which][:, None]
        places = np.arange(self._calls.shape[1])
        # Calls after the position are masked: the matrix holds the whole auction.
        calls = np.where(places < turn, self._calls[self.auction[which]], Call.PASS).astype(
            np.int64
        )
        at = np.where(calls >= FIRST_BID, calls, -1).argmax(axis=1)[:, None]  # bids rise
        last = np.take_along_axis(calls, at, axis=1)
        # An odd distance to the last bid means that an opponent made it.
        bid, theirs = last >= FIRST_BID, (turn - at) % 2 == 1
        doubled, redoubled = (
            ((calls == call) & (places > at)).any(axis=1, keepdims=True)
            for call in (Call.DOUBLE, Call.REDOUBLE)
        )
        # Law 18: a bid must be higher than the last one.
        out = np.arange(NUM_CALLS) > np.where(bid, last, FIRST_BID - 1)
        out[:, Call.PASS] = True
        # Law 19A: only an opponents' bid is doubled, and only once.
        out[:, [Call.DOUBLE]] = bid & theirs & ~doubled
        # Law 19B: only one's own side's doubled bid is redoubled.
        out[:, [Call.REDOUBLE]] = bid & ~theirs & doubled & ~redoubled
        return np.asarray(out)

    def allowed(self, which: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the calls that the file allows, usually and possibly, bool `[N, 2, C]`."""
        assert self.sets is not None, "checked when the corpus was opened"
        bits = np.arange(NUM_CALLS, dtype=np.uint64)
        return np.asarray((self.sets[which][:, :, None] >> bits) & np.uint64(1) > 0)
