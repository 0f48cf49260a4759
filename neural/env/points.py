"""The scoring table and the IMP scale as arrays, filled in from `bridge.scoring`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import BIDS, NUM_BIDS
from bidwright.bridge.cards import HAND_SIZE, Seat
from bidwright.bridge.contract import Contract
from bidwright.bridge.scoring import imps, score

UNIT = 10
"""The unit of scores in points; every score is a multiple of it."""


def _points() -> NDArray[np.int32]:
    table = np.zeros((2, 3, NUM_BIDS, HAND_SIZE + 1), dtype=np.int32)
    for vulnerable, doubled, index, tricks in np.ndindex(*table.shape):
        bid = BIDS[index]
        contract = Contract(bid.level, bid.denomination, doubled, Seat.NORTH)
        table[vulnerable, doubled, index, tricks] = score(contract, bool(vulnerable), tricks)
    return table


POINTS = _points()
"""Declarer's points by vulnerable, doubled, bid and tricks, int32 `[2, 3, 35, 14]`."""

# The largest difference of two scores, both ways.
_SPAN = 2 * int(np.abs(POINTS).max()) // UNIT

IMPS: NDArray[np.int8] = np.array(
    [imps(UNIT * step) for step in range(-_SPAN, _SPAN + 1)], dtype=np.int8
)
"""IMPs by difference in points over `UNIT`, from the lowest possible, int8."""


def imps_of(difference: NDArray[np.int32]) -> NDArray[np.int8]:
    """Return the IMPs of differences between two scores, any shape."""
    # An array instead of a search in the scale: the differences are multiples of ten.
    return np.asarray(IMPS[difference // UNIT + _SPAN])


def imps_against_others(scores: NDArray[np.int32], tables: int) -> NDArray[np.float32]:
    """Return each table's mean IMPs against the other tables of its board.

    Args:
        scores: int32 `[B * tables]`: points of the dealer's side, tables of a board together.
        tables: the number of tables of a board, two or more.

    Returns:
        float32 `[B * tables]`: IMPs of the dealer's side.

    Raises:
        ValueError: If there is no other table.
    """
    if tables < 2:
        raise ValueError(f"expected two tables or more to compare, got {tables}")
    by_board = scores.reshape(-1, tables)
    against = imps_of(by_board[:, :, None] - by_board[:, None, :])
    # The mean over the other tables, so a reward does not grow with their number.
    mean: NDArray[np.float32] = against.sum(axis=2, dtype=np.float32) / np.float32(tables - 1)
    return mean.reshape(-1)
