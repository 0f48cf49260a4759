r"""Changes that joint search makes with open cards, and their gain over the information set.

    python -m bidwright.lab.ablations.open_cards --deals deals.npz --policy sayc_sl --boards 400

Boards are bid by a policy up to each length below `--latest`; where it has several calls above
`--least`, one search takes the gain on the deal on the table, as the authors of joint policy search
do, and another the mean over `--alike` deals that fit the calls and hold the player's hand. The
calls that each would play are then judged on `--judged` fresh deals of the information set, all of
them by the same roll-outs. `predicted` is the gain by the search's own samples, `gain` that on
fresh deals, `loses` the share of changes whose gain there is below nought; `per search` counts
searches without a change as nought. Errors take boards as independent. Tricks of deals that are
drawn are predicted, those of the deal on the table are solved.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from bidwright.bridge.solved_deals import load_solved
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ablations.means import with_error
from bidwright.lab.ending import ended, how_many
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.networks import Network, log_policy
from bidwright.neural.train.alike_deals import AlikeDeals
from bidwright.neural.train.joint_search import JointSearch, JointSettings, legal_calls
from bidwright.neural.weights import load_weights
from bidwright.runtime.files import write_text

ARMS = ("open deal", "alike")


@dataclass(frozen=True)
class Choice:
    """The choice of a search at a position with several calls to try.

    Attributes:
        arm: One of `ARMS`.
        length: Calls before it.
        changed: True if a call gains by the search's samples.
        predicted: The gain in IMPs by those samples; 0 without a change.
        gain: The gain on fresh deals of the information set; 0 without a change.
    """

    arm: str
    length: int
    changed: bool
    predicted: float
    gain: float


@dataclass(frozen=True)
class Judged:
    """The settings of a measurement; see the module.

    Attributes:
        least: Calls that the policy makes with more than this probability are tried.
        alike: Deals of an information set that a search takes.
        judged: Deals that its choice is judged on.
        latest: Positions come after fewer calls than this.
        depth: The depth of the searches, 1 or 3.
        seed: Of all draws.
    """

    least: float = 0.05
    alike: int = 16
    judged: int = 32
    latest: int = 8
    depth: int = 3
    seed: int = 1


def choices(
    network: Network, boards: Boards, source: AlikeDeals, settings: Judged
) -> Iterator[Choice]:
    """Yield the choices of both searches, a position after the other."""
    network.eval()
    rng = torch.Generator().manual_seed(settings.seed)

    def logs(lanes: Lanes, which: Index) -> torch.Tensor:
        seen, legal = torch.from_numpy(lanes.observe(which)), torch.from_numpy(lanes.legal(which))
        with torch.inference_mode():
            return log_policy(network(seen), legal)

    def search(deals: int) -> JointSearch:
        return JointSearch(
            logs,
            JointSettings(
                1.0,
                legal_calls,
                settings.least,
                settings.depth,
                latest=settings.latest,
                deals=deals,
                drawn=source.draw,
            ),
        )

    searches = dict(zip(ARMS, (search(0), search(settings.alike)), strict=True))
    judge = search(settings.judged)
    # A board is bid once for each length: positions of one auction would look alike.
    for length, part in enumerate(np.array_split(np.arange(len(boards)), settings.latest)):
        lanes = Lanes(boards[part], 1)
        for _ in range(length):
            if len(lanes.running):
                odds = logs(lanes, lanes.running).exp()
                lanes.step(torch.multinomial(odds, 1, generator=rng)[:, 0].numpy())
        if not len(lanes.running):
            continue
        which = lanes.running
        chances = logs(lanes, which).exp().double().numpy()
        for arm, searching in searches.items():
            changes = searching.changes(lanes, which, rng)
            place = np.array([k for k, each in enumerate(changes) if each and each.gain > 0], int)
            call = np.array([each.call for each in changes if each and each.gain > 0], int)
            gains = np.zeros(0)
            if len(place):
                gains = judge.gains(lanes, which, place, call, chances[place, call], rng)
            by_place = dict(zip(place.tolist(), gains.tolist(), strict=True))
            for k, change in enumerate(changes):
                if change is not None:
                    predicted = max(0.0, change.gain)
                    yield Choice(arm, length, k in by_place, predicted, by_place.get(k, 0.0))


def tabled(rows: list[Choice]) -> Table:
    """Return means with their standard errors, an arm a line."""
    table = Table(title="IMPs over the policy, by deals that the search sees")
    names = ("search", "searches", "changes", "predicted", "gain", "loses", "per search")
    for name in names:
        table.add_column(name, justify="left" if name == "search" else "right", no_wrap=True)
    for arm in ARMS:
        of_arm = [row for row in rows if row.arm == arm]
        changed = [row for row in of_arm if row.changed]
        table.add_row(
            arm,
            str(len(of_arm)),
            str(len(changed)),
            with_error([row.predicted for row in changed]),
            with_error([row.gain for row in changed]),
            f"{np.mean([row.gain < 0 for row in changed]):.0%}" if changed else "",
            with_error([row.gain for row in of_arm]),
        )
    return table


def main() -> None:
    """Search, judge and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--deals", type=Path, required=True, help="data set of solved deals")
    parser.add_argument("--policy", default="sayc_sl", help="weights")
    parser.add_argument("--system", default="sayc", help="system that deals are drawn by")
    parser.add_argument("--boards", type=how_many, default=400, help="the last of the deals")
    parser.add_argument("--least", type=float, default=Judged.least)
    parser.add_argument("--alike", type=how_many, default=Judged.alike)
    parser.add_argument("--judged", type=how_many, default=Judged.judged)
    parser.add_argument("--latest", type=how_many, default=Judged.latest)
    parser.add_argument("--depth", type=int, choices=(1, 3), default=Judged.depth)
    parser.add_argument("--seed", type=int, default=Judged.seed)
    parser.add_argument("--json", type=Path, help="write all choices")
    asked = parser.parse_args()
    settings = Judged(asked.least, asked.alike, asked.judged, asked.latest, asked.depth, asked.seed)
    boards = Boards.numbered(load_solved(asked.deals)[slice(-asked.boards, None)])
    source = AlikeDeals(open_system(asked.system), load_weights("tricks", "tricks").network)
    network = load_weights(asked.policy, "policy").network
    rows = list(choices(network, boards, source, settings))
    if asked.json:
        write_text(asked.json, "".join(json.dumps(asdict(row)) + "\n" for row in rows))
    Console(width=120).print(tabled(rows))


if __name__ == "__main__":
    sys.exit(ended(main))
