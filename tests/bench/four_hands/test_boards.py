"""Boards are read from both kinds of sources, and wrong ones refused with their place."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from bidwright.bench.four_hands.boards import chosen, load_boards
from bidwright.bridge.cards import Denomination, Seat, Vulnerability
from bidwright.bridge.contract import parse_contract
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import InvalidError
from bidwright.tests.bench.four_hands.small import lines_of_boards, some_boards

LINE = {
    "board": 7,
    "deal": "N:AKQJ.AKQJ.AKQ.AK T987.T987.JT9.QJ 6543.6543.876.T9 2.2.5432.8765432",
    "dealer": "E",
    "vul": "NS",
    "dd": "0123456789abcd012345",
    "auction": "P P P 1N AP",
}


@pytest.mark.system
def test_a_line_holds_the_table_by_declarer_and_the_auction_from_the_dealer(tmp_path: Path) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_text(json.dumps(LINE) + "\n")
    (board,) = load_boards(path, None)
    assert board.number == 7
    assert board.tricks[Denomination.CLUBS, Seat.NORTH] == 0
    assert board.tricks[Denomination.NOTRUMP, Seat.NORTH] == 4
    assert board.tricks[Denomination.CLUBS, Seat.EAST] == 5
    assert board.tricks[Denomination.NOTRUMP, Seat.WEST] == 5
    assert str(board.reference.contract()) == "1NT by N"
    assert board.vulnerability is Vulnerability.NS
    assert board.score_ns(board.reference.contract()) == -300
    assert board.score_ns(parse_contract("1NT", Seat.EAST)) == -150
    assert board.score_ns(None) == 0


def test_par_is_found_from_the_table(tmp_path: Path) -> None:
    (board,) = some_boards(tmp_path, 1)
    # North-South take eight tricks anywhere: two notrump is more than they can be outbid for
    assert board.par_ns() == 120


def test_a_solved_deal_is_dealt_and_vulnerable_by_its_number(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    owner = np.array([random_deal(rng).owner for _ in range(6)], dtype=np.uint8)
    tricks = np.full((6, 5, 4), 7, dtype=np.uint8)
    np.savez(tmp_path / "deals.npz", owner=owner, tricks=tricks)
    with gzip.open(tmp_path / "auctions.jsonl.gz", "wt") as file:
        file.writelines(json.dumps({"i": i, "auction": "1S AP"}) + "\n" for i in (0, 5))
    first, second = load_boards(tmp_path / "deals.npz", tmp_path / "auctions.jsonl.gz")
    assert (first.number, first.dealer, first.vulnerability) == (
        0,
        Seat.NORTH,
        Vulnerability.NONE,
    )
    assert (second.number, second.dealer, second.vulnerability) == (
        5,
        Seat.EAST,
        Vulnerability.EW,
    )
    assert (second.deal.owner == owner[5]).all()
    with pytest.raises(InvalidError, match="expected a file of auctions"):
        load_boards(tmp_path / "deals.npz", None)


def test_a_limit_and_a_part_are_taken_from_the_front(tmp_path: Path) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_text(lines_of_boards(5))
    assert [board.number for board in load_boards(path, None, 3)] == [1, 2, 3]
    assert [board.number for board in chosen(load_boards(path, None), 1, 2)] == [2, 3]
    assert [board.number for board in chosen(load_boards(path, None), 3, None)] == [4, 5]


@pytest.mark.parametrize(
    "wrong",
    [{"dd": "012"}, {"deal": "N:AK"}, {"auction": "1S 1H"}, {"dealer": "Q"}, {"dd": "x" * 20}],
)
def test_a_wrong_line_is_refused_with_its_place(tmp_path: Path, wrong: dict[str, str]) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_text(json.dumps(LINE) + "\n" + json.dumps({**LINE, **wrong}) + "\n")
    with pytest.raises(InvalidError, match=r"boards\.jsonl:2: expected a board"):
        load_boards(path, None)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="cannot read"):
        load_boards(tmp_path / "none.jsonl", None)
