"""Compiled loops over sets of holdings, as bit masks; all in one module, as in `_kernels`.

`F` is the number of subsets, 2^holdings; arrays over sets are indexed by the mask.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.runtime.jit import integer, jit

Totals = NDArray[np.float64]
Losses = NDArray[np.int32]
Points = NDArray[np.int16]


@jit
def shared_out(before: Totals, after: Totals) -> Totals:
    """Return the best that sets `[F, ...]` make when some of them move on.

    `out[X] = max over T within X of before[X without T] + after[T]`, row by row: the holdings in
    T make one more move, the others one of those before. `after` counts nobody as nothing.
    """
    out = before.copy()
    for held in range(len(before)):
        # The usual walk over the subsets of a mask, `part = (part - 1) & whole`, meets every pair
        # of a set and a subset once: 3^n steps for n holdings.
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
def _least_halves(one: Points, two: Points, step: int, count: int) -> Losses:
    """Return the least losses of sets `step * (0 .. count - 1)`, each split in two."""
    out = np.zeros(count, np.int32)
    for whole in range(count):
        least = np.int32(one[0]) + np.int32(two[whole * step])
        part = whole
        while part > 0:
            total = np.int32(one[part * step]) + np.int32(two[(whole ^ part) * step])
            if total < least:
                least = total
            part = (part - 1) & whole
        out[whole] = least
    return out


@jit
def least_split(one: Points, two: Points, rest: Points, low: int, enough: int) -> int:
    """Return the least loss of the full set split in three; `enough + 1` if it is more.

    What a set loses is at least what its lowest `low` numbers and its others lose, each alone;
    most splits are left out by that.
    """
    width = 1 << low
    full = len(one) - 1
    # Lower bounds of the two other parts of a split by low and high numbers alone, worked out once
    # for all first parts: 3^(n/2) steps each, beside the 3^n splits in three.
    lows = _least_halves(two, rest, integer(1), width)
    highs = _least_halves(two, rest, width, len(one) >> low)
    bound = np.empty(len(one), np.int32)
    for first in range(len(one)):
        left = full ^ first
        bound[first] = one[first] + lows[left & (width - 1)] + highs[left >> low]
    least = enough + 1
    # The most promising first parts come first: their splits lower the limit, and the first bound
    # that is no better ends the search.
    for first in np.argsort(bound):
        if bound[first] >= least:
            break
        spent = int(one[first])
        left = full ^ first
        lower, upper = left & (width - 1), (left >> low) << low
        some = lower
        while True:
            at_least = spent + int(two[some]) + int(rest[lower ^ some])
            if at_least + highs[upper >> low] < least:
                more = upper
                while True:
                    if at_least + int(two[more]) + int(rest[upper ^ more]) < least:
                        total = spent + int(two[some | more]) + int(rest[left ^ some ^ more])
                        if total < least:
                            least = total
                    if more == 0:
                        break
                    more = (more - 1) & upper
            if some == 0:
                break
            some = (some - 1) & lower
    return least
