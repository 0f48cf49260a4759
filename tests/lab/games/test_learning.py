"""The public part of a game is that of its tree; A2C and BAD learn games of known optimum."""

import numpy as np
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import policies
from bidwright.lab.games.dealt import Calls, DealtGame
from bidwright.lab.games.learning import Kind, Learner, learn
from bidwright.lab.games.public import public_of
from bidwright.lab.games.settings import Settings
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import game_of

from .conftest import Relay

QUICK = Settings(epochs=4, minibatches=150, batch=32, rate=3e-3)


@pytest.mark.parametrize("name", ["comm-2", "hanabi", "bidding-4", "mini-2"])
def test_public_side_is_that_of_the_game(name: str) -> None:
    tree = grow(game_of(name))
    game = tree.game
    assert isinstance(game, DealtGame)
    public = public_of(tree)
    table = public.table
    rng = np.random.default_rng(0)
    scale = max(abs(tree.shape.payoff))
    columns: list[dict[int, int]] = [{}, {}]
    for _ in range(50):
        deal, place = int(rng.integers(game.deals)), 0
        calls: Calls = ()
        while table.end[place] < 0:
            who = table.caller[len(calls)]
            assert who == game.caller(calls)
            rank = int(rng.integers(table.options[place]))
            slot = int(public.first_slot[place, game.dealt(deal)[who]]) + rank
            calls = (*calls, game.legal(calls)[rank])
            assert tree.moves[slot] == calls[-1]
            # A player's call has one column, wherever he makes it.
            column = int(table.column[place, rank])
            assert columns[who].setdefault(calls[-1], column) == column < table.columns[who]
            place = int(table.child[place, rank])
            assert table.levels[len(calls)] <= place < table.levels[len(calls) + 1]
        pays = float(table.rewards[(int(table.end[place]), *game.dealt(deal))]) * scale
        assert pays == pytest.approx(game.payoff((deal, *calls)))
    seen = {
        tuple(row[:count])
        for row, count in zip(table.features.tolist(), table.seen.tolist(), strict=True)
    }
    assert len(seen) == len(table.end)
    assert max(map(max, filter(None, seen))) == public.features - 1


def test_chosen_calls_become_a_pure_policy() -> None:
    tree = grow(game_of("bidding-4"))
    public = public_of(tree)
    policy = public.policy_of(np.zeros(public.first_slot.shape, np.int32))
    # The lowest legal call everywhere: open with 1, and pass.
    assert policies.values(tree, policy[None]) == pytest.approx([15 / 16])


@pytest.mark.system
@pytest.mark.parametrize("kind", ["a2c", "bad"])
def test_deals_are_uniform_and_calls_are_drawn_by_their_odds(kind: Kind) -> None:
    learner = Learner(public_of(grow(game_of("bidding-4"))), kind, 32, np.random.default_rng(5))
    rows, played, table = learner.room.rows, learner.room.played, learner.public.table
    deals = np.zeros((4, 4))
    drawn, likely = np.zeros((2, 4, 4))
    for _ in range(500):
        _, made = learner.play()
        np.add.at(deals, tuple(played.held), 1)
        for decision in range(made):
            row = played.row[decision]
            options = table.options[rows.place[row]]
            for block in range(rows.blocks[row]):
                odds = rows.odds[row, block * options : (block + 1) * options]
                assert odds.sum() == pytest.approx(1, abs=1e-5)
                drawn[rows.holding[row, block], played.drawn[decision, block]] += 1
                likely[rows.holding[row, block], :options] += odds
    assert np.abs(deals / 1000 - 1).max() < 0.15
    # No more than four standard deviations from what is expected.
    assert (np.abs(drawn - likely) <= 4 * np.sqrt(likely)).all()


@pytest.mark.system
def test_bad_learns_to_communicate() -> None:
    tree = grow(game_of("comm-2"))
    found = learn(tree, "bad", 3, np.random.default_rng(0), QUICK)
    assert found.values == pytest.approx([1.0] * 3)
    assert policies.values(tree, found.policies) == pytest.approx(found.values)


def test_actor_critic_comes_to_the_safe_agreement() -> None:
    tree = grow(game_of("hanabi"))
    found = learn(tree, "a2c", 4, np.random.default_rng(0), QUICK)
    assert (found.values >= 8).all()


def test_a_game_for_three_is_refused() -> None:
    with pytest.raises(InvalidError, match="expected a dealt game for two, got relay"):
        public_of(grow(Relay()))
