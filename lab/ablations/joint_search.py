r"""The gain of joint policy search in bridge training, by the share of games that are searched.

    python -m bidwright.lab.ablations.joint_search --deals deals.npz --runs runs/table3 --seeds 3
    python -m bidwright.lab.ablations.joint_search --deals deals.npz --runs runs/sayc \
        --start sl.safetensors

The pattern of Table 3 of Tian, Gong and Jiang, "Joint Policy Search for Multi-agent Collaboration
with Imperfect Information" (2020). For each seed a baseline is trained by self-play (`--start
new`), or all begin with given weights. From it one run continues without search and one with
each share of `--shares`, for as many rounds, with changes that `sayc` allows (`kept`); of `--free`,
with all legal calls; of `--one`, where the player alone changes (the paper's 1-search); of
`--weighed`, with predictions over deals that look alike at half the weight (J2, lambda 0.5); of
`--rare`, with calls down to a probability of 0.0001 instead of 0.05; of `--alike`, with gains over
16 deals of the player's information set. The last four take all legal calls.

Each run's last policy plays, greedy, on deals that no run learns from: against its own start, and
against the runs without search of all other seeds, which are strangers to it. The gain is over the
run of the same seed without search; errors are over seeds, so they need two or more, but with one
seed the error of its boards is printed. `allowed` is the share of openings that `sayc` allows.
`changes` are searches that changed the call, `predicted` their mean gain by the search's own
samples. Searches cost time: `min` are minutes of one processor core.

Runs are folders of `bidwright train rl`: the same command resumes those that were interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from rich.console import Console
from rich.table import Table

from bidwright import BidwrightError
from bidwright.bridge.solved_deals import load_solved
from bidwright.lab.ablations.kept_runs import card_of, do_once, seconds_of
from bidwright.lab.ablations.means import with_error
from bidwright.lab.ending import ended
from bidwright.neural.env.boards import Boards
from bidwright.neural.evaluate import greedy, play_duplicate
from bidwright.neural.train.config import read_config
from bidwright.neural.train.reinforcement import ALGORITHMS, NEW, POLICY_FILE
from bidwright.neural.weights import load_weights
from bidwright.runtime.files import write_text

_COMMAND = "python -m bidwright.lab.ablations.joint_search"


KINDS: dict[str, tuple[str, ...]] = {
    "kept": ("search_allowed=true",),
    "free": ("search_allowed=false",),
    "one": ("search_allowed=false", "search_depth=1"),
    "weighed": ("search_allowed=false", "search_weight=0.5", "critic_of=calls"),
    "rare": ("search_allowed=false", "search_least=0.0001"),
    "alike": ("search_allowed=false", "search_deals=16"),
}
"""The settings of each kind of search."""


@dataclass(frozen=True)
class Arm:
    """A way to train.

    Attributes:
        share: Of the tables that are searched.
        kind: A key of `KINDS`.
    """

    share: float
    kind: str = "kept"

    def __str__(self) -> str:
        """Return its name, which is that of its folders."""
        return f"{self.kind}-{100 * self.share:g}" if self.share else "none"

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings of its runs, beside those of all."""
        return f"search_share={self.share}", *(KINDS[self.kind] if self.share else ())


@dataclass(frozen=True, eq=False)
class SearchPlan:
    """All runs of a table.

    Attributes:
        runs: Folder of the runs.
        deals: Data set of solved deals.
        algorithm: A key of `ALGORITHMS`.
        config: YAML file or name of one that is shipped.
        settings: `key=value` for all runs.
        start: Weights to begin with, or `new` for a baseline of each seed.
        seeds: How many.
        base_rounds: Rounds of a baseline.
        rounds: Rounds of each run that goes on from it.
        arms: The ways to go on; the first is without search.
    """

    runs: Path
    deals: Path
    algorithm: str
    config: str
    settings: tuple[str, ...]
    start: str
    seeds: int
    base_rounds: int
    rounds: int
    arms: tuple[Arm, ...]

    def start_of(self, seed: int) -> str:
        """Return the weights that the runs of a seed begin with."""
        return self.start if self.start != NEW else str(self.folder("base", seed) / POLICY_FILE)

    def folder(self, name: str, seed: int) -> Path:
        """Return the folder of a run."""
        return self.runs / f"{name}-{seed}"

    def train(self) -> None:
        """Do all runs, or resume them."""
        for seed in range(self.seeds):
            if self.start == NEW:
                self._run("base", seed, Arm(0.0), NEW, self.base_rounds)
            for arm in self.arms:
                self._run(str(arm), seed, arm, self.start_of(seed), self.rounds)

    def _run(self, name: str, seed: int, arm: Arm, start: str, rounds: int) -> None:
        folder = self.folder(name, seed)
        settings = (
            *self.settings,
            f"seed={seed}",
            f"start={start}",
            f"deals={self.deals}",
            f"iterations={rounds}",
            f"evaluate_every={rounds}",
            "system=sayc",
            *arm.settings,
        )
        config = read_config(ALGORITHMS[self.algorithm][0], self.config, settings)
        do_once(folder, config, self.algorithm, _COMMAND)


