"""Bounds as rows of bytes: a file of a hundred thousand boards has a million of them.

Objects would have to be built for every query again; rows are read as they lie, and an equal row
is an equal key.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import NUM_CARDS
from bidwright.kb.logic.bounds import ANYTHING, Bounds

# Little-endian whatever the machine: rows are kept in files, and equal bounds must be equal bytes.
_ROW = struct.Struct("<17b2Q")
"""Eight intervals, balanced or not, and the cards surely held and surely not, as bits."""
WIDTH = _ROW.size
"""Bytes of a row."""
_OPEN = -1
"""In place of a truth: it is not certain."""


def encode(bounds: Bounds) -> bytes:
    """Return bounds as a row."""
    intervals = (bounds.hcp, bounds.points, *bounds.lengths, bounds.controls, bounds.aces)
    return _ROW.pack(
        *(end for interval in intervals for end in interval),
        _OPEN if bounds.balanced is None else bounds.balanced,
        sum(1 << card for card in bounds.sure),
        sum(1 << card for card in bounds.impossible),
    )


def decode(row: bytes) -> Bounds:
    """Return the bounds of a row."""
    *ends, balanced, sure, impossible = _ROW.unpack(row)
    hcp, points, *lengths, controls, aces = zip(ends[::2], ends[1::2], strict=True)
    clubs, diamonds, hearts, spades = lengths
    return Bounds(
        hcp=hcp,
        points=points,
        lengths=(clubs, diamonds, hearts, spades),
        controls=controls,
        aces=aces,
        balanced=None if balanced == _OPEN else bool(balanced),
        sure=_cards(sure),
        impossible=_cards(impossible),
    )


def _cards(bits: int) -> frozenset[int]:
    # 52 bits: a set of cards is one number of eight bytes.
    return frozenset(card for card in range(NUM_CARDS) if bits >> card & 1)


class BoundsTest:
    """A test of bounds, each row being tried once.

    Attributes:
        of_anything: the outcome for a hand before any call.
    """

    def __init__(self, test: Callable[[Bounds], bool]) -> None:
        """Take a test; no row has been tried yet."""
        self._test = test
        self._outcomes: dict[bytes, bool] = {}
        self.of_anything = test(ANYTHING)

    def outcomes(self, rows: bytes, numbers: Sequence[int]) -> NDArray[np.bool_]:
        """Return the outcomes for some rows, bool `[len(numbers)]`.

        Args:
            rows: rows, one after the other.
            numbers: the indices of those that are asked for.
        """
        outcomes = self._outcomes
        passed = np.empty(len(numbers), dtype=np.bool_)
        for place, number in enumerate(numbers):
            row = rows[number * WIDTH : (number + 1) * WIDTH]
            # Few bounds are different: most calls of a file are passes and openings that mean the
            # same.
            outcome = outcomes.get(row)
            if outcome is None:
                outcome = outcomes[row] = self._test(decode(row))
            passed[place] = outcome
        return passed
