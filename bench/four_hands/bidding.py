"""Bidding boards four-handed by the rules of a system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bidwright.bench.four_hands.boards import Board
from bidwright.bench.four_hands.faults import faults
from bidwright.bench.four_hands.states import packed
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of

Json = dict[str, Any]

_MEMORY = 60_000
"""Readings that a process keeps: boards share the beginnings of their auctions."""


def prepare(system: str, fingerprint: str) -> Callable[[Sequence[Board]], list[Json]]:
    """Return a function that bids boards by a system, in one process.

    Raises:
        InvalidError: The system is another one here.
    """
    rules = open_system(system)
    if rules.fingerprint != fingerprint:
        raise InvalidError(f"'{system}' is another system here than where the work began")
    reader = Reader({Side.NS: rules, Side.EW: rules}, memory=_MEMORY)
    return lambda boards: [bid_board(reader, board) for board in boards]


def bid_board(reader: Reader, board: Board) -> Json:
    """Return the result of a board, as a line of a file of results.

    `key` is the board's, `calls` the auction, `by` the rule of each call (empty where no rule
    fitted the hand), `faults` pairs of kind and place, `par` the board's par in points of
    North-South, `states` what was public before each call.
    """
    reading = bid_out(reader, board.deal, board.dealer, board.vulnerability)
    rows = {seat: features_of(hand) for seat in Seat if (hand := board.deal[seat]) is not None}
    chosen = [each.decision.choose(rows[each.record.seat]) for each in reading.meanings]
    return {
        "board": board.number,
        "key": board.key,
        "calls": [str(call) for call in reading.auction.calls],
        "by": [each.rule.id if each else "" for each in chosen],
        "faults": [[fault.kind, fault.place] for fault in faults(reading, board.deal)],
        "par": board.par_ns(),
        "states": packed(reading),
    }
