"""Auctions in lockstep in tensors, for a GPU: the meaning of `Lanes`, lane for lane.

All lanes have the same number of calls. In a lane whose auction is over calls are ignored;
`compact` drops such lanes, so that networks do not compute them: short auctions would otherwise
stay to the end of the longest one. Nothing here waits for the device unless its docstring says so.

Letters in shapes: `L` lanes, `R` lanes that remain, `C` calls.
"""

from __future__ import annotations

import torch
from torch import Tensor

from bidwright.bridge.calls import FIRST_BID, NUM_BIDS, NUM_CALLS, Call
from bidwright.bridge.cards import HAND_SIZE, Denomination, Seat
from bidwright.neural.env.layout import (
    BLOCK,
    CRITIC,
    HAND,
    HISTORY,
    OBSERVATION,
    OPENING_PASSES,
    POINTS_SCALE,
    TABLE_FACTS,
)
from bidwright.neural.env.points import IMPS, POINTS, UNIT
from bidwright.neural.env.tensor_boards import TensorBoards

_STRAINS = len(Denomination)
_BOOK = 6
"""Tricks that a contract adds its level to."""
_SEATS = len(Seat)
_OUTCOME = ("_last", "_side", "_doubled", "_first")
"""Attributes that determine the score of a lane, besides its board."""
_CARRIED = (*_OUTCOME, "_hands", "_vulnerable", "_tricks", "_best", "_passes", "_history", "done")


