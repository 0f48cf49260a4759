"""Residual belief networks correct what the calls show, and are told apart from plain ones."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.env.layout import CARD_BITS, HIDDEN_HANDS
from bidwright.neural.exact_facts import FittingDeals, card_shares
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import load_belief
from bidwright.neural.residual import is_residual
from bidwright.neural.search.believed import believe
from bidwright.neural.train.residual_training import new_residual
from bidwright.neural.weights import save_weights

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
HAND = parse_hand("KQ4.AQ8.K9873.42")
ACE = 51


@pytest.fixture(scope="module")
def deals() -> FittingDeals:
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    return FittingDeals.of(reader.read(AUCTION), HAND)


AUCTION = parse_auction("1S (P)", Seat.SOUTH, Vulnerability.NONE)


def test_a_new_network_says_what_the_calls_show(deals: FittingDeals) -> None:
    said = believe(new_residual(8, 1), AUCTION, HAND, deals)
    shares = card_shares(deals.draw(1000, np.random.default_rng(0)), Seat.NORTH)
    hidden = [card for card in range(52) if card not in HAND.cards]
    assert said.chances[hidden] == pytest.approx(shares[hidden], abs=1e-6)
    assert said.departed == pytest.approx([0.5, 0.5, 0.5])
    assert said.any_departed == pytest.approx(1 - 0.5**3)
    nothing = believe(new_residual(8, 1), AUCTION, HAND, None)
    assert nothing.chances[hidden] == pytest.approx(1 / 3)


def test_corrections_are_added_to_log_odds(deals: FittingDeals) -> None:
    network = new_residual(8, 1)
    plain = believe(network, AUCTION, HAND, deals).chances
    with torch.no_grad():
        network.last.bias[52 + int(CARD_BITS[ACE])] = 1.5
        network.last.bias[HIDDEN_HANDS + 2] = -2.0
    said = believe(network, AUCTION, HAND, deals)
    odds = np.log(said.chances / (1 - said.chances)) - np.log(plain / (1 - plain))
    assert odds[ACE] == pytest.approx([0, 1.5, 0], abs=1e-5)
    odds[ACE] = 0
    assert odds == pytest.approx(0, abs=1e-5)
    assert said.departed == pytest.approx([0.5, 0.5, 1 / (1 + np.exp(2.0))])


def test_cards_tell_residual_weights_apart(tmp_path: Path) -> None:
    path = tmp_path / "belief.safetensors"
    save_weights(path, new_residual(8, 1), "belief", {"residual": True})
    assert is_residual(load_belief(str(path)).network)
    assert not is_residual(load_belief("sayc_belief").network)
    save_weights(path, new_residual(8, 1), "belief", {})
    with pytest.raises(InvalidError, match="expected weights from 480 to 156 numbers in"):
        load_belief(str(path))
    save_weights(path, Network(NetworkShape(480, 156, 8, 1)), "belief", {"residual": True})
    with pytest.raises(InvalidError, match="expected weights from 668 to 159 numbers in"):
        load_belief(str(path))
