"""The pool of a learner's past selves, the opponents of fictitious self-play."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from bidwright.neural.networks import Network

State = dict[str, Tensor]


class OpponentPool:
    """Past selves, spread over the whole of the past."""

    def __init__(self, size: int) -> None:
        """Make an empty pool of at most `size` past selves."""
        self._size = size
        self.selves: list[State] = []

    def add(self, network: Network, rng: np.random.Generator) -> None:
        """Add a copy of a network; a full pool drops one at random, never the first."""
        # On the processor: thirty networks of the past need not be on a device.
        self.selves.append({k: v.detach().cpu().clone() for k, v in network.state_dict().items()})
        if len(self.selves) > self._size:
            # Never the first, so that the start stays an opponent; never the newest either.
            del self.selves[int(rng.integers(1, max(2, len(self.selves) - 1)))]

    def drawn(self, rng: np.random.Generator) -> State | None:
        """Draw a past self, all as likely; None from an empty pool. `rng` is consumed."""
        if not self.selves:
            return None
        return self.selves[int(rng.integers(len(self.selves)))]
