"""`bidwright find`: boards are printed, counted and written, and read once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.authoring.find import read_boards
from bidwright.authoring.find.meaning_query import parse_query
from bidwright.bridge.pbn import read_pbn
from bidwright.tests.cli.conftest import ROOT

Run = Callable[..., Any]
AUCTIONS = ("1NT Pass 3NT AP", "1NT Pass 2C Pass 2D AP", "1S Pass 2S AP")


def _file(path: Path, auctions: tuple[str, ...]) -> Path:
    games = (
        f'[Board "{number}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Auction "N"]\n{auction}\n'
        for number, auction in enumerate(auctions, start=1)
    )
    path.write_text("\n".join(games))
    return path


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """Return a folder with two files."""
    folder = tmp_path / "boards"
    folder.mkdir()
    _file(folder / "a.pbn", AUCTIONS)
    _file(folder / "b.pbn", AUCTIONS[:1])
    (folder / "notes.txt").write_text("no boards")
    return folder


def test_boards_are_printed_with_the_calls_that_fit(run: Run, boards: Path, mini: str) -> None:
    command = ["find", "opener shows hcp 15..17, balanced", str(boards), "--quiet"]
    result = run(*command, "--system", mini)
    assert result.code == 0
    assert result.out.splitlines() == [
        f"{boards / 'a.pbn'}, board 1: N 1NT* P 3NT P P P",
        f"{boards / 'a.pbn'}, board 2: N 1NT* P 2C P 2D P P P",
        f"{boards / 'b.pbn'}, board 1: N 1NT* P 3NT P P P",
    ]
    assert result.err == "3 of 4 boards (75.00%)\n"
    assert run(*command, "--system", mini, "--count").out == "3 of 4 boards (75.00%)\n"


def test_boards_are_written(run: Run, boards: Path, tmp_path: Path, mini: str) -> None:
    out = tmp_path / "found.pbn"
    command = ["find", "responder bids 2C", str(boards), "--system", mini, "-o", str(out)]
    assert run(*command, "--quiet").code == 0
    assert [board.number for board in read_pbn(out)] == [2]


def test_json_and_the_most(run: Run, boards: Path, mini: str) -> None:
    command = ["find", "opener bids 1NT", str(boards), "--system", mini, "--quiet", "--json"]
    result = run(*command, "--most", "2")
    found = [json.loads(line) for line in result.out.splitlines()]
    assert [(each["board"], each["places"]) for each in found] == [("1", [0]), ("2", [0])]


def test_a_file_is_read_once(
    run: Run, boards: Path, mini: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    command = ["find", "opener bids 1NT", str(boards), "--system", mini, "--quiet"]
    first = run(*command)

    def not_again(path: Path) -> None:
        raise AssertionError(f"{path} is read again")

    with monkeypatch.context() as patch:
        patch.setattr(read_boards, "boards_of", not_again)
        assert run(*command).out == first.out
    _file(boards / "a.pbn", (*AUCTIONS, AUCTIONS[0]))
    assert "4 of 5 boards" in run(*command).err


def test_what_cannot_be_found_is_said(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, message in (
        (["opener shows hearts 5+", "nowhere.pbn"], "no such file"),
        (["opener shows hearts 5+", str(empty)], "there are none"),
        (["opener", "nowhere.pbn"], "expected a clause"),
        (["opener bids 1S", "nowhere.pbn", "--me", "Q"], "expected a seat"),
    ):
        result = run("find", *arguments)
        assert (result.code, message in result.err) == (2, True), result.err


def test_the_queries_of_the_page_can_be_read() -> None:
    page = (ROOT / "docs" / "find.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*) \| (.*) \|$", page, re.MULTILINE)
    cells = [cell for row in rows for cell in row]
    # Filters on the text of auctions begin with a call, queries with a word.
    queries = [query for cell in cells for query in re.findall(r"`([a-z][^`]* [^`]+)`", cell)]
    assert len(queries) > 20
    for query in queries:
        parse_query(query)
