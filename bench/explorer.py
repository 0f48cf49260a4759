"""Seconds that a reader of the explorer waits: the first page, the first click, later clicks.

    python bench/explorer.py --json explorer.json
    python bench/explorer.py --readers 200 --clicks 6 --pause 10 --processes 2

Starts `bidwright serve` as its own process and asks it over HTTP what the page asks. Auctions are
those that rules bid on random deals, so that popular positions come as often as they would. A click
is over when the position is there (what the calls show) and again when the shares are. First one
reader clicks through auctions, then many at once, each with pauses between clicks that are
exponential. What was answered before is remembered by the server, as it is for its users; the share
of clicks that hit a position for the first time is told. Processor time is told besides, since it
says more where the machine is busy with other things. Needs Linux for that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import httpx
import numpy as np

from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended

_PATIENCE = 300.0


@dataclass
class Waits:
    """Seconds that clicks took.

    Attributes:
        shown: until what the calls show was there.
        counted: until the shares were there, too.
        refused: clicks that were answered by a refusal.
        fresh: clicks on a position that nobody had asked for.
    """

    shown: list[float] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    refused: int = 0
    fresh: int = 0


def auctions(count: int, seed: int) -> Iterator[list[str]]:
    """Yield the calls of auctions that rules bid on random deals."""
    reader = Reader(dict.fromkeys(Side, open_system("sayc")))
    rng = np.random.default_rng(seed)
    for _ in range(count):
        finished = bid_out(reader, random_deal(rng), Seat.NORTH, Vulnerability.NONE)
        yield [str(call) for call in finished.auction.calls]


class Site:
    """A running explorer."""

    def __init__(self, processes: int | None) -> None:
        """Start it at a free port."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "bidwright", "serve", "--port", str(self.port)]
        if processes is not None:
            command += ["--processes", str(processes)]
        self.began = time.monotonic()
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self._asked: set[str] = set()

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(60)

    def processor(self) -> float:
        """Return the seconds of processor time that the server and its processes have used."""
        ticks = os.sysconf("SC_CLK_TCK")
        seconds = 0.0
        for place in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = place.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if self._process.pid in (int(place.parent.name), int(fields[1])):
                seconds += (int(fields[11]) + int(fields[12])) / ticks
        return seconds

    async def first_page(self, client: httpx.AsyncClient) -> float:
        """Return the seconds from the start to the page with its files."""
        while True:
            try:
                page = await client.get(f"{self.address}/")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.02)
        assert page.status_code == 200
        for name in ("style.css", "main.js", "explore.js", "panel.js", "dom.js", "api.js"):
            assert (await client.get(f"{self.address}/static/{name}")).status_code == 200
        assert (await client.get(f"{self.address}/api/systems")).status_code == 200
        return time.monotonic() - self.began

    async def click(self, client: httpx.AsyncClient, calls: Sequence[str], waits: Waits) -> None:
        """Ask for the position after some calls, as the page does."""
        query = urlencode({"auction": " ".join(calls), "ns": "sayc", "ew": "sayc"})
        waits.fresh += query not in self._asked
        self._asked.add(query)
        began = time.monotonic()
        shown = await client.get(f"{self.address}/api/position?{query}")
        if shown.status_code != 200:
            waits.refused += 1
            return
        waits.shown.append(time.monotonic() - began)
        if not shown.json()["over"]:
            counted = await client.get(f"{self.address}/api/chosen?{query}")
            if counted.status_code != 200:
                waits.refused += 1
                return
            waits.counted.append(time.monotonic() - began)


async def one_reader(site: Site, walks: Sequence[list[str]]) -> Waits:
    """Return the waits of one reader, who clicks through auctions."""
    waits = Waits()
    async with httpx.AsyncClient(timeout=_PATIENCE) as client:
        for walk in walks:
            for length in range(1, len(walk) + 1):
                await site.click(client, walk[:length], waits)
    return waits


