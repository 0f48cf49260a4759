"""Advantage actor-critic on small games: each player's call from what he holds and the calls.

Source: Mnih et al., "Asynchronous Methods for Deep Reinforcement Learning" (2016), in step. One
network plays for both players; its last output is what it expects to be paid.
"""

from __future__ import annotations

import torch
from torch import Tensor

from bidwright.neural.games.learning import HIDDEN, NEVER, Learner


class ActorCritic(Learner):
    """Sees the calls, who is to call and what he holds, and knows nothing of beliefs."""

    def _sizes(self) -> tuple[int, ...]:
        seen = self.public.features.shape[1] + sum(self.public.holdings)
        return seen, *HIDDEN, self.public.child.shape[1] + 1

    def _outputs(self, place: Tensor, holding: Tensor, caller: int) -> tuple[Tensor, Tensor]:
        """Return logits `[S, B, A]` and what is expected `[S, B]`."""
        held = torch.zeros(*place.shape, sum(self.public.holdings))
        held.scatter_(2, (holding + caller * self.public.holdings[0])[..., None], 1.0)
        out = self.networks(torch.cat([self.public.features[place], held], dim=2))
        return out[..., :-1].masked_fill(~self.public.legal[place], NEVER), out[..., -1]

    def loss(self, batch: int, entropy: float, critic: float) -> Tensor:
        """Play games; return the loss of policy and critic, less the worth of entropy."""
        held = self.deal(batch)
        place = torch.zeros(self.seeds, batch, dtype=torch.int64)
        made = []
        for caller in self.public.caller:
            going = self.public.end[place] < 0
            if not going.any():
                break
            logits, expected = self._outputs(place, held[caller], caller)
            odds = torch.log_softmax(logits, dim=-1)
            call = self.drawn(logits.detach())
            chosen = odds.gather(-1, call[..., None])[..., 0]
            spread = -(odds.exp() * odds).sum(dim=-1)
            made.append((going, chosen, spread, expected))
            after = self.public.child[place].gather(-1, call[..., None])[..., 0]
            place = torch.where(going, after, place)
        paid = self.paid(place, held)
        total = torch.zeros(())
        for going, chosen, spread, expected in made:
            gain = paid - expected
            each = critic * gain**2 - gain.detach() * chosen - entropy * spread
            total = total + (each * going).sum() / batch
        return total

    def chosen(self) -> Tensor:
        """Return the likeliest call of every position and holding."""
        public = self.public
        out = torch.zeros(self.seeds, len(public.child), max(public.holdings), dtype=torch.int64)
        for caller, low, high in zip(
            public.caller, public.levels[:-1], public.levels[1:], strict=False
        ):
            place = torch.arange(low, high).expand(self.seeds, -1)
            for holding in range(public.holdings[caller]):
                logits, _ = self._outputs(place, torch.full_like(place, holding), caller)
                out[:, low:high, holding] = logits.argmax(dim=-1)
        return out
