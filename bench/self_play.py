"""Decisions a second of self-play by the size of the networks, and where the time goes.

    python bench/self_play.py --deals deals.npz --widths 512 1024 --boards 16384
    python bench/self_play.py --deals deals.npz --device cpu --widths 128 --boards 256

A round of `league_large` (four tables, a critic that sees them all, held to its prior and to a
file) is played and learnt from, as `train rl` does it. The policy has random weights, but passes
as often as makes auctions of the usual length. A decision is one of the learner's; those of its
rivals are played, too, and not counted. With `--profile` the operations that took the device
longest follow.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

import torch

from bidwright.bridge.calls import NUM_CALLS, Call
from bidwright.bridge.solved_deals import load_solved
from bidwright.lab.ending import ended
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.env.tensor_boards import TensorDeals
from bidwright.neural.networks import CARDS, Network, NetworkShape
from bidwright.neural.train.allowed_training import ALLOWED
from bidwright.neural.train.config import read_config
from bidwright.neural.train.distributed import Processes
from bidwright.neural.train.experience import Collector, Experience, critic_inputs
from bidwright.neural.train.ppo import PPO, PPOConfig
from bidwright.neural.train.run import device_of, suited, torch_rng

_WARM = 2
"""Rounds that are not timed."""


class SelfPlay:
    """Rounds of a learner with random weights against a past self."""

    def __init__(self, config: PPOConfig, deals: Path) -> None:
        """Make networks and deals on the device of a configuration."""
        self.device = device_of(config)
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
        self.config = suited(config, self.device)
        torch.manual_seed(config.seed)
        self._deals = TensorDeals.of(load_solved(deals), self.device)
        width, depth = config.width, config.depth
        shape = NetworkShape(OBSERVATION, NUM_CALLS, width, depth, CARDS)
        policy, past, prior = (self._policy(shape) for _ in range(3))
        critic = Network(
            NetworkShape(critic_inputs(config.critic, config.tables), 1, width, depth)
        ).to(self.device)
        allowed = Network(NetworkShape(OBSERVATION, ALLOWED, width, depth, CARDS)).to(self.device)
        self._collector = Collector(
            policy,
            critic,
            config.critic,
            config.tables,
            config.reward_scale,
            config.trace,
            self.device,
            self.config.bf16,
        )
        self._rival = self._collector.bidder(past)
        self._learner = PPO(self.config, policy, critic, prior, self.device, Processes(), allowed)

    def _policy(self, shape: NetworkShape) -> Network:
        network = Network(shape)
        with torch.no_grad():
            network.last.bias[Call.PASS] = 3.0
        return network.to(self.device)

    def round(self, number: int) -> tuple[float, float, int]:
        """Return the seconds of playing and of learning in a round, and its decisions."""
        begun = self._now()
        collected = self.collect(number)
        played = self._now()
        self.learn(collected, number)
        return played - begun, self._now() - played, len(collected)

    def collect(self, number: int) -> Experience:
        """Play the boards of a round."""
        deal, chance = (torch_rng(self.config, each, number, self.device) for each in (1, 2))
        boards = self._deals.boards(self.config.boards, deal)
        return self._collector.collect(boards, [self._rival], self.config.against, chance)

    def learn(self, experience: Experience, number: int) -> None:
        """Learn from them."""
        self._learner.learn(experience, number)

    def _now(self) -> float:
        """Return the seconds of a clock, once the device has done all its work."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()


def measure(config: PPOConfig, deals: Path, rounds: int, *, profile: bool) -> str:
    """Return a row of the table, and the profile if it is asked for."""
    play = SelfPlay(config, deals)
    played, learnt, decisions = 0.0, 0.0, 0
    for number in range(_WARM + rounds):
        seconds, more, count = play.round(number)
        if number >= _WARM:
            played, learnt, decisions = played + seconds, learnt + more, decisions + count
    row = (
        f"{config.depth} x {config.width:<6} {config.boards:8,} {decisions // rounds:10,} "
        f"{decisions / (played + learnt):14,.0f} {played / (played + learnt):8.0%}"
    )
    if play.device.type == "cuda":
        row += f" {torch.cuda.max_memory_allocated() / 2**30:8.1f} GiB"
    return row + (_profile(play) if profile else "")


def _profile(play: SelfPlay) -> str:
    """Return the operations that take longest, while playing and while learning."""
    kind = torch.profiler.ProfilerActivity
    at = [kind.CPU] + [kind.CUDA] * (play.device.type == "cuda")
    by = "self_device_time_total" if len(at) > 1 else "self_cpu_time_total"
    with torch.profiler.profile(activities=at) as playing:
        collected = play.collect(99)
    with torch.profiler.profile(activities=at) as learning:
        play.learn(collected, 99)
    tables = (each.key_averages().table(sort_by=by, row_limit=14) for each in (playing, learning))
    return "\n" + "\n".join(map(str, tables))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=Path, required=True, help="solved deals")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--widths", type=int, nargs="+", default=[512, 1024])
    parser.add_argument("--boards", type=int, nargs="+", default=[16384], help="of a round")
    parser.add_argument("--minibatches", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=5, help="that are timed")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    first = read_config(PPOConfig, "league_large", [f"device={given.device}"])
    first = replace(first, leash="both", file_targets=first.leash_targets, systems=())
    print("networks     boards  decisions decisions/s (all)  playing   memory")
    for width in given.widths:
        for boards in given.boards:
            config = replace(first, width=width, boards=boards, minibatches=given.minibatches)
            print(measure(config, given.deals, given.rounds, profile=given.profile), flush=True)


if __name__ == "__main__":
    sys.exit(ended(main))
