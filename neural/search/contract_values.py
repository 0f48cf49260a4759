"""Values of contracts: tricks predicted by a network, or solved.

Letters in shapes: `D` deals, `A` calls that are tried, `Q` cases.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import HAND_SIZE, Side
from bidwright.neural.env.points import imps_of
from bidwright.neural.search.proposals import Owners
from bidwright.neural.search.rollouts import Contracts
from bidwright.neural.tricks import TricksNetwork

Solver = Callable[[Owners, NDArray[np.int64], NDArray[np.int64]], NDArray[np.uint8]]
"""From deals uint8 `[D, 52]`, denominations and declarers `[D]` to declarer's tricks `[D]`."""

CASES = 8
"""The number of cases (quantiles) of a deal's tricks, where a network predicts them."""


def predicted_tricks(
    network: TricksNetwork, owner: Owners, contracts: Contracts
) -> NDArray[np.int64]:
    """Return tricks in equally likely cases, from bad to good for declarers, int64 `[D, A, Q]`.

    A case is the same quantile for all contracts of a deal, which so make more than expected, or
    less, together.
    """
    deals, calls = contracts.bid.shape
    row = np.repeat(np.arange(deals), calls)
    # The same contract by several calls is predicted once.
    asked, of = np.unique(
        np.stack((row, contracts.denomination.reshape(-1)), axis=1), axis=0, return_inverse=True
    )
    with torch.inference_mode():
        logits = network(torch.from_numpy(owner[asked[:, 0]]), torch.from_numpy(asked[:, 1]))
        chances = logits.float().softmax(dim=2).double().numpy()
    chosen = chances[of.reshape(-1), contracts.declarer.reshape(-1)]
    # The middle of equal parts: quantiles from bad to good.
    places = (np.arange(CASES) + 0.5) / CASES
    tricks = (chosen.cumsum(axis=1)[:, None, :] < places[None, :, None]).sum(axis=2)
    return np.asarray(np.minimum(tricks, HAND_SIZE).reshape(deals, calls, CASES))


def solved_tricks(solver: Solver, owner: Owners, contracts: Contracts) -> NDArray[np.int64]:
    """Return tricks with best play by all, 0 where all passed, int64 `[D, A, 1]`."""
    tricks = np.zeros(contracts.bid.shape, dtype=np.int64)
    # Passed-out deals have no tricks to solve.
    row, column = np.nonzero(contracts.bid >= 0)
    if len(row):
        tricks[row, column] = solver(
            owner[row], contracts.denomination[row, column], contracts.declarer[row, column]
        )
    return tricks[..., None]


def gains(
    contracts: Contracts, tricks: NDArray[np.int64], auction: Auction, side: Side, place: int
) -> NDArray[np.float64]:
    """Return the gains of a side over the call at a place, in IMPs, float64 `[D, A]`."""
    points = contracts.points(tricks, auction, side)
    difference = (points - points[:, place : place + 1]).astype(np.int32)
    # The mean over cases: luck of the cards is shared by all contracts of a deal.
    return np.asarray(imps_of(difference).astype(np.float64).mean(axis=2))


def to_solve(contracts: Contracts, place: int) -> NDArray[np.bool_]:
    """Return bool `[D]`: True for deals with contracts that differ from that of a place."""
    return np.asarray(~contracts.same_as(place).all(axis=1))
