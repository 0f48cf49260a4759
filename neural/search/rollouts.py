"""Rollouts: auctions bid to the end by the models of all players (Algorithm 4).

Letters in shapes: `D` deals, `A` calls that are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Denomination, Seat, Side
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.points import POINTS
from bidwright.neural.search.population import Expected, Hypotheses
from bidwright.neural.search.proposals import Owners, boards_of


@dataclass(frozen=True, eq=False)
class Contracts:
    """The final contracts of auctions.

    Attributes:
        bid: int64 `[D, A]`: from 0 for one club; -1 where all passed.
        doubled: int64 `[D, A]`: 0, 1 or 2.
        declarer: int64 `[D, A]`: the declarer's seat; means nothing where all passed.
    """

    bid: NDArray[np.int64]
    doubled: NDArray[np.int64]
    declarer: NDArray[np.int64]

    @property
    def denomination(self) -> NDArray[np.int64]:
        """The contracts' denominations, int64 `[D, A]`; 0 where all passed."""
        return np.maximum(self.bid, 0) % len(Denomination)

    def same_as(self, place: int) -> NDArray[np.bool_]:
        """Return True where the contract is that of the call at a place, bool `[D, A]`."""
        equal = np.ones(self.bid.shape, dtype=np.bool_)
        # Declarer means nothing where all passed.
        for values in (self.bid, self.doubled, np.where(self.bid < 0, 0, self.declarer)):
            equal &= values == values[:, place : place + 1]
        return equal

    def points(
        self, tricks: NDArray[np.integer], auction: Auction, side: Side
    ) -> NDArray[np.int64]:
        """Return the points of a side, int64 `[D, A, Q]`.

        Args:
            tricks: `[D, A, Q]`: declarer's tricks, in several cases.
            auction: the auction, for its vulnerability.
            side: the side that scores.
        """
        vulnerable = np.array([auction.vulnerability.is_vulnerable(each) for each in Side])
        declaring = self.declarer % 2
        scored = POINTS[
            vulnerable[declaring].astype(np.int64)[..., None],
            self.doubled[..., None],
            np.maximum(self.bid, 0)[..., None],
            tricks,
        ].astype(np.int64)
        sign = np.where(self.bid < 0, 0, np.where(declaring == list(Side).index(side), 1, -1))
        return np.asarray(scored * sign[..., None])


def roll_out(
    owner: Owners,
    auction: Auction,
    calls: Sequence[Call],
    models: Expected,
    is_late: Callable[[], bool],
    taken: NDArray[np.int64] | None = None,
) -> Contracts | None:
    """Return the contracts after each call on each deal; `None` if it took too long.

    Every player makes the likeliest call by the model of the side.

    Args:
        owner: the deals.
        auction: the calls so far.
        calls: the calls to try.
        models: the models of both sides.
        is_late: a function that returns True if time is up; called before each turn, and often
            where rules bid.
        taken: int64 `[D]`: the hypothesis of each deal; the first if not given.
    """
    hypotheses = Hypotheses(models)
    taken = np.zeros(len(owner), dtype=np.int64) if taken is None else taken
    lanes = Lanes(boards_of(owner, auction), len(calls))
    for call in auction.calls:
        lanes.step(np.full(len(lanes), call))
    # One table for each call to try: they differ from here on.
    lanes.step(np.tile(np.array(calls, dtype=np.int64), len(owner)))
    while len(lanes.running):
        # Lanes count seats from the dealer.
        side = Seat((auction.dealer + lanes.turn) % len(Seat)).side
        next_calls = np.empty(len(lanes.running), dtype=np.int64)
        for bidder, rows in hypotheses.bidders(side, taken[lanes.running // len(calls)]):
            if is_late():
                return None
            next_calls[rows] = bidder.likeliest(lanes, lanes.running[rows])
        lanes.step(next_calls)
    ends = lanes.contracts().reshape(len(owner), len(calls), -1)
    declarer = (ends[..., 3] + auction.dealer) % len(Seat)
    return Contracts(ends[..., 0], ends[..., 1], declarer)
