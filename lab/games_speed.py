"""The time that A2C and BAD take to learn small games, and the savings by shared rows.

    python -m bidwright.lab.games_speed
    python -m bidwright.lab.games_speed --game mini-4 --game comm-6 --json games.json

A network is evaluated once for all decisions of a minibatch that look alike to it: `rows` are
evaluations a minibatch, `decisions` calls that were made. Both are counted in the last minibatch,
because policies that are nearly settled share more than those that are new. `ms` is processor time
a minibatch, `policy` what it takes to read off the policy and find its value, once an epoch, and
`s/seed` what that comes to in 100 epochs of 1,000 minibatches. Times are of this machine and of
the moment: compare two programs in turns.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from time import process_time
from typing import get_args

import numpy as np
from rich.console import Console
from rich.table import Table

from bidwright.lab.ending import ended, how_many
from bidwright.lab.games import paper, policies
from bidwright.lab.games.learning import Kind, Learner
from bidwright.lab.games.public import public_of
from bidwright.lab.games.settings import Settings
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import game_of


@dataclass(frozen=True)
class Cost:
    """The cost of learning one game; the docstring of the module explains the columns."""

    game: str
    method: str
    minibatches: int
    rows: int
    decisions: int
    ms: float
    policy_ms: float
    seed_s: float


def measure(game: str, kind: Kind, minibatches: int) -> Cost:
    """Return the cost of so many minibatches, without that of compiling."""
    settings = Settings()
    tree = grow(game_of(game))
    learner = Learner(public_of(tree), kind, settings.batch, np.random.default_rng(0))

    def learn(count: int) -> None:
        learner.learn(count, settings.entropy, settings)

    def value() -> float:
        return float(policies.values(tree, learner.policy()[None])[0])

    # Once before the clock starts: the first call of each compiles.
    learn(1)
    value()
    began = process_time()
    learn(minibatches)
    learned = process_time()
    value()
    measured = process_time()
    ms = 1e3 * (learned - began) / minibatches
    policy_ms = 1e3 * (measured - learned)
    # The policy is read off once an epoch, after its minibatches.
    whole = settings.epochs * (settings.minibatches * ms + policy_ms) / 1e3
    return Cost(game, kind, minibatches, *learner.play(), ms, policy_ms, whole)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", choices=paper.GAMES)
    parser.add_argument("--minibatches", type=how_many, default=1000)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    costs = [
        measure(game, kind, args.minibatches)
        for game in args.game or paper.GAMES
        for kind in get_args(Kind)
    ]
    table = Table(*(field.name.replace("_", " ") for field in fields(Cost)))
    for cost in costs:
        table.add_row(
            *(f"{x:.3f}" if isinstance(x, float) else str(x) for x in asdict(cost).values())
        )
    Console().print(table)
    if args.json:
        args.json.write_text(json.dumps([asdict(cost) for cost in costs], indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(ended(main))
