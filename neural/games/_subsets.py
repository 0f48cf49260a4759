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
