"""`bidwright solve`: tables and par of boards, and data sets that go on where they stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.pbn import read_pbn
from bidwright.match.double_dummy import data_sets
from bidwright.match.double_dummy.dd_solver import DoubleDummy

Run = Callable[..., Any]
DEAL = "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"

TABLE = f"""\
dealer North, vulnerable: None
{DEAL}

      NT   S   H   D   C
   N   9  10   9   9   9
   S   9  10   9   9   9
   E   2   2   2   3   4
   W   2   2   2   3   4

Par: NS +420, 4S= by North-South
"""


@pytest.fixture
def pbn(tmp_path: Path) -> Path:
    """Return a file with two boards."""
    path = tmp_path / "boards.pbn"
    boards = [
        f'[Board "{number}"]\n[Dealer "E"]\n[Vulnerable "All"]\n[Deal "{deal}"]\n'
        for number, deal in ((4, DEAL), (9, DEAL.replace("N:", "E:")))
    ]
    path.write_text("\n".join(boards))
    return path


def test_a_deal_is_solved(run: Run) -> None:
    result = run("solve", DEAL)
    assert (result.code, result.err) == (0, "")
    assert result.out == TABLE


def test_the_fourth_hand_may_be_left_out(run: Run) -> None:
    assert run("solve", DEAL.rpartition(" ")[0]).out == TABLE


def test_boards_of_a_file_as_json(run: Run, pbn: Path) -> None:
    result = run("solve", "--pbn", str(pbn), "--json", "--quiet")
    four, nine = map(json.loads, result.out.splitlines())
    assert (four["board"], four["dealer"], four["vul"]) == (4, "E", "both")
    assert four["tricks"]["N"] == {"C": 9, "D": 9, "H": 9, "S": 10, "NT": 9}
    assert four["par"]["score_ns"] == 620
    assert nine["tricks"]["E"] == four["tricks"]["N"]
    assert nine["par"]["score_ns"] == -620


def test_a_sacrifice_is_par_where_it_is_cheap(run: Run) -> None:
    deal = "N:AKQ32.AKQ2.32.32 4.3.KQJT987.KQJT J9876.JT98.A.A54 T5.7654.654.9876"
    level = run("solve", deal)
    assert level.out.endswith("Par: NS +980, 6H= by North-South, 6S= by North-South\n")
    vulnerable = run("solve", deal, "--vul", "ns")
    assert "Par: NS +1100, " in vulnerable.out
    assert vulnerable.out.endswith("7DX-5 by East-West\n")


def test_solved_boards_are_written_as_pbn(run: Run, pbn: Path, tmp_path: Path) -> None:
    out = tmp_path / "solved.pbn"
    assert run("solve", "--pbn", str(pbn), "--board", "4", "-o", str(out)).code == 0
    (board,) = read_pbn(out)
    assert board.errors == ()
    assert board.tags["DoubleDummyTricks"] == "9a9999a9992223422234"
    assert board.tags["OptimumScore"] == "NS 620"
    assert len(board.sections["OptimumResultTable"]) == 20
    assert board.sections["OptimumResultTable"][1].split() == ["N", "S", "10"]


@pytest.mark.system
def test_a_data_set_goes_on_after_an_interrupt(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_sets, "_BATCH", 2)
    tables = DoubleDummy.tables
    calls = 0

    def interrupted(self: DoubleDummy, owner: NDArray[np.uint8]) -> NDArray[np.uint8]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return tables(self, owner)

    out, whole = tmp_path / "set.npz", tmp_path / "whole.npz"
    command = ["solve", "-n", "6", "--seed", "7", "--quiet", "-o"]
    with monkeypatch.context() as patch:
        patch.setattr(DoubleDummy, "tables", interrupted)
        result = run(*command, str(out))
    assert result.code == 130
    assert "the same command goes on" in result.err
    assert not out.exists()
    result = run(*command, str(out))
    assert (result.code, result.out) == (0, f"6 solved deals of seed 7 in {out}\n")
    run(*command, str(whole))
    for key in ("owner", "tricks"):
        assert np.array_equal(np.load(out)[key], np.load(whole)[key])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected one of a deal, --pbn FILE and -n NUMBER"),
        (["-n", "5"], "expected a file for the deals: -o FILE.npz"),
        (["-n", "5", "-o", "nowhere/set.npz"], "expected a folder for 'nowhere/set.npz'"),
        (["N:AKQ - - -"], "expected four holdings"),
        (["N:AQ8.K75.KQ84.J32 - - -"], "expected four hands in 'N:AQ8.K75.KQ84.J32 - - -'"),
        (["--pbn", "nowhere.pbn"], "nowhere.pbn"),
        ([DEAL, "--vul", "some"], "expected a vulnerability"),
    ],
)
def test_what_cannot_be_solved_is_said(run: Run, arguments: list[str], message: str) -> None:
    result = run("solve", *arguments)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_board_that_is_not_in_the_file(run: Run, pbn: Path) -> None:
    result = run("solve", "--pbn", str(pbn), "--board", "5")
    assert (result.code, "expected a board of" in result.err) == (2, True)
