"""Networks that learn side by side learn as if alone, and learn games whose optimum is known."""

import numpy as np
import pytest
import torch

from bidwright.bridge.errors import InvalidError
from bidwright.neural.games import policies
from bidwright.neural.games.a2c import ActorCritic
from bidwright.neural.games.bad import PublicAgent
from bidwright.neural.games.dealt import Calls, DealtGame
from bidwright.neural.games.learning import learn
from bidwright.neural.games.networks import Networks
from bidwright.neural.games.public import public_of
from bidwright.neural.games.settings import Settings
from bidwright.neural.games.tree import grow
from bidwright.neural.games.zoo import game_of

from .conftest import Relay

QUICK = Settings(epochs=4, minibatches=150, batch=32, rate=3e-3)


def test_a_network_among_many_learns_as_if_alone() -> None:
    generator = torch.Generator().manual_seed(1)
    many = Networks(3, (4, 6, 2), generator)
    alone = Networks(1, (4, 6, 2), generator)
    with torch.no_grad():
        for one, all_ in zip(alone.parameters(), many.parameters(), strict=True):
            one.copy_(all_[1:2])
    inputs = torch.randn(3, 5, 4, generator=generator)
    for networks, seen in ((many, inputs), (alone, inputs[1:2])):
        optimiser = torch.optim.Adam(networks.parameters(), 0.01)
        for _ in range(3):
            optimiser.zero_grad()
            networks(seen).square().mean(dim=(1, 2)).sum().backward()
            optimiser.step()
    for one, all_ in zip(alone.parameters(), many.parameters(), strict=True):
        torch.testing.assert_close(one[0], all_[1])


@pytest.mark.parametrize("name", ["comm-2", "hanabi", "bidding-4", "mini-2"])
def test_public_side_is_that_of_the_game(name: str) -> None:
    tree = grow(game_of(name))
    game = tree.game
    assert isinstance(game, DealtGame)
    public = public_of(tree)
    rng = np.random.default_rng(0)
    scale = max(abs(tree.shape.payoff))
    for _ in range(50):
        deal, place = int(rng.integers(game.deals)), 0
        calls: Calls = ()
        while public.end[place] < 0:
            who = public.caller[len(calls)]
            assert who == game.caller(calls)
            column = int(rng.choice(torch.nonzero(public.legal[place])[:, 0].numpy()))
            rank = int(public.legal[place, :column].sum())
            slot = int(public.first_slot[place, game.dealt(deal)[who]]) + rank
            calls = (*calls, game.legal(calls)[rank])
            assert tree.moves[slot] == calls[-1]
            place = int(public.child[place, column])
            assert public.levels[len(calls)] <= place < public.levels[len(calls) + 1]
        pays = float(public.rewards[(int(public.end[place]), *game.dealt(deal))]) * scale
        assert pays == pytest.approx(game.payoff((deal, *calls)))
    seen = public.features.numpy()
    assert len(np.unique(seen, axis=0)) == len(seen)


def test_chosen_columns_become_a_pure_policy() -> None:
    tree = grow(game_of("bidding-4"))
    public = public_of(tree)
    first = public.legal.int().argmax(dim=1)
    chosen = first[None, :, None].expand(2, -1, max(public.holdings))
    policy = public.policy_of(chosen)
    # The lowest legal call everywhere: open with 1, and pass.
    assert policies.values(tree, policy) == pytest.approx([15 / 16] * 2)


def test_bad_learns_to_communicate() -> None:
    tree = grow(game_of("comm-2"))
    found = learn(tree, PublicAgent, 3, np.random.default_rng(0), QUICK)
    assert found.values == pytest.approx([1.0] * 3)
    assert policies.values(tree, found.policies) == pytest.approx(found.values)


def test_actor_critic_comes_to_the_safe_agreement() -> None:
    tree = grow(game_of("hanabi"))
    found = learn(tree, ActorCritic, 4, np.random.default_rng(0), QUICK)
    assert (found.values >= 8).all()


def test_a_game_for_three_is_refused() -> None:
    with pytest.raises(InvalidError, match="expected a dealt game for two, got relay"):
        public_of(grow(Relay()))
