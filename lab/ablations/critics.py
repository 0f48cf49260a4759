r"""The gain of critics of calls over critics of states in self-play, on the same boards and rounds.

    python -m bidwright.lab.ablations.critics --deals deals.npz --start sl.safetensors \
        --runs runs/critics

For each seed and each thing that critics may see, a policy learns by PPO with a critic of states
(`state`), with one of calls (`calls`), and with one of calls whose gains all count (`all calls`).
Printed are means over seeds, with standard errors if there are two or more:

- `own start`: IMPs a board, greedy, against what it began with, on deals that no run learns from;
- `unexplained`: of the variance of rewards, what V leaves, in the last ten rounds;
- `noise`: the variance of the policy's gradient from one batch to the next, summed over all
  weights, as a share of that with a critic of states of the same seed. It is measured after the
  last round and with a trace of 1, where all are unbiased;
- `min`: minutes of one processor core.

Runs are folders of `bidwright train rl`: the same command resumes those that were interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor

from bidwright import BidwrightError
from bidwright.bridge.solved_deals import load_solved
from bidwright.lab.ablations.kept_runs import card_of, do_once, seconds_of
from bidwright.lab.ablations.means import with_error
from bidwright.lab.ending import ended
from bidwright.neural.env.tensor_boards import TensorDeals
from bidwright.neural.networks import Network, NetworkShape, log_policy
from bidwright.neural.train.advantages import CRITIC_OUTPUTS
from bidwright.neural.train.config import read_config
from bidwright.neural.train.experience import Collector, Experience, critic_inputs
from bidwright.neural.train.ppo import PPOConfig, surrogate
from bidwright.neural.train.reinforcement import POLICY_FILE
from bidwright.neural.train.run import torch_rng
from bidwright.neural.weights import load_weights
from bidwright.runtime.files import write_text

ARMS = {
    "state": ("critic_of=state",),
    "calls": ("critic_of=calls",),
    "all calls": ("critic_of=calls", "all_calls=true"),
}
"""Settings of each way to learn."""

_COMMAND = "python -m bidwright.lab.ablations.critics"
_LATE = 10
"""The number of last rounds in the mean of the unexplained variance."""
_DEAL, _CALL = 1, 2


@dataclass(frozen=True, eq=False)
class CriticsPlan:
    """All runs of a table.

    Attributes:
        runs: the folder of the runs.
        deals: the data set of solved deals.
        config: a YAML file, or the name of one that is shipped.
        settings: `key=value` for all runs.
        start: the weights to begin with.
        seeds: the number of seeds.
        rounds: the rounds of each run.
        sees: the inputs of critics, keys of `CRITIC_INPUTS`.
        batches: the number of batches for the variance of gradients.
    """

    runs: Path
    deals: Path
    config: str
    settings: tuple[str, ...]
    start: str
    seeds: int
    rounds: int
    sees: tuple[str, ...]
    batches: int

    def of(self, arm: str, sees: str, seed: int) -> tuple[Path, PPOConfig]:
        """Return the folder and the configuration of a run."""
        settings = (
            *self.settings,
            *ARMS[arm],
            f"critic={sees}",
            f"seed={seed}",
            f"start={self.start}",
            f"deals={self.deals}",
            f"iterations={self.rounds}",
            f"evaluate_every={self.rounds}",
            "system=''",
        )
        folder = self.runs / f"{sees}-{arm.replace(' ', '-')}-{seed}"
        return folder, read_config(PPOConfig, self.config, settings)

    def __iter__(self) -> Iterator[tuple[str, str, int]]:
        """Yield the way to learn, the critic's inputs and the seed of all runs."""
        for seed in range(self.seeds):
            for sees in self.sees:
                for arm in ARMS:
                    yield arm, sees, seed

    def train(self) -> None:
        """Do all runs, or resume them."""
        for arm, sees, seed in self:
            do_once(*self.of(arm, sees, seed), "ppo", _COMMAND)


class CriticRow(TypedDict):
    """The results of a run.

    Attributes:
        arm: the way to learn.
        sees: the input of the critic.
        seed: the random seed.
        start: IMPs a board against its start.
        unexplained: the share of the variance of results that the critic leaves.
        noise: the variance of the gradient.
        minutes: processor time.
    """

    arm: str
    sees: str
    seed: int
    start: float
    unexplained: float
    noise: float
    minutes: float


def measured(plan: CriticsPlan) -> Iterator[CriticRow]:
    """Yield the results of each run; all runs must be done."""
    for arm, sees, seed in plan:
        folder, config = plan.of(arm, sees, seed)
        lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
        yield {
            "arm": arm,
            "sees": sees,
            "seed": seed,
            "start": card_of(folder)["measured"]["imps"],
            "unexplained": float(np.mean([json.loads(x)["unexplained"] for x in lines[-_LATE:]])),
            "noise": noise(folder, config, plan.batches),
            "minutes": seconds_of(folder) / 60,
        }


