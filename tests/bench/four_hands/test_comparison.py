"""The figures of a comparison are those that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bidwright.bench.four_hands.boards import Board
from bidwright.bench.four_hands.comparison import (
    Pair,
    by_doubles,
    by_family,
    by_fault,
    row_of,
    worst,
)
from bidwright.bench.four_hands.printing import as_json, report
from bidwright.bench.four_hands.slams import by_outcome
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.tests.bench.four_hands.small import some_boards


def table() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a table where North-South take ten tricks in a major, nine elsewhere."""
    tricks = np.full((5, 4), 4, dtype=np.uint8)
    tricks[:, [Seat.NORTH, Seat.SOUTH]] = 9
    tricks[2:4, [Seat.NORTH, Seat.SOUTH]] = 10
    tricks[2:4, [Seat.EAST, Seat.WEST]] = 3
    return tricks


def pair(board: Board, number: int, ours: str, theirs: str, **line: object) -> Pair:
    """Return a board, dealt by North with nobody vulnerable, on which par is 420."""
    auctions = [parse_auction(text) for text in (ours, theirs)]
    board = replace(
        board,
        number=number,
        dealer=Seat.NORTH,
        vulnerability=Vulnerability.NONE,
        tricks=table(),
        reference=auctions[1],
    )
    calls = [str(call) for call in auctions[0].calls]
    by = [f"rule{at}" for at in range(len(calls))]
    return Pair(board, {"calls": calls, "by": by, "faults": [], "par": 420, **line})


@pytest.fixture(name="board")
def _board(tmp_path: Path) -> Board:
    return some_boards(tmp_path, 1)[0]


@pytest.fixture(name="pairs")
def _pairs(board: Board) -> list[Pair]:
    return [
        pair(board, 1, "1S P 4S AP", "1S P 4S AP"),
        pair(board, 2, "1S P 2S AP", "1S P 4S AP", faults=[["game missed", 4], ["no rule", 3]]),
        pair(board, 3, "1S X 4S AP", "1S P 2S AP"),
        pair(board, 4, "1S 2H 3S 4H X AP", "1S 2H 3S P 4S AP"),
    ]


def test_a_score_is_held_against_par_on_both_sides(pairs: list[Pair]) -> None:
    # 420, 170, 420 and 1700 (seven down, doubled) against par 420
    assert [each.scores for each in pairs] == [(420, 420), (170, 420), (420, 170), (1700, 420)]
    assert [each.from_par for each in pairs] == [(0, 0), (6, 0), (0, 6), (15, 0)]
    assert [each.excess for each in pairs] == [0, 6, -6, 15]
    row = row_of("all", pairs)
    assert (row.ours.mean, row.theirs.mean, row.total) == (5.25, 1.5, 15)


def test_the_swing_is_that_of_the_side_that_parted(pairs: list[Pair]) -> None:
    same, south, east, west = (each.divergence for each in pairs)
    assert same is None
    assert south is not None
    assert (south.seat, str(south.a_call), str(south.b_call)) == (Seat.SOUTH, "2S", "4S")
    assert (south.a_by, south.imps) == ("rule2", -6)
    assert east is not None
    assert (east.seat, str(east.a_call), east.imps) == (Seat.EAST, "X", -6)
    assert west is not None
    assert (west.seat, str(west.a_call), west.a_by, west.imps) == (Seat.WEST, "4H", "rule3", -15)
    assert [each.board.number for each in worst(pairs, 2)] == [4, 2]


def test_boards_are_sorted_by_kind_and_by_doubles(pairs: list[Pair]) -> None:
    families = {row.name: (row.excess.count, row.total) for row in by_family(pairs)}
    assert families == {"game": (2, 6), "competitive, game": (2, 9)}
    doubles = {row.name: row.excess.count for row in by_doubles(pairs)}
    assert doubles == {"undoubled | undoubled": 3, "doubled, down | undoubled": 1}


def test_faults_are_counted_by_board_and_rule(pairs: list[Pair]) -> None:
    faults = {row.kind: row for row in by_fault(pairs)}
    assert faults["game missed"].boards == (2,)
    assert faults["game missed"].rules == (("rule4", 1),)
    assert faults["no rule"].rules == (("rule3", 1),)
    assert faults["short fit"].boards == ()


def test_the_report_tells_every_part(pairs: list[Pair]) -> None:
    text = report(pairs, 2)
    assert text.startswith(
        "4 boards, 3 bid differently\nmean IMPs from par, without sign: ours 5.250"
    )
    assert "competitive, game                       2   7.500   3.000" in text
    assert "game missed               1   250.00  boards 2: rule4 (1)" in text
    assert "board 4: -15 IMPs, dealer N" in text
    assert "board 3: " not in text, "only the two worst"
    found = as_json(pairs)
    assert found["all"]["excess"] == 3.75
    assert found["rules"]["rule2"]["total"] == -6
    assert found["faults"]["game missed"] == {"boards": [2]}


def test_slams_are_made_fail_or_are_missed(board: Board) -> None:
    tricks = table()
    tricks[3, Seat.SOUTH] = 12
    pairs = [
        replace(each, board=replace(each.board, tricks=tricks))
        for each in (
            pair(board, 1, "P P 1S P 6S AP", "1S P 4S AP"),  # by South: made, missed
            pair(board, 2, "1S P 6S AP", "1S P 7S AP"),  # by North: fail
            pair(board, 3, "1H P 4H AP", "P 1H P 4H AP"),  # missed; theirs had none
            pair(board, 4, "P P P P", "P P P P"),
        )
    ]
    found = {row.outcome: (row.ours, row.theirs) for row in by_outcome(pairs)}
    assert found == {"made": (1, 0), "failed": (1, 1), "missed": (1, 1)}
    # 980 is 11 IMPs from par, 420 none: the slam that was made; two and three down, 100 and 150
    assert {row.outcome: row.swing for row in by_outcome(pairs)}["made"] == 11
    assert as_json(pairs)["slams"]["made"] == {"ours": 1, "engine": 0, "excess": 11}
    assert "\nmissed      1       1 " in report(pairs, 0)
