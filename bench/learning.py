"""Steps per second of the bidding environment on one core, beside OpenSpiel and pgx; learning.

    python bench/learning.py --pgx-python VENV/bin/python --json learning.json

Every environment bids random legal calls, a pass three times as likely as another one. Counted is
the time of the environment alone: stepping, and with observations also what the players see and
which calls are legal. OpenSpiel runs where it is installed; pgx (with jax) in an interpreter of its
own, because both bring many packages. Ratios are of this run, on this machine. Decisions learnt
from are those of PPO (`ppo_small`) and of A2C (`bmcs2024`, 256 wide), playing included.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.solved_deals import SolvedDeals, numbered_deals
from bidwright.lab.ending import ended
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes

LANES = 4096

PGX = """
import json, sys, time
import jax, jax.numpy as jnp, numpy as np, pgx
from pgx.bridge_bidding import BridgeBidding
lanes, seconds, table = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
rng = np.random.default_rng(0)
keys = jnp.array(rng.integers(0, 2**26, (1000, 4)), jnp.int32)
np.save(table, np.stack([keys, keys]))
env = BridgeBidding(table)
step, init = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.init))
def choose(key, mask):
    logits = jnp.where(mask, 0.0, -jnp.inf).at[:, 0].add(jnp.log(3.0))
    return jax.random.categorical(key, logits, axis=1)
choose = jax.jit(choose)
key = jax.random.PRNGKey(0)
steps, spent = 0, 0.0
warm = False
begun = time.perf_counter()
while time.perf_counter() - begun < seconds or not steps:
    key, sub = jax.random.split(key)
    state = init(jax.random.split(sub, lanes))
    for turn in range(12):
        key, sub = jax.random.split(key)
        calls = jax.block_until_ready(choose(sub, state.legal_action_mask))
        start = time.process_time()
        over = int(state.terminated.sum())
        state = jax.block_until_ready(step(state, calls))
        if warm:
            spent += time.process_time() - start
            steps += lanes - over
        elif turn == 1:
            warm, begun = True, time.perf_counter()
