"""A KL penalty that holds a policy to its start where a corpus teaches nothing.

A corpus of searched decisions (`neural.data.searched`) teaches few calls of an auction. At the
others, of which there is nothing to learn, divergence from the start is penalised.

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
    """Positions with a KL penalty that holds a policy to its start."""

    def __init__(
        self, corpus: Auctions, start: str, cost: float, seed: int, device: torch.device
    ) -> None:
        """Select the calls of a corpus that teach nothing.

        Args:
            corpus: the auctions that are learnt from.
            start: weights of the reference policy.
            cost: the coefficient of the penalty, per nat.
            seed: the seed of the draw of positions.
            device: the device of the networks.

        Raises:
            InvalidError: There is no start, or no such call.
        """
        if not start:
            raise InvalidError("expected weights as 'start' with the setting 'hold'")
        # The calls that teach nothing: those that a corpus of searched decisions leaves out.
        rest = np.where(corpus.wanted == NO_CALL, corpus.calls, NO_CALL)
        self._positions = Positions(replace(corpus, wanted=rest))
        if not len(self._positions):
            raise InvalidError("expected a corpus with calls of which nothing is to be learnt")
        self._start = load_policy(start).network.to(device).eval()
        self._table = torch.from_numpy(corpus.cards).to(device)
        self._cost, self._seed = cost, seed

    def batch(self, step: int, size: int) -> list[Tensor]:
        """Return observations `[N, 480]`, legal calls `[N, C]`, rows of card vectors `[N, 2]`."""
        rng = np.random.default_rng((self._seed, _PURPOSE, step))
        which = rng.integers(len(self._positions), size=size)
        positions = self._positions
        arrays = (positions.observe(which), positions.legal(which), positions.card[which])
        return [torch.from_numpy(each) for each in arrays]

    def price(self, network: nn.Module, seen: Tensor, legal: Tensor, card: Tensor) -> Tensor:
        """Return the mean KL penalty of a policy: the divergence from the start, times the cost."""
        cards = CardVectors(self._table, card)
        with torch.no_grad():
            start = log_policy(self._start(seen, cards), legal)
        # From the start to the policy: a call that the start makes must not become impossible.
        return self._cost * divergence(start, log_policy(network(seen, cards), legal)).mean()
