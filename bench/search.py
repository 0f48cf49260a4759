"""Search: time per decision, what it changes, and what it gains over the policy it searches with.

    python bench/search.py --policy sl.safetensors --tricks tricks.safetensors --boards 500

The policy plays boards against itself, and at every decision the search is asked as well; times are
the processor's, on one thread, for whole decisions. The gain is that of a duplicate
match, search against the same policy without it. `--proposals` takes several for the ablation.
Without `--policy` the search is on top of the rules (`bmcs:rules`), much slower to roll out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.lab.ending import ended
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.explaining import SearchValues
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import decision_seed, seeded_board

SEED = 20
_WARM = 40
"""Decisions that are not counted: compiled loops are loaded in the course of them."""


def _specs(given: argparse.Namespace, proposals: str) -> tuple[str, str]:
    """Return the search, and the agent that it searches with."""
    settings = f",system={given.system}"
    use = f",prior={given.prior},shield={given.shield}"
    search = f"{settings}{use},proposals={proposals}" + (f",{given.set}" if given.set else "")
    for name in ("belief", "tricks"):
        if path := getattr(given, name):
            search += f",{name}={path}"
    if not given.policy:
        return f"bmcs:rules{search}", f"rules:{given.system}"
    return f"bmcs:{given.policy}{search}", f"hybrid:{given.policy}{settings}{use}"


class TimedSearch(SearchValues):
    """A search with the seconds of processor time that the whole decision took."""

    processor: float


def timed_decisions(
    player: Agent, search: SearchAgent, count: int, system: str
) -> list[TimedSearch]:
    """Return the searches at decisions of the player against itself, the first ones left out."""
    context = default_context(system)
    view = Disclosure(context.library, *(system for _ in Side))
    searches: list[TimedSearch] = []
    number = 0
    # The first decisions load networks and compile loops, which a player pays once.
    while len(searches) < count + _WARM:
        number += 1
        board = seeded_board(SEED, number)
        auction = Auction(board.dealer, (), board.vulnerability)
        while not auction.is_over:
            hand = board.deal[auction.turn]
            assert hand is not None, "boards have four hands"
            place = len(auction.calls)
            request = Request(auction, hand, view, seed=decision_seed(SEED, number, place))
            # Processor time of the whole decision; a search's own seconds are those of its work,
            # which are compared with these.
            begun = process_time()
            decision = search.argue(request).details["search"]
            searches.append({**decision, "processor": process_time() - begun})
            # The agent without search calls on, so that every search is timed at the same
            # positions.
            auction = auction.with_call(player.calls([request])[0].call)
    return searches[_WARM : count + _WARM]


def _times(found: list[TimedSearch]) -> dict[str, float]:
    searched = [each for each in found if len(each["candidates"]) > 1]
    seconds = np.array([each["processor"] for each in found])
    busy = np.array([each["processor"] for each in searched] or [0.0])
    work = np.array([each["seconds"] for each in searched] or [0.0])
    return {
        "decisions": len(found),
        "searched": len(searched) / len(found),
        "changed": sum(each["call"] != each["own"] for each in found) / len(found),
        # A search that is cut short has a good time and a worse call.
        "late": sum("time was up" in each["reason"] for each in found) / len(found),
        "median_s": float(np.median(seconds)),
        "p95_s": float(np.quantile(seconds, 0.95)),
        "searched_median_s": float(np.median(busy)),
        "searched_p95_s": float(np.quantile(busy, 0.95)),
        "p99_s": float(np.quantile(seconds, 0.99)),
        "work_p95_s": float(np.quantile(work, 0.95)),
        "processor_by_work": float(busy.sum() / max(work.sum(), 1e-9)),
        "effective": float(np.mean([each["effective"] for each in searched] or [0.0])),
    }


def _gain(a: str, b: str, boards: int, jobs: int) -> dict[str, Any]:
    words = ["match", a, b, "--boards", str(boards), "--jobs", str(jobs), "--seed", str(SEED)]
    done = subprocess.run(
        [sys.executable, "-m", "bidwright", *words, "--json"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--policy", help="weights to search with; the rules, if not given")
    parser.add_argument("--belief")
    parser.add_argument("--tricks")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--prior", default="0")
    parser.add_argument("--shield", default="off")
    parser.add_argument("--set", default="", help="more options, as in a specification")
    parser.add_argument("--proposals", nargs="+", default=["constraints"])
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--boards", type=int, default=0, help="boards of the match; 0 for none")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results = []
    for proposals in given.proposals:
        a, b = _specs(given, proposals)
        context = default_context(given.system)
        search = open_agent(a, context)
        assert isinstance(search, SearchAgent)
        decisions = timed_decisions(open_agent(b, context), search, given.decisions, given.system)
        result: dict[str, Any] = {"proposals": proposals, "search": a, **_times(decisions)}
        if given.boards:
            result["match"] = _gain(a, b, given.boards, given.jobs)
        results.append(result)
        print(
            f"{proposals:12} {result['searched']:.0%} of {len(decisions)} decisions searched, "
            f"{result['changed']:.1%} changed, {result['late']:.1%} cut short; "
            f"median {result['median_s']:.3f} s, p95 {result['p95_s']:.3f} s "
            f"(searched: {result['searched_median_s']:.3f} and {result['searched_p95_s']:.3f}), "
            f"p99 {result['p99_s']:.3f} s; work p95 {result['work_p95_s']:.3f} s, of which the "
            f"processor took {result['processor_by_work']:.0%}; "
            f"{result['effective']:.0f} effective deals"
        )
        if given.boards:
            print(f"{'':12} {json.dumps(result['match'])}")
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