print(json.dumps(steps / spent))
"""


def _random_calls(legal: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    weight = -np.log(rng.random(legal.shape)) / np.where(legal, 1.0, 1e-30)
    weight[:, 0] /= 3
    return np.asarray(weight.argmin(axis=1))


def _boards(count: int, rng: np.random.Generator) -> Boards:
    tricks = rng.integers(0, 14, (count, 5, 4), dtype=np.uint8)
    return Boards.at_random(SolvedDeals(numbered_deals(0, range(count)), tricks), rng)


def compiled(lanes: int, seconds: float) -> tuple[float, float]:
    """Return steps a second of `Lanes`, without and with observations."""
    rng = np.random.default_rng(0)
    boards = _boards(lanes // 2, rng)
    steps, stepping, looking = 0, 0.0, 0.0
    for warm in (False, True):
        begun = time.perf_counter()
        steps, stepping, looking = 0, 0.0, 0.0
        while time.perf_counter() - begun < (seconds if warm else 0.1):
            table = Lanes(boards, 2)
            while len(table.running):
                start = time.process_time()
                table.observe()
                legal = table.legal()
                seen = time.process_time()
                calls = _random_calls(legal, rng)
                chosen = time.process_time()
                steps += len(calls)
                table.step(calls)
                stepping += time.process_time() - chosen
                looking += seen - start
            table.rewards()
    return steps / stepping, steps / (stepping + looking)


def tensors(lanes: int, seconds: float, every: int = 0) -> float:
    """Return steps a second of `TensorLanes` on the processor, with observations.

    Args:
        lanes: how many tables.
        seconds: for how long.
        every: calls after which lanes that are over are let go of; 0 for never.
    """
    import torch

    from bidwright.neural.env.tensor_boards import TensorBoards
    from bidwright.neural.env.tensors import TensorLanes

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    boards = TensorBoards.of(_boards(lanes // 2, rng))
    steps, spent, begun = 0, 0.0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        table = TensorLanes(boards, 2)
        while not bool(table.done.all()):
            running = int((~table.done).sum())
            start = time.process_time()
            table.observe()
            legal = table.legal()
            seen = time.process_time()
            calls = torch.from_numpy(_random_calls(legal.numpy(), rng))
            chosen = time.process_time()
            table.step(calls)
            if every and table.length % every == 0:
                table.compact()
            spent += time.process_time() - chosen + seen - start
            steps += running
    return steps / spent


def openspiel(seconds: float) -> tuple[float, float]:
    """Return steps a second of OpenSpiel from Python, without and with observations."""
    import pyspiel

    rng = np.random.default_rng(0)
    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    steps, stepping, looking, begun = 0, 0.0, 0.0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        state = game.new_initial_state()
        for card in rng.permutation(52).tolist():
            state.apply_action(card)
        passes = 0
        while passes < 4:
            start = time.process_time()
            state.observation_tensor()
            legal = state.legal_actions()
            seen = time.process_time()
            call = legal[max(0, int(rng.integers(-2, len(legal))))]
            passes = passes + 1 if call == legal[0] else 1
            chosen = time.process_time()
            state.apply_action(call)
            stepping += time.process_time() - chosen
            looking += seen - start
            steps += 1
    return steps / stepping, steps / (stepping + looking)


def pgx(python: str, lanes: int, seconds: float) -> float:
    """Return steps a second of pgx on the processor; it always makes observations."""
    with TemporaryDirectory() as folder:
        words = [python, "-c", PGX, str(lanes), str(seconds), f"{folder}/table.npy"]
        pinned = ["taskset", "-c", "0", *words]
        done = subprocess.run(pinned, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def learning(algorithm: str, name: str, *settings: str) -> float:
    """Return decisions a second that an algorithm plays and learns from, beginning with noise."""
    import torch

    from bidwright.neural.networks import Network, NetworkShape
    from bidwright.neural.train.config import read_config
    from bidwright.neural.train.reinforcement import ALGORITHMS, reinforce
    from bidwright.neural.weights import save_weights

    marks: list[float] = []
    rounds = 5
    with TemporaryDirectory() as folder:
        start, deals = Path(folder, "start"), Path(folder, "deals")
        network = Network(NetworkShape(480, 38))
        with torch.no_grad():
            network.last.bias[0] = 3.0  # auctions of the usual length
        save_weights(start, network, "policy", {})
        boards = _boards(1000, np.random.default_rng(0))
        with deals.open("wb") as file:
            np.savez(file, owner=boards.owner, tricks=boards.tricks)
        given = [f"start={start}", f"deals={deals}", f"iterations={rounds}", "system=''"]
        more = [f"evaluate_every={rounds}", "evaluation_deals=2", *settings]
        config = read_config(ALGORITHMS[algorithm][0], name, [*given, *more])
        card = reinforce(
            Path(folder, "run"), config, algorithm, "", lambda *_: marks.append(time.process_time())
        )
    return float(card["decisions"] / rounds * (rounds - 2) / (marks[-2] - marks[0]))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lanes", type=int, default=LANES)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each figure")
    parser.add_argument("--pgx-python", help="an interpreter that has pgx")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    bare, seen = compiled(given.lanes, given.seconds)
    rates = {"bidwright": bare, "bidwright, observations": seen}
    rates["bidwright in tensors, observations"] = tensors(given.lanes, given.seconds)
    rates["compacted tensors, observations"] = tensors(given.lanes, given.seconds, 4)
    if find_spec("pyspiel") is not None:
        without, with_them = openspiel(given.seconds)
        rates |= {"OpenSpiel": without, "OpenSpiel, observations": with_them}
    if given.pgx_python:
        rates["pgx, observations"] = pgx(given.pgx_python, given.lanes, given.seconds)
    for name, rate in rates.items():
        base = seen if "observations" in name else bare
        print(f"{name:36} {rate:14,.0f} steps/s   bidwright is {base / rate:8.1f} times as fast")
    learnt = {
        "PPO, ppo_small": learning("ppo", "ppo_small"),
        "A2C, bmcs2024, 256 wide": learning("a2c-pr", "bmcs2024", "width=256", "bf16=true"),
    }
    for name, rate in learnt.items():
        print(f"{name:36} {rate:14,.0f} decisions/s")
    rates |= learnt
    if given.json:
        given.json.write_text(json.dumps(rates, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
