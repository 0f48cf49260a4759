"""Slams bid and made, bid and failed, and missed, by ours and by the other program's auctions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bidwright.bench.four_hands.boards import Board
from bidwright.bench.four_hands.comparison import Pair
from bidwright.bridge.auction import Auction

MADE, FAILED, MISSED = "made", "failed", "missed"
"""The outcomes of a slam: bid and made, bid and failed, or not bid by the side that declares though
one of them takes twelve tricks in some denomination."""

OUTCOMES = (MADE, FAILED, MISSED)
"""All of them, in the order of the table."""

_LEVEL = 6
_TRICKS = 12


@dataclass(frozen=True)
class Slams:
    """The slams of some boards."""

    outcome: str
    """One of `OUTCOMES`."""
    ours: int
    """The number of boards with that outcome of our auctions."""
    theirs: int
    """The same of the other program's."""
    swing: int
    """IMPs that we are further from par than they are on the boards that `ours` counts."""


def outcome(auction: Auction, board: Board) -> str | None:
    """Return the outcome of the slam of a board, or `None` if there was none.

    Contracts are judged double dummy; a slam that was bid as a save counts as one that failed.
    """
    contract = auction.contract()
    if contract is None:
        return None
    if contract.level >= _LEVEL:
        taken = int(board.tricks[contract.denomination, contract.declarer])
        return MADE if taken >= contract.target else FAILED
    seats = [contract.declarer, contract.declarer.partner]
    return MISSED if int(board.tricks[:, seats].max()) >= _TRICKS else None


def by_outcome(pairs: Iterable[Pair]) -> list[Slams]:
    """Return the count of each outcome, and the cost of our share of them."""
    ours, theirs = dict[str, int](), dict[str, int]()
    swing = dict[str, int]()
    for pair in pairs:
        outcome_of_ours = outcome(pair.auction, pair.board)
        other = outcome(pair.board.reference, pair.board)
        if outcome_of_ours is not None:
            ours[outcome_of_ours] = ours.get(outcome_of_ours, 0) + 1
            swing[outcome_of_ours] = swing.get(outcome_of_ours, 0) + pair.excess
        if other is not None:
            theirs[other] = theirs.get(other, 0) + 1
    return [
        Slams(name, ours.get(name, 0), theirs.get(name, 0), swing.get(name, 0)) for name in OUTCOMES
    ]
