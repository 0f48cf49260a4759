"""Searched decisions of self-play, with the result of each call on the actual deal.

    python bench/caution.py dd_deals.npz --last 2000 --out searched.jsonl

The policy bids solved deals against itself. At each decision at which the search looks at more than
one call, all its calls are tried on the same deals to the end (nothing dropped, nothing stopped
early), and from that table of gains the race is run again under several settings. A line of the
file is a board: its decisions with the calls, what each race foretold of them, and what they gain
over the policy's own call when the policy bids on from there on the deal that lay on the table, at
double dummy. With `--against` others bid against the policy and bid on, so that searches that take
them for one or another can be compared. A run that was stopped goes on. `bench/caution_tables.py`
prints the figures of such a file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals, load_solved
from bidwright.inference.reading.reader import Reading
from bidwright.lab.ending import ended
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.opponent_population import RULES
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.spec_options import split_options
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import decision_seed
from bidwright.neural.search.bmcs import Search, candidates
from bidwright.neural.search.contract_values import gains
from bidwright.neural.search.course import UNTRIED, Course
from bidwright.neural.search.population import Expected
from bidwright.neural.search.proposals import DealSource, Sample, sample
from bidwright.neural.search.rollouts import Contracts, roll_out
from bidwright.neural.search.settings import Race
from bidwright.runtime.code import code_key
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.journal import Journal
from bidwright.runtime.progress import counting

Json = dict[str, Any]

RACES = {
    "default": Race(),
    "full": Race(clear=inf, halving=False),
    "halved": Race(clear=inf),
    "clear 3": Race(halving=False),
    "clear 2": Race(clear=2.0),
    "clear 4": Race(clear=4.0),
    "firm 64": Race(firm=64),
    "firm 128": Race(firm=128),
}
"""The races that are run on each table of gains; `full` leaves nothing out.

