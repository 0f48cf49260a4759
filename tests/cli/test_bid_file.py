"""`bidwright bid --pbn` bids whole files, and `explain --annotate` explains them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.lin import read_lin
from bidwright.bridge.pbn import read_pbn
from bidwright.match.play.playroom import BiddingTable, bid_out

Run = Callable[..., Any]
DEAL = "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
NUMBERS = range(1, 12)
_BID_OUT = "bidwright.match.play.recorded_bidding.bid_out"


def game(number: int, extra: str = "") -> str:
    return f'[Board "{number}"]\n[Dealer "N"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n{extra}\n'


@pytest.fixture
def pbn(tmp_path: Path) -> Path:
    """Return a file with boards, the last of them in two rooms."""
    path = tmp_path / "boards.pbn"
    rooms = (
        '[Room "Open"]\n[North "Ann"]\n[Declarer "S"]\n[Contract "1H"]\n[Result "9"]\n'
        '[Score "NS 140"]\n[Scorer "-"]\n',
        '[Room "Closed"]\n',
    )
    games = [game(number) for number in NUMBERS] + [game(12, room) for room in rooms]
    path.write_text("\n".join(games))
    return path


def test_four_hands_are_bid_with_a_note_on_every_call(run: Run, pbn: Path, mini: str) -> None:
    result = run("bid", "--pbn", str(pbn), "--board", "3", "--system", mini)
    assert (result.code, result.err) == (0, "")
    out = pbn.with_name("bid.pbn")
    out.write_text(result.out)
    (board,) = read_pbn(out)
    assert board.errors == ()
    assert str(board.auction) == "1NT (P) 2C (P) 2D (P) P (P)"
    assert board.contract is not None
    assert board.auction is not None
    assert board.contract.text == "2D"
    assert set(board.notes) == set(range(len(board.auction.calls)))
    assert board.notes[0].startswith("15 to 17")


def test_a_board_in_two_rooms_is_bid_once_and_its_old_table_is_gone(
    run: Run, pbn: Path, tmp_path: Path, mini: str
) -> None:
    out = tmp_path / "bid.pbn"
    result = run("bid", "--pbn", str(pbn), "-o", str(out), "--system", mini, "--quiet")
    assert (result.code, result.out) == (0, "")
    boards = read_pbn(out)
    assert [board.number for board in boards] == [*NUMBERS, 12]
    last = boards[-1]
    assert (last.result, "Room" in last.tags, "Score" in last.tags) == (None, False, False)
    assert "Ann" not in last.players.values()
    assert last.tags["BidSystemNS"] == last.tags["BidSystemEW"]


def test_lin_has_alerts(run: Run, pbn: Path, tmp_path: Path, mini: str) -> None:
    out = tmp_path / "bid.lin"
    assert run("bid", "--pbn", str(pbn), "--board", "7", "-o", str(out), "--system", mini).code == 0
    assert "mb|1N!|an|15 to 17" in out.read_text()
    (board,) = read_lin(out)
    assert board.auction is not None
    assert board.auction.is_over


def test_a_run_that_was_stopped_goes_on(
    run: Run, pbn: Path, tmp_path: Path, mini: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def interrupted(tables: Sequence[BiddingTable]) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.extend(table.board.number for table in tables)
        bid_out(tables)

    out, whole = tmp_path / "bid.pbn", tmp_path / "whole.pbn"
    command = ["bid", "--pbn", str(pbn), "--system", mini, "--quiet", "-o"]
    with monkeypatch.context() as patch:
        patch.setattr(_BID_OUT, interrupted)
        result = run(*command, str(out))
    assert result.code == 130
    assert "the same command goes on" in result.err
    assert not out.exists()
    rest: list[int] = []

    def noted(tables: Sequence[BiddingTable]) -> None:
        rest.extend(table.board.number for table in tables)
        bid_out(tables)

    with monkeypatch.context() as patch:
        patch.setattr(_BID_OUT, noted)
        assert run(*command, str(out)).code == 0
    assert sorted(seen + rest) == [*NUMBERS, 12]
    assert run(*command, str(whole)).code == 0
    assert out.read_text() == whole.read_text()
    assert not out.with_name("bid.pbn.part").exists()


def test_unfinished_work_of_other_boards_is_not_taken(
    run: Run, pbn: Path, tmp_path: Path, mini: str
) -> None:
    out = tmp_path / "bid.pbn"
    (tmp_path / "bid.pbn.part").write_text(json.dumps({"bidwright": "bidding of a file"}) + "\n")
    result = run("bid", "--pbn", str(pbn), "--system", mini, "-o", str(out), "--quiet")
    assert result.code == 2
    assert "remove it to begin again, or name another file" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a hand, or --pbn FILE"),
        (["KQ4.AQ8.K9873.K2", "--pbn", "x.pbn"], "expected a hand, or --pbn FILE"),
        (["KQ4.AQ8.K9873.K2", "-o", "x.pbn"], "with --pbn FILE only"),
        (["--pbn", "nowhere.pbn"], "nowhere.pbn"),
        (["--pbn", "nowhere.pbn", "--json"], "boards are written as PBN"),
        (["--pbn", "nowhere.pbn", "--dealer", "E"], "boards name their own"),
    ],
)
def test_what_cannot_be_bid_is_said(run: Run, arguments: list[str], message: str) -> None:
    result = run("bid", *arguments)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_boards_without_four_hands_are_left_out(run: Run, tmp_path: Path, mini: str) -> None:
    path = tmp_path / "some.pbn"
    path.write_text(game(1) + '\n[Board "2"]\n[Deal "N:AQ8.K75.KQ84.J32 - - -"]\n')
    result = run("bid", "--pbn", str(path), "--system", mini)
    assert result.code == 0
    assert "board 2 is left out, it lacks hands" in result.err
    path.write_text('[Board "2"]\n[Deal "N:AQ8.K75.KQ84.J32 - - -"]\n')
    result = run("bid", "--pbn", str(path), "--system", mini)
    assert result.code == 2
    assert "expected a board with four hands" in result.err


def test_a_whole_file_is_annotated(run: Run, pbn: Path, tmp_path: Path, mini: str) -> None:
    path = tmp_path / "played.pbn"
    auction = '[Auction "N"]\n1NT Pass 3NT AP\n'
    path.write_text(game(1, auction) + "\n" + game(2) + "\n" + game(3, auction))
    result = run("explain", "--pbn", str(path), "--annotate", "--system", mini)
    assert (result.code, result.err) == (0, "")
    out = tmp_path / "noted.pbn"
    out.write_text(result.out)
    boards = read_pbn(out)
    assert [board.number for board in boards] == [1, 2, 3]
    assert [len(board.notes) > 0 for board in boards] == [True, False, True]


def test_thousands_of_boards_without_hands_are_some_lines(
    run: Run, tmp_path: Path, mini: str
) -> None:
    path = tmp_path / "some.pbn"
    path.write_text("\n".join(f'[Board "{n}"]\n[Dealer "N"]\n' for n in range(1, 501)))
    result = run("bid", "--pbn", str(path), "--system", mini)
    assert result.code == 2
    assert len(result.err.splitlines()) == 52
    assert "bidwright: and 450 more\n" in result.err
