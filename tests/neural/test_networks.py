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
    """Return the output of a network for two sides that disclosed a row of a table."""
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


def test_cards_go_through_the_first_layer_as_if_they_stood_beside_the_bits() -> None:
    torch.manual_seed(3)
    network = Network(NetworkShape(480, 38, 32, 1, "cards1")).eval()
    assert network.card is not None
    table = torch.rand(3, network.card.embed.in_features)
    cards = CardVectors(table, torch.tensor([[0, 2], [1, 1], [2, 0], [1, 0]]))
    seen = torch.randint(0, 2, (4, 480), dtype=torch.uint8)
    beside = torch.cat((seen.float(), network.card(table)[cards.which].flatten(1)), dim=1)
    expected = network.last(network.norm(torch.nn.functional.gelu(network.first(beside))))
    assert torch.allclose(network(seen, cards), expected, atol=1e-5)
    assert not torch.allclose(network(seen), expected, atol=1e-3), "the cards matter"
