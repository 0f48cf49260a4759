"""The power of a search to identify its opponents, where they may be one of several.

    python bench/opponents.py --theirs "0.4 sayc / 0.3 sayc_sl / 0.3 rules" --boards 600

On each board one of the members, drawn by their shares, sits against the searching side, whose
policy bids without searching. At its last turn after opponents have called, deals are proposed and
weighed as a search does, and whoever sits there should be found as likely as he is. The score is
the mean logarithm of the chance that he is given over that of his share, in nats; and chances are
compared with how often they come true.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.errors import InvalidError
from bidwright.lab.ending import ended, how_many
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.opponent_population import RULES, open_opponents
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import decision_seed, seeded_board
from bidwright.match.record.estimate import Tally
from bidwright.neural.search.population import Hypotheses
from bidwright.neural.search.proposals import DealSource, sample
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.progress import progressing

Json = dict[str, Any]
SEED = 24
_CHANCES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Bounds of the chances that are looked at together."""
_CALLS = (0, 1, 2, 3, 4, 20)
"""Bounds of the numbers of opponents' calls that are looked at together."""


def last_turn(ours: Agent, theirs: Agent, number: int, view: Disclosure) -> Request:
    """Return the last turn of a side of a board; opponents have called before it.

    Args:
        ours: who bids for the side: North-South on boards with odd numbers.
        theirs: who bids for the other one.
        number: of the board.
        view: what is disclosed.
    """
    board, side = seeded_board(SEED, number), list(Side)[(number + 1) % 2]
    auction = Auction(board.dealer, (), board.vulnerability)
    latest = None
    while not auction.is_over:
        hand = board.deal[auction.turn]
        assert hand is not None, "boards have four hands"
        seed = decision_seed(SEED, number, len(auction.calls))
        request = Request(auction, hand, view, seed=seed)
        if auction.turn.side is side and auction.calls:
            latest = request
        bidder = ours if auction.turn.side is side else theirs
        auction = auction.with_call(bidder.calls([request])[0].call)
    assert latest is not None, "an auction has four calls or more"
    return latest


def measured(spec: str, theirs: str, system: str, boards: int) -> Iterator[Json]:
    """Yield for each board the true opponents, and the probability found for each member."""
    context = default_context(system)
    agent = open_agent(f"{spec},system={system},seconds=0,theirs={theirs}", context)
    if not isinstance(agent, SearchAgent):
        raise InvalidError(f"expected a search, such as bmcs:sayc, got {spec!r}")
    members = open_opponents(theirs, context).members
    shares = np.array([each.share for each in members])
    kinds = (f"rules:{system}" if each.name == RULES else f"policy:{each.name}" for each in members)
    bidders = [open_agent(kind, context) for kind in kinds]
    policy = open_agent(spec.partition(",")[0].replace("bmcs:", "policy:"), context)
    view = Disclosure(context.library, system, system)
    for number in range(1, boards + 1):
        rng = np.random.default_rng((SEED, number))
        sits = int(rng.choice(len(members), p=shares / shares.sum()))
        request = last_turn(policy, bidders[sits], number, view)
        search, reading, _ = agent.prepared(request)
        source = DealSource(reading, request.hand, search.config, search.belief)
        drawn = sample(source, request.auction, search.models, search.config, rng, lambda: False)
        side = request.seat.side.other
        identities = Hypotheses(search.models).identities(side, drawn.chances)
        seats = map(request.auction.seat_of, range(len(request.auction.calls)))
        yield {
            "sits": members[sits].name,
            "calls": sum(seat.side is side for seat in seats),
            "chances": {each.name: each.chance for each in identities},
            "shares": {each.name: each.share for each in identities},
        }


def report(rows: list[Json]) -> str:
    """Return the measurements as text."""
    lines = [f"{'calls by them':16}{'boards':>8}{'likeliest is right %':>22}  score"]
    for low, high in (*pairwise(_CALLS), (_CALLS[0], _CALLS[-1])):
        these = [each for each in rows if low < each["calls"] <= high]
        if len(these) < 2:
            continue
        score = Tally.of(
            float(np.log(each["chances"][each["sits"]] / each["shares"][each["sits"]]))
            for each in these
        )
        likeliest = (max(each["chances"], key=each["chances"].get) for each in these)
        right = np.mean([each["sits"] == name for each, name in zip(these, likeliest, strict=True)])
        head = f"{f'{low + 1} to {high}':16}{len(these):>8}{100 * right:>22.0f}"
        lines.append(f"{head}  {score.mean:+.3f} ± {score.error:.3f}")
    lines.append(f"\n{'chance of a member':20}{'times':>8}{'mean chance':>13}  true")
    predictions = [
        (chance, name == each["sits"]) for each in rows for name, chance in each["chances"].items()
    ]
    for lower, upper in pairwise(_CHANCES):
        some = [(chance, true) for chance, true in predictions if lower < chance <= upper]
        if len(some) < 2:
            continue
        true = Tally.of(float(each) for _, each in some)
        mean = np.mean([chance for chance, _ in some])
        head = f"{f'{lower:.2f} to {upper:.2f}':20}{len(some):>8}{mean:>13.3f}"
        lines.append(f"{head}  {true.mean:.3f} ± {true.error:.3f}")
    lines.append(f"\n{'who sits there':20}{'boards':>8}{'mean chance':>13}  share")
    for name, share in rows[0]["shares"].items():
        his = [each["chances"][name] for each in rows if each["sits"] == name]
        lines.append(f"{name:20}{len(his):>8}{np.mean(his or [0]):>13.3f}  {share:.3f}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agent", default="bmcs:sayc,prior=0,shield=off,wide=0.3")
    parser.add_argument("--theirs", default="0.4 sayc / 0.3 sayc_sl / 0.3 rules")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--boards", type=how_many, default=600)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    collect_rarely()
    measurements = measured(given.agent, given.theirs, given.system, given.boards)
    rows = list(progressing(measurements, given.boards, "weighing", "boards"))
    print(report(rows))
    if given.json:
        given.json.write_text(json.dumps(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
