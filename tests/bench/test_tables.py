"""Boards are bid four-handed from the command line, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.bench.tables import main
from bidwright.tests.bench.four_hands.small import SYSTEM, lines_of_boards


@pytest.fixture(name="words")
def _words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(30))
    (tmp_path / "small.bid").write_text(SYSTEM)
    return [
        str(tmp_path / "small.bid"),
        *("--boards", str(tmp_path / "boards.jsonl")),
        *("--results", str(tmp_path / "results")),
        *("--json", str(tmp_path / "figures.json")),
    ]


def test_what_was_bid_is_not_bid_again(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--count", "20"]) == 0
    first = capsys.readouterr()
    assert "0 boards on file hold, 0 are bid again, 20 are new" in first.err
    assert first.out.startswith("20 boards, ")
    assert main([*words, "--count", "20"]) == 0
    again = capsys.readouterr()
    assert "20 boards on file hold, 0 are bid again, 0 are new" in again.err
    assert again.out == first.out
    assert main([*words, "--first", "10", "--jobs", "2"]) == 0
    rest = capsys.readouterr()
    assert "10 boards on file hold, 0 are bid again, 10 are new" in rest.err
    assert json.loads((tmp_path / "figures.json").read_text())["all"]["boards"] == 20


def test_another_file_of_the_same_name_is_bid_anew(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [*words, "--count", "5"]
    assert main(few) == 0
    capsys.readouterr()
    (tmp_path / "boards.jsonl").write_text(lines_of_boards(30, seed=9))
    assert main(few) == 0
    assert "0 boards on file hold, 5 are bid again, 0 are new" in capsys.readouterr().err


@pytest.mark.system
def test_one_process_and_two_bid_the_same(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    one = capsys.readouterr().out
    words[words.index(str(tmp_path / "results"))] = str(tmp_path / "others")
    assert main([*words, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == one
    words[words.index(str(tmp_path / "others"))] = str(tmp_path / "third")
    assert main([*words, "--shards", str(tmp_path / "shards")]) == 0
    assert capsys.readouterr().out == one
    files = [next((tmp_path / name).rglob("boards.jsonl")) for name in ("results", "third")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_bad_input_is_told_in_a_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--first", "99"]) == 2
    assert "expected at least one board from place 99 on" in capsys.readouterr().err
    assert main(["no_such_system", *words[1:]]) == 2
    assert "no_such_system" in capsys.readouterr().err
    assert main([*words, "--auctions", "x.jsonl.gz"]) == 2
    assert "holds its own" in capsys.readouterr().err
