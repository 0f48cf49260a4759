"""Compiled loops over sets of holdings, as bit masks; all in one module, as in `_kernels`.

`F` is the number of subsets, 2^holdings; arrays over sets are indexed by the mask.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._jit import jit

Totals = NDArray[np.float64]
Losses = NDArray[np.int32]


@jit
def shared_out(before: Totals, after: Totals) -> Totals:
    """Return the best that sets `[F, ...]` make when some of them move on.

    `out[X] = max over T within X of before[X without T] + after[T]`, row by row: the holdings in
    T make one more move, the others one of those before. `after` counts nobody as nothing.
    """
    out = before.copy()
    for held in range(len(before)):
        going = held
        while going > 0:
            staying = held ^ going
            for other in range(before.shape[1]):
                total = after[going, other] + before[staying, other]
                if total > out[held, other]:
                    out[held, other] = total
            going = (going - 1) & held
    return out


@jit
def least_sums(one: Losses, other: Losses) -> Losses:
    """Return the least sums `[F]` of losses of two parts: of every set, split in the best way."""
    out = np.empty_like(one)
    for whole in range(len(one)):
        least = one[0] + other[whole]
        part = whole
        while part > 0:
            total = one[part] + other[whole ^ part]
            if total < least:
                least = total
            part = (part - 1) & whole
        out[whole] = least
    return out


@jit
def at_least_their_parts(losses: Losses) -> Losses:
    """Return lower bounds of losses `[F]` raised to the sums of those of two parts."""
    out = losses.copy()
    for whole in range(len(out)):
        part = (whole - 1) & whole
        most = out[whole]
        # Each split is met twice; the half with the greater part is enough.
        while part > whole ^ part:
            total = out[part] + out[whole ^ part]
            if total > most:
                most = total
            part = (part - 1) & whole
        out[whole] = most
    return out


@jit
def least_split(one: Losses, two: Losses, rest: Losses, enough: int) -> int:
    """Return the least loss of the full set split in three; `enough + 1` if none is below that.

    Parts whose loss alone is too much are not looked at further.
    """
    least = enough + 1
    full = len(one) - 1
    for first in range(len(one)):
        if one[first] >= least:
            continue
        left = full ^ first
        second = left
        while True:
            if one[first] + two[second] < least:
                total = one[first] + two[second] + rest[left ^ second]
                if total < least:
                    least = total
            if second == 0:
                break
            second = (second - 1) & left
    return int(least)
