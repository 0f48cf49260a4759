"""Residual belief networks: what they are shown, and how their outputs correct what calls show.

They see the 480 bits and the exact facts. Their outputs are corrections of the log-odds of each
card, as the hidden hands stand in `layout`, and then for each of the others, clockwise, the
log-odds that he has departed from the file: that his hand is not among those that his calls
possibly show. A network of zeros says of the cards what the calls show, exactly.

Letters in shapes: `N` positions.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bidwright.neural.env.layout import HIDDEN_HANDS, OBSERVATION
from bidwright.neural.exact_facts import EVEN, FACTS, OTHERS
from bidwright.neural.networks import Network

RESIDUAL_INPUTS = OBSERVATION + FACTS
RESIDUAL_OUTPUTS = HIDDEN_HANDS + OTHERS


def is_residual(network: Network) -> bool:
    """Tell whether a belief network corrects what the calls show."""
    return network.shape.inputs == RESIDUAL_INPUTS


def corrected(network: nn.Module, seen: Tensor, facts: Tensor) -> tuple[Tensor, Tensor]:
    """Return float `[N, 156]`, the log-odds of each card, and `[N, 3]`, those of departures.

    Args:
        network: a residual network.
        seen: `[N, 480]`: what the players in turn see.
        facts: `[N, FACTS]`: what the calls show them.
    """
    said = network(torch.cat((seen.to(facts.dtype), facts), dim=1)).float()
    return as_shown(facts) + said[:, :HIDDEN_HANDS], said[:, HIDDEN_HANDS:]


def as_shown(facts: Tensor) -> Tensor:
    """Return `[N, 156]`: the log-odds of each card by what the calls show alone."""
    return facts[:, :HIDDEN_HANDS] + EVEN
