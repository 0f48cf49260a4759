"""Bo Haglund's double-dummy solver, by way of endplay's binding: arrays in, arrays out.

One thread, no cache: `match.double_dummy.dd_solver` spreads the work and keeps results.

Shapes: `D` deals. `owner` is uint8 `[D, 52]`, the seat of each card; denominations and seats are in
the package's order. DDS counts suits from spades down.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, SUITS, Card, Denomination, Rank, Seat
from bidwright.runtime.extras import need

Owners = NDArray[np.uint8]
Tricks = NDArray[np.uint8]

# The limit of one call into the library.
_TABLES = 40
"""Tables that DDS solves at a time."""
# Likewise its limit.
_BOARDS = 200
"""Contracts that DDS solves at a time."""
_LOWEST = 2
"""DDS marks the two by bit 2."""
_MEGABYTES = 160
"""The memory of the solver's transposition table."""

_SOLVING = Lock()
"""The library has one place to work in; while it does, other threads may run."""


@cache
def _library() -> ModuleType:
    """Return endplay's binding of DDS.

    Importing it the usual way runs the rest of endplay, which takes half a second.
    """
    name = "endplay._dds"
    # Whoever imported endplay before has its library in memory, and it must not be loaded twice.
    if name in sys.modules:
        module = sys.modules[name]
    else:
        need("endplay")
        package = find_spec("endplay")
        assert package is not None
        assert package.submodule_search_locations is not None
        file = Path(package.submodule_search_locations[0]) / "_dds" / "__init__.py"
        # Under another name, so that a later import of endplay finds nothing half loaded.
        spec = spec_from_file_location("bidwright.match._endplay_dds", file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    # One thread: processes share the work, and threads inside would fight for their cores.
    module._dll.SetResources(_MEGABYTES, 1)
    return module


def _suit(denomination: int) -> int:
    # DDS counts suits from spades, we from clubs; notrump is last in both.
    return denomination if denomination == Denomination.NOTRUMP else len(SUITS) - 1 - denomination


def _holdings(owner: Owners) -> NDArray[np.uint32]:
    """Return uint32 `[D, 4, 4]`: the ranks of each seat, in each suit from spades down."""
    # Reversed to the order of DDS, spades first.
    by_suit = owner.reshape(-1, len(SUITS), HAND_SIZE)[:, ::-1]
    ranks = np.uint32(1) << np.arange(_LOWEST, _LOWEST + HAND_SIZE, dtype=np.uint32)
    held = by_suit[:, None] == np.arange(len(Seat), dtype=np.uint8)[:, None, None]
    return np.ascontiguousarray((held * ranks).sum(axis=3, dtype=np.uint32))


def solve_tables(owner: Owners) -> Tricks:
    """Return uint8 `[D, 5, 4]`: declarer's tricks in each denomination, by each declarer."""
    dds = _library()
    tricks = np.empty((len(owner), len(Denomination), len(Seat)), dtype=np.uint8)
    for start in range(0, len(owner), _TABLES):
        holdings = _holdings(owner[start : start + _TABLES])
        deals, results_of_dds = dds.ddTableDeals(), dds.ddTablesRes()
        deals.noOfTables = len(holdings)
        # The whole array at once instead of 16 fields of each deal.
        ctypes.memmove(deals.ddTableDeal, holdings.ctypes.data, holdings.nbytes)
        with _SOLVING:
            # -1 leaves par out, which is computed in `par`; zeros as the filter ask for all five
            # denominations.
            dds.CalcAllTables(
                deals, -1, [0] * len(Denomination), results_of_dds, dds.allParResults()
            )
        results = np.array([table.resTable for table in results_of_dds.results[: len(holdings)]])
        for denomination in Denomination:
            place = tricks[start : start + _TABLES, denomination]
            place[:] = results[:, _suit(denomination)]
    return tricks


def _boards(
    owner: Owners,
    denominations: NDArray[np.integer],
    declarers: NDArray[np.integer],
    targets: NDArray[np.integer],
) -> NDArray[np.int64]:
    """Return the defenders' tricks after their best lead, int64 `[D]`, in the manner of DDS.

    Args:
        owner: the deals.
        denominations: the denominations of the contracts.
        declarers: the declarers of the contracts.
        targets: tricks that the defenders are to reach; -1 for as many as they can.
    """
    dds = _library()
    scores = np.empty(len(owner), dtype=np.int64)
    for start in range(0, len(owner), _BOARDS):
        holdings = _holdings(owner[start : start + _BOARDS])
        boards, solved = dds.boards(), dds.solvedBoards()
        boards.noOfBoards = len(holdings)
        for place, held in enumerate(holdings):
            deal = boards.deals[place]
            deal.trump = _suit(int(denominations[start + place]))
            # The player on declarer's left leads (Law 41A).
            deal.first = (int(declarers[start + place]) + 1) % len(Seat)
            ctypes.memmove(deal.remainCards, held.ctypes.data, held.nbytes)
            boards.target[place] = int(targets[start + place])
            # One card with the best score is enough.
            boards.solutions[place] = 1
            boards.mode[place] = 1  # also where the lead is forced
        with _SOLVING:
            dds.SolveAllBoardsBin(boards, solved)
        # The side on lead are the defenders: their tricks are what DDS counts.
        for place in range(len(holdings)):
            scores[start + place] = solved.solvedBoard[place].score[0]
    return scores


def solve_contracts(
    owner: Owners, denominations: NDArray[np.integer], declarers: NDArray[np.integer]
) -> Tricks:
    """Return uint8 `[D]`: declarer's tricks in one contract for each deal."""
    scores = _boards(owner, denominations, declarers, np.full(len(owner), -1))
    return (HAND_SIZE - scores).astype(np.uint8)


def solve_targets(
    owner: Owners,
    denominations: NDArray[np.integer],
    declarers: NDArray[np.integer],
    needs: NDArray[np.integer],
) -> NDArray[np.bool_]:
    """Return bool `[D]`, True where declarer can take as many tricks as he needs, 1 to 13."""
    # Declarer makes his need exactly if the defenders do not reach 14 less the need.
    targets = HAND_SIZE + 1 - np.asarray(needs)
    scores = _boards(owner, denominations, declarers, targets)
    # With a target DDS stops as soon as it is settled, which is what makes verdicts cheap.
    return np.asarray(scores < targets)


def solve_leads(owner: Owners, denomination: int, declarer: int) -> dict[Card, int]:
    """Return declarer's tricks after each card that may be led; `owner` is uint8 `[52]`."""
    dds = _library()
    deal, future = dds.deal(), dds.futureTricks()
    holdings = _holdings(owner[None])
    deal.trump = _suit(denomination)
    deal.first = (declarer + 1) % len(Seat)
    ctypes.memmove(deal.remainCards, holdings.ctypes.data, holdings.nbytes)
    with _SOLVING:
        # 3 asks for the score of every card that may be led.
        dds.SolveBoard(deal, -1, 3, 1, future, 0)
    tricks: dict[Card, int] = {}
    for place in range(future.cards):
        suit = len(SUITS) - 1 - future.suit[place]
        # Equal cards are given by the highest; the others are bits.
        ranks = 1 << future.rank[place] | future.equals[place]
        for rank in Rank:
            if ranks >> rank + _LOWEST & 1:
                tricks[HAND_SIZE * suit + rank] = HAND_SIZE - future.score[place]
    # In the order of the cards, whatever order DDS found them in.
    return dict(sorted(tricks.items()))
