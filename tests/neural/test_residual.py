"""Residual belief networks weigh a plain one against the bounds that calls show."""

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
from bidwright.neural.exact_facts import EVEN, FittingDeals, card_shares
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import load_belief, load_plain_belief
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.search.believed import believe
from bidwright.neural.weights import save_weights

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
HAND = parse_hand("KQ4.AQ8.K9873.42")
HIDDEN = [card for card in range(52) if card not in HAND.cards]
AUCTION = parse_auction("1S (P)", Seat.SOUTH, Vulnerability.NONE)


@pytest.fixture(scope="module")
def deals() -> FittingDeals:
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    return FittingDeals.of(reader.read(AUCTION), HAND)


def weighing(less: float, more: float, departed: float) -> ResidualBelief:
    """Return a network that always weighs alike, on top of a plain one of random weights."""
    torch.manual_seed(2)
    plain = Network(NetworkShape(480, 156, 16, 1))
    with torch.no_grad():
        plain.last.weight.mul_(10)
    network = ResidualBelief.of(plain, 8)
    with torch.no_grad():
        network.weighing.last.weight.zero_()
        network.weighing.last.bias.copy_(torch.tensor([less, more, departed]).repeat(3))
    return network


def test_where_it_weighs_nothing_cards_are_where_the_calls_show_them(deals: FittingDeals) -> None:
    said = believe(weighing(0, 0, 0), AUCTION, HAND, deals)
    shares = card_shares(deals.draw(1000, np.random.default_rng(0)), Seat.NORTH)
    assert said.chances[HIDDEN] == pytest.approx(shares[HIDDEN], abs=1e-6)
    assert said.deviated == pytest.approx([0.5, 0.5, 0.5])
    assert said.any_deviated == pytest.approx(1 - 0.5**3)
    nothing = believe(weighing(0, 0, 0), AUCTION, HAND, None)
    assert nothing.chances[HIDDEN] == pytest.approx(1 / 3)


def test_log_odds_of_both_are_added_as_far_as_each_is_believed(deals: FittingDeals) -> None:
    network = weighing(-0.75, 0.5, -2.0)
    shown = believe(weighing(0, 0, 0), AUCTION, HAND, deals).chances
    plain = believe(network.plain, AUCTION, HAND).chances
    said = believe(network, AUCTION, HAND, deals)
    odds = [np.log(each / (1 - each))[HIDDEN] - EVEN for each in (shown, plain, said.chances)]
    assert np.abs(odds[1]).max() > 0.3
    assert odds[2] == pytest.approx(0.25 * odds[0] + 0.5 * odds[1], abs=1e-5)
    assert said.deviated == pytest.approx(1 / (1 + np.exp(2.0)))


def test_players_are_weighed_one_by_one(deals: FittingDeals) -> None:
    network = weighing(0, 0, -3)
    with torch.no_grad():
        network.weighing.last.bias[3] = -1.0  # the second player: not believed at all
        network.weighing.last.bias[8] = 2.0  # the third has departed
    said = believe(network, AUCTION, HAND, deals)
    shown = believe(weighing(0, 0, 0), AUCTION, HAND, deals).chances
    assert said.chances[HIDDEN, 1] == pytest.approx(1 / 3)
    assert said.chances[HIDDEN][:, [0, 2]] == pytest.approx(shown[HIDDEN][:, [0, 2]], abs=1e-6)
    assert said.deviated == pytest.approx(1 / (1 + np.exp([3.0, 3.0, -2.0])))


def test_weights_of_both_kinds_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "belief.safetensors"
    save_weights(path, weighing(0, 0, 0), "residual", {})
    found = load_belief(str(path)).network
    assert isinstance(found, ResidualBelief)
    assert not isinstance(load_belief("sayc_belief").network, ResidualBelief)
    with pytest.raises(InvalidError, match="expected weights of kind 'belief' in"):
        load_plain_belief(str(path))
    save_weights(path, weighing(0, 0, 0), "belief", {})
    with pytest.raises(InvalidError, match="do not fit the shape on their card"):
        load_belief(str(path))
