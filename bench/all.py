"""All goals of speed on one page: each with its figure, and the ratio to what users would pick.

    python bench/all.py
    python bench/all.py --strangers wbridge5.jsonl.gz --contested contest_bba.jsonl --engine ./epbot

Every figure is processor time of one core. A fixed loop is timed right before and after it: on a
busy machine, or another one, the figure by that loop's time at rest is the one to compare. What
other programs do is measured in the same run if they are on this machine. A quiet core takes some
three minutes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import mean, median
from time import process_time

import numpy as np

from bidwright.bench.inference import deal_scope, read_auctions
from bidwright.bench.long_lived import forgettings
from bidwright.bench.rules import measure
from bidwright.bench.sampling import Problem, auctions, dealer_rate, our_rate, scenarios
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.lab.ending import ended
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import seeded_board
from bidwright.runtime.garbage import collect_rarely

AT_REST = 0.09
"""Seconds of the loop on an idle core of the machine that published figures are from."""
_NOT_HERE = "not here"
_TIMES = 3


def loop() -> float:
    """Return the seconds that the fixed loop takes: half of it Python's own work, half arrays."""
    begun = process_time()
    total = 0
    for number in range(900_000):
        total += number & 7
    numbers = np.arange(2_000_000, dtype=np.float64)
    for _ in range(4):
        numbers = np.sqrt(numbers * 1.5 + 2.0)
    return process_time() - begun


@dataclass(frozen=True)
class Row:
    """A line of the page.

    Attributes:
        name: the goal in a few words.
        goal: what is asked, with a sign: `<= 0.5`; empty if nothing is.
        value: the figure as measured.
        unit: its unit; one that ends in `/s` is better if it is larger.
        loop: seconds of the fixed loop around it.
        others: what users would pick instead, and the ratio to that.
    """

    name: str
    goal: str
    value: float
    unit: str
    loop: float
    others: str = ""

    @property
    def calibrated(self) -> float:
        """The figure of a core with `AT_REST` for the loop."""
        slowness = self.loop / AT_REST
        if self.unit == "MB":
            return self.value
        return self.value * slowness if self.unit.endswith("/s") else self.value / slowness

    @property
    def verdict(self) -> str:
        """`met`, or `short` and by how much, by the calibrated figure."""
        if not self.goal:
            return ""
        sign, number = self.goal.split()
        wanted = float(number.replace(",", ""))
        ratio = self.calibrated / wanted if sign == "<=" else wanted / self.calibrated
        return "met" if ratio <= 1 else f"short, {ratio:.1f} times"


Figure = Callable[[], tuple[float, str]]
"""Returns a figure, and what is said of others."""


def timed(name: str, goal: str, unit: str, figure: Figure) -> Row:
    """Return the line of a figure, with the loop timed before and after it."""
    before = loop()
    value, others = figure()
    return Row(name, goal, value, unit, (before + loop()) / 2, others)


