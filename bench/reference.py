"""An agent beside another program on the same boards: IMPs from par, and calls that agree.

    python bench/reference.py policy:sayc --boards reference_dev.jsonl
    python bench/reference.py policy:league --system acol --boards dd_deals.npz
        --auctions acol.jsonl.gz --count 2000 --json acol.json

The agent bids all four hands of each board. Printed is how many IMPs its contracts are from par
at double dummy, without sign, and those of the other program. Then the agent is asked for a call at
each position of the other program's auctions, what came before being that program's: how often it
makes the same call, by whether both sides had bid, for passes and for all other calls. Standard
errors take the calls of a board together. The other program is no ground truth; two good systems
differ in many calls. Exit status 2 if a file, system or agent is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.bench.four_hands.boards import Board, add_board_arguments, asked_boards
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.hand import Hand
from bidwright.bridge.scoring import imps
from bidwright.lab.ending import ended
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import MatchBoard, decision_seed
from bidwright.match.play.playroom import BiddingTable, bid_out
from bidwright.match.record.estimate import Tally
from bidwright.match.record.match_lines import OPEN
from bidwright.runtime.files import write_text
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.progress import Progress

Json = dict[str, Any]

KINDS = ("uncontested pass", "uncontested bid", "contested pass", "contested call")
"""Kinds of positions: whether both sides had bid before, and what the other program called."""
_TABLES = 50
"""Boards that are bid at a time."""


@dataclass(frozen=True)
class Compared:
    """A board by an agent and by the other program.

    Attributes:
        ours: IMPs from par of the agent's contract, without sign.
        theirs: those of the other program's.
        asked: positions of the other program's auction, by kind.
        agreed: those of them at which the agent made the same call.
    """

    ours: int
    theirs: int
    asked: tuple[int, ...]
    agreed: tuple[int, ...]


def is_contested(auction: Auction, place: int) -> bool:
    """Return True if both sides have bid or doubled before a call, by its index."""
    # Doubles count as bids do: a takeout double makes the auction a contested one.
    before = enumerate(auction.calls[:place])
    sides = {auction.seat_of(at).side for at, call in before if call is not Call.PASS}
    return len(sides) == len(Side)


def kind_of(auction: Auction, place: int) -> str:
    """Return the kind of the position before a call of a finished auction.

    Args:
        auction: the auction.
        place: the index of the call.
    """
    passed = auction.calls[place] is Call.PASS
    if is_contested(auction, place):
        return "contested pass" if passed else "contested call"
    return "uncontested pass" if passed else "uncontested bid"


def requests_of(board: Board, view: Disclosure, seed: int) -> list[Request]:
    """Return the request of an agent at each position of the other program's auction."""
    auction, requests = board.reference, []
    for place in range(len(auction.calls)):
        # The other program's calls lead here, so both are asked at one position; an agent's own
        # auction would part from them at its first other call.
        before = Auction(auction.dealer, auction.calls[:place], auction.vulnerability)
        hand = board.deal[before.turn]
        assert isinstance(hand, Hand), "boards have four hands"
        drawn = decision_seed(seed, board.number, place)
        requests.append(Request(before, hand, view, (), board.number, drawn))
    return requests


class Comparison:
    """Compares an agent with the other program."""

    def __init__(self, agent: Agent, view: Disclosure, seed: int) -> None:
        """Compare an agent with a disclosed view; the seed is for agents that draw lots."""
        self._agent, self._view, self._seed = agent, view, seed

    def of(self, boards: Sequence[Board]) -> Iterator[Compared]:
        """Yield the comparisons of some boards, in their order."""
        agents = dict.fromkeys(Seat, self._agent)
        views = dict.fromkeys(Side, self._view)
        tables = [
            BiddingTable(
                MatchBoard(each.number, each.deal, each.dealer, each.vulnerability),
                OPEN,
                agents,
                views,
                self._seed,
            )
            for each in boards
        ]
        # Besides, the agent bids each board alone: agreement says nothing of who was right.
        bid_out(tables)
        asked = [requests_of(board, self._view, self._seed) for board in boards]
        answers = iter(self._agent.calls([each for of_board in asked for each in of_board]))
        for board, table in zip(boards, tables, strict=True):
            scores = (table.auction.contract(), board.reference.contract())
            ours, theirs = (
                # From par, since the other program played no match on these boards.
                abs(imps(board.score_ns(contract) - board.par_ns()))
                for contract in scores
            )
            counts = dict.fromkeys(KINDS, 0)
            same = dict.fromkeys(KINDS, 0)
            for place, call in enumerate(board.reference.calls):
                kind = kind_of(board.reference, place)
                counts[kind] += 1
                same[kind] += next(answers).call == call
            yield Compared(ours, theirs, tuple(counts.values()), tuple(same.values()))


