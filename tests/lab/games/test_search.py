"""Regret minimisation and joint policy search, against direct computation."""

import numpy as np
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import _kernels, cfr, exact, exhaustive, jps, policies
from bidwright.lab.games.tree import Tree, grow
from bidwright.lab.games.zoo import game_of

from .conftest import Relay


def _chains(tree: Tree, policy: np.ndarray, length: int) -> float:
    """Return the best value of any chain of changes, each in a successor of the one before."""
    best = policies.values(tree, policy[None])[0]

    def extend(changed: np.ndarray, places: list[int], left: int) -> None:
        nonlocal best
        for place in places:
            for slot in range(tree.shape.base[place], tree.shape.base[place + 1]):
                other = changed.copy()
                other[tree.shape.base[place] : tree.shape.base[place + 1]] = 0
                other[slot] = 1
                best = max(best, float(policies.values(tree, other[None])[0]))
                if left > 1:
                    after = slice(*tree.shape.next_at[slot : slot + 2])
                    extend(other, list(tree.shape.next_infosets[after]), left - 1)

    extend(policy, list(range(tree.infosets)), length)
    return float(best)


@pytest.mark.parametrize("name", ["relay", "hanabi", "bidding-4", "mini-2"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_where_the_search_ends_no_chain_gains(name: str, length: int) -> None:
    tree = grow(Relay() if name == "relay" else game_of(name))
    rng = np.random.default_rng(length)
    begin = policies.random(tree, 3, rng)
    found = jps.improve(tree, begin, rng, length=length)
    assert found.gap < 1e-12
    assert (found.values >= policies.values(tree, begin)).all()
    assert found.values == pytest.approx(policies.values(tree, found.policies))
    if name in ("relay", "hanabi") or length < 3:
        assert _chains(tree, found.policies[0], length) == pytest.approx(found.values[0])


def test_the_largest_gap_of_any_pass_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Theorem 1 holds in each pass; that it held in the last one is no proof."""
    passes = iter([(1.0, 1, 2.0), (1.0, 0, 0.0)])
    monkeypatch.setattr(_kernels, "search_once", lambda *_: next(passes))
    tree = grow(Relay())
    rng = np.random.default_rng(1)
    with pytest.raises(AssertionError, match=r"Theorem 1 is off by 2\.0 in relay"):
        jps.improve(tree, policies.random(tree, 1, rng), rng)


def test_optimum_is_left_as_it_is() -> None:
    tree = grow(game_of("mini-3"))
    best = exact.solve(tree)
    found = jps.improve(tree, best.policy[None], np.random.default_rng(0))
    assert found.changes[0] == 0
    assert found.values[0] == pytest.approx(best.value)


def test_regret_minimisation_is_as_good_as_in_the_paper() -> None:
    tree = grow(game_of("hanabi"))
    values = policies.values(tree, cfr.solve(tree, 400, np.random.default_rng(0)))
    assert values.mean() == pytest.approx(9.11, abs=0.15)
    assert values.max() == 10


def test_one_player_alone_comes_to_the_best_reply() -> None:
    tree = grow(game_of("bidding-4"))
    found = cfr.solve(tree, 1, np.random.default_rng(0), rounds=2000)
    assert jps.improve(tree, found, np.random.default_rng(0), length=1).changes[0] == 0


def test_joint_search_gains_on_regret_minimisation() -> None:
    tree = grow(game_of("bidding-8"))
    rng = np.random.default_rng(0)
    alone = cfr.solve(tree, 20, rng, rounds=300)
    before = policies.values(tree, alone)
    shallow = jps.improve(tree, alone, rng, length=1).values
    deep = jps.improve(tree, alone, rng).values
    assert shallow.mean() < deep.mean() <= exact.solve(tree).value
    assert (deep >= before - 1e-12).all()


def test_seeds_run_alone_or_together_end_alike() -> None:
    tree = grow(game_of("bidding-4"))
    begin = cfr.solve(tree, 3, np.random.default_rng(3), rounds=50)
    first = policies.random(tree, 3, np.random.default_rng(4))
    assert begin.shape == first.shape
    for seed in range(3):
        one = jps.improve(tree, begin[seed : seed + 1], np.random.default_rng(5)).values[0]
        assert one >= policies.values(tree, begin[seed : seed + 1])[0]


def test_samples_can_escape_where_all_states_are_stuck() -> None:
    tree = grow(game_of("hanabi"))
    rng = np.random.default_rng(0)
    begin = cfr.solve(tree, 60, rng)
    stuck = jps.improve(tree, begin, rng).values.mean()
    sampled = jps.improve(tree, begin, rng, samples=1).values
    assert stuck < sampled.mean()
    assert (sampled == 10).mean() > 0.9


def test_depth_is_read_in_two_ways() -> None:
    assert jps.chain_length(3) == 2
    assert jps.chain_length(3, "text") == 3
    with pytest.raises(InvalidError, match="expected a depth of 2 or more, got 1"):
        jps.chain_length(1)
    with pytest.raises(InvalidError, match="expected a depth of 1 or more, got 0"):
        jps.chain_length(0, "text")


def test_searches_with_and_without_theorem_1_find_the_same_gains() -> None:
    tree = grow(game_of("bidding-4"))
    # No second is left after the first information set, and all of them in ten.
    assert exhaustive.measure("bidding-4", 0.0).places == 1
    speed = exhaustive.measure("bidding-4", 10.0)
    assert speed.places == speed.reached <= tree.infosets
    assert speed.chains > speed.places
    assert speed.gap < 1e-12


def test_every_chain_is_tried_once() -> None:
    tree = grow(game_of("hanabi"))
    policy = policies.random(tree, 1, np.random.default_rng(3))[0]
    value, room = np.empty(tree.nodes), jps.room_of(tree)
    total = float(policies.values(tree, policy[None])[0])
    base, after = tree.shape.base, tree.shape.next_at
    for place in range(tree.infosets):
        gain, tried = _kernels.exhaust(tree.shape, policy, 2, place, total, value, room)
        slots = range(base[place], base[place + 1])
        replies = [
            tree.shape.next_infosets[k] for s in slots for k in range(after[s], after[s + 1])
        ]
        assert tried == len(slots) + sum(int(base[p + 1] - base[p]) for p in replies)
        assert gain >= 0
    best = max(
        _kernels.exhaust(tree.shape, policy, 2, place, total, value, room)[0]
        for place in range(tree.infosets)
    )
    assert total + best == pytest.approx(_chains(tree, policy, 2))
