"""Networks: in which precision they are computed."""

from __future__ import annotations

import torch

from bidwright.neural.networks import Network, NetworkShape


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