def share(compared: Sequence[Compared], kind: int) -> tuple[int, float, float]:
    """Return the positions of a kind, the share of calls that agree, and its standard error.

    The error is that of a ratio of two sums over boards.
    """
    asked = np.array([each.asked[kind] for each in compared], dtype=float)
    agreed = np.array([each.agreed[kind] for each in compared], dtype=float)
    total = asked.sum()
    if not total or len(compared) < 2:
        return int(total), float("nan"), float("nan")
    ratio = agreed.sum() / total
    # Positions of one board are not independent: boards are what is drawn.
    left = agreed - ratio * asked
    return int(total), ratio, sqrt(len(left) * left.var(ddof=1)) / total


def figures(compared: Sequence[Compared]) -> Json:
    """Return the figures as plain values."""
    ours = Tally.of(each.ours for each in compared)
    theirs = Tally.of(each.theirs for each in compared)
    excess = Tally.of(each.ours - each.theirs for each in compared)
    tallies = {"agent": ours, "reference": theirs, "excess": excess}
    return {
        "boards": len(compared),
        "from_par": {
            name: {"mean": tally.mean, "error": tally.error} for name, tally in tallies.items()
        },
        "agreement": {
            name: dict(zip(("positions", "share", "error"), share(compared, place), strict=True))
            for place, name in enumerate(KINDS)
        },
    }


def report(found: Json) -> str:
    """Return the figures as text."""
    lines = [f"IMPs from par on {found['boards']} boards"]
    lines += [
        f"  {name:18} {each['mean']:6.3f} +- {each['error']:.3f}"
        for name, each in found["from_par"].items()
    ]
    lines.append("the same call as the other program, after its own calls")
    lines += [
        f"  {name:18} {100 * each['share']:5.1f} % +- {100 * each['error']:.1f}"
        f"  of {each['positions']}"
        for name, each in found["agreement"].items()
    ]
    return "\n".join(lines)


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agent", help="an agent, as for bidwright match")
    parser.add_argument("--system", help="what it plays, if it does not say so itself")
    add_board_arguments(parser)
    parser.add_argument("--seed", type=int, default=0, help="for agents that draw lots")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    given = parser.parse_args(words)
    if given.first < 0 or (given.count or 0) < 0 or given.seed < 0:
        parser.error("expected no number below 0")
    return given


def run(given: argparse.Namespace) -> None:
    """Bid and ask, and print the figures."""
    boards = asked_boards(given)
    context = default_context(given.system)
    agent = open_agent(given.agent, context)
    played = given.system or agent.system
    view = Disclosure(context.library, played, played)
    comparison = Comparison(agent, view, given.seed)
    compared: list[Compared] = []
    with Progress(len(boards), "bidding", "boards").shown() as progress:
        for at in range(0, len(boards), _TABLES):
            compared += comparison.of(boards[at : at + _TABLES])
            progress.show(len(compared))
    agent.close()
    results = figures(compared)
    print(report(results))
    if given.json:
        write_text(given.json, json.dumps({"agent": given.agent, **results}) + "\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit status."""
    given = parsed(words)
    collect_rarely()
    return ended(lambda: run(given), "nothing is kept, a smaller --count is done sooner")


if __name__ == "__main__":
    sys.exit(ended(main))
