"""The mask of self-play: calls that the file does not allow are not made by the learner.

At the table a shield replaces calls that the file does not allow. A policy that learnt without it
meets these replacements there for the first time, from its partner as well. With a mask it acts and
learns as it will play; a network of allowed calls stands for the file, which takes milliseconds.

Letters in shapes: `N` positions, `C` calls.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bidwright.bridge.calls import NUM_CALLS
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.networks import CardVectors, Network


@dataclass(frozen=True, eq=False)
class AllowedMask:
    """The calls that a file allows, as a network predicts them.

    Attributes:
        allowed: a network that predicts for each call whether the file allows it, in both tiers.
        tier: 0 for the usual tier, 1 for the possible one.
        least: the least probability of a call that may be made.
        table: float32 `[S, V]`: the card vectors of the systems in play.
        device: the device of the network.
        bf16: compute it in bfloat16.
    """

    allowed: Network
    tier: int
    least: float
    table: Tensor
    device: torch.device
    bf16: bool = False

    def allowed_calls(self, seen: Tensor, legal: Tensor, card: Tensor) -> Tensor:
        """Return the calls that may be made, bool `[N, C]`, on the observations' device.

        Where no legal call is likely enough, the likeliest may be made.

        Args:
            seen: uint8 `[N, 480]`, perhaps with more columns after them.
            legal: bool `[N, C]`: True for legal calls.
            card: int64 `[N, 2]`: the rows of the card vectors of both sides.
        """
        first = NUM_CALLS * self.tier
        cards = CardVectors(self.table, card).to(self.device)
        with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16):
            outputs = self.allowed(seen[:, :OBSERVATION].to(self.device), cards)
        chance = outputs[:, first : first + NUM_CALLS].float().sigmoid().to(seen.device)
        chance = chance.masked_fill(~legal, -1.0)
        likeliest = chance.max(dim=1, keepdim=True)[0]
        # The smaller of both bounds, so that at least one call is left.
        may: Tensor = legal & (chance >= likeliest.clamp(max=self.least))
        return may
