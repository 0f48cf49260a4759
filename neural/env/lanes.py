"""Auctions in lockstep in compiled loops, on the processor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, NUM_CALLS
from bidwright.bridge.cards import Denomination, Seat, Vulnerability
from bidwright.bridge.errors import IllegalCallError
from bidwright.neural.env import _kernels as kernels
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.layout import CRITIC, OBSERVATION, TABLE_FACTS
from bidwright.neural.env.points import POINTS, imps_against_others

Index = NDArray[np.int64]


class Lanes:
    """Tables for bidding boards, the tables of a board side by side.

    Attributes:
        boards: the boards.
        tables: tables per board; lane `l` plays board `l // tables`.
        running: int64 `[N]`: the lanes with unfinished auctions.
    """

    def __init__(self, boards: Boards, tables: int = 2) -> None:
        """Begin auctions without calls."""
        count = len(boards) * tables
        self.boards = boards
        self.tables = tables
        self.running = np.arange(count, dtype=np.int64)
        self._board = self.running // tables
        self._calls = np.zeros((count, kernels.MOST_CALLS), dtype=np.uint8)
        self._state = np.zeros((count, kernels.COLUMNS), dtype=np.int16)
        self._state[:, kernels.LAST] = -1
        self._state[:, kernels.FIRST :] = -1

    def forked(self, lanes: Index) -> Lanes:
        """Return new lanes, one a board, that stand where these do; a lane may be named twice.

        The lanes must be equally long, or `turn` would mean nothing.
        """
        out = Lanes(self.boards[self._board[lanes]], 1)
        out._state[:] = self._state[lanes]
        out._calls[:] = self._calls[lanes]
        # Auctions that were over stay so and are not called upon again.
        out.running = np.flatnonzero(out._state[:, kernels.DONE] == 0)
        return out

    def __len__(self) -> int:
        """Return the number of lanes."""
        return len(self._state)

    @property
    def lengths(self) -> NDArray[np.int16]:
        """The number of calls made so far, int16 `[L]`."""
        return self._state[:, kernels.LENGTH]

    @property
    def calls(self) -> NDArray[np.uint8]:
        """The calls, uint8 `[L, 320]`; those from `lengths` on mean nothing."""
        return self._calls

    @property
    def turn(self) -> int:
        """The seat, counted from the dealer, that calls next in all running lanes."""
        return int(self.lengths[self.running[0]]) & 3

    def auction(self, lane: int) -> Auction:
        """Return the auction of a lane so far; its dealer sits North."""
        calls = self._calls[lane, : int(self.lengths[lane])].tolist()
        sides = self.boards.vulnerable[lane // self.tables].tolist()
        return Auction(Seat.NORTH, tuple(CALLS[call] for call in calls), Vulnerability.of(*sides))

    def legal(self, lanes: Index | None = None) -> NDArray[np.bool_]:
        """Return the legal calls in the running lanes, or in some, bool `[N, C]`."""
        lanes = self.running if lanes is None else lanes
        out = np.empty((len(lanes), NUM_CALLS), dtype=np.bool_)
        kernels.legal(self._state, lanes, out)
        return out

    def observe(self, lanes: Index | None = None, *, hidden: bool = False) -> NDArray[np.uint8]:
        """Return the observations of the players to call, uint8 `[N, 480 or 636]`."""
        lanes = self.running if lanes is None else lanes
        out = np.empty((len(lanes), CRITIC if hidden else OBSERVATION), dtype=np.uint8)
        kernels.observe(
            self._calls,
            lanes,
            self.lengths[lanes].astype(np.int64),
            self._board,
            self.boards.hand_bits,
            self.boards.vulnerable,
            hidden,
            out,
        )
        return out

    def table_facts(self, lanes: Index | None = None) -> NDArray[np.float32]:
        """Return the table facts of `layout` for the players to call, float32 `[N, 23]`."""
        lanes = self.running if lanes is None else lanes
        out = np.empty((len(lanes), TABLE_FACTS), dtype=np.float32)
        boards = self.boards
        kernels.table_facts(
            self._state,
            lanes,
            self._board,
            boards.tricks,
            boards.best_scores,
            self.scores(),
            out,
        )
        return out

    def step(self, calls: NDArray[np.integer], lanes: Index | None = None) -> None:
        """Make a call in each running lane, or in some of them; update `running`.

        Raises:
            IllegalCallError: If a call is illegal; the lanes before it have been stepped.
        """
        lanes = self.running if lanes is None else lanes
        wrong = kernels.step(self._state, self._calls, lanes, calls.astype(np.int64))
        if wrong >= 0:
            raise IllegalCallError(f"illegal call number {calls[wrong]} in lane {lanes[wrong]}")
        # Finished lanes leave the list, so that loops pass over the others only.
        self.running = self.running[self._state[self.running, kernels.DONE] == 0]

    def contracts(self) -> NDArray[np.int64]:
        """Return bid, doubled, side and declarer if all pass from here, int64 `[L, 4]`.

        The bid counts from 0 for one club and is -1 where nobody has bid; `doubled` is 0, 1 or 2;
        side and declarer are counted from the dealer, and mean nothing without a bid.
        """
        state = self._state.astype(np.int64)
        bid, side = state[:, kernels.LAST], state[:, kernels.BID_AT] & 1
        strains = len(Denomination)
        # Without a bid the column of one club is read; the result means nothing then.
        place = kernels.FIRST + strains * side + np.maximum(bid, 0) % strains
        declarer = state[np.arange(len(state)), place]
        return np.stack((bid, state[:, kernels.DOUBLED], side, declarer), axis=1)

    def scores(self) -> NDArray[np.int32]:
        """Return the points of the dealer's side if all pass from here, int32 `[L]`."""
        out = np.empty(len(self), dtype=np.int32)
        boards = self.boards
        kernels.scores(self._state, self._board, boards.tricks, boards.vulnerable, POINTS, out)
        return out

    def rewards(self) -> NDArray[np.float32]:
        """Return the mean IMPs of the dealer's side against the other tables, float32 `[L]`."""
        return imps_against_others(self.scores(), self.tables)