They settle nothing by solving, which would be most of the work; `settled` is the default that does.
"""


class Raced(Course):
    """A search that takes its gains from those of a search that left nothing out."""

    def __init__(self, search: Search, reading: Reading, tried: list[Call], whole: Course) -> None:
        """Take the gains of a search."""
        super().__init__(search, reading, tried)
        # The same gains for every race: races on tables of their own would differ by what was
        # drawn, which is more than the difference that is looked for.
        self._table = np.concatenate(whole._gains)
        self._ended = [
            np.concatenate([getattr(each, name) for each in whole._contracts])
            for name in ("bid", "doubled", "declarer")
        ]

    def _try(self, part: slice) -> str:
        # A race that left a call out would not have seen its gains on later deals.
        dropped = ~np.isin(np.arange(len(self._tried)), self.left)
        self._gains.append(np.where(dropped, np.nan, self._table[part]))
        bid, doubled, declarer = (each[part] for each in self._ended)
        self._contracts.append(Contracts(np.where(dropped, UNTRIED, bid), doubled, declarer))
        return ""


def raced(search: Search, reading: Reading, tried: list[Call], drawn: Sample) -> Json:
    """Return the result of the search, and that of each race that settles nothing."""
    # Solving is most of the work of a search, and the races differ before it.
    bare = replace(search, config=replace(search.config, settle=0))
    whole = Course(replace(bare, race=RACES["full"]), reading, tried)
    whole.run(drawn)
    runs = {name: replace(bare, race=race) for name, race in RACES.items()}
    record: Json = {}
    for name, way in {"settled": search, **runs}.items():
        course = Raced(way, reading, tried, whole)
        course.run(drawn)
        values = [course.value(place) for place in range(len(tried))]
        record[name] = {
            "call": str(course.verdict()[0]),
            "left": course.left,
            "imps": [round(value, 4) for value, _ in values],
            "error": [round(error, 4) for _, error in values],
            "deals": [course.tried_on(place) for place in range(len(tried))],
            "size": round(course.effective, 3),
        }
    return record


def true_gains(
    models: Expected, auction: Auction, tried: list[Call], deal: SolvedDeals
) -> list[float]:
    """Return the gains of calls over the first one on a solved deal, everybody bidding on."""
    # No clock: what a search would have come to with more time is the question.
    contracts = roll_out(deal.owner, auction, tried, models, lambda: False)
    assert contracts is not None, "there is no deadline"
    tricks = deal.tricks[0, contracts.denomination, contracts.declarer].astype(np.int64)
    imps = gains(contracts, tricks[..., None], auction, auction.turn.side, 0)
    return [float(each) for each in imps[0]]


@dataclass(frozen=True)
class Opponents:
    """The players against the searching side.

    Attributes:
        bidder: makes their calls.
        known: a search that knows who they are.
    """

    bidder: Agent
    known: SearchAgent


def decisions(
    agent: SearchAgent,
    deal: SolvedDeals,
    number: int,
    seed: int,
    opponents: Opponents | None = None,
) -> list[Json]:
    """Return the searched decisions of a board that the policy bids.

    Args:
        agent: searches, with the policy.
        deal: the board's.
        number: the board's.
        seed: of the decisions.
        opponents: who sits against each side in turn, at a table each; the policy against itself,
            if nobody is given.
    """
    tables: list[tuple[Side, ...]] = [tuple(Side)]
    if opponents is not None:
        # Each side searches once, so that a board counts the same for both.
        tables = [(side,) for side in Side]
    return [
        found
        for ours in tables
        for found in _at_a_table(agent, deal, number, seed, ours, opponents)
    ]


def _at_a_table(
    agent: SearchAgent,
    deal: SolvedDeals,
    number: int,
    seed: int,
    ours: tuple[Side, ...],
    opponents: Opponents | None,
) -> Iterator[Json]:
    """Yield the searched decisions of some sides."""
    assert agent.system is not None
    view = Disclosure(default_context().library, agent.system, agent.system)
    hands = deal_from_owner(deal.owner[0])
    auction = Auction(board_dealer(number), (), board_vulnerability(number))
    while not auction.is_over:
        hand = hands[auction.turn]
        assert hand is not None
        place = len(auction.calls)
        request = Request(auction, hand, view, seed=decision_seed(seed, number, place))
        if auction.turn.side not in ours:
            assert opponents is not None
            # Their calls are not searched: what they are taken for is tried, not how they bid.
            auction = auction.with_call(opponents.bidder.calls([request])[0].call)
            continue
        search, reading, weighing = agent.prepared(request)
        tried = candidates(weighing, search.config)
        if len(tried) > 1:
            source = DealSource(reading, hand, search.config, search.belief)
            rng = np.random.default_rng(request.seed)
            drawn = sample(source, auction, search.models, search.config, rng, lambda: False)
            # The truth is reckoned by those who sit there, whomever the search took them for.
            learned = search if opponents is None else opponents.known.prepared(request)[0]
            yield {
                "place": place,
                "auction": " ".join(map(str, auction.calls)),
                "tried": [str(call) for call in tried],
                "true": true_gains(learned.models, auction, tried, deal),
                "races": raced(search, reading, tried, drawn),
            }
        # The policy's call, not the search's: all searches are compared at the same positions.
        auction = auction.with_call(weighing.call)


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("deals", type=Path, help=".npz of solved deals")
    parser.add_argument("--last", type=int, default=2000, help="the deals at the end of the file")
    parser.add_argument("--boards", type=int, help="of these, so many from their beginning")
    parser.add_argument("--agent", default="bmcs:sayc,prior=0,shield=off")
    parser.add_argument(
        "--against", default="", help="weights or 'rules' of the opponents; none for self-play"
    )
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True, help="keeps what was found")
    given = parser.parse_args(words)
    if given.last < 1 or (given.boards or 1) < 1:
        parser.error("expected at least one deal")
    return given


def opened_opponents(spec: str, against: str) -> Opponents:
    """Return opponents that play the system of a search.

    Args:
        spec: of the search.
        against: their weights, or `rules`.
    """
    name, options = split_options(spec.removeprefix("bmcs:"))
    settings = {**options, "theirs": f"1 {against}", "seconds": "0"}
    words = ",".join((name, *(f"{key}={value}" for key, value in settings.items())))
    search = open_agent(f"bmcs:{words}", default_context())
    assert isinstance(search, SearchAgent)
    assert search.system is not None
    system = search.system
    bidder = f"rules:{system}" if against == RULES else f"policy:{against},system={system}"
    return Opponents(open_agent(bidder, default_context()), search)


def run(given: argparse.Namespace) -> None:
    """Search at boards that are not in the file yet; print how many decisions there are.

    Raises:
        InvalidError: A file or the agent is wrong.
    """
    if not given.agent.startswith("bmcs:"):
        raise InvalidError(f"expected an agent that searches, got {given.agent!r}")
    # Without a deadline: a race that is cut short says nothing of its rule for stopping.
    agent = open_agent(f"{given.agent},seconds=0", default_context())
    assert isinstance(agent, SearchAgent)
    card = agent.card()
    if "tricks" not in card["weights"]:
        raise InvalidError("expected a search that foretells tricks")
    deals = load_solved(given.deals)[slice(-given.last, None)]
    opponents = opened_opponents(given.agent, given.against) if given.against else None
    about = {
        "agent": card,
        "against": opponents.bidder.card() if opponents else None,
        "deals": sha256(deals.owner.tobytes()).hexdigest()[:16],
        "seed": given.seed,
        "races": {name: asdict(race) for name, race in RACES.items()},
        "code": code_key("bridge", "kb", "inference", "neural")[:16],
    }
    header = json.dumps(about).encode() + b"\n"
    with Journal(given.out, header, "searches of this agent on these deals") as journal:
        results = [json.loads(line) for line in journal.content.splitlines()]
        wanted = len(deals) if given.boards is None else min(given.boards, len(deals))
        with counting(wanted, "searching", "boards") as progress:
            for place in range(len(results), wanted):
                progress.show(place)
                deal, number = deals[slice(place, place + 1)], place + 1
                row = decisions(agent, deal, number, given.seed, opponents)
                journal.add(json.dumps(row).encode() + b"\n")
                results.append(row)
    agent.close()
    print(f"{sum(map(len, results))} searched decisions of {len(results)} boards in {given.out}")


def main(words: Sequence[str] | None = None) -> int:
    """Search; return the exit status."""
    given = parsed(words)
    collect_rarely()
    return ended(lambda: run(given), f"{given.out} keeps what was found")


if __name__ == "__main__":
    sys.exit(ended(main))