class TensorLanes:
    """Tables for bidding boards, the tables of a board side by side.

    Attributes:
        tables: tables per board; lane `l` plays board `l // tables`.
        length: calls made so far, by all lanes.
        running: int64 `[R]`: the lanes that remain.
        done: bool `[R]`: True where the auction is over.
    """

    def __init__(self, boards: TensorBoards, tables: int) -> None:
        """Begin auctions without calls, on the device of the boards."""
        self.tables = tables
        self.length = 0
        self._device = device = boards.device
        self._board = torch.arange(len(boards), device=device).repeat_interleave(tables)
        count = len(self._board)
        self._rows = self.running = torch.arange(count, device=device)
        self._hands = boards.hands()[self._board]
        self._vulnerable = boards.vulnerable[self._board]
        self._tricks = boards.tricks[self._board]
        self._best = boards.best_scores()[self._board]
        self._points = torch.from_numpy(POINTS).to(device)
        self._imps = torch.from_numpy(IMPS).to(device)
        self._last = torch.full((count,), -1, device=device)
        self._side = torch.zeros(count, dtype=torch.int64, device=device)
        self._doubled = torch.zeros(count, dtype=torch.int64, device=device)
        self._passes = torch.zeros(count, dtype=torch.int64, device=device)
        self._first = torch.full((count, 2, _STRAINS), -1, dtype=torch.int64, device=device)
        rows = 1 + (HAND - HISTORY) // _SEATS
        self._history = torch.zeros((count, rows, _SEATS), dtype=torch.uint8, device=device)
        self._bids = torch.arange(NUM_BIDS, device=device)
        self.done = torch.zeros(count, dtype=torch.bool, device=device)
        self._all_tricks, self._all_vulnerable = self._tricks, self._vulnerable
        self._outcomes = [getattr(self, name).clone() for name in _OUTCOME]

    def compact(self) -> None:
        """Drop the lanes with a finished auction; waits for the device."""
        self._note()
        remaining = torch.nonzero(~self.done)[:, 0]
        # Selecting what remains needs its number, which is known on the device only.
        self.running = self.running[remaining]
        self._rows = torch.arange(len(remaining), device=self._device)
        for name in _CARRIED:
            setattr(self, name, getattr(self, name)[remaining])

    def _note(self) -> None:
        """Store the state that determines scores, for the lanes that remain."""
        for whole, name in zip(self._outcomes, _OUTCOME, strict=True):
            whole[self.running] = getattr(self, name)

    def __len__(self) -> int:
        """Return the number of lanes."""
        return len(self._board)

    @property
    def turn(self) -> int:
        """The seat, counted from the dealer, that calls next."""
        return self.length % _SEATS

    def legal(self) -> Tensor:
        """Return the legal calls, bool `[R, C]`; in lanes that are over, a pass only."""
        theirs = self._side != self.length % 2
        # In lanes that are over only a pass is legal, so that a draw there has something to draw.
        some = (self._last >= 0) & ~self.done
        legal = torch.empty((len(self.done), NUM_CALLS), dtype=torch.bool, device=self._device)
        legal[:, Call.PASS] = True
        legal[:, Call.DOUBLE] = some & theirs & (self._doubled == 0)
        legal[:, Call.REDOUBLE] = some & ~theirs & (self._doubled == 1)
        legal[:, FIRST_BID:] = (self._bids > self._last[:, None]) & ~self.done[:, None]
        return legal

    def observe(self, *, hidden: bool = False, dtype: torch.dtype = torch.uint8) -> Tensor:
        """Return the observations of the players to call, `[R, 480]`; `[R, 636]` with all hands."""
        me, side = self.turn, self.length % 2
        width = CRITIC if hidden else OBSERVATION
        # Not filled first: all columns are written below.
        out = torch.empty((len(self.done), width), dtype=dtype, device=self._device)
        ours, other = self._vulnerable[:, side], self._vulnerable[:, 1 - side]
        out[:, :OPENING_PASSES] = torch.stack((1 - ours, ours, 1 - other, other), dim=1)
        # One table of history for all seats, turned to the player to call.
        out[:, OPENING_PASSES:HAND] = self._history.roll(-me, 2).flatten(1)
        shown = _SEATS if hidden else 1
        out[:, HAND:] = self._hands.roll(-me, 1)[:, :shown].flatten(1)
        return out

    def table_facts(self) -> Tensor:
        """Return the table facts of `layout` for the players to call, float32 `[R, 23]`."""
        me, side = self.turn, self.length % 2
        out = torch.empty((len(self.done), TABLE_FACTS), device=self._device)
        cells = _STRAINS * _SEATS
        out[:, :cells] = self._tricks.roll(-me, 2).flatten(1) / HAND_SIZE
        out[:, cells] = self._best[:, side] / POINTS_SCALE
        out[:, cells + 1] = self._best[:, 1 - side] / POINTS_SCALE
        outcome = [getattr(self, name) for name in _OUTCOME]
        now = self._points_of(outcome, self._tricks, self._vulnerable)
        out[:, cells + 2] = (now if side == 0 else -now) / POINTS_SCALE
        return out

    def step(self, calls: Tensor) -> None:
        """Make a call, int64 `[R]`, in each lane that is not over; legality is not checked."""
        me, side = self.turn, self.length % 2
        running = ~self.done
        bids = (calls >= FIRST_BID) & running
        passes = (calls == Call.PASS) & running
        doubles = running & ~bids & ~passes
        # Where nobody has bid the clamp reads bid 0; the values are not used there.
        bid = torch.where(bids, calls - FIRST_BID, self._last).clamp(min=0)
        # The row within a bid's block: 0 made, 1 doubled, 2 redoubled, as the calls are numbered.
        kind = torch.where(bids, 0, calls)
        row = torch.where(passes, 0, 1 + BLOCK // _SEATS * bid + kind)
        # Passes are shown only before the first bid.
        seen = bids | doubles | (passes & (self._last < 0))
        self._history[self._rows, row, me] |= seen.to(torch.uint8)
        strain = bid % _STRAINS
        named = self._first[self._rows, side, strain]
        # Written in all lanes, with the old value where nothing changes: a selection would wait.
        self._first[self._rows, side, strain] = torch.where(bids & (named < 0), me, named)
        self._last = torch.where(bids, bid, self._last)
        self._side = torch.where(bids, side, self._side)
        self._doubled = torch.where(bids, 0, torch.where(doubles, calls, self._doubled))
        self._passes = torch.where(passes, self._passes + 1, torch.where(running, 0, self._passes))
        # Four passes without a bid, three after one (Law 22).
        self.done = self.done | (self._passes >= torch.where(self._last < 0, _SEATS, 3))
        self.length += 1

    def failing(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return the lanes where the opponents' contract fails, and its doubling.

        Args:
            rows: int64 `[N]`: places among the lanes that remain.

        Returns:
            bool `[N]`: True where the contract of the opponents of the player to call fails double
            dummy, if all pass from here; int64 `[N]`: 0, or 1 if doubled, 2 if redoubled.
        """
        bid = self._last[rows]
        last, side = bid.clamp(min=0), self._side[rows]
        strain = last % _STRAINS
        declarer = self._first[rows, side, strain].clamp(min=0)
        # Six tricks of the book, and as many as the level.
        short = self._tricks[rows, strain, declarer] < _BOOK + 1 + last // _STRAINS
        return (bid >= 0) & (side != self.length % 2) & short, self._doubled[rows]

    def scores(self) -> Tensor:
        """Return the points of the dealer's side if all pass from here, int32 `[L]`."""
        self._note()
        return self._points_of(self._outcomes, self._all_tricks, self._all_vulnerable)

    def _points_of(self, outcome: list[Tensor], tricks: Tensor, vulnerable: Tensor) -> Tensor:
        """Return points of the dealer's side, int32, by last bid, its side, doubles and namers."""
        bid, side, doubled, first = outcome
        rows = torch.arange(len(bid), device=self._device)
        last = bid.clamp(min=0)
        strain = last % _STRAINS
        declarer = first[rows, side, strain].clamp(min=0)
        taken = tricks[rows, strain, declarer].long()
        points = self._points[vulnerable[rows, side].long(), doubled, last, taken]
        signed = torch.where(side == 0, points, -points)
        return torch.where(bid >= 0, signed, 0)

    def rewards(self) -> Tensor:
        """Return the mean IMPs of the dealer's side against the other tables, float32 `[L]`.

        Raises:
            ValueError: If there is no other table.
        """
        if self.tables < 2:
            raise ValueError(f"expected two tables or more to compare, got {self.tables}")
        scores = self.scores().view(-1, self.tables)
        steps = (scores[:, :, None] - scores[:, None, :]) // UNIT
        # The middle of the table is a difference of nothing.
        against = self._imps[steps + len(self._imps) // 2]
        return against.sum(2).float().flatten() / (self.tables - 1)