def command(*words: str) -> tuple[float, str]:
    """Return the processor time of a command, the least of a few runs after a first one."""
    line = [sys.executable, "-m", "bidwright", *words]
    run = partial(
        subprocess.run, line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    run()  # the first one may compile something
    seconds = []
    for _ in range(_TIMES):
        before = getrusage(RUSAGE_CHILDREN)
        run()
        after = getrusage(RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(seconds), ""


def fresh_calls(path: Path, boards: int, engine: str | None) -> tuple[float, str]:
    """Return calls a second of a reader that has just started, on strangers' auctions."""
    result = measure(path, "sayc", boards, 1)
    row = result["rows"][-1]
    rate = row["calls"] / row["seconds"]
    if engine is None:
        return rate, "no --engine to compare with"
    theirs = engine_rate(engine)
    return rate, f"{theirs:,.0f} by {engine}: {rate / theirs:.2f}"


def engine_rate(engine: str, boards: int = 20) -> float:
    """Return the calls a second of processor time of an engine that bids boards by itself."""
    context = default_context("sayc")
    view = Disclosure(context.library, *("sayc" for _ in Side))
    before = getrusage(RUSAGE_CHILDREN)
    player = open_agent(f"engine:{engine}", context)
    calls = 0
    with closing(player):
        for number in range(1, boards + 1):
            board = seeded_board(1, number)
            auction = Auction(board.dealer, (), board.vulnerability)
            while not auction.is_over:
                hand = board.deal[auction.turn]
                assert hand is not None, "boards have four hands"
                request = Request(auction, hand, view, seed=number)
                auction = auction.with_call(player.calls([request])[0].call)
                calls += 1
    after = getrusage(RUSAGE_CHILDREN)
    return calls / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def drawn(problems: list[Problem]) -> tuple[float, str]:
    """Return the deals a second of the slowest of some problems, and the ratio to `dealer`."""
    rates = {problem.name: our_rate(problem, 0.5) for problem in problems}
    slowest = min(problems, key=lambda problem: rates[problem.name][0])
    rate, share, _ = rates[slowest.name]
    middle = median(each for each, _, _ in rates.values())
    said = f"slowest of {len(problems)}, median {middle:,.0f}"
    if not (shutil.which("dealer") or Path("/usr/games/dealer").exists()):
        return rate, f"{said}; dealer {_NOT_HERE}"
    generated, _ = dealer_rate(slowest, 200_000)
    return rate, f"{said}; dealer {generated * share:,.0f}: {rate / (generated * share):,.0f} times"


def inferred(place: int) -> tuple[float, str]:
    """Return the milliseconds of new calls in whole auctions, by the place of the figure."""
    times = _deal_times()[place]
    return mean(times), f"median {median(times):.1f}"


@cache
def _deal_times() -> list[list[float]]:
    """Return the milliseconds of new calls: own hand known, its first call, and four hidden."""
    collect_rarely()
    return [row.times for row in deal_scope(list(read_auctions("sayc", None, 12, 1)))]


def searched() -> tuple[float, str]:
    """Return the 95th percentile of the seconds of searched decisions by the shipped policy."""
    from bidwright.bench.search import timed_decisions
    from bidwright.match.agents.search_agent import SearchAgent

    context = default_context("sayc")
    search = open_agent("bmcs:league,system=sayc", context)
    assert isinstance(search, SearchAgent)
    rows = timed_decisions(open_agent("policy:league,system=sayc", context), search, 40, "sayc")
    seconds = [row["processor"] for row in rows]
    late = mean("time was up" in row["reason"] for row in rows)
    return float(
        np.quantile(seconds, 0.95)
    ), f"{late:.0%} cut short; compared with no other program"


def page(given: argparse.Namespace) -> Iterator[Row]:
    """Yield the lines of the page."""
    yield timed("bidwright --help", "<= 0.15", "s", partial(command, "--help"))
    yield timed("bidwright explain 1NT, warm", "<= 0.5", "s", partial(command, "explain", "1NT"))
    words = ("explain", "1H X 2H", "--deals", "3")
    yield timed("explain '1H X 2H' --deals 3", "<= 1.5", "s", partial(command, *words))
    words = ("explain", "1S P 2S P 4S", "--deals", "3")
    yield timed("explain '1S P 2S P 4S' --deals 3", "<= 1.5", "s", partial(command, *words))
    if given.strangers:
        ask = partial(fresh_calls, given.strangers, 100, given.engine)
        yield timed("fresh calls, 100 strangers' boards", "", "calls/s", ask)
    yield timed("own hand known, new call", "<= 5", "ms", partial(inferred, 0))
    yield timed("four hidden hands, new call", "<= 15", "ms", partial(inferred, 2))
    problems = scenarios()
    yield timed("deals: four scenarios", ">= 300,000", "deals/s", partial(drawn, problems))
    if given.contested:
        problems = auctions(given.contested, 5, "sayc")
        yield timed("deals: contested auctions", ">= 300,000", "deals/s", partial(drawn, problems))
    yield timed("a decision of bmcs:league, p95", "<= 0.5", "s", searched)
    yield timed("memory gained, forgetting 2 to 10", "<= 64", "MB", forgetting)


def forgetting() -> tuple[float, str]:
    """Return the megabytes that the process gained from its second forgetting to its tenth."""
    sizes = forgettings(10, 24 * 2**20)
    return sizes[-1] - sizes[1], f"{sizes[0]:.0f} MB after the first, {sizes[-1]:.0f} at the end"


def line(row: Row) -> str:
    """Return a line of the page as text."""
    value, calibrated = (
        f"{number:,.0f}" if number >= 100 else f"{number:.2f}"
        for number in (row.value, row.calibrated)
    )
    return (
        f"{row.name:34} {row.goal:>10} {value:>10} {calibrated:>10} {row.unit:8}"
        f"{1000 * row.loop:5.0f}  {row.verdict:17} {row.others}"
    )


def main() -> None:
    """Measure and print the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strangers", type=Path, help="auctions of others, a number on each")
    parser.add_argument("--contested", type=Path, help="auctions with deals, both sides bidding")
    parser.add_argument("--engine", help="a program that bids, as in engine:COMMAND")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    print(
        f"{'goal':34} {'asked':>10} {'measured':>10} {'calibrated':>10} {'unit':8}"
        f"{'loop':>5}  (ms; {1000 * AT_REST:.0f} at rest)"
    )
    rows = []
    for row in page(given):
        rows.append(row)
        print(line(row), flush=True)
    if given.json:
        values = [{**asdict(row), "calibrated": row.calibrated} for row in rows]
        given.json.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
