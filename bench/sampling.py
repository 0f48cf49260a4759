"""Accepted deals per second on one core, against Debian's `dealer`, and latency of fresh queries.

    python bench/sampling.py --auctions auctions.jsonl --json sampling.json

Four scenarios are measured, and ten auctions of the file: JSON lines with `deal` (PBN), `dealer`,
`vul` and `auction`. Each auction is cut before its last call that is not a pass, and the player to
call asks for deals, his own hand known. `dealer` gets the same conditions in its own language; its
rate of accepted deals is the deals that it generates per second times the share that fits,
which is known from our counts (for rare auctions it would not find one in the time given).
Times are processor times, so that a busy machine does not matter.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from bidwright.authoring.hands.dealer_script import SEATS, in_dealer, with_named_shapes
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, card_name, parse_seat, parse_vulnerability
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import Hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import DealSampler, Knowledge
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS
from bidwright.kb.logic.formula import Formula, both, negation, reaches
from bidwright.lab.ending import auction_records, ended, how_many


@dataclass(frozen=True)
class Problem:
    """Something to sample, in both languages."""

    name: str
    knowledge: Knowledge
    condition: str
    """The condition as `dealer` reads it."""


# ------------------------------------------------------------------- scenarios


def _between(index: int, low: int, high: int) -> Formula:
    return both(reaches(((index, 1),), low), negation(reaches(((index, 1),), high + 1)))


def _count(names: Sequence[str], low: int, high: int) -> Formula:
    terms = tuple((INDEX[name], 1) for name in names)
    return both(reaches(terms, low), negation(reaches(terms, high + 1)))


def scenarios() -> list[Problem]:
    """Return the four scenarios, from easy to very hard."""
    _, _, hearts, spades = LENGTHS
    flat = reaches(((INDEX["balanced"], 1),), 1)
    shape = "any 4333 + any 4432 + any 5332"
    key_cards = [*(f"card({suit},a)" for suit in "cdhs"), "card(h,k)"]
    north, east, south, west = Seat
    return [
        Problem(
            "a  1NT opener, no hand known",
            Knowledge(conditions={north: [both(_between(HCP, 15, 17), flat)]}),
            f"hcp(north)>=15 && hcp(north)<=17 && shape(north, {shape})",
        ),
        Problem(
            "b  Stayman auction, no hand known",
            Knowledge(
                conditions={
                    north: [
                        both(
                            _between(HCP, 15, 17),
                            flat,
                            _between(spades, 2, 3),
                            _between(hearts, 4, 4),
                        )
                    ],
                    south: [both(_between(HCP, 10, 14), _between(spades, 4, 4))],
                }
            ),
            "hearts(north)==4 && spades(north)<=3 && spades(south)==4 && hcp(north)>=15 && "
            f"hcp(north)<=17 && hcp(south)>=10 && hcp(south)<=14 && shape(north, {shape})",
        ),
        Problem(
            "c  competitive auction, one hand known",
            Knowledge(
                west,
                Hand.from_pbn("73.T974.KJ85.Q86"),
                conditions={
                    north: [both(_between(HCP, 12, 15), _between(spades, 5, 13))],
                    east: [
                        both(
                            _between(HCP, 10, 16),
                            _between(hearts, 6, 13),
                            _count(["card(h,a)", "card(h,k)", "card(h,q)"], 2, 3),
                        )
                    ],
                    south: [both(_between(HCP, 6, 9), _between(spades, 4, 4))],
                },
            ),
            "hearts(east)>=6 && spades(north)>=5 && spades(south)==4 && hcp(north)>=12 && "
            "hcp(north)<=15 && hcp(east)>=10 && hcp(east)<=16 && hcp(south)>=6 && "
            "hcp(south)<=9 && top3(east,hearts)>=2",
        ),
        Problem(
            "d  key cards answered, one hand known",
            Knowledge(
                west,
                Hand.from_pbn("84.95.T8643.J752"),
                conditions={
                    north: [both(_between(HCP, 19, 21), flat)],
                    east: [both(_between(HCP, 5, 8), _between(spades, 6, 13))],
                    south: [
                        both(
                            _between(HCP, 12, 14),
                            _between(hearts, 6, 13),
                            _count(key_cards, 2, 2),
                            _count(["card(h,q)"], 1, 1),
                        )
                    ],
                },
            ),
            "hearts(south)>=6 && spades(east)>=6 && hcp(north)>=19 && hcp(north)<=21 && "
            "hcp(east)>=5 && hcp(east)<=8 && hcp(south)>=12 && hcp(south)<=14 && "
            f"hascard(south,QH) && aces(south)+hascard(south,KH)==2 && shape(north, {shape})",
        ),
    ]


# -------------------------------------------------------------------- auctions


def auctions(path: Path, count: int, system: str) -> list[Problem]:
    """Return problems from evenly spaced lines of a file of auctions, those that can be read."""
    records = auction_records(path)
    rules = open_system(system)
    reader = Reader({side: rules for side in Side})
    problems: list[Problem] = []
    place = 0
    while len(problems) < count and place < len(records):
        problem = _auction(records[place], reader)
        if problem:
            problems.append(problem)
        place += max(1, len(records) // (2 * count)) if problem else 1
    return problems


def _auction(row: UncheckedObject, reader: Reader) -> Problem | None:
    """Return the problem of the last player to make a call that is not a pass."""
    try:
        auction = parse_auction(
            row["auction"], parse_seat(row["dealer"]), parse_vulnerability(row.get("vul") or "None")
        )
        deal = Deal.from_pbn(row["deal"])
        last = max(i for i, call in enumerate(auction.calls) if call != Call.PASS)
        reading = reader.start(auction.dealer, auction.vulnerability)
        for call in auction.calls[:last]:
            reading = reading.with_call(call)
        seat = auction.seat_of(last)
        hand = deal[seat]
        if last < 3 or hand is None or any(meaning.turn is None for meaning in reading.meanings):
            return None
        knowledge = Knowledge.of_reading(reading, seat, hand)
        sampler = DealSampler(knowledge)
        sampler.draw(100, np.random.default_rng(1), effort=5_000_000)
    except (BidwrightError, ValueError, KeyError):
        return None
    predicates = sampler.problem.predicates
    order = [Seat(place) for place in sampler.problem.constrained]
    order.sort(key=lambda other: float((predicates[other].upper != 0).mean()))
    condition = " && ".join(
        in_dealer(turn.statement, other) for other in order for turn in knowledge.turns[other]
    )
    text = " ".join(map(str, auction.calls[:last]))
    return Problem(f"{auction.dealer}: {text}", knowledge, condition or "1")


# ------------------------------------------------------------------ measurement


def processor_seconds(action: Callable[[], object]) -> float:
    """Return the processor time of an action, in seconds."""
    start = time.process_time()
    action()
    return time.process_time() - start


def our_rate(problem: Problem, seconds: float) -> tuple[float, float, str]:
    """Return accepted deals per second, the share of deals that fit, and the engines used."""
    rng = np.random.default_rng(1)
    sampler = DealSampler(problem.knowledge)
    batch = sampler.draw(1000, rng)
    deals, spent = 0, 0.0
    while spent < seconds:
        size = max(1000, min(200_000, deals))
        spent += processor_seconds(partial(sampler.draw, size, rng))
        deals += size
    assert batch.report is not None
    return deals / spent, batch.report.share, "+".join(batch.report.proposals)


def dealer_rate(problem: Problem, generate: int) -> tuple[float, int]:
    """Return the deals that `dealer` generates per second of processor time, and those it kept."""
    lines = []
    for seat in Seat:
        held = sorted(problem.knowledge.known(seat), reverse=True)
        if held:
            cards = ",".join(card_name(card) for card in held)
            lines.append(f"predeal {SEATS[seat]} {cards}")
    definitions, condition = with_named_shapes(problem.condition)
    lines += [*definitions, f"generate {generate}", "produce 100000000", "condition", condition]
    lines += ["action average hcp(north)"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [shutil.which("dealer") or "/usr/games/dealer", "-s", "1"],
        input="\n".join(lines), capture_output=True, text=True, check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    words = [line.split() for line in done.stdout.splitlines()]
    numbers = {line[0]: line[1] for line in words if len(line) > 1}
    if done.stderr or int(numbers.get("Generated", 0)) != generate:
        raise RuntimeError(f"dealer failed: {done.stderr[:200]} {done.stdout[:200]}")
    return generate / spent, int(numbers["Produced"])


def latency(problem: Problem, deals: int) -> tuple[float, float]:
    """Return the milliseconds of a query that is met for the first time, and of later ones."""

    def query() -> None:
        DealSampler(problem.knowledge).draw(deals, np.random.default_rng(1))

    first = 1000 * processor_seconds(query)
    return first, median(1000 * processor_seconds(query) for _ in range(7))


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--auctions", type=Path, help="a file of auctions")
    parser.add_argument("--count", type=how_many, default=10, help="how many of them")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each of our rates")
    parser.add_argument(
        "--generate", type=how_many, default=1_000_000, help="deals for dealer to try"
    )
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    problems = scenarios()
    DealSampler(problems[1].knowledge).draw(2000, np.random.default_rng(1), engine="E2")
    DealSampler(problems[1].knowledge).draw(2000, np.random.default_rng(1), engine="E1")
    count = len(problems)
    if args.auctions:
        problems += auctions(args.auctions, args.count, args.system)
    has_dealer = bool(shutil.which("dealer")) or Path("/usr/games/dealer").exists()
    rows = []
    print(f"{'':40} {'share':>9} {'deals/s':>11} {'dealer/s':>10} {'ratio':>9}  500 deals, ms")
    for problem in problems:
        first, again = latency(problem, 500)
        rate, share, engines = our_rate(problem, args.seconds)
        row: dict[str, object] = {
            "name": problem.name,
            "share": share,
            "engines": engines,
            "deals_per_second": rate,
            "first_ms": first,
            "again_ms": again,
        }
        shown = f"{'':>10} {'':>9}"
        if has_dealer:
            generated, produced = dealer_rate(problem, args.generate)
            theirs = generated * share
            row |= {"dealer_generated_per_second": generated, "dealer_produced": produced}
            row |= {"dealer_deals_per_second": theirs, "ratio": rate / theirs}
            shown = f"{theirs:10,.2f} {rate / theirs:9,.0f}"
        rows.append(row)
        print(
            f"{problem.name[:40]:40} {share:9.3g} {rate:11,.0f} {shown}"
            f"  {first:.1f} first, {again:.1f} again ({engines})",
            flush=True,
        )
    if len(problems) > count:
        for key in ("first_ms", "again_ms"):
            values = [float(str(row[key])) for row in rows[count:]]
            print(f"median of the auctions, {key}: {median(values):.2f}")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
