"""Random auctions are explained, the slowest is named, and what was measured is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.bench.slowest import main, random_auction
from bidwright.tests.bench.four_hands.small import SYSTEM


def test_random_auctions_are_legal_long_and_the_same_again() -> None:
    auctions = [random_auction(1, number, 25) for number in range(200)]
    assert auctions == [random_auction(1, number, 25) for number in range(200)]
    assert not any(auction.is_over for auction in auctions)
    lengths = [len(auction.calls) for auction in auctions]
    assert (min(lengths), max(lengths) > 15) == (1, True)
    assert len(set(map(str, auctions))) > 180


def test_what_was_measured_is_not_measured_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system, out = tmp_path / "small.bid", tmp_path / "out.jsonl"
    system.write_text(SYSTEM)
    words = ["--system", str(system), "--out", str(out), "--calls", "4"]
    figures = tmp_path / "figures.json"
    assert main([*words, "--auctions", "3"]) == 0
    three = out.read_bytes()
    assert main([*words, "--auctions", "5", "--json", str(figures)]) == 0
    assert out.read_bytes().startswith(three)
    rows = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    assert [row["auction"] for row in rows] == [str(random_auction(1, n, 4)) for n in range(5)]
    found = json.loads(figures.read_text())
    assert (found["count"], found["most"]["seconds"]) == (5, max(r["seconds"] for r in rows))
    assert "5 random auctions of up to 4 calls" in capsys.readouterr().out


def test_deals_are_drawn_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = tmp_path / "small.bid"
    system.write_text(SYSTEM)
    words = ["--system", str(system), "--out", str(tmp_path / "out"), "--calls", "1"]
    assert main([*words, "--auctions", "1", "--deals", "1"]) == 0
    assert capsys.readouterr().out.startswith("explain --deals 1, ")


def test_times_of_another_system_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system, out = tmp_path / "small.bid", tmp_path / "out.jsonl"
    system.write_text(SYSTEM)
    words = ["--system", str(system), "--out", str(out), "--calls", "2", "--auctions", "1"]
    assert main(words) == 0
    assert main([*words, "--seed", "2"]) == 2
    assert "expected times of this code" in capsys.readouterr().err
