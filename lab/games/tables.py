"""The tables and the figure of the paper, from the results in a store beside its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bidwright import InvalidError
from bidwright.lab.games import bidding, exact, paper
from bidwright.lab.games.dealt import Calls, DealtGame
from bidwright.lab.games.game import OVER
from bidwright.lab.games.methods import parse_method
from bidwright.lab.games.store import Results, Store
from bidwright.lab.games.tree import Floats, Tree, grow
from bidwright.lab.games.zoo import Communication, MiniBridge, game_of

METHODS = (
    "random+jps",
    "cfr",
    "cfr+jps",
    "cfr+jps-text",
    "cfr@10000",
    "cfr@10000+jps",
    "a2c",
    "a2c+jps",
    "a2c@0.02",
    "a2c@0.02+jps",
    "bad",
    "bad+jps",
    "bad@0.3",
    "bad@0.3+jps",
)
"""The rows of Table 1, and what the paper tells of beside it."""


@dataclass(frozen=True)
class Row:
    """One method in one game.

    Attributes:
        game: Its name.
        method: Its name; `best` for the optimum.
        seeds: How many; 0 for the optimum.
        mean: Mean value.
        error: Standard error of the mean.
        most: Greatest value of any seed.
        seconds: Seconds of processor a seed, without what it begins with.
        paper: The paper's mean, if it has one.
        gap: The greatest error of the gain by Theorem 1; None where it was not measured.
        note: A remark.
    """

    game: str
    method: str
    seeds: int
    mean: float
    error: float
    most: float
    seconds: float
    paper: float | None
    gap: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Best:
    """The optimum of a game, or a bound.

    Attributes:
        value: The optimum, or an upper bound.
        is_exact: True if it is the optimum.
        source: The source of the value.
    """

    value: float
    is_exact: bool
    source: str


def bound_file(folder: Path, name: str) -> Path:
    """Return the file of a store with the bound for a game."""
    return folder / f"{name}-bound.json"


def best_of(name: str, folder: Path) -> Best | None:
    """Return the optimum of a game, or a bound; None if nothing is known.

    Args:
        name: The game.
        folder: The store, which may have a bound of a game that is too large for `exact`.
    """
    game = game_of(name)
    if isinstance(game, Communication):
        return Best(1.0, True, "the largest payoff, which the binary code gets")
    # Found anew in each process: a stored optimum could belong to other rules of the game.
    if max(game.holdings) <= exact.MOST_HOLDINGS:
        return Best(_optimum(name), True, "dynamic programming over sets")
    path = bound_file(folder, name)
    if path.exists():
        bound = bidding.read_bound(path)
        return Best(bound.value, bound.is_optimum, "losses by opening")
    return None


@cache
def _optimum(name: str) -> float:
    return exact.solve(grow(game_of(name))).value


def table1(folder: Path, games: Sequence[str], methods: Sequence[str]) -> list[Row]:
    """Return the rows of Table 1, by game, the optimum last; only what is in the store."""
    rows = []
    for name in games:
        store = Store(folder, name)
        rows += [
            _row(name, method, store.methods[method])
            for method in methods
            if method in store.methods and store.methods[method].seeds
        ]
        if (best := best_of(name, folder)) is not None:
            what = best.source if best.is_exact else f"not more than this: {best.source}"
            printed = paper.mean(name, "best")
            rows.append(Row(name, "best", 0, best.value, 0.0, best.value, 0.0, printed, note=what))
    return rows


def _row(game: str, method: str, found: Results) -> Row:
    note, printed = "", paper.mean(game, method)
    if (asked := parse_method(method)).kind in ("a2c", "bad"):
        # The paper does not tell its entropy: its figure stands beside every setting.
        printed = paper.mean(game, method.replace(asked.base, asked.kind, 1))
        learned = found.settings
        note = f"entropy {learned['entropy']}, {learned['epochs']} x {learned['minibatches']}"
    return Row(
        game,
        method,
        found.seeds,
        float(found.all.mean()),
        found.error,
        float(found.all.max()),
        found.seconds / found.seeds,
        printed,
        found.gap,
        note,
    )


@dataclass(frozen=True)
class SampledRow:
    """One row of Table 2: means by the number of samples, all states first; None: not run.

    Attributes:
        game: Its name.
        base: Where the search begins.
        alone: The mean before the search.
        seeds: How many seeds the columns have.
        means: Mean values.
        errors: Standard errors of the means.
        paper: The paper's means.
    """

    game: str
    base: str
    alone: float | None
    seeds: tuple[int, ...]
    means: tuple[float | None, ...]
    errors: tuple[float | None, ...]
    paper: tuple[float, ...]


def sampled_methods(base: str) -> list[str]:
    """Return the methods of a row of Table 2."""
    return [f"{base}+jps", *(f"{base}+jps:{count}" for count in paper.SAMPLES)]


def table2(folder: Path) -> list[SampledRow]:
    """Return the rows of Table 2 with results in the store."""
    rows = []
    for asked in paper.TABLE2:
        methods = Store(folder, asked.game).methods
        methods = {name: found for name, found in methods.items() if found.seeds}
        by_samples = [methods.get(name) for name in sampled_methods(asked.base)]
        if any(by_samples):
            alone = methods.get(asked.base)
            rows.append(
                SampledRow(
                    asked.game,
                    asked.base,
                    float(alone.all.mean()) if alone else None,
                    tuple(one.seeds if one else 0 for one in by_samples),
                    tuple(float(one.all.mean()) if one else None for one in by_samples),
                    tuple(one.error if one else None for one in by_samples),
                    asked.means,
                )
            )
    return rows


@dataclass(frozen=True)
class Auctions:
    """The auction of every deal, by the holdings of the first and the second player."""

    value: float
    calls: tuple[tuple[str, ...], ...]


def auctions_of(tree: Tree, policy: Floats) -> Auctions:
    """Return the auctions of a pure policy `[K]`."""
    game = tree.game
    if not isinstance(game, DealtGame) or game.players != 2:
        raise InvalidError(f"expected a dealt game for two, got {game.name}")
    rows, total = [], 0.0
    for first in range(game.holdings[0]):
        row = []
        for second in range(game.holdings[1]):
            calls: Calls = ()
            while (caller := game.caller(calls)) != OVER:
                place = tree.places[caller, (first, second)[caller], calls]
                base, end = tree.shape.base[place : place + 2]
                calls = (*calls, int(tree.moves[base + policy[base:end].argmax()]))
            total += float(game.rewards(calls)[first, second])
            row.append(" ".join(game.calls[call] for call in calls))
        rows.append(tuple(row))
    return Auctions(total / game.deals, tuple(rows))


def table4(size: int) -> Auctions:
    """Return the auctions of an optimal policy for 2-Suit MiniBridge."""
    tree = grow(game_of(f"mini-{size}"))
    return auctions_of(tree, exact.solve(tree).policy)


def value_of_auctions(game: MiniBridge, auctions: Sequence[Sequence[str]]) -> float:
    """Return the mean payoff of auctions, given by the holdings of both players."""
    total = 0.0
    for first, row in enumerate(auctions):
        for second, text in enumerate(row):
            calls = tuple(game.calls.index(call) for call in text.split())
            total += float(game.rewards(calls)[first, second])
    return total / game.deals
