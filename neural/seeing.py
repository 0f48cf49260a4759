"""Observations of players to call, as inputs of networks, from auctions and hands.

Letters in shapes: `N` positions, `C` calls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import NUM_CALLS
from bidwright.bridge.cards import HAND_SIZE, Seat
from bidwright.bridge.hand import Hand
from bidwright.neural.env import _kernels as kernels
from bidwright.neural.env.layout import CARD_BITS, OBSERVATION


def observe(auctions: Sequence[Auction], hands: Sequence[Hand]) -> NDArray[np.uint8]:
    """Return the observations of the players in turn, with their hands, uint8 `[N, 480]`."""
    count = len(auctions)
    lengths = np.array([len(auction.calls) for auction in auctions], dtype=np.int64)
    calls = np.zeros((count, int(lengths.max(initial=1))), dtype=np.uint8)
    bits = np.zeros((count, len(Seat), HAND_SIZE), dtype=np.uint8)
    vulnerable = np.zeros((count, 2), dtype=np.uint8)
    for row, (auction, hand) in enumerate(zip(auctions, hands, strict=True)):
        calls[row, : lengths[row]] = auction.calls
        # Places count from the dealer, as the compiled kernel expects them.
        bits[row, lengths[row] % len(Seat)] = CARD_BITS[sorted(hand.cards)]
        # The dealer's side comes first, as it is in the observation.
        sides = auction.dealer.side, auction.dealer.lho.side
        vulnerable[row] = [auction.vulnerability.is_vulnerable(side) for side in sides]
    rows = np.arange(count)
    out = np.empty((count, OBSERVATION), dtype=np.uint8)
    # The same kernel as in self-play, so that both see positions alike.
    kernels.observe(calls, rows, lengths, rows, bits, vulnerable, False, out)
    return out


def legal_mask(auctions: Sequence[Auction]) -> NDArray[np.bool_]:
    """Return the legal calls, bool `[N, C]`."""
    mask = np.zeros((len(auctions), NUM_CALLS), dtype=np.bool_)
    for row, auction in zip(mask, auctions, strict=True):
        row[list(auction.legal_calls())] = True
    return mask
