"""Auctions in lockstep in tensors, for a GPU: the meaning of `Lanes`, lane for lane.

All lanes have made the same number of calls. A lane whose auction is over takes no more calls, and
what is made there is ignored; nothing here waits for the device unless its docstring says so.
"""

from __future__ import annotations

import torch
from torch import Tensor

from bidwright.bridge.calls import FIRST_BID, NUM_BIDS, NUM_CALLS, Call
from bidwright.bridge.cards import HAND_SIZE, Denomination, Seat
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.layout import (
    BLOCK,
    CARD_OF_BIT,
    CRITIC,
    HAND,
    HISTORY,
    OBSERVATION,
    OPENING_PASSES,
    POINTS_SCALE,
    TABLE_FACTS,
)
from bidwright.neural.env.points import IMPS, POINTS, UNIT

_STRAINS = len(Denomination)
_SEATS = len(Seat)


class TensorLanes:
    """Tables at which boards are bid, the tables of a board side by side.

    Attributes:
        tables: tables per board; lane `l` plays board `l // tables`.
        length: calls made so far, by all lanes.
        done: bool `[L]`: whose auction is over.
    """

    def __init__(self, boards: Boards, tables: int, device: torch.device | str = "cpu") -> None:
        """Sit down; no call has been made."""
        self.tables = tables
        self.length = 0
        self._device = torch.device(device)
        self._board = torch.arange(len(boards), device=device).repeat_interleave(tables)
        count = len(self._board)
        self._lanes = torch.arange(count, device=device)
        owner = torch.from_numpy(boards.owner[:, CARD_OF_BIT]).to(device)
        seats = torch.arange(_SEATS, device=device)[:, None]
        self._hands = (owner[:, None, :] == seats).to(torch.uint8)[self._board]
        self._vulnerable = torch.from_numpy(boards.vulnerable).to(device)[self._board]
        self._tricks = torch.from_numpy(boards.tricks).to(device)[self._board]
        self._best = torch.from_numpy(boards.best_scores).to(device)[self._board]
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

    def __len__(self) -> int:
        """Return the number of lanes."""
        return len(self._board)

    @property
    def turn(self) -> int:
        """The seat, counted from the dealer, that calls next."""
        return self.length % _SEATS

    def legal(self) -> Tensor:
        """Return bool `[L, C]`: which calls are legal; in lanes that are over, a pass only."""
        theirs = self._side != self.length % 2
        some = (self._last >= 0) & ~self.done
        legal = torch.empty((len(self), NUM_CALLS), dtype=torch.bool, device=self._device)
        legal[:, Call.PASS] = True
        legal[:, Call.DOUBLE] = some & theirs & (self._doubled == 0)
        legal[:, Call.REDOUBLE] = some & ~theirs & (self._doubled == 1)
        legal[:, FIRST_BID:] = (self._bids > self._last[:, None]) & ~self.done[:, None]
        return legal

    def observe(self, *, hidden: bool = False, dtype: torch.dtype = torch.uint8) -> Tensor:
        """Return `[L, 480]`: what the players to call see; `[L, 636]` with hidden hands."""
        me, side = self.turn, self.length % 2
        width = CRITIC if hidden else OBSERVATION
        out = torch.empty((len(self), width), dtype=dtype, device=self._device)
        own, other = self._vulnerable[:, side], self._vulnerable[:, 1 - side]
        out[:, :OPENING_PASSES] = torch.stack((1 - own, own, 1 - other, other), dim=1)
        out[:, OPENING_PASSES:HAND] = self._history.roll(-me, 2).flatten(1)
        shown = _SEATS if hidden else 1
        out[:, HAND:] = self._hands.roll(-me, 1)[:, :shown].flatten(1)
        return out

    def table_facts(self) -> Tensor:
        """Return float32 `[L, 23]`: the table facts of `layout` for the players to call."""
        me, side = self.turn, self.length % 2
        out = torch.empty((len(self), TABLE_FACTS), device=self._device)
        cells = _STRAINS * _SEATS
        out[:, :cells] = self._tricks.roll(-me, 2).flatten(1) / HAND_SIZE
        out[:, cells] = self._best[:, side] / POINTS_SCALE
        out[:, cells + 1] = self._best[:, 1 - side] / POINTS_SCALE
        now = self.scores()
        out[:, cells + 2] = (now if side == 0 else -now) / POINTS_SCALE
        return out

    def step(self, calls: Tensor) -> None:
        """Make a call, int64 `[L]`, in each lane that is not over; legality is not checked."""
        me, side = self.turn, self.length % 2
        running = ~self.done
        bids = (calls >= FIRST_BID) & running
        passes = (calls == Call.PASS) & running
        doubles = running & ~bids & ~passes
        bid = torch.where(bids, calls - FIRST_BID, self._last).clamp(min=0)
        kind = torch.where(bids, 0, calls)
        row = torch.where(passes, 0, 1 + BLOCK // _SEATS * bid + kind)
        seen = bids | doubles | (passes & (self._last < 0))
        self._history[self._lanes, row, me] |= seen.to(torch.uint8)
        strain = bid % _STRAINS
        named = self._first[self._lanes, side, strain]
        self._first[self._lanes, side, strain] = torch.where(bids & (named < 0), me, named)
        self._last = torch.where(bids, bid, self._last)
        self._side = torch.where(bids, side, self._side)
        self._doubled = torch.where(bids, 0, torch.where(doubles, calls, self._doubled))
        self._passes = torch.where(passes, self._passes + 1, torch.where(running, 0, self._passes))
        self.done = self.done | (self._passes >= torch.where(self._last < 0, _SEATS, 3))
        self.length += 1

    def scores(self) -> Tensor:
        """Return int32 `[L]`: points of the dealer's side, as if all passed from here."""
        last = self._last.clamp(min=0)
        strain = last % _STRAINS
        declarer = self._first[self._lanes, self._side, strain].clamp(min=0)
        tricks = self._tricks[self._lanes, strain, declarer].long()
        vulnerable = self._vulnerable[self._lanes, self._side].long()
        points = self._points[vulnerable, self._doubled, last, tricks]
        signed = torch.where(self._side == 0, points, -points)
        return torch.where(self._last >= 0, signed, 0)

    def rewards(self) -> Tensor:
        """Return float32 `[L]`: mean IMPs of the dealer's side against the board's other tables.

        Raises:
            ValueError: If there is no other table.
        """
        if self.tables < 2:
            raise ValueError(f"expected two tables or more to compare, got {self.tables}")
        scores = self.scores().view(-1, self.tables)
        steps = (scores[:, :, None] - scores[:, None, :]) // UNIT
        against = self._imps[steps + len(self._imps) // 2]
        return against.sum(2).float().flatten() / (self.tables - 1)
