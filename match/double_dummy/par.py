"""Par: the result of an auction in which all see all cards and nobody errs.

The auction is a game of perfect information: a side leaves the other's bid as it is, or bids
higher; a contract that fails is doubled. From seven notrump down to the first bid, each side's
best choice follows from those after it. Sacrifices are nothing special in this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import BIDS, Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.contract import BOOK, Contract
from bidwright.bridge.scoring import score


@dataclass(frozen=True, slots=True)
class Par:
    """The result of best bidding and best play.

    Attributes:
        score_ns: North-South's points.
        contracts: the contracts that neither side can better, from the lowest; doubled if they
            fail, one for each declarer who takes as many tricks as his partner would; none if the
            deal is passed out.
    """

    score_ns: int
    contracts: tuple[Contract, ...]


def par(tricks: NDArray[np.uint8], vulnerability: Vulnerability, dealer: Seat) -> Par:
    """Return par, the score and the contracts of best bidding and best play.

    Args:
        tricks: uint8 `[5, 4]`: tricks in each denomination, by each declarer.
        vulnerability: the vulnerability.
        dealer: the dealer, whose side may bid first; that matters where both sides can make the
            same contract.
    """
    results = {side: _results(tricks, vulnerability, side) for side in Side}
    standing = _standing(results)
    first = dealer.side
    second = first.other
    # 0 is a pass by all: the other side may pass as well.
    answer = _best(second, [0, *standing[second]])
    # The side of the dealer decides first, which matters where both make the same contract.
    value = _best(first, [answer, *standing[first]])
    contracts = tuple(
        contract
        for bid in BIDS
        for side in Side
        # A contract is par if it has the value as it stands and nobody gains by bidding on.
        if results[side][bid - BIDS[0]] == standing[side][bid - BIDS[0]] == value
        for contract in _contracts(tricks, bid, side)
    )
    # A passed-out deal has no contract, even if some contract scores 0.
    return Par(value, contracts if value else ())


def _best(side: Side, scores_ns: list[int]) -> int:
    return max(scores_ns) if side is Side.NS else min(scores_ns)


def _results(tricks: NDArray[np.uint8], vulnerability: Vulnerability, side: Side) -> list[int]:
    """Return North-South's points for each bid as the contract of a side."""
    vulnerable = vulnerability.is_vulnerable(side)
    sign = 1 if side is Side.NS else -1
    results = []
    for bid in BIDS:
        # Either partner may be declarer; the one with more tricks is what the side can reach.
        contract = _contracts(tricks, bid, side)[0]
        taken = int(tricks[bid.denomination, contract.declarer])
        results.append(sign * score(contract, vulnerable, taken))
    return results


def _contracts(tricks: NDArray[np.uint8], bid: Call, side: Side) -> list[Contract]:
    """Return the contract of a bid, by each of the partners who takes most tricks."""
    by_seat = {seat: int(tricks[bid.denomination, seat]) for seat in Seat if seat.side is side}
    most = max(by_seat.values())
    # A contract that fails is doubled: all see all cards.
    doubled = int(most < BOOK + bid.level)
    return [
        Contract(bid.level, bid.denomination, doubled, seat)
        for seat, taken in by_seat.items()
        if taken == most
    ]


def _standing(results: dict[Side, list[int]]) -> dict[Side, list[int]]:
    """Return the result of each bid of a side with the other side in turn, North-South's points."""
    standing: dict[Side, list[int]] = {side: [] for side in Side}
    # From seven notrump down: a bid's result depends on those above it only.
    for place in reversed(range(len(BIDS))):
        # A copy, since the lists grow in the loop.
        higher = {side: list(standing[side]) for side in Side}
        for side in Side:
            left_in = results[side][place]
            # The other side leaves the contract in or takes its best higher bid.
            standing[side].insert(0, _best(side.other, [left_in, *higher[side.other]]))
    return standing
