"""Networks: in which precision they are computed, and what they forget in training."""

from __future__ import annotations

import torch

from bidwright.neural.env.card_layout import CARD, FACTS, STANDARD
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.networks import CARDS, CardVectors, Network, NetworkShape


def test_the_output_is_not_rounded_where_hidden_layers_are() -> None:
    torch.manual_seed(1)
    network = Network(NetworkShape(480, 38, 64, 3))
    seen = torch.randint(2, (200, 480))
    normed: list[torch.Tensor] = []
    network.norm.register_forward_hook(lambda _, __, out: normed.append(out))
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        found = network(seen)
    with torch.no_grad():
        exact = network.last(normed[0].float())
    assert found.dtype == torch.float32
    assert torch.equal(found, exact)


def told(network: Network, table: torch.Tensor, row: int) -> torch.Tensor:
    """Return what a network says where both sides disclosed a row of a table."""
    cards = CardVectors(table, torch.full((4, 2), row))
    with torch.no_grad():
        found: torch.Tensor = network(torch.ones(4, OBSERVATION), cards)
    return found


def test_a_network_that_forgets_positions_is_not_told_by_them_in_training() -> None:
    torch.manual_seed(1)
    network = Network(NetworkShape(OBSERVATION, 38, 32, 2, CARDS))
    table = torch.cat((torch.zeros(1, CARD), torch.rand(2, CARD)))
    table[1:, 0] = 1.0
    network.settle(table)
    network.forget(1.0)
    assert torch.equal(told(network, table, 1), told(network, table, 2))
    network.eval()
    assert not torch.equal(told(network, table, 1), told(network, table, 2))


def test_whole_positions_are_forgotten_and_others_stay() -> None:
    torch.manual_seed(1)
    network = Network(NetworkShape(OBSERVATION, 38, 32, 2, CARDS))
    network.forget(0.3)
    table = torch.ones(50, CARD)
    embedded: list[torch.Tensor] = []
    assert network.card is not None
    network.card.embed.register_forward_hook(lambda _, given, __: embedded.append(given[0]))
    told(network, table, 1)
    (given,) = embedded
    assert given[:, 0].all()
    shown = given[:, 1:].view(50, len(STANDARD), FACTS)
    assert (shown == shown[:, :, :1]).all()
    assert 0.65 < float(shown.mean()) < 0.75
