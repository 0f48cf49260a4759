"""Par of tables made for the purpose, and against bidding the game out by brute force."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.calls import BIDS
from bidwright.bridge.cards import Denomination, Seat, Side, Vulnerability
from bidwright.bridge.contract import BOOK, Contract
from bidwright.bridge.scoring import score
from bidwright.match.double_dummy.par import par


def _table(ns: str, ew: str) -> NDArray[np.uint8]:
    """Return a table from the tricks of each side in C D H S NT, as hexadecimal digits."""
    rows = [[int(a, 16), int(b, 16)] * 2 for a, b in zip(ns, ew, strict=True)]
    return np.array(rows, dtype=np.uint8)


@pytest.mark.parametrize(
    ("ns", "ew", "vulnerability", "dealer", "expected", "contracts"),
    [
        # nobody can make anything
        ("66666", "66666", Vulnerability.NONE, Seat.NORTH, 0, []),
        # a cold game, and a sacrifice that costs too much
        ("555a9", "88833", Vulnerability.NONE, Seat.EAST, 420, ["4S by N", "4S by S"]),
        # the sacrifice pays: five clubs doubled, two down, 300 against 620
        ("555a9", "99944", Vulnerability.NS, Seat.NORTH, 300, ["5CX by E", "5CX by W"]),
        # ... and does not when the sacrificers are the vulnerable side
        ("555a9", "88844", Vulnerability.EW, Seat.NORTH, 420, ["4S by N", "4S by S"]),
        # both sides make one notrump: whoever bids first
        ("66667", "66667", Vulnerability.NONE, Seat.SOUTH, 90, ["1NT by N", "1NT by S"]),
        ("66667", "66667", Vulnerability.NONE, Seat.WEST, -90, ["1NT by E", "1NT by W"]),
        # a grand slam, vulnerable
        ("0000d", "11110", Vulnerability.BOTH, Seat.WEST, 2220, ["7NT by N", "7NT by S"]),
    ],
)
def test_par_of_known_tables(
    ns: str,
    ew: str,
    vulnerability: Vulnerability,
    dealer: Seat,
    expected: int,
    contracts: list[str],
) -> None:
    answer = par(_table(ns, ew), vulnerability, dealer)
    assert answer.score_ns == expected
    shown = [str(contract) for contract in answer.contracts]
    assert set(contracts) <= set(shown)
    assert bool(shown) == bool(contracts)


def test_better_declarer_of_a_side_plays_it() -> None:
    table = _table("66666", "66666")
    table[Denomination.NOTRUMP, Seat.SOUTH] = 9
    answer = par(table, Vulnerability.NONE, Seat.NORTH)
    assert answer.score_ns == 400
    assert {contract.declarer for contract in answer.contracts} == {Seat.SOUTH}


def _by_auction(table: NDArray[np.uint8], vulnerability: Vulnerability, dealer: Seat) -> int:
    """Return the result of the auction of two sides that take turns to bid higher or pass."""

    def result(place: int, side: Side) -> int:
        bid = BIDS[place]
        tricks, declarer = max((int(table[bid.denomination, s]), s) for s in Seat if s.side is side)
        doubled = int(tricks < BOOK + bid.level)
        contract = Contract(bid.level, bid.denomination, doubled, declarer)
        points = score(contract, vulnerability.is_vulnerable(side), tricks)
        return points if side is Side.NS else -points

    @cache
    def value(place: int, holder: Side | None, turn: Side, passed: bool) -> int:
        best = max if turn is Side.NS else min
        raises = [value(more, turn, turn.other, False) for more in range(place + 1, len(BIDS))]
        if holder is not None:
            return best([result(place, holder), *raises])
        return best([0 if passed else value(-1, None, turn.other, True), *raises])

    return value(-1, None, dealer.side, False)


@pytest.mark.parametrize("seed", range(30))
def test_par_is_the_value_of_the_auction(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ns = rng.integers(2, 12, 5)
    table = np.stack([ns, 13 - ns, ns, 13 - ns], axis=1)
    table = np.clip(table - rng.integers(0, 2, table.shape), 0, 13).astype(np.uint8)
    for vulnerability in Vulnerability:
        for dealer in (Seat.NORTH, Seat.EAST):
            expected = _by_auction(table, vulnerability, dealer)
            assert par(table, vulnerability, dealer).score_ns == expected
