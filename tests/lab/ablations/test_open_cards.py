"""Choices with open cards and over an information set are judged on the same kind of deals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from bidwright.bridge.calls import NUM_CALLS
from bidwright.bridge.solved_deals import load_solved
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ablations.means import with_error
from bidwright.lab.ablations.open_cards import ARMS, Choice, Judged, choices, tabled
from bidwright.neural.env.boards import Boards
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.train.alike_deals import AlikeDeals
from bidwright.neural.tricks import TricksNetwork, TricksShape

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")


def test_with_open_cards_more_is_foretold_than_there_is(deals_file: Path) -> None:
    torch.manual_seed(2)
    network = Network(NetworkShape(480, NUM_CALLS, 8, 1))
    with torch.no_grad():
        # Pass, 1NT and 3NT are likely, all else is not tried.
        network.last.bias[[0, 7, 17]] = 4.0
    boards = Boards.numbered(load_solved(deals_file)[:24])
    source = AlikeDeals(open_system(MINI), TricksNetwork(TricksShape(8, 1)))
    settings = Judged(least=0.1, alike=3, judged=4, latest=2)
    rows = list(choices(network, boards, source, settings))
    assert {row.arm for row in rows} == set(ARMS)
    # Every position with several calls is searched by both.
    lengths = [[row.length for row in rows if row.arm == arm] for arm in ARMS]
    assert lengths[0] == lengths[1]
    assert set(lengths[0]) == {0, 1}
    assert all((row.predicted > 0) == row.changed for row in rows)
    assert all(row.gain == 0 for row in rows if not row.changed)
    opened = [row for row in rows if row.arm == "open deal" and row.changed]
    assert np.mean([row.predicted for row in opened]) > np.mean([row.gain for row in opened])
    assert rows == list(choices(network, boards, source, settings))


def test_a_line_counts_searches_without_a_change_as_nought() -> None:
    rows = [Choice("alike", 0, True, 3.0, 2.0), Choice("alike", 1, False, 0.0, 0.0)]
    cells = {column.header: list(column.cells) for column in tabled(rows).columns}
    assert cells["searches"] == ["0", "2"]
    assert cells["changes"] == ["0", "1"]
    assert cells["per search"][1] == with_error([2.0, 0.0]) == "+1.00 ± 1.00"
