"""Thresholds are moved by one, and what that is worth is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.authoring.condition_changes import changes_of
from bidwright.bench.thresholds import Trials, Worth, main, worth_of
from bidwright.bridge.cards import Side
from bidwright.bridge.scoring import imps
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.runtime.progress import Progress
from bidwright.tests.bench.four_hands.small import SYSTEM, compiled, lines_of_boards, some_boards


@pytest.fixture(name="words")
def _words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(60))
    (tmp_path / "small.bid").write_text(SYSTEM)
    return [
        str(tmp_path / "small.bid"),
        *("--boards", str(tmp_path / "boards.jsonl")),
        *("--out", str(tmp_path / "worths.jsonl")),
    ]


@pytest.mark.system
def test_gains_are_those_of_bidding_every_board_again(tmp_path: Path) -> None:
    rules = compiled(tmp_path)
    boards = some_boards(tmp_path, 60)
    own = Reader(dict.fromkeys(Side, rules))
    trials = Trials(rules, boards, Progress(len(boards), "", quiet=True))
    moved = 0
    for change in changes_of(rules):
        changed = change.applied(rules)
        swings = []
        for board in boards:
            as_it_is = bid_out(own, board.deal, board.dealer, board.vulnerability)
            before = board.score_ns(as_it_is.auction.contract())
            for side in Side:
                reader = Reader({side: changed, side.other: rules}, own.engine)
                reading = bid_out(reader, board.deal, board.dealer, board.vulnerability)
                gain = board.score_ns(reading.auction.contract()) - before
                swings.append(imps(gain if side is Side.NS else -gain))
        worth = worth_of(trials, change)
        assert worth.total == sum(swings), change.key
        assert worth.squares == sum(each**2 for each in swings)
        assert worth.gain == pytest.approx(1000 * sum(swings) / len(swings))
        moved += worth.squares > 0
    assert moved > 10, "most thresholds of so small a system matter"


def test_the_error_is_that_of_a_mean() -> None:
    worth = Worth("", (), boards=4, noticed=2, total=2, squares=34)  # IMPs 5, -3 and six times 0
    assert worth.gain == pytest.approx(250)
    assert worth.error == pytest.approx(1000 * (34 / 8 - 0.25**2) ** 0.5 / 8**0.5)
    assert worth.errors == pytest.approx(worth.gain / worth.error)


def test_a_run_goes_on_and_the_best_are_tried_again(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "worths.jsonl"
    assert main([*words, "-k", "hcp"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("\n")
    whole = out.read_text()
    out.write_text("".join(whole.splitlines(keepends=True)[:4])[:-20])
    assert main([*words, "-k", "hcp"]) == 0
    assert capsys.readouterr().out == printed
    assert out.read_text() == whole
    gains = {line["key"]: Worth(**line) for line in map(json.loads, whole.splitlines()[1:])}
    best = {key for key, worth in gains.items() if worth.errors >= 1}
    assert 0 < len(best) < len(gains)
    words[words.index(str(out))] = str(tmp_path / "again.jsonl")
    assert main([*words, "--again", str(out), "--errors", "1"]) == 0
    lines = (tmp_path / "again.jsonl").read_text().splitlines()[1:]
    assert {json.loads(line)["key"] for line in lines} == best


def test_results_of_other_boards_are_not_gone_on_with(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-k", "34+"]) == 0
    capsys.readouterr()
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(60, seed=2))
    assert main([*words, "-k", "34+"]) == 2
    assert "expected results of this system, code and boards" in capsys.readouterr().err


def test_bad_input_is_told_in_a_sentence(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "-k", "nothing"]) == 2
    told = capsys.readouterr().err
    assert told == "expected a threshold to move, there is none with 'nothing'\n"
    assert main([*words, "--again", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.startswith(f"cannot read '{tmp_path / 'none.jsonl'}'")
    assert main([*words, "--first", "99"]) == 2
    assert capsys.readouterr().err == "expected at least one board from place 99 on\n"
