"""Deals as masks turned into deals as owners of cards."""

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling._jit import jit


@jit
def owners(deals: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return uint8 `[D, 52]`, the seat of each card, for int64 `[D, 4]`, the hands as masks."""
    result = np.empty((len(deals), 52), dtype=np.uint8)
    for deal in range(len(deals)):
        east = deals[deal, 1]
        south = deals[deal, 2]
        west = deals[deal, 3]
        for card in range(52):
            result[deal, card] = (
                (east >> card & 1) + 2 * (south >> card & 1) + 3 * (west >> card & 1)
            )
    return result
