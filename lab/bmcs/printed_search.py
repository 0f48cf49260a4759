"""Belief Monte-Carlo search as printed (Algorithms 3 and 4), beside ours on the same decisions.

    python -m bidwright.lab.bmcs.printed_search --decisions 40 --json printed.json

Source: Qiu et al., "Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
2024, appendix D. Deals come from the belief network; each is rejected at every call of the auction,
those of the searching player among them, with the probability that the policy would not have made
it; on those that are left each candidate is bid to the end by the likeliest calls, and the points
of the contract, solved double dummy, are added up. The search ends after `--p-max` deals or
`--r-max` roll-outs; with `--r-min` roll-outs or fewer the policy's likeliest call stands.

The policy plays boards against itself. At each decision with several candidates both searches are
asked; where their calls differ, both are judged on deals drawn anew by ours (constraints, weighed
by the calls), bid to the end and solved. `gain` is the mean of these IMPs, ours over the printed,
and 0 where they agree. Seconds are processor time, solving among it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.lab.ending import ended, how_many
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import decision_seed, seeded_board
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.policies import Weighing
from bidwright.neural.search.contract_values import gains, solved_tricks
from bidwright.neural.search.parts import SearchParts
from bidwright.neural.search.population import Hypotheses
from bidwright.neural.search.proposals import DealSource, Owners, boards_of, sample
from bidwright.neural.search.rollouts import roll_out
from bidwright.runtime.files import write_text

_AT_A_TIME = 64
"""Deals that are drawn together; the order, and so the result, is that of one by one."""


@dataclass(frozen=True)
class Limits:
    """The settings of Algorithm 3, by the paper's names; it does not print their values.

    Attributes:
        k: The most candidates.
        p_min: Candidates have a larger probability by the policy.
        p_max: The most deals that are drawn.
        r_max: The most deals that candidates are bid on.
        r_min: With so many or fewer the policy's likeliest call stands.
    """

    k: int = 4
    p_min: float = 0.02
    p_max: int = 1024
    r_max: int = 32
    r_min: int = 8


@dataclass(frozen=True)
class Printed:
    """The result of Algorithm 3.

    Attributes:
        call: The call to make.
        usual: The policy's likeliest call.
        drawn: P, the deals that were drawn.
        rollouts: R, the deals that were not rejected.
        points: V, the sum of the points of each candidate, by the order of their probability.
    """

    call: Call
    usual: Call
    drawn: int
    rollouts: int
    points: tuple[int, ...]


def candidates(weighing: Weighing, limits: Limits) -> list[Call]:
    """Return the candidates of Algorithm 3, the likeliest first."""
    order = np.argsort(-weighing.result, kind="stable")[: limits.k].tolist()
    chances = np.exp(weighing.result)
    # The likeliest one needs no probability: it is what the search falls back to.
    return [CALLS[call] for k, call in enumerate(order) if k == 0 or chances[call] > limits.p_min]


def find_as_printed(
    search: SearchParts,
    reading: Reading,
    hand: Hand,
    weighing: Weighing,
    limits: Limits,
    rng: np.random.Generator,
) -> Printed:
    """Return the call of Algorithm 3; `rng` is consumed.

    Args:
        search: The parts of a search with a belief network.
        reading: The auction.
        hand: The hand of the player in turn.
        weighing: The policy's probabilities.
        limits: The settings.
        rng: Draws deals and rejections.
    """
    tried = candidates(weighing, limits)
    config = replace(search.config, proposals="belief", wide=0.0)
    source = DealSource(reading, hand, config, search.belief)
    auction, side = reading.auction, reading.state.me.side
    totals = np.zeros(len(tried), dtype=np.int64)
    drawn = rollouts = 0
    while drawn < limits.p_max and rollouts < limits.r_max:
        owner = source.draw(min(_AT_A_TIME, limits.p_max - drawn), rng)
        accepted = np.flatnonzero(_accepted(owner, auction, search, rng))[: limits.r_max - rollouts]
        rollouts += len(accepted)
        # One by one, the deals behind the last roll-out would not have been drawn.
        drawn += int(accepted[-1]) + 1 if rollouts == limits.r_max else len(owner)
        if len(accepted):
            totals += _points(owner[accepted], auction, tried, search, side).sum(axis=0)
    best = int(totals.argmax()) if rollouts > limits.r_min else 0
    return Printed(tried[best], tried[0], drawn, rollouts, tuple(totals.tolist()))


def _accepted(
    owner: Owners, auction: Auction, search: SearchParts, rng: np.random.Generator
) -> np.ndarray:
    """Return True for the deals that are not rejected at any call, bool `[D]`."""
    lanes = Lanes(boards_of(owner, auction), 1)
    hypotheses = Hypotheses(search.models)
    alive = np.ones(len(owner), dtype=np.bool_)
    for place, call in enumerate(auction.calls):
        left = np.flatnonzero(alive)
        if not len(left):
            break
        side = auction.seat_of(place).side
        chance = hypotheses.chances(side, lanes, left, call)[:, 0]
        alive[left] = rng.random(len(left)) < chance
        lanes.step(np.full(len(owner), call))
    return alive


def _points(
    owner: Owners, auction: Auction, tried: list[Call], search: SearchParts, side: Side
) -> np.ndarray:
    """Return the points of a side after each candidate on each deal, int64 `[D, A]`."""
    contracts = roll_out(owner, auction, tried, search.models, lambda: False)
    assert contracts is not None, "there is no limit of time"
    tricks = solved_tricks(search.solver, owner, contracts)
    return np.asarray(contracts.points(tricks, auction, side)[..., 0])


@dataclass(frozen=True)
class Compared:
    """Both searches at a decision.

    Attributes:
        usual: The policy's call.
        printed: The call of Algorithm 3.
        ours: The call of our search.
        drawn: Deals that Algorithm 3 drew.
        rollouts: Deals that it did not reject.
        printed_s: Its processor seconds.
        ours_s: Those of ours.
        gain: IMPs of our call over the other on deals drawn anew; 0 where they agree.
    """

    usual: str
    printed: str
    ours: str
    drawn: int
    rollouts: int
    printed_s: float
    ours_s: float
    gain: float


def compared(
    agent: SearchAgent, player: str, count: int, limits: Limits, judged: int, seed: int
) -> Iterator[Compared]:
    """Yield comparisons at decisions of a policy against itself.

    Args:
        agent: Our search, with a belief network for the other.
        player: The specification of the policy.
        count: The decisions with several candidates.
        limits: The settings of Algorithm 3.
        judged: Deals that calls that differ are judged on.
        seed: Of boards and draws.
    """
    context = default_context(agent.system or "sayc")
    bidder = open_agent(player, context)
    view = Disclosure(context.library, *(agent.system for _ in Side))
    number = done = 0
    while done < count:
        number += 1
        board = seeded_board(seed, number)
        auction = Auction(board.dealer, (), board.vulnerability)
        while not auction.is_over and done < count:
            hand = board.deal[auction.turn]
            assert hand is not None, "boards have four hands"
            about = decision_seed(seed, number, len(auction.calls))
            request = Request(auction, hand, view, seed=about)
            search, reading, weighing = agent.prepared(request)
            if len(candidates(weighing, limits)) > 1:
                done += 1
                yield _both(search, reading, hand, weighing, limits, judged, about)
            auction = auction.with_call(bidder.calls([request])[0].call)


def _both(
    search: SearchParts,
    reading: Reading,
    hand: Hand,
    weighing: Weighing,
    limits: Limits,
    judged: int,
    seed: int,
) -> Compared:
    from bidwright.neural.search.bmcs import Search

    assert isinstance(search, Search)
    begun = process_time()
    printed = find_as_printed(
        search, reading, hand, weighing, limits, np.random.default_rng([seed, 0])
    )
    between = process_time()
    ours = search.find(reading, hand, weighing, np.random.default_rng(seed))
    over = process_time()
    gain = 0.0
    if ours.call != printed.call:
        rng = np.random.default_rng([seed, 1])
        source = DealSource(reading, hand, search.config, search.belief)
        config = replace(search.config, r_max=judged)
        deals = sample(source, reading.auction, search.models, config, rng, lambda: False)
        pair = [printed.call, ours.call]
        contracts = roll_out(
            deals.owner, reading.auction, pair, search.models, lambda: False, deals.taken
        )
        assert contracts is not None, "there is no limit of time"
        tricks = solved_tricks(search.solver, deals.owner, contracts)
        imps = gains(contracts, tricks, reading.auction, reading.state.me.side, 0)[:, 1]
        gain = float(np.average(imps, weights=deals.counts))
    return Compared(
        str(printed.usual),
        str(printed.call),
        str(ours.call),
        printed.drawn,
        printed.rollouts,
        between - begun,
        over - between,
        gain,
    )


def tabled(rows: list[Compared]) -> Table:
    """Return the comparison as a table of one line a figure."""
    table = Table("", "as printed", "ours", title=f"{len(rows)} decisions with several candidates")
    changes = [sum(getattr(row, name) != row.usual for row in rows) for name in ("printed", "ours")]
    table.add_row("other calls than the policy's", *map(str, changes))
    seconds = [[getattr(row, f"{name}_s") for row in rows] for name in ("printed", "ours")]
    table.add_row("seconds, mean", *(f"{np.mean(each):.2f}" for each in seconds))
    table.add_row("deals drawn", f"{np.mean([row.drawn for row in rows]):.0f}", "")
    table.add_row("not rejected", f"{np.mean([row.rollouts for row in rows]):.1f}", "")
    differ = [row.gain for row in rows if row.printed != row.ours]
    table.add_row("calls that differ", "", str(len(differ)))
    every = [row.gain for row in rows]
    for name, values in (("IMPs, where they differ", differ), ("IMPs a decision", every)):
        if len(values) > 1:
            error = np.std(values, ddof=1) / len(values) ** 0.5
            table.add_row(name, "", f"{np.mean(values):+.2f} ± {error:.2f}")
    return table


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--policy", default="sayc", help="weights")
    parser.add_argument("--belief", default="sayc_belief", help="weights")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--decisions", type=how_many, default=40)
    parser.add_argument("--judged", type=how_many, default=32, help="deals for calls that differ")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--p-max", type=how_many, default=Limits.p_max)
    parser.add_argument("--r-max", type=how_many, default=Limits.r_max)
    parser.add_argument("--r-min", type=how_many, default=Limits.r_min)
    parser.add_argument("--json", type=Path, help="write all decisions")
    asked = parser.parse_args()
    limits = Limits(p_max=asked.p_max, r_max=asked.r_max, r_min=asked.r_min)
    options = f"system={asked.system}"
    agent = open_agent(
        f"bmcs:{asked.policy},{options},belief={asked.belief}", default_context(asked.system)
    )
    assert isinstance(agent, SearchAgent)
    player = f"policy:{asked.policy},{options}"
    rows = list(compared(agent, player, asked.decisions, limits, asked.judged, asked.seed))
    agent.close()
    if asked.json:
        write_text(asked.json, "".join(json.dumps(asdict(row)) + "\n" for row in rows))
    Console(width=100).print(tabled(rows))


if __name__ == "__main__":
    sys.exit(ended(main))