def noise(folder: Path, config: PPOConfig, batches: int) -> float:
    """Return the variance of the policy's gradient over batches of fresh boards, a round's each.

    Advantages are those of a trace of 1.

    Args:
        folder: the folder of a run that is done.
        config: its configuration.
        batches: the number of batches, two or more.
    """
    policy = load_weights(str(folder / POLICY_FILE), "policy").network
    # The critic is not among the weights that a run publishes: only its checkpoint has it.
    outputs = CRITIC_OUTPUTS[config.critic_of]
    inputs = critic_inputs(config.critic, config.tables)
    critic = Network(NetworkShape(inputs, outputs, config.width, config.depth))
    saved = torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)
    critic.load_state_dict(saved["learner"]["critic"])
    cpu = torch.device("cpu")
    collector = Collector(
        policy, critic, config.critic, config.tables, config.reward_scale, 1.0, cpu
    )
    # Of the deals that the run learned from, and not of those that it is measured on.
    deals = load_solved(Path(config.deals))
    dealt = TensorDeals.of(deals[: len(deals) - config.evaluation_deals], cpu)
    gradients = []
    for number in range(batches):
        # Random numbers by the batch's number and not by the run: all critics of a seed are
        # compared on the same boards.
        boards = dealt.boards(config.boards, torch_rng(config, _DEAL, number), vulnerable=True)
        experience = collector.collect(boards, (), 0.0, torch_rng(config, _CALL, number))
        gradients.append(_gradient(policy, experience, config))
    # The trace of the covariance: the expected squared distance of a batch's gradient from the
    # mean.
    return float(torch.stack(gradients).var(dim=0).sum())


def _gradient(policy: Network, experience: Experience, config: PPOConfig) -> Tensor:
    """Return the gradient of a policy's gain by all its weights, `[W]`."""
    logs = log_policy(policy(experience.own), experience.legal)
    # As in learning, but without the division by the spread: that would scale the gradients whose
    # noise is compared.
    advantage = experience.advantage - experience.advantage.mean()
    gains = experience.gains if config.all_calls else None
    gain = surrogate(logs, experience, advantage, config.clip, gains).mean()
    gradients = torch.autograd.grad(gain, list(policy.parameters()))
    return torch.cat([each.flatten() for each in gradients])


def tabled(rows: list[CriticRow]) -> Table:
    """Return means over seeds with their standard errors, a way to learn a line."""
    seeds = len({row["seed"] for row in rows})
    table = Table(title=f"means of {seeds} seeds and their standard errors")
    for name in ("critic", "sees", "own start", "over state", "unexplained", "noise", "min"):
        left = name in ("critic", "sees")
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    plain = {(row["sees"], row["seed"]): row for row in rows if row["arm"] == "state"}
    for sees, arm in dict.fromkeys((row["sees"], row["arm"]) for row in rows):
        of_arm = [row for row in rows if (row["sees"], row["arm"]) == (sees, arm)]
        # Differences within a seed: seeds share boards and start, so what differs between them
        # cancels.
        pairs = [(row, plain[sees, row["seed"]]) for row in of_arm]
        table.add_row(
            arm,
            sees,
            with_error([row["start"] for row in of_arm], "+.3f"),
            with_error([row["start"] - other["start"] for row, other in pairs], "+.3f"),
            with_error([row["unexplained"] for row in of_arm], ".3f"),
            with_error([row["noise"] / other["noise"] for row, other in pairs], ".2f"),
            f"{np.mean([row['minutes'] for row in of_arm]):.1f}",
        )
    return table


def main() -> None:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=Path, required=True, help="data set of solved deals")
    parser.add_argument("--runs", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--start", required=True, help="weights to begin with")
    parser.add_argument("--config", default="ppo_small", help="YAML, or the name of a shipped one")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--sees", nargs="+", default=["table", "tables"])
    parser.add_argument("--batches", type=int, default=24, help="gradients that are compared")
    parser.add_argument("--json", type=Path, help="write the measurements of all runs")
    asked = parser.parse_args()
    plan = CriticsPlan(
        asked.runs,
        asked.deals,
        asked.config,
        tuple(asked.set),
        asked.start,
        asked.seeds,
        asked.rounds,
        tuple(asked.sees),
        asked.batches,
    )
    try:
        plan.train()
        rows = list(measured(plan))
    except KeyboardInterrupt:
        print(f"what was done is in {plan.runs}; the same command goes on", file=sys.stderr)
        raise SystemExit(130) from None
    except BidwrightError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    if asked.json:
        write_text(asked.json, "".join(json.dumps(row) + "\n" for row in rows))
    Console().print(tabled(rows))


if __name__ == "__main__":
    sys.exit(ended(main))
