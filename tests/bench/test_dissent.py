"""Disagreements of an agent with rules are played on, and the rules that lose are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.bench.dissent import Dissent, main, report
from bidwright.bench.four_hands.boards import load_boards
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Side
from bidwright.bridge.scoring import imps
from bidwright.tests.bench.four_hands.small import SYSTEM, lines_of_boards

BOARDS = 30


@pytest.fixture(name="words")
def _words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(BOARDS))
    (tmp_path / "small.bid").write_text(SYSTEM)
    return [
        str(tmp_path / "small.bid"),
        "pass",
        *("--boards", str(tmp_path / "boards.jsonl")),
        *("--out", str(tmp_path / "found.jsonl")),
    ]


def found_in(path: Path) -> list[Dissent]:
    lines = path.read_text().splitlines()[1:]
    return [Dissent(**each) for line in lines for each in json.loads(line)["found"]]


def test_who_never_bids_disagrees_with_every_bid(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    found = found_in(tmp_path / "found.jsonl")
    assert {each.other for each in found} == {"P"}
    assert "P" not in {each.call for each in found}
    boards = {each.number: each for each in load_boards(tmp_path / "boards.jsonl", None)}
    openings = [each for each in found if not set(each.before.split()) - {"P"}]
    assert len(openings) > BOARDS // 2
    for each in openings:
        board = boards[each.board]
        calls = [*map(parse_call, each.before.split()), parse_call(each.call)]
        auction = Auction(board.dealer, (*calls, *(Call.PASS,) * 3), board.vulnerability)
        seat = auction.seat_of(len(calls) - 1)
        lost = board.score_ns(auction.contract())
        assert each.by_agent == -imps(lost if seat.side is Side.NS else -lost), (
            "all pass after the bid, or all pass"
        )
    told = capsys.readouterr().out
    assert f"{len(found)} disagreements on {BOARDS} boards" in told
    assert "1C by opening.1C, " in told
    assert "small.bid:7" in told


def test_rules_agree_with_themselves(words: list[str], tmp_path: Path) -> None:
    assert main([words[0], f"rules:{words[0]}", *words[2:]]) == 0
    assert found_in(tmp_path / "found.jsonl") == []


def test_a_run_that_was_cut_goes_on(words: list[str], tmp_path: Path) -> None:
    assert main(words) == 0
    whole = (tmp_path / "found.jsonl").read_bytes()
    (tmp_path / "found.jsonl").write_bytes(whole[: len(whole) // 2])
    assert main(words) == 0
    assert (tmp_path / "found.jsonl").read_bytes() == whole


def test_rules_that_lose_most_come_first() -> None:
    def of(rule: str, call: str, *gains: int) -> list[Dissent]:
        return [Dissent(n, rule, call, "P", "P", "hand", g, g) for n, g in enumerate(gains)]

    found = [*of("few", "1C", 13), *of("good", "1S", -5, -5), *of("bad", "2C", 4, 6, 5)]
    lines = report(found, 1000, 9, 1, 2, {"good": "a.bid:1", "bad": "a.bid:2"}).splitlines()
    assert "few" not in "".join(lines), "seen but once"
    assert lines[2].split()[0] == "+15.0"
    assert "2C by bad, a.bid:2" in lines[2]
    assert "+6  +6  hand after P: P (board 1)" in lines[3]
    assert "1S by good, a.bid:1" in lines[4]


def test_bad_input_is_told_in_a_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--first", "99"]) == 2
    assert capsys.readouterr().err == "expected at least one board from place 99 on\n"
    assert main([words[0], "rule:sayc", *words[2:]]) == 2
    assert "did you mean" in capsys.readouterr().err