class SearchRow(TypedDict):
    """The results of a run.

    Attributes:
        arm: the way to train.
        seed: the random seed.
        start: IMPs a board against its start.
        start_error: the standard error of that mean, of its boards.
        strangers: the mean against the runs without search of other seeds; None for a single seed.
        conformity: the share of openings that the file allows.
        searched: tables that were searched.
        changed: searches that changed the call.
        predicted: the mean gain of the changes in IMPs, by the samples of the search.
        minutes: processor time.
    """

    arm: str
    seed: int
    start: float
    start_error: float
    strangers: float | None
    conformity: float
    searched: int
    changed: int
    predicted: float
    minutes: float


def measured(plan: SearchPlan, last: int) -> Iterator[SearchRow]:
    """Yield the results of each run; all runs must be done.

    Args:
        plan: the runs.
        last: the number of last deals of the data set to play on.
    """
    # The last deals: `evaluation_deals` of a configuration are cut off at the same end, so no run
    # has learned from them.
    boards = Boards.numbered(load_solved(plan.deals)[slice(-last, None)])

    def policy(source: str | Path) -> Any:  # noqa: ANN401 - a policy
        return greedy(load_weights(str(source), "policy").network)

    plain = [policy(plan.folder("none", seed) / POLICY_FILE) for seed in range(plan.seeds)]
    for arm in plan.arms:
        for seed in range(plan.seeds):
            folder = plan.folder(str(arm), seed)
            learned = policy(folder / POLICY_FILE)
            # Partners that learned apart may have other agreements: a gain against them is a gain
            # in bridge, one against the own start may only be an answer to its habits.
            others = [plain[other] for other in range(plan.seeds) if other != seed]
            lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
            rounds = [json.loads(line) for line in lines]
            changed = sum(each.get("changed", 0) for each in rounds)
            gained = sum(each.get("changed", 0) * each.get("search_gain", 0) for each in rounds)
            against_start = play_duplicate(learned, policy(plan.start_of(seed)), boards)
            yield {
                "arm": str(arm),
                "seed": seed,
                "start": against_start.mean,
                "start_error": against_start.error,
                "strangers": float(
                    np.mean([play_duplicate(learned, p, boards).mean for p in others])
                )
                if others
                else None,
                "conformity": card_of(folder)["measured"]["conformity"],
                "searched": sum(each.get("searched", 0) for each in rounds),
                "changed": changed,
                "predicted": gained / changed if changed else 0.0,
                "minutes": seconds_of(folder) / 60,
            }


def tabled(rows: list[SearchRow]) -> Table:
    """Return means over seeds with their standard errors, an arm a line."""
    seeds = len({row["seed"] for row in rows})
    table = Table(title=f"IMPs a board, means of {seeds} seeds and their standard errors")
    names = ("arm", "own start", "strangers", "gain", "allowed", "searches", "changes", "predicted")
    for name in (*names, "min"):
        table.add_column(name, justify="left" if name == "arm" else "right", no_wrap=True)
    plain = {row["seed"]: row for row in rows if row["arm"] == "none"}
    for arm in dict.fromkeys(row["arm"] for row in rows):
        of_arm = [row for row in rows if row["arm"] == arm]
        strangers = [imps for row in of_arm if (imps := row["strangers"]) is not None]
        changes = sum(row["changed"] for row in of_arm)
        predicted = sum(row["changed"] * row["predicted"] for row in of_arm) / max(1, changes)
        against_start = [row["start"] for row in of_arm]
        table.add_row(
            arm,
            with_error(against_start)
            if against_start[1:]
            else f"{against_start[0]:+.2f} ± {of_arm[0]['start_error']:.2f}",
            with_error(strangers) if strangers else "",
            with_error([_imps(row) - _imps(plain[row["seed"]]) for row in of_arm])
            if arm != "none"
            else "",
            f"{np.mean([row['conformity'] for row in of_arm]):.1%}",
            f"{np.mean([row['searched'] for row in of_arm]):,.0f}",
            f"{changes / len(of_arm):,.0f}",
            f"{predicted:+.1f}" if changes else "",
            f"{np.mean([row['minutes'] for row in of_arm]):.1f}",
        )
    return table


def _imps(row: SearchRow) -> float:
    """Return the IMPs a board that ways to train are compared by."""
    # A single seed has no strangers; its start is then the only opponent.
    return row["start"] if row["strangers"] is None else row["strangers"]


def main() -> None:
    """Train, play and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=Path, required=True, help="data set of solved deals")
    parser.add_argument("--runs", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--algorithm", choices=tuple(ALGORITHMS), default="a2c-pr")
    parser.add_argument("--config", default="jps2020", help="YAML, or the name of a shipped one")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--start", default=NEW, help="weights, or `new` for baselines of their own")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--base-rounds", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--shares", type=float, nargs="*", default=[0.01, 0.05, 0.1])
    for kind in list(KINDS)[1:]:
        default = [0.05] if kind in ("free", "one") else []
        parser.add_argument(f"--{kind}", type=float, nargs="*", default=default, help="shares")
    parser.add_argument("--last", type=int, default=2000, help="deals to play on")
    parser.add_argument("--json", type=Path, help="write the measurements of all runs")
    asked = parser.parse_args()
    plan = SearchPlan(
        asked.runs,
        asked.deals,
        asked.algorithm,
        asked.config,
        tuple(asked.set),
        asked.start,
        asked.seeds,
        asked.base_rounds,
        asked.rounds,
        (
            Arm(0.0),
            *(Arm(share) for share in asked.shares),
            *(Arm(share, kind) for kind in list(KINDS)[1:] for share in getattr(asked, kind)),
        ),
    )
    try:
        plan.train()
        rows = list(measured(plan, asked.last))
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
