"""The rate of each stage on one processor, and the gain by more machines of a cluster.

    python bench/scale.py --json scale.json
    python bench/scale.py --nodes 1 2 4 --pieces 24

Without `--nodes`: deals solved, boards played, auctions bid and decisions of a network, each by
second of processor time of one process, and the bytes that a result has. With `--nodes`: the same
solving on Ray clusters of so many nodes of one processor each on this machine, as ratios of the
time on one node; more nodes than processors can win nothing. Nothing else should run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from bidwright.bridge.solved_deals import numbered_deals
from bidwright.lab.ending import ended
from bidwright.match.double_dummy.data_sets import solving
from bidwright.match.double_dummy.dd_solver import DoubleDummy
from bidwright.match.play.plan import Plan
from bidwright.match.play.playroom import Playroom
from bidwright.neural.data.bidding import ROW, BiddingPlan, RuleBidders
from bidwright.runtime.crew import Crew

Json = dict[str, Any]

_PIECE = 5
"""Deals of a piece where nodes are compared."""
_DECISIONS = 4096
"""Decisions that a network makes at a time."""


def rate(do: Callable[[int], object], least: float) -> float:
    """Return the rate of an action in a second of processor time; the first time is free.

    Args:
        do: what is done; told how often it was done before.
        least: the seconds of processor time to measure.
    """
    do(0)
    start, count = time.process_time(), 0
    while time.process_time() - start < least:
        count += 1
        do(count)
    return count / (time.process_time() - start)


def stages(system: str, least: float) -> list[Json]:
    """Return the rate of one process at each stage, in a second of processor time."""
    import torch

    from bidwright.neural.evaluate import greedy
    from bidwright.neural.policies import load_policy

    torch.set_num_threads(1)
    service = DoubleDummy()
    bidders = RuleBidders(BiddingPlan(system, 1))
    room = Playroom(Plan(f"rules:{system}", f"rules:{system}", 1))
    network = load_policy("sayc").network
    choose = greedy(network)
    rng = np.random.default_rng(1)
    seen = rng.integers(0, 2, (_DECISIONS, network.shape.inputs), dtype=np.uint8)
    legal = np.ones((_DECISIONS, 38), dtype=np.bool_)
    line = len(json.dumps(room.play([1])[0]))
    rates = [
        ("solve", "deals", rate(lambda k: service.tables(numbered_deals(1, [k])), least), 72),
        ("train data", "auctions", rate(bidders.bid, least), ROW),
        ("match", "boards", rate(lambda k: room.play([k + 1]), least), line),
        ("policy", "decisions", _DECISIONS * rate(lambda k: choose(seen, legal), least), 0),
    ]
    room.close()
    return [
        {"stage": stage, "unit": unit, "per_core_second": speed, "bytes": size}
        for stage, unit, speed, size in rates
    ]


@contextmanager
def cluster_of(nodes: int) -> Iterator[str]:
    """Start a cluster of nodes of one processor on this machine; give its address."""
    os.environ.setdefault("RAY_worker_niceness", "0")
    import ray
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(num_cpus=1)
        yield str(cluster.address)
    finally:
        ray.shutdown()
        cluster.shutdown()


def seconds_on(nodes: int, pieces: int) -> float:
    """Return the seconds that a cluster of so many nodes takes; its processes start before."""
    with cluster_of(nodes) as address, TemporaryDirectory() as folder:
        crew = Crew(cluster=address, shards=str(Path(folder) / "shards"))
        at = 0
        for count in (4 * nodes, pieces):
            batches = [range(at + k * _PIECE, at + (k + 1) * _PIECE) for k in range(count)]
            start = time.monotonic()
            for _ in solving(1, None, crew)(batches):
                pass
            at += count * _PIECE
        return time.monotonic() - start


def efficiencies(nodes: list[int], pieces: int) -> list[Json]:
    """Return the speed of clusters over that of one node, and its share of the ideal."""
    times = {count: seconds_on(count, pieces) for count in dict.fromkeys([1, *nodes])}
    cores = os.cpu_count() or 1
    return [
        {
            "nodes": count,
            "seconds": times[count],
            "speedup": times[1] / times[count],
            "efficiency": times[1] / times[count] / min(count, cores),
        }
        for count in times
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each stage")
    parser.add_argument("--nodes", type=int, nargs="+", help="compare clusters of so many nodes")
    parser.add_argument("--pieces", type=int, default=24, help=f"of {_PIECE} deals each")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    results = (
        efficiencies(args.nodes, args.pieces) if args.nodes else stages(args.system, args.seconds)
    )
    grid = Table(*(name.replace("_", " ") for name in results[0]))
    for row in results:
        grid.add_row(*(f"{each:,.3g}" if isinstance(each, float) else str(each)
                       for each in row.values()))  # fmt: skip
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    Console().print(grid)
    if args.json:
        args.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
