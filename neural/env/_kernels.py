"""Compiled loops over lanes, in one module: numba's cache of machine code watches single files.

`state` is int16 `[L, 16]`, by the column numbers below; `calls` is uint8 `[L, 320]`, the calls of
each lane. Seats and sides are counted from the dealer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import FIRST_BID as _FIRST_BID
from bidwright.bridge.calls import NUM_BIDS as _NUM_BIDS
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Denomination
from bidwright.neural.env import layout
from bidwright.runtime.jit import inlined, jit

LAST, DOUBLED, PASSES, LENGTH, DONE, BID_AT, FIRST = 0, 1, 2, 3, 4, 5, 6
"""Columns: last bid (-1: none), its doubles (0, 1, 2), passes in a row, calls made, over, turn of
the last bid; then the seat that first named each denomination, for side 0 and side 1 (-1: none)."""

COLUMNS = 16
MOST_CALLS = 320
"""Room for the longest auction, of 319 calls."""

_PASS, _DOUBLE, _REDOUBLE = int(Call.PASS), int(Call.DOUBLE), int(Call.REDOUBLE)
_BIDS, _LOWEST = int(_NUM_BIDS), int(_FIRST_BID)
_STRAINS = len(Denomination)
_PASSED, _HISTORY, _BLOCK, _HAND = layout.OPENING_PASSES, layout.HISTORY, layout.BLOCK, layout.HAND
_SEEN, _CARDS = layout.OBSERVATION, layout.HIDDEN_HANDS // 3
_SCALE = layout.POINTS_SCALE

States = NDArray[np.int16]
Calls = NDArray[np.uint8]
Index = NDArray[np.int64]


@inlined
def _allowed(state: States, lane: int, call: int) -> bool:
    last = state[lane, LAST]
    if call >= _LOWEST:
        # Law 18: a bid has to be higher than the last one.
        return bool(call - _LOWEST > last)
    if call == _PASS:
        return True
    # Sides alternate, so an odd distance to the last bid means an opponents' bid.
    theirs = ((state[lane, LENGTH] - state[lane, BID_AT]) & 1) == 1
    if call == _DOUBLE:
        # Law 19A: only an opponents' bid, and only if nobody has doubled it.
        return bool(last >= 0 and theirs and state[lane, DOUBLED] == 0)
    # Law 19B: only one's own side's bid, and only if it is doubled, not redoubled.
    return bool(last >= 0 and not theirs and state[lane, DOUBLED] == 1)


@jit
def legal(state: States, lanes: Index, out: NDArray[np.bool_]) -> None:
    """Write the legal calls, bool `[N, C]`."""
    for row in range(len(lanes)):
        for call in range(_LOWEST + _BIDS):
            out[row, call] = _allowed(state, lanes[row], call)


@jit
def step(state: States, calls: Calls, lanes: Index, chosen: Index) -> int:
    """Make a call in each of the lanes; return the first row with an illegal one, or -1."""
    for row in range(len(lanes)):
        lane, call = lanes[row], chosen[row]
        outside = call < 0 or call >= _LOWEST + _BIDS
        if state[lane, DONE] or outside or not _allowed(state, lane, call):
            return row
        turn = state[lane, LENGTH]
        calls[lane, turn] = call
        state[lane, LENGTH] = turn + 1
        if call == _PASS:
            state[lane, PASSES] += 1
            # Law 22: three passes after a bid end the auction, four if nobody has bid.
            enough = 4 if state[lane, LAST] < 0 else 3
            state[lane, DONE] = state[lane, PASSES] >= enough
            continue
        state[lane, PASSES] = 0
        if call < _LOWEST:
            # Double and redouble are calls 1 and 2, which is their place in the scoring table as
            # well.
            state[lane, DOUBLED] = call
            continue
        bid = call - _LOWEST
        state[lane, LAST] = bid
        state[lane, BID_AT] = turn
        # A new bid takes back any double (Law 19C).
        state[lane, DOUBLED] = 0
        place = FIRST + _STRAINS * (turn & 1) + bid % _STRAINS
        # Declarer, by the Laws' definition, is the one of his side who first bid the denomination.
        if state[lane, place] < 0:
            state[lane, place] = turn & 3
    return -1


@jit
def scores(
    state: States,
    board: Index,
    tricks: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
    points: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None:
    """Write the points of the dealer's side if the auctions end now, int32 `[L]`."""
    for lane in range(len(state)):
        last = state[lane, LAST]
        # Four passes score nothing.
        if last < 0:
            out[lane] = 0
            continue
        at = board[lane]
        side = state[lane, BID_AT] & 1
        strain = last % _STRAINS
        declarer = state[lane, FIRST + _STRAINS * side + strain]
        taken = tricks[at, strain, declarer]
        score = points[vulnerable[at, side], state[lane, DOUBLED], last, taken]
        out[lane] = score if side == 0 else -score


@jit
def observe(
    calls: Calls,
    lanes: Index,
    lengths: Index,
    board: Index,
    hand_bits: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
    hidden: bool,
    out: NDArray[np.uint8],
) -> None:
    """Write the observations of the players to call after the first `lengths` calls of lanes.

    `out` is uint8 `[N, 480]`, or `[N, 636]` with the hidden hands.
    """
    for row in range(len(lanes)):
        lane, length = lanes[row], lengths[row]
        at = board[lane]
        me = length & 3
        side = me & 1
        bits = out[row]
        bits[:] = 0
        bits[vulnerable[at, side]] = 1
        bits[2 + vulnerable[at, 1 - side]] = 1
        last = -1
        for turn in range(length):
            call = calls[lane, turn]
            who = (turn - me) & 3
            if call >= _LOWEST:
                # Bids rise, so the last one seen is the bid that a double refers to.
                last = int(call) - _LOWEST
                bits[_HISTORY + _BLOCK * last + who] = 1
            elif call != _PASS:
                bits[_HISTORY + _BLOCK * last + 4 * int(call) + who] = 1
            # Passes after a bid are not shown: the order of the other calls implies them.
            elif last < 0:
                bits[_PASSED + who] = 1
        for offset in range(4 if hidden else 1):
            seat = (me + offset) & 3
            start = _HAND + _CARDS * offset
            for card in range(hand_bits.shape[2]):
                bits[start + hand_bits[at, seat, card]] = 1


@jit
def table_facts(
    state: States,
    lanes: Index,
    board: Index,
    tricks: NDArray[np.uint8],
    best: NDArray[np.int32],
    now: NDArray[np.int32],
    out: NDArray[np.float32],
) -> None:
    """Write the table facts of `layout`, float32 `[N, 23]`; `now` is what `scores` writes."""
    for row in range(len(lanes)):
        lane = lanes[row]
        at = board[lane]
        me = state[lane, LENGTH] & 3
        side = me & 1
        place = 0
        for strain in range(_STRAINS):
            for offset in range(4):
                out[row, place] = tricks[at, strain, (me + offset) & 3] / 13.0
                place += 1
        out[row, place] = best[at, side] / _SCALE
        out[row, place + 1] = best[at, 1 - side] / _SCALE
        out[row, place + 2] = (now[lane] if side == 0 else -now[lane]) / _SCALE
