"""The time of joint policy search beside that of evaluating the whole game for each change.

Source: Tian, Gong and Jiang (2020), section 6, "Correctness of Theorem 1 and runtime speed". Both
searches try the same chains from the same policy; one sweeps the game once and adds up
policy-change densities, the other evaluates the game for every chain.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

import numpy as np

from bidwright import InvalidError
from bidwright.lab.games import _kernels, cfr, jps, paper
from bidwright.lab.games.store import kept_in, make_folder
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import game_of
from bidwright.runtime.files import write_text

_FILE = "speed.json"


@dataclass(frozen=True)
class Speed:
    """The cost of both searches from one policy of CFR.

    Attributes:
        game: Its name.
        places: The information sets that were taken as the first of a chain, all of them reached.
        reached: The information sets that a whole pass takes.
        chains: The chains that were tried from them.
        densities_s: Processor seconds with densities, the sweep before the search among them.
        sweeps_s: Processor seconds with an evaluation for each chain.
        gap: The greatest difference between the best gains of both.
        paper: The ratio of the paper, if it has one.
    """

    game: str
    places: int
    reached: int
    chains: int
    densities_s: float
    sweeps_s: float
    gap: float
    paper: float | None

    @property
    def ratio(self) -> float:
        """The seconds of the slow search over those of the fast one."""
        return self.sweeps_s / self.densities_s


def measure(name: str, seconds: float, seed: int = 0) -> Speed:
    """Return the cost of both searches in a game.

    Args:
        name: The game.
        seconds: Processor seconds of the slow search, after which no more information sets are
            taken; the fast one takes the same.
        seed: The seed of the policy and of the order of information sets.

    Raises:
        InvalidError: There is no such game.
        AssertionError: The two searches find different gains; never with a correct program.
    """
    rng = np.random.default_rng(seed)
    tree = grow(game_of(name))
    shape = tree.shape
    policy = cfr.solve(tree, 1, rng)[0]
    length = jps.chain_length(paper.DEPTHS.get(name))
    room, value, before = jps.room_of(tree), np.empty(tree.nodes), np.empty((2, tree.nodes))
    sample = _kernels.Sample(shape.members_at, shape.members, np.ones(len(shape.members)))
    total = _kernels.sweep(shape, policy, before[0], before[1])
    reach = np.add.reduceat(before[0][shape.members], shape.members_at[:-1])
    order = rng.permutation(np.flatnonzero(reach > 0))
    if not len(order):
        raise InvalidError(f"expected a game with information sets, got {name}")
    # Once before the clock starts: the first call of each compiles.
    _kernels.gain_from(shape, policy, 1, int(order[0]), sample, before, room)
    _kernels.exhaust(shape, policy, 1, int(order[0]), total, value, room)
    gains, chains, began = [], 0, process_time()
    for place in order:
        gain, tried = _kernels.exhaust(shape, policy, length, int(place), total, value, room)
        gains.append(gain)
        chains += tried
        if process_time() - began > seconds:
            break
    swept = process_time() - began
    # The fast search is repeated until a clock can time it.
    repeats, began = 0, process_time()
    while repeats == 0 or process_time() - began < min(0.2, seconds):
        repeats += 1
        _kernels.sweep(shape, policy, before[0], before[1])
        by_densities = [
            _kernels.gain_from(shape, policy, length, int(place), sample, before, room)
            for place in order[: len(gains)]
        ]
    summed = (process_time() - began) / repeats
    gap = float(np.abs(np.subtract(by_densities, gains)).max())
    if gap > jps.TOLERANCE * max(1.0, float(np.abs(shape.payoff).max())):
        raise AssertionError(f"two searches differ by {gap} in {name}")
    return Speed(name, len(gains), len(order), chains, summed, swept, gap, paper.SPEEDS.get(name))


def keep(folder: Path, speeds: Sequence[Speed]) -> None:
    """Write measurements into a store, beside those of other games.

    Raises:
        InvalidError: They cannot be written.
    """
    make_folder(folder)
    rows = {row.game: row for row in (*stored(folder), *speeds)}
    content = {name: asdict(rows[name]) for name in sorted(rows)}
    write_text(folder / _FILE, json.dumps(content, indent=1) + "\n")


def stored(folder: Path) -> list[Speed]:
    """Return the measurements of a store.

    Raises:
        InvalidError: Their file is damaged or something else.
    """
    path = folder / _FILE
    try:
        return [Speed(**row) for row in kept_in(path).values()]
    except (TypeError, ValueError):
        raise InvalidError(f"expected measured speeds in '{path}': delete the file") from None
