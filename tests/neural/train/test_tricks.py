"""The trick predictor: blind to the names of suits, and able to learn."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.solved_deals import SolvedDeals, load_solved
from bidwright.bridge.symmetry import PERMUTATIONS, Views
from bidwright.cli import main
from bidwright.neural.train.trick_training import Tricks, TricksConfig
from bidwright.neural.tricks import TricksNetwork, TricksShape, tricks_probabilities
from bidwright.neural.weights import load_weights


def test_all_96_views_of_a_deal_have_the_same_tricks(deals: SolvedDeals) -> None:
    torch.manual_seed(1)
    network = TricksNetwork(TricksShape(16, 2))
    suits = np.repeat(PERMUTATIONS, 4, axis=0)
    views = Views(suits, np.tile(np.arange(4), len(PERMUTATIONS)))
    owner = np.tile(deals.owner[0], (96, 1))
    plain = tricks_probabilities(network, owner[:1])[0]
    seen = tricks_probabilities(network, views.of_deals(owner))
    assert np.allclose(plain.sum(axis=2), 1, atol=1e-5)
    for result in range(14):
        expected = views.of_tricks(np.tile(plain[:, :, result], (96, 1, 1)))
        assert np.allclose(seen[:, :, :, result], expected, atol=1e-5)


def test_a_batch_shows_tricks_of_the_turned_deal(deals: SolvedDeals) -> None:
    task = Tricks(deals, TricksConfig(evaluation_deals=14))
    owner, denomination, tricks = (each.numpy() for each in task.batch(3, 20))
    tables = {
        ((deal + turn) % 4).astype(np.uint8).tobytes(): np.roll(table, turn, axis=1)
        for deal, table in zip(deals.owner[:50], deals.tricks[:50], strict=True)
        for turn in range(4)
    }
    for row in range(20):
        table = tables[owner[row].astype(np.uint8).tobytes()]
        assert table[denomination[row]].tolist() == tricks[row].tolist()


@pytest.mark.system
def test_the_verb_learns_tricks(
    deals_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "tricks", "--deals", str(deals_file), "--out", str(tmp_path), "--quiet"]
    tiny = ["steps=160", "warmup=10", "learning_rate=3e-3", "width=32", "evaluation_deals=14"]
    assert main([*words, *(word for each in tiny for word in ("--set", each))]) == 0
    assert "tricks off on average" in capsys.readouterr().out
    found = load_weights(tmp_path / "tricks.safetensors", "tricks")
    assert isinstance(found.network, TricksNetwork)
    held_out = load_solved(deals_file).tricks[-14:]
    ignorant = np.abs(held_out - np.median(held_out)).mean()
    assert found.card["measured"]["mean_error"] < 0.8 * ignorant
