"""Holding a policy to its start while it learns a few calls: it moves only where it is taught.

A corpus of searched decisions (`neural.data.searched`) teaches few calls of an auction. At the
others, of which there is nothing to learn, straying from the start is priced.

Letters in shapes: `N` positions, `C` calls.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from bidwright.bridge.errors import InvalidError
from bidwright.neural.data.auctions import NO_CALL, Auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.networks import CardVectors, divergence, log_policy
from bidwright.neural.policies import load_policy

_PURPOSE = 3


class Held:
    """Positions at which a policy is not to move."""

    def __init__(
        self, corpus: Auctions, start: str, cost: float, seed: int, device: torch.device
    ) -> None:
        """Take the calls of which nothing is to be learnt.

        Args:
            corpus: the auctions that are learnt from.
            start: weights of the policy not to move from.
            cost: of a nat.
            seed: what positions are drawn from.
            device: where to compute.

        Raises:
            InvalidError: There is no start, or no such call.
        """
        if not start:
            raise InvalidError("expected weights as 'start' with the setting 'hold'")
        rest = np.where(corpus.wanted == NO_CALL, corpus.calls, NO_CALL)
        self._positions = Positions(replace(corpus, wanted=rest))
        if not len(self._positions):
            raise InvalidError("expected a corpus with calls of which nothing is to be learnt")
        self._start = load_policy(start).network.to(device).eval()
        self._table = torch.from_numpy(corpus.cards).to(device)
        self._cost, self._seed = cost, seed

    def batch(self, step: int, size: int) -> list[Tensor]:
        """Return what was seen, `[N, 480]`, what was legal, `[N, C]`, and card rows, `[N, 2]`."""
        rng = np.random.default_rng((self._seed, _PURPOSE, step))
        which = rng.integers(len(self._positions), size=size)
        found = self._positions
        arrays = (found.observe(which), found.legal(which), found.card[which])
        return [torch.from_numpy(each) for each in arrays]

    def price(self, network: nn.Module, seen: Tensor, legal: Tensor, card: Tensor) -> Tensor:
        """Return what a policy's straying costs on average: its divergence from the start's."""
        told = CardVectors(self._table, card)
        with torch.no_grad():
            start = log_policy(self._start(seen, told), legal)
        return self._cost * divergence(start, log_policy(network(seen, told), legal)).mean()
