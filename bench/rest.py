"""Seconds that many readers of `bidwright rest` wait when all of them ask at once.

    python bench/rest.py --json rest.json
    python bench/rest.py --readers 200 --agent rules:acol --rounds 3

Starts `bidwright rest` as its own process and sends requests for a call, each for another hand at a
position that rules come to on random deals. A first round is told apart: what systems and rules
come to is worked out then. Processor time is told besides, since it says more on a busy machine.
Needs Linux for that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended

_PATIENCE = 600.0


def queries(number: int, seed: int, system: str) -> Iterator[dict[str, str]]:
    """Yield requests for a call, at positions that rules come to."""
    reader = Reader(dict.fromkeys(Side, open_system(system)))
    rng = np.random.default_rng(seed)
    for _ in range(number):
        deal = random_deal(rng)
        calls = bid_out(reader, deal, Seat.NORTH, Vulnerability.NONE).auction.calls
        place = int(rng.integers(len(calls)))
        seat = Seat(place % 4)
        ctx = "-".join(str(call) for call in calls[:place])
        yield {"hand": str(deal[seat]), "seat": str(seat), "dealer": "N", "vul": "", "ctx": ctx}


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process and its children have used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(processor_seconds(int(each)) for each in below)


async def crowd(address: str, asked: list[dict[str, str]]) -> tuple[list[float], Counter[int]]:
    """Send all requests at once; return the seconds that each took, and the statuses."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=_PATIENCE, limits=limits) as client:

        async def one_reader(query: dict[str, str]) -> tuple[float, int]:
            began = time.monotonic()
            reply = await client.get(f"{address}/bid", params=query)
            assert isinstance(reply.json(), dict)
            return time.monotonic() - began, reply.status_code

        results = await asyncio.gather(*map(one_reader, asked))
    return [seconds for seconds, _ in results], Counter(status for _, status in results)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--agent", default="rules:sayc")
    parser.add_argument("--system", default="sayc", help="what bids to the positions")
    parser.add_argument("--processes", type=int, help="of the server")
    parser.add_argument("--seconds", type=int, default=120, help="time limit of a request")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "bidwright", "rest", "--port", str(port)]
    command += ["--agent", options.agent, "--seconds", str(options.seconds)]
    if options.processes:
        command += ["--processes", str(options.processes)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    while True:
        try:
            httpx.get(f"{address}/openapi.json")
            break
        except httpx.TransportError:
            assert process.poll() is None, "the server has ended"
            time.sleep(0.1)
    results: list[dict[str, Any]] = []
    try:
        for number in range(options.rounds):
            asked = list(queries(options.readers, options.seed + number, options.system))
            used, began = processor_seconds(process.pid), time.monotonic()
            waits, statuses = asyncio.run(crowd(address, asked))
            seconds = time.monotonic() - began
            waits.sort()
            row = {
                "round": number + 1,
                "statuses": dict(statuses),
                "answers a second": round(len(waits) / seconds, 1),
                "median": round(statistics.median(waits), 2),
                "p95": round(waits[int(0.95 * len(waits))], 2),
                "slowest": round(waits[-1], 2),
                "processor": round(processor_seconds(process.pid) - used, 2),
            }
            results.append(row)
            print(row)
    finally:
        process.terminate()
        process.wait(60)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
