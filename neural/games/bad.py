"""Bayesian action decoder: a public agent that says what each holding would call.

Source: Foerster et al., "Bayesian Action Decoder for Deep Multi-Agent Reinforcement Learning"
(2019). The agent sees the calls and what the calls leave possible for both players, draws a call
for every holding of the caller at once, and only then does the caller's own holding pick one. As
the draw is public, the belief after it is exact: the holdings for which this call was drawn. The
gradient takes the draw of all holdings that are possible ("counterfactual" in the source).
"""

from __future__ import annotations

import torch
from torch import Tensor

from bidwright.neural.games.learning import HIDDEN, NEVER, Learner

Beliefs = list[Tensor]
"""For each player, the odds of what he holds, `[S, B, holdings]`."""


class PublicAgent(Learner):
    """Sees the calls and the beliefs; its outputs are logits of all holdings of both players."""

    def _sizes(self) -> tuple[int, ...]:
        public = self.public
        seen = public.features.shape[1] + sum(public.holdings)
        said = sum(h * a for h, a in zip(public.holdings, public.columns, strict=True))
        return seen, *HIDDEN, said + 1

    def _outputs(self, place: Tensor, beliefs: Beliefs, caller: int) -> tuple[Tensor, Tensor]:
        """Return logits of the caller `[S, B, holdings, A]`, and what is expected `[S, B]`."""
        public = self.public
        out = self.networks(torch.cat([public.features[place], *beliefs], dim=2))
        sizes = [h * a for h, a in zip(public.holdings, public.columns, strict=True)]
        own = out[..., :-1].split(sizes, dim=-1)[caller]
        logits = own.unflatten(-1, (public.holdings[caller], public.columns[caller]))
        legal = public.legal[place][..., None, : public.columns[caller]]
        return logits.masked_fill(~legal, NEVER), out[..., -1]

    def _certain(self, batch: int) -> Beliefs:
        """Return what is known before the first call."""
        return [torch.full((self.seeds, batch, held), 1 / held) for held in self.public.holdings]

    def loss(self, batch: int, entropy: float, critic: float) -> Tensor:
        """Play games; return the loss of policy and critic, less the worth of entropy."""
        held, beliefs = self.deal(batch), self._certain(batch)
        place = torch.zeros(self.seeds, batch, dtype=torch.int64)
        made = []
        for caller in self.public.caller:
            going = self.public.end[place] < 0
            if not going.any():
                break
            logits, expected = self._outputs(place, beliefs, caller)
            odds = torch.log_softmax(logits, dim=-1)
            calls = self.drawn(logits.detach())
            possible = beliefs[caller] > 0
            chosen = (odds.gather(-1, calls[..., None])[..., 0] * possible).sum(dim=-1)
            # Entropy of a holding counts as likely as it is: nobody asks what is impossible.
            spread = (-(odds.exp() * odds).sum(dim=-1) * beliefs[caller]).sum(dim=-1)
            made.append((going, chosen, spread, expected))
            call = calls.gather(-1, held[caller][..., None])
            beliefs[caller] = _narrowed(beliefs[caller], calls == call)
            after = self.public.child[place].gather(-1, call)[..., 0]
            place = torch.where(going, after, place)
        paid = self.paid(place, held)
        total = torch.zeros(())
        for going, chosen, spread, expected in made:
            gain = paid - expected
            each = critic * gain**2 - gain.detach() * chosen - entropy * spread
            total = total + (each * going).sum() / batch
        return total

    def chosen(self) -> Tensor:
        """Return the likeliest call of every position and holding, beliefs followed."""
        public = self.public
        out = torch.zeros(self.seeds, len(public.child), max(public.holdings), dtype=torch.int64)
        beliefs = self._certain(len(public.child))
        for caller, low, high in zip(
            public.caller, public.levels[:-1], public.levels[1:], strict=False
        ):
            place = torch.arange(low, high).expand(self.seeds, -1)
            now = [belief[:, low:high] for belief in beliefs]
            logits, _ = self._outputs(place, now, caller)
            calls = logits.argmax(dim=-1)
            out[:, low:high, : public.holdings[caller]] = calls
            for column in range(public.columns[caller]):
                going = torch.nonzero(public.legal[low:high, column])[:, 0]
                after = public.child[low + going, column]
                for player in (0, 1):
                    belief = now[player][:, going]
                    if player == caller:
                        belief = _narrowed(belief, calls[:, going] == column)
                    beliefs[player][:, after] = belief
        return out


def _narrowed(belief: Tensor, fits: Tensor) -> Tensor:
    """Return odds of the holdings that fit; as they were where none does, which never happens."""
    left = belief * fits
    total = left.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, left / total.clamp_min(1e-20), belief)
