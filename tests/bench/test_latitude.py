"""The curve of holds against bits: a hand a point short of its call needs a point of latitude."""

from __future__ import annotations

from pathlib import Path

from bidwright.bench.latitude import measured

SYSTEM = """\
system curve "Curve"

opening
  1NT "strong" balanced, hcp 15..17
  1H "hearts" hearts 5+, hcp 11..21
  pass hcp ..14

after 1H (P)
  2H "raise" hearts 3+, hcp 6..9
    4H "game" hcp 18+
    pass hcp ..17
  pass hcp ..5
"""
DEAL = "N:AKQ52.AKJ52.T4.7 JT9.T9.AJ98.AJT9 863.Q876.K52.K86 74.43.Q763.Q5432"
RECORD = {"deal": DEAL, "dealer": "N", "vul": "None", "auction": "1H P 2H P 4H P P P", "book": 5}


def test_holds_grow_and_bits_shrink_with_the_latitude(tmp_path: Path) -> None:
    path = tmp_path / "curve.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    found = [measured([RECORD], str(path), points) for points in (None, 0, 1, 2)]
    assert [tally.held for tally in found] == [2, 2, 3, 3]
    assert found[0].calls == 3
    assert found[1].bits > found[2].bits > found[3].bits


def test_final_pictures_and_exact_claims_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "curve.bid"
    path.write_text(SYSTEM.replace("hcp 18+", "hcp 17"), encoding="utf-8")
    usual, wide = (measured([RECORD], str(path), points) for points in (None, 1))
    assert (usual.auctions, usual.boards) == (1, 1)
    assert usual.points == (1, 1), "four hearts is bid on seventeen points, and there are"
    assert wide.points == (0, 0), "with latitude nobody promises a single number"
    assert usual.shapes == (0, 0)
    assert usual.pictures == wide.pictures == 1
    hidden = {**RECORD, "deal": "N:AKQ52.AKJ52.T4.7 - - -"}
    assert measured([hidden], str(path), None).boards == 0
