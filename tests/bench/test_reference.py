"""An agent is compared with the auctions of another program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.bench.four_hands.boards import load_boards
from bidwright.bench.reference import Compared, kind_of, main, share
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.tests.bench.four_hands.small import SYSTEM, compiled, lines_of_boards


@pytest.fixture(name="words")
def _words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(20))
    (tmp_path / "small.bid").write_text(SYSTEM)
    return [
        f"rules:{tmp_path / 'small.bid'}",
        *("--boards", str(tmp_path / "boards.jsonl")),
        *("--json", str(tmp_path / "figures.json")),
    ]


def test_kinds_of_positions() -> None:
    auction = parse_auction("P 1H X 2H P 3H AP", Seat.NORTH, Vulnerability.NONE)
    kinds = [kind_of(auction, place) for place in range(len(auction.calls))]
    assert kinds == [
        *("uncontested pass", "uncontested bid", "uncontested bid"),
        *("contested call", "contested pass", "contested call"),
        *("contested pass",) * 3,
    ]


def test_against_one_notrump_on_every_board(words: list[str], tmp_path: Path) -> None:
    assert main(words) == 0
    found = json.loads((tmp_path / "figures.json").read_text())
    agreement = found["agreement"]
    assert found["boards"] == agreement["uncontested bid"]["positions"] == 20
    assert agreement["uncontested pass"]["positions"] == 60
    assert agreement["contested call"]["positions"] == 0
    assert 0 <= agreement["uncontested bid"]["share"] < 0.5, "few hands open one notrump"
    assert found["from_par"]["reference"]["mean"] > 0


def test_against_its_own_auctions_an_agent_agrees_with_every_call(
    words: list[str], tmp_path: Path
) -> None:
    boards = load_boards(tmp_path / "boards.jsonl", None)
    rules = compiled(tmp_path)
    reader = Reader(dict.fromkeys(Side, rules))
    lines = (tmp_path / "boards.jsonl").read_text().splitlines()
    own = []
    for line, board in zip(lines, boards, strict=True):
        reading = bid_out(reader, board.deal, board.dealer, board.vulnerability)
        own.append(json.dumps({**json.loads(line), "auction": str(reading.auction)}) + "\n")
    (tmp_path / "boards.jsonl").write_text("".join(own))
    assert main(words) == 0
    found = json.loads((tmp_path / "figures.json").read_text())
    assert found["from_par"]["excess"] == {"mean": 0.0, "error": 0.0}
    asked = [each for each in found["agreement"].values() if each["positions"]]
    assert sum(each["positions"] for each in asked) > 4 * len(boards)
    assert {each["share"] for each in asked} == {1.0}


def test_the_error_takes_the_calls_of_a_board_together() -> None:
    boards = [Compared(0, 0, (4,), (agreed,)) for agreed in (4, 4, 0, 0)]
    positions, ratio, error = share(boards, 0)
    assert (positions, ratio) == (16, 0.5)
    assert error == pytest.approx(0.5 * (4 / 3) ** 0.5 / 2), "of four boards, not of 16 calls"


def test_bad_input_is_told_in_a_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--first", "99"]) == 2
    assert capsys.readouterr().err == "expected at least one board from place 99 on\n"
    assert main(["rule:sayc", *words[1:]]) == 2
    assert "did you mean" in capsys.readouterr().err
