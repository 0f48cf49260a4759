"""Positions of players that pass with the values for game are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bidwright.bench.missed import has_game, main
from bidwright.bridge.cards import Seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.tests.bench.four_hands.small import SYSTEM

HOLE = """
after (1S) X (P)
  2C hcp 6..9
  pass hcp ..5

after (1S)
  X hcp 12+; forcing
  pass

"""
"""Added to a small system: with ten points opposite a double only a general rule has a call."""


@pytest.fixture(name="system")
def _system(tmp_path: Path) -> Path:
    file = tmp_path / "small.bid"
    file.write_text(SYSTEM + HOLE, encoding="utf-8")
    return file


def deal(north: str, south: str) -> Deal:
    return Deal.from_pbn(f"N:{north} - {south} -")


@pytest.mark.parametrize(
    ("north", "south", "expected"),
    [
        ("AKQ4.A73.KQ62.83", "J52.KQ4.A83.Q974", True),
        ("AKQ4.A73.Q962.83", "J52.K84.A83.Q974", False),
        ("AQ42.A73.KQ62.83", "KJ963.82.A83.K74", True),
        ("AQ42.A73.KQ62.83", "KJ96.842.A83.J74", False),
    ],
)
def test_who_has_the_values_for_game(north: str, south: str, expected: bool) -> None:
    found = deal(north, south)
    assert has_game(found, Seat.NORTH) is has_game(found, Seat.SOUTH) is expected


def test_a_hole_is_found_in_a_position_that_is_named(
    system: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    auctions, out = tmp_path / "auctions.txt", tmp_path / "found.json"
    auctions.write_text("(1S) X (P)  # with ten points\n\n1NT (P) 3NT (P)\n")
    words = ["--auctions", str(auctions), "--json", str(out), "--hands", "150"]
    assert main([str(system), *words]) == 0
    found = {each["auction"]: each for each in json.loads(out.read_text())}
    hole = found["1S (X) P"]
    assert hole["deals"] == 150
    assert hole["missed"] >= 5
    assert len(found) == 1, "game is bid in the other one"
    # With five points at most, opposite nineteen and more, a rule of the file passes.
    by_file = [Hand.from_pbn(hand) for hand, _, rule in hole["hands"] if rule[:8] != "anywhere"]
    assert all(hand.hcp <= 5 for hand in by_file)
    assert len(by_file) < len(hole["hands"]) / 4
    assert "1S (X) P" in capsys.readouterr().out


def test_a_hole_is_found_on_random_boards(system: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    words = ["--boards", "150", "--positions", "20", "--deals", "100", "--json", str(out)]
    assert main([str(system), *words]) == 0
    found = json.loads(out.read_text())
    assert "1S (X) P" in {each["auction"] for each in found}


def test_a_line_that_is_no_auction_is_named(
    system: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    auctions = tmp_path / "auctions.txt"
    auctions.write_text("1S\n1S (1H)\n")
    assert main([str(system), "--auctions", str(auctions)]) == 2
    assert f"{auctions}:2: " in capsys.readouterr().err
