"""Optima are those of a search through all pure policies, and of the paper."""

import itertools

import numpy as np
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import exact, policies
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import game_of

OPTIMA = {
    "comm-3": 1.0,
    "hanabi": 10.0,
    "bidding-4": 2.25,
    "bidding-8": 5.0625,
    "mini-3": 1.125,
    "mini-4": 1.84,
    "mini-5": 26 / 9,
    "mini-6": 226 / 49,
}
"""Best values of Table 1, to more places; and that of the prototype for mini-6."""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(*known, marks=pytest.mark.slow) if known[0] == "mini-6" else known
        for known in OPTIMA.items()
    ],
)
def test_optimum_is_known_and_reached(name: str, value: float) -> None:
    tree = grow(game_of(name))
    found = exact.solve(tree)
    assert found.value == pytest.approx(value)
    assert policies.values(tree, found.policy[None])[0] == pytest.approx(value)


@pytest.mark.parametrize("name", ["hanabi", "comm-1", "bidding-2", "mini-1"])
def test_no_pure_policy_is_better(name: str) -> None:
    tree = grow(game_of(name))
    sizes = np.diff(tree.shape.base)
    best = 0.0
    for choice in itertools.product(*map(range, sizes)):
        policy = np.zeros((1, tree.slots))
        policy[0, tree.shape.base[:-1] + np.array(choice)] = 1
        best = max(best, float(policies.values(tree, policy)[0]))
    assert exact.solve(tree).value == pytest.approx(best)


def test_too_many_holdings_are_refused() -> None:
    with pytest.raises(InvalidError, match="at most 10 holdings each, got bidding-16"):
        exact.solve(grow(game_of("bidding-16")))
