"""`bidwright review`: boards of a file held against disclosed systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.lin import read_lin

BOARD = (
    '[Board "7"]\n[North "Nora"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
    '[Deal "N:AQ8.K75.QJ84.J32 J943.QT4.K62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"]\n'
    '[Auction "N"]\n1NT Pass Pass Pass\n'
)


def test_the_verb_prints_writes_and_refuses(
    run: Callable[..., Any], mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "session.pbn"
    path.write_text(BOARD)
    printed = run("review", str(path), "--system", mini)
    assert (printed.code, printed.err) == (0, "")
    assert "deviates from the system" in printed.out
    values = json.loads(run("review", str(path), "--system", mini, "--json").out)
    assert values["judged"] == 4
    page = tmp_path / "report.html"
    assert run("review", str(path), "--system", mini, "--html", str(page)).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    explained = run("explain", "--pbn", str(path), "--system", mini)
    assert "promise   15+ HCP; held 13, 2 HCP too few" in explained.out
    refused = run("review", str(path), "--board", "9", "--system", mini)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    path.write_text('[Board "1"]\n[Auction "N"]\n1NT AP\n')
    refused = run("review", str(path), "--system", mini)
    assert refused.code == 2
    assert "expected boards with an auction and hands" in refused.err


def test_the_board_that_is_explained_of_several_is_named(
    run: Callable[..., Any], mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "session.pbn"
    path.write_text(BOARD + "\n" + BOARD.replace('"7"', '"8"'))
    first = run("explain", "--pbn", str(path), "--system", mini, "--brief")
    said = f"bidwright: board 7 of the 2 in {path} is explained; --board K takes another\n"
    assert first.err == said
    named = run("explain", "--pbn", str(path), "--board", "7", "--system", mini, "--brief")
    assert (named.out, named.err) == (first.out, "")


ROOMS = (
    "vg|Club,Seg 1,I,1,1,Reds,0,Blues,0|\npn|Ann,Bob,Cid,Dee,Eve,Fay,Gus,Hal|pg||\n"
    "qx|o1|md|3S8743HJ96DQ82C943,SKQ6HA85DKJT4CK72,SJT92HT73D953CQT8,|sv|o|"
    "mb|p|mb|p|mb|p|mb|1N|mb|p|mb|p|mb|p|pg||\n"
    "qx|c1|md|3S8743HJ96DQ82C943,SKQ6HA85DKJT4CK72,SJT92HT73D953CQT8,|sv|o|"
    "mb|p|mb|1D|mb|p|mb|2N|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||\n"
)


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        (["--board", "1", "--room", "closed"], 9),
        (["--board", "1c"], 9),
        (["--board", "c1"], 9),
        (["--room", "Open"], 7),
    ],
)
def test_a_board_is_picked_by_name_and_room(
    run: Callable[..., Any], mini: str, tmp_path: Path, options: list[str], calls: int
) -> None:
    path = tmp_path / "match.lin"
    path.write_text(ROOMS)
    made = run("explain", "--lin", str(path), *options, "--system", mini, "--json")
    assert len(json.loads(made.out)["calls"]) == calls
    assert made.err == ""


def test_both_rooms_are_named_where_the_first_is_explained(
    run: Callable[..., Any], mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "match.lin"
    path.write_text(ROOMS)
    made = run("explain", "--lin", str(path), "--board", "1", "--system", mini, "--brief")
    assert made.err == (
        "bidwright: board 1, open room; board 1, closed room: the first is explained; "
        "--room ROOM takes another\n"
    )
    refused = run("review", str(path), "--board", "9", "--system", mini)
    assert (refused.code, refused.err) == (
        2,
        f"bidwright: expected a board of {path} (board 1, open room; board 1, closed room), "
        "got board '9'\n",
    )


def test_a_board_has_any_name(run: Callable[..., Any], mini: str, tmp_path: Path) -> None:
    path = tmp_path / "session.pbn"
    path.write_text(BOARD + "\n" + BOARD.replace('"7"', '"Final-2"'))
    made = run("review", str(path), "--board", "final-2", "--system", mini, "--json")
    assert [each["name"] for each in json.loads(made.out)["boards"]] == ["Final-2"]


def test_the_sum_stands_on_the_terminal_where_a_page_is_written(
    run: Callable[..., Any], mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "session.pbn"
    path.write_text(BOARD)
    page = tmp_path / "report.html"
    made = run("review", str(path), "--system", mini, "--html", str(page))
    assert made.out.splitlines()[:2] == [
        "Review of 1 board: both sides Mini Standard",
        "4 calls judged; 1 (25.0 %) misinform or deviate",
    ]
    assert made.err == f"wrote {page}\n"


@pytest.mark.system
def test_systems_that_the_file_names_are_disclosed(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "session.pbn"
    tags = '[BidSystemNS "Acol"]\n[BidSystemEW "Blue Club"]\n'
    path.write_text(BOARD.replace("[Auction", tags + "[Auction"))
    made = run("review", str(path), "--json")
    (board,) = json.loads(made.out)["boards"]
    assert {side: each["source"] for side, each in board["systems"].items()} == {
        "ns": "file",
        "ew": "unknown",
    }
    assert '"Blue Club": its players are not judged' in made.err
    explained = run("explain", "--pbn", str(path), "--brief")
    assert explained.err == (
        "bidwright: NS play acol, as the file says\n"
        'bidwright: the file says that EW play "Blue Club", which is not known here; '
        "sayc is read\n"
    )


def test_solve_reads_and_writes_lin(run: Callable[..., Any], tmp_path: Path) -> None:
    path, out = tmp_path / "deals.lin", tmp_path / "solved.lin"
    deal = "S8743HJ96DQ82C943,SKQ6HA85DKJT4CK72,SJT92HT73D953CQT8,"
    boards = (f"pn|-,-,-,-|md|{k}{deal}|sv|{vul}|ah|Board {k}|" for k, vul in ((1, "o"), (2, "n")))
    path.write_text("\n".join(boards))
    made = run("solve", "--lin", str(path), "--board", "2", "-o", str(out))
    assert made.out.startswith("Board 2, dealer West, vulnerable: NS\n")
    assert [each.number for each in read_lin(out)] == [2]


def test_sample_writes_lin(run: Callable[..., Any], mini: str, tmp_path: Path) -> None:
    out = tmp_path / "deals.lin"
    made = run("sample", "1NT P 3NT", "-n", "3", "--system", mini, "--out", str(out))
    assert made.code == 0
    boards = read_lin(out)
    assert [str(each.auction) for each in boards] == ["1NT (P) 3NT"] * 3
