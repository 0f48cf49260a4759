"""Compiled derivatives are those that torch finds, game by game, of the loss of the same draws."""

import itertools

import numpy as np
import pytest
import torch
from torch import Tensor

from bidwright.lab.games import _learning
from bidwright.lab.games.learning import Kind, Learner
from bidwright.lab.games.public import public_of
from bidwright.lab.games.room import Adam
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import game_of

BATCH, ENTROPY, CRITIC = 16, 0.1, 0.5


def _outputs(weights: list[Tensor], seen: Tensor) -> Tensor:
    first, first_bias, second, second_bias, last, last_bias = weights
    hidden = torch.relu(torch.relu(seen @ first + first_bias) @ second + second_bias)
    return hidden @ last.T + last_bias


def _drawn(learner: Learner, decision: int) -> dict[int, int]:
    """Return the option that was drawn for each possible holding."""
    rows, played = learner.room.rows, learner.room.played
    row = played.row[decision]
    return {
        int(rows.holding[row, block]): int(played.drawn[decision, block])
        for block in range(rows.blocks[row])
    }


class _Game:
    """One of the games that were played, told again with dense inputs, all outputs and a mask."""

    def __init__(self, learner: Learner, kind: Kind, weights: list[Tensor], number: int) -> None:
        self.learner, self.kind, self.weights = learner, kind, weights
        self.table = learner.public.table
        self.held = learner.room.played.held[:, number].tolist()
        self.beliefs = [torch.full((held,), 1 / held) for held in self.table.holdings.tolist()]
        self.place = 0

    def call(self, caller: int, drawn: dict[int, int]) -> tuple[Tensor, Tensor, Tensor]:
        """Make a call; return log odds of what was drawn, entropy, and what is expected."""
        table, sizes = self.table, (self.table.holdings * self.table.columns).tolist()
        out = _outputs(self.weights, torch.cat([self._features(), *self._holdings(caller)]))
        if self.kind == "bad":
            logits = torch.split(out[:-1], sizes)[caller].reshape(len(self.beliefs[caller]), -1)
            likely = self.beliefs[caller]
            assert set(drawn) == set(torch.nonzero(likely)[:, 0].tolist())
        else:
            logits = out[None, :-1].expand(len(self.beliefs[caller]), -1)
            likely = torch.eye(len(self.beliefs[caller]))[self.held[caller]]
            assert set(drawn) == {self.held[caller]}
        legal = torch.from_numpy(table.column[self.place, : table.options[self.place]]).long()
        odds = torch.log_softmax(logits[:, legal], dim=-1)
        chosen = torch.stack([odds[holding, option] for holding, option in drawn.items()]).sum()
        spread = (-(odds.exp() * odds).sum(dim=-1) * likely).sum()
        made = drawn[self.held[caller]]
        fits = [drawn.get(holding) == made for holding in range(len(likely))]
        left = self.beliefs[caller] * torch.tensor(fits)
        self.beliefs[caller] = left / left.sum()
        self.place = int(table.child[self.place, made])
        return chosen, spread, out[-1]

    def paid(self) -> float:
        """Return the payoffs."""
        return float(self.table.rewards[(self.table.end[self.place], *self.held)])

    def _features(self) -> Tensor:
        seen = torch.zeros(self.learner.public.features)
        listed = self.table.features[self.place, : self.table.seen[self.place]]
        seen[torch.from_numpy(listed).long()] = 1
        return seen

    def _holdings(self, caller: int) -> list[Tensor]:
        if self.kind == "bad":
            return self.beliefs
        own = [torch.zeros(len(belief)) for belief in self.beliefs]
        own[caller][self.held[caller]] = 1
        return own


def _loss(learner: Learner, kind: Kind, weights: list[Tensor], made: int) -> Tensor:
    played, total = learner.room.played, torch.zeros(())
    for number in range(BATCH):
        game = _Game(learner, kind, weights, number)
        decisions = np.flatnonzero(played.game[:made] == number).tolist()
        told = [
            game.call(caller, _drawn(learner, decision))
            for caller, decision in zip(
                learner.public.table.caller.tolist(), decisions, strict=False
            )
        ]
        assert game.place == played.place[number]
        for chosen, spread, expected in told:
            gain = game.paid() - expected
            total = total + CRITIC * gain**2 - gain.detach() * chosen - ENTROPY * spread
    return total / BATCH


@pytest.mark.system
@pytest.mark.parametrize(
    ("name", "kind"),
    [*itertools.product(["comm-3", "hanabi", "bidding-8", "mini-3"], ["a2c", "bad"])],
)
def test_derivatives_are_those_of_the_loss(name: str, kind: Kind) -> None:
    learner = Learner(public_of(grow(game_of(name))), kind, BATCH, np.random.default_rng(1))
    room = learner.room
    for step in range(1, 4):
        count, made = learner.play()
        assert count < made  # Games that look alike share rows.
        _learning.blame(room, count, made, ENTROPY)
        _learning.descend(room, count, CRITIC)
        weights = [torch.tensor(part, requires_grad=True) for part in room.net]
        _loss(learner, kind, weights, made).backward()  # type: ignore[no-untyped-call]
        for found, part in zip(room.slopes, weights, strict=True):
            assert part.grad is not None
            torch.testing.assert_close(torch.from_numpy(found), part.grad, rtol=1e-3, atol=1e-6)
        _learning.update(room.adam, 0.01, step)


def test_updates_are_those_of_adam() -> None:
    rng = np.random.default_rng(0)
    weights = rng.standard_normal(50).astype(np.float32)
    one = torch.tensor(weights, requires_grad=True)
    optimiser = torch.optim.Adam([one], 0.01)
    adam = Adam(weights, *np.zeros((3, 50), np.float32))
    for step in range(1, 20):
        slopes = rng.standard_normal(50).astype(np.float32)
        adam.slopes[:] = slopes
        one.grad = torch.tensor(slopes)
        optimiser.step()
        _learning.update(adam, 0.01, step)
        torch.testing.assert_close(torch.from_numpy(weights), one.detach(), rtol=1e-4, atol=1e-5)
    assert not adam.slopes.any()