async def many_readers(
    site: Site, walks: Sequence[list[str]], clicks: int, pause: float, seed: int
) -> Waits:
    """Return the waits of readers, one for each walk, who click at the same time."""
    waits = Waits()
    rng = random.Random(seed)
    limits = httpx.Limits(max_connections=len(walks) + 10)
    async with httpx.AsyncClient(timeout=_PATIENCE, limits=limits) as client:

        async def read(walk: list[str]) -> None:
            await asyncio.sleep(rng.random() * pause)
            for length in range(1, min(clicks, len(walk)) + 1):
                await site.click(client, walk[:length], waits)
                await asyncio.sleep(rng.expovariate(1 / pause))

        await asyncio.gather(*map(read, walks))
    return waits


def _figures(seconds: Sequence[float]) -> dict[str, float]:
    times = np.array(seconds)
    return {
        "clicks": len(seconds),
        "median": round(float(np.median(times)), 3),
        "p95": round(float(np.percentile(times, 95)), 3),
        "most": round(float(times.max()), 3),
    }


def _told(name: str, waits: Waits) -> dict[str, object]:
    by_wait = {"shown": _figures(waits.shown), "counted": _figures(waits.counted)}
    for what, wait in by_wait.items():
        print(
            f"{name}, {what}: median {wait['median']:.3f} s, p95 {wait['p95']:.3f} s, most "
            f"{wait['most']:.3f} s of {wait['clicks']:.0f} clicks"
        )
    total = len(waits.shown) + waits.refused
    print(f"{name}: {waits.fresh} of {total} positions asked for the first time, ", end="")
    print(f"{waits.refused} refused")
    return {**by_wait, "fresh": waits.fresh, "refused": waits.refused}


async def measure(given: argparse.Namespace) -> dict[str, object]:
    """Return the figures, and print them."""
    alone = list(auctions(given.auctions, given.seed))
    crowd = list(auctions(given.readers, given.seed + 1))
    site = Site(given.processes)
    try:
        async with httpx.AsyncClient(timeout=_PATIENCE) as client:
            page = await site.first_page(client)
            print(f"first page: {page:.2f} s from the start of the program")
            first = Waits()
            await site.click(client, [], first)
            print(f"first position: {first.shown[0]:.2f} s, shares {first.counted[0]:.2f} s later")
        used = site.processor()
        later = await one_reader(site, alone)
        per_answer = (site.processor() - used) / max(1, later.fresh)
        print(f"one reader: {per_answer:.2f} s of processor time for each new position")
        figures: dict[str, object] = {
            "processor_of_a_position": round(per_answer, 3),
            "first_page": round(page, 3),
            "first_position": round(first.shown[0], 3),
            "first_shares": round(first.counted[0], 3),
            "one_reader": _told("one reader", later),
        }
        many = await many_readers(site, crowd, given.clicks, given.pause, given.seed)
        figures["many_readers"] = _told(f"{given.readers} readers", many)
    finally:
        site.stop()
    figures["load"] = [round(each, 1) for each in os.getloadavg()]
    print(f"load of the machine: {figures['load']}, {os.cpu_count()} cores")
    return figures


def main(words: Sequence[str] | None = None) -> int:
    """Do the measurements that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--auctions", type=int, default=12, help="auctions of the one reader")
    parser.add_argument("--readers", type=int, default=200, help="readers at once")
    parser.add_argument("--clicks", type=int, default=6, help="clicks of each of them")
    parser.add_argument("--pause", type=float, default=10.0, help="seconds between clicks, mean")
    parser.add_argument("--processes", type=int, help="of the server; its own choice by default")
    parser.add_argument("--seed", type=int, default=3, help="what the deals are drawn from")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(words)
    if given.auctions < 1 or given.readers < 1 or given.clicks < 1 or given.pause <= 0:
        parser.error("expected numbers above 0")
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    figures = asyncio.run(measure(given))
    if given.json is not None:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
