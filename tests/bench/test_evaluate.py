"""Shares of tricks by points are those of the deals, counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bidwright.bench.evaluate import Pairs, evaluated, main
from bidwright.bridge.cards import SUITS, Rank, Seat, card_index
from bidwright.bridge.solved_deals import SolvedDeals

HANDS = {
    Seat.NORTH: "AKQ52.A.T943.A42",
    Seat.SOUTH: "J743.K2.AKJ2.K63",
    Seat.EAST: "T9.QJT98.Q87.QJT",
    Seat.WEST: "86.76543.65.9875",
}


def deals(made: list[int]) -> SolvedDeals:
    """Return the same deal once for each number of tricks in spades by North; South makes 7."""
    owner = np.zeros((len(made), 52), dtype=np.uint8)
    for seat, hand in HANDS.items():
        for suit, cards in zip(reversed(SUITS), hand.split("."), strict=True):
            owner[:, [card_index(suit, Rank("23456789TJQKA".index(c))) for c in cards]] = seat
    tricks = np.full((len(made), 5, 4), 7, dtype=np.uint8)
    tricks[:, 3, Seat.NORTH] = made
    return SolvedDeals(owner, tricks)


def test_points_count_shortages_or_long_cards_of_one_hand_and_long_cards_of_the_other() -> None:
    pairs = Pairs(deals([12]))
    assert pairs.aces.tolist() == [4, 0, 4, 0]
    assert pairs.fit(3).tolist() == [9, 4, 9, 4]
    # North: 17 and 2 for a singleton; South: 15 and 1 for a doubleton, and a fifth spade.
    assert pairs.total_in(3).tolist()[::2] == [17 + 2 + 15, 15 + 1 + 18]
    assert pairs.high_cards.tolist()[::2] == [32, 32]
    assert pairs.no_major_fit.tolist()[::2] == [False, False]


def test_shares_are_those_of_the_better_declarer() -> None:
    rows = {(row.table, row.kind): row for row in evaluated(deals([12, 12, 12, 11, 10]))}
    slam = rows["slam in a major", "9 trumps, no ace missing"]
    assert (slam.points, slam.pairs, slam.made) == (34, 10, 0.6)
    assert slam.error == pytest.approx((0.6 * 0.4 / 10) ** 0.5)
    assert rows["game in a major", "9 trumps"].made == 1.0
    assert ("slam in a major", "9 trumps, an ace missing") not in rows
    assert not [table for table, _ in rows if "notrump" in table]


def test_the_command_prints_and_writes_what_was_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = deals([12, 12, 12, 11, 10])
    np.savez(tmp_path / "d.npz", owner=some.owner, tricks=some.tricks)
    words = ["--deals", str(tmp_path / "d.npz"), "--table", "slam", "--json", str(tmp_path / "j")]
    assert main(words) == 0
    assert "60% ± 15%" in capsys.readouterr().out
    [line] = (tmp_path / "j").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["made"] == 0.6
    assert main(["--deals", str(tmp_path / "nothing.npz")]) == 2
    assert "nothing.npz" in capsys.readouterr().err
