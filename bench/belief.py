"""Beliefs about holders of cards: cross-entropy by length of the auction, for five ways to believe.

    python bench/belief.py --belief belief.safetensors --corpus sayc.npz --json belief.json
    python bench/belief.py --belief belief.safetensors --agent rules:sayc --deals dd_deals.npz
    python bench/belief.py --belief sayc_belief --residual residual.safetensors
        --agent policy:sayc --deals dd_deals.npz

The auctions are those held out at the end of a corpus (of each auction only the first deal, no
echoes), or an agent bids them in all four seats on the last deals of a data set. At each position
the player to call believes of each of the 39 cards he does not see who of the others holds it:

- uniform: with each of them alike;
- constraints: as often as in deals drawn uniformly from all that fit what the calls show;
- net: what the belief network says;
- both: as often as in the same deals weighed by the network;
- residual: what a residual network (`--residual`) makes of net and constraints, if one is given.

Printed is the mean cross-entropy per card and player in nats, as in Figure 3 of Qiu et al., "Bridge
bidding via deep reinforcement learning and belief Monte Carlo search", 2024: 0.6365 for somebody
who knows nothing. Standard errors take the positions of a board together. A share of deals drawn
may be 0, and calls need not be what they show, so that a deal of each kind is added to those drawn,
and a little of what is believed without constraints (uniform, the net) for every hidden call. How
little is chosen for every second auction by what is best for the others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import Hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.solved_deals import load_solved
from bidwright.inference.reading.reader import Reader
from bidwright.inference.sampling import DealBatch
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended
from bidwright.match.agents.agent import Agent
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import MatchBoard
from bidwright.match.play.playroom import BiddingTable, bid_out
from bidwright.match.record.match_lines import OPEN
from bidwright.neural.data.auctions import load_auctions
from bidwright.neural.exact_facts import OTHERS, card_shares, fitting_or_none, others_of
from bidwright.neural.networks import Network
from bidwright.neural.policies import load_plain_belief, use_one_thread
from bidwright.neural.residual import ResidualBelief
from bidwright.neural.search.believed import BelievedDeals, believe
from bidwright.neural.search.proposals import Owners
from bidwright.neural.weights import load_weights

WAYS = ("uniform", "constraints", "net", "both", "residual")
GROUPS = (0, 1, 3, 5, 7, 9, 11, 13, 15)
"""The first position of each group, by the calls before it."""
SLIPS = (0.0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
"""Shares of the unconstrained belief that may be added for a hidden call."""
_HELD_OUT = 2000
_TABLES = 32

Chances = NDArray[np.float64]
"""float64 `[39, 3]`: how likely each hidden card is with each of the others, clockwise."""


@dataclass(frozen=True, eq=False)
class Position:
    """The beliefs at a position, and the truth.

    Attributes:
        board: the number of the auction.
        before: calls made before.
        hidden: those of them by the others.
        true: bool `[39, 3]`: who holds the cards.
        believed: the ways to believe, the first of `WAYS`, nothing added for slips.
        fits: whether some deals fit the calls.
    """

    board: int
    before: int
    hidden: int
    true: NDArray[np.bool_]
    believed: dict[str, Chances]
    fits: bool

    def losses(self, slips: float) -> NDArray[np.float64]:
        """Return float64 `[W]`: the cross-entropy of each way, per card and player."""
        doubt = 1 - (1 - slips) ** self.hidden
        wide = {"constraints": "uniform", "both": "net"}
        losses = []
        for way, chances in self.believed.items():
            if way in wide:
                chances = (1 - doubt) * chances + doubt * self.believed[wide[way]]
            right = np.where(self.true, chances, 1 - chances)
            losses.append(-np.log(np.maximum(right, 1e-9)).mean())
        return np.array(losses)


# -------------------------------------------------------------------- auctions


def of_corpus(path: Path, card: UncheckedObject) -> tuple[str, Iterator[tuple[Auction, Deal]]]:
    """Return the system of a corpus, and its last auctions: those that a network did not learn.

    Args:
        path: the corpus.
        card: the card of the network.
    """
    corpus = load_auctions(path)
    learnt = card.get("data", {}).get("digest") == corpus.digest()
    held = int(card["config"]["held_out"]) if learnt else _HELD_OUT
    held_out = corpus[slice(corpus.split(held), None)]
    first = held_out.starts().tolist()
    pairs = ((held_out.auction(row), deal_from_owner(held_out.owner[row])) for row in first)
    return str(corpus.origin.get("system", "")), pairs


def of_agent(
    spec: str, system: str | None, owner: Owners, seed: int
) -> tuple[str, Iterator[tuple[Auction, Deal]]]:
    """Return the system of an agent, and its auctions with itself on deals `[D, 52]`."""
    context = default_context(system)
    agent = open_agent(spec, context)
    played = system or agent.system
    if played is None:
        sys.exit("expected --system: the agent does not say what it plays")
    return played, _bid(agent, Disclosure(context.library, played, played), owner, seed)


def _bid(
    agent: Agent, view: Disclosure, owner: Owners, seed: int
) -> Iterator[tuple[Auction, Deal]]:
    rng = np.random.default_rng((seed, 0))
    places, seats, vulnerabilities = len(owner), list(Seat), list(Vulnerability)
    boards = [
        MatchBoard(
            number + 1,
            deal_from_owner(owner[place]),
            seats[int(rng.integers(len(seats)))],
            vulnerabilities[int(rng.integers(len(vulnerabilities)))],
        )
        for number, place in enumerate(rng.permutation(places).tolist())
    ]
    for first in range(0, len(boards), _TABLES):
        at = [
            BiddingTable(board, OPEN, dict.fromkeys(Seat, agent), dict.fromkeys(Side, view), seed)
            for board in boards[first : first + _TABLES]
        ]
        bid_out(at)
        yield from ((table.auction, table.board.deal) for table in at)


# ------------------------------------------------------------------- positions


class Believers:
    """Believe in all these ways."""

    def __init__(
        self, system: str, belief: Network, residual: ResidualBelief | None, drawn: int, seed: int
    ) -> None:
        """Read auctions by a system, and draw so many deals at a position."""
        self._reader = Reader(dict.fromkeys(Side, open_system(system)), memory=20_000)
        self._residual = residual
        self._belief, self._drawn, self._seed = belief, drawn, seed

    def positions(self, number: int, auction: Auction, deal: Deal) -> Iterator[Position]:
        """Yield the positions of an auction."""
        for before in range(len(auction.calls)):
            so_far = Auction(auction.dealer, auction.calls[:before], auction.vulnerability)
            yield self._position(number, so_far, deal)

    def _position(self, number: int, auction: Auction, deal: Deal) -> Position:
        me = auction.turn
        hand = deal[me]
        assert isinstance(hand, Hand), "deals are complete"
        hidden = np.setdiff1d(np.arange(NUM_CARDS), sorted(hand.cards))
        others = np.array(others_of(me))
        before = len(auction.calls)
        rng = np.random.default_rng((self._seed, 1, number, before))
        fitting = fitting_or_none(self._reader.read(auction), hand)
        owner = (
            fitting.draw(self._drawn, rng).owner if fitting else np.empty((0, NUM_CARDS), np.uint8)
        )
        uniform = np.full((len(hidden), OTHERS), 1 / OTHERS)
        net = believe(self._belief, auction, hand).chances
        believed = {
            "uniform": uniform,
            "constraints": uniform,
            "net": net[hidden],
            "both": net[hidden],
        }
        if len(owner):
            logs = BelievedDeals(net, me, hand).log_weights(owner)
            weights = np.exp(logs - logs.max())
            held = owner[:, hidden, None] == others
            believed["constraints"] = card_shares(DealBatch(owner), me)[hidden]
            believed["both"] = _shares(held, weights / weights.sum())
        if self._residual is not None:
            residual = believe(self._residual, auction, hand, fitting)
            believed["residual"] = residual.chances[hidden]
        owners = np.array([deal.owner[card] for card in hidden.tolist()])
        turns = sum(auction.seat_of(place) != me for place in range(before))
        true = owners[:, None] == others
        return Position(number, before, turns, true, believed, len(owner) > 0)


def _shares(held: NDArray[np.bool_], weights: NDArray[np.float64]) -> Chances:
    """Return the shares of the others' cards in deals drawn, and in three more, one for each."""
    size = float(1 / np.square(weights).sum())
    return np.asarray((size * np.einsum("d,dcp->cp", weights, held) + 1) / (size + OTHERS))


# --------------------------------------------------------------------- figures


def _mean(
    values: NDArray[np.float64], boards: NDArray[np.int64]
) -> tuple[list[float], list[float | None]]:
    """Return means of `[P, X]` and standard errors that take the positions of boards together.

    One board has no standard error.
    """
    mean = values.mean(axis=0)
    _, of = np.unique(boards, return_inverse=True)
    sums = np.zeros((int(of.max()) + 1, values.shape[1]))
    np.add.at(sums, of, values - mean)
    count = len(sums)
    if count < 2:
        return mean.tolist(), [None] * len(mean)
    error = np.sqrt(np.square(sums).sum(axis=0) * count / (count - 1)) / len(values)
    return mean.tolist(), error.tolist()


def _losses(found: Sequence[Position]) -> tuple[NDArray[np.float64], list[float]]:
    """Return float64 `[P, W]`: the losses, and what is added for slips after even and odd ones.

    The better for the positions of odd auctions is taken for those of even ones, and vice versa.
    """
    trials = np.stack([[each.losses(slips) for each in found] for slips in SLIPS])
    odd = np.array([each.board % 2 == 1 for each in found])
    losses, chosen = np.empty(trials.shape[1:]), []
    for these in (~odd, odd):
        sums = trials[:, ~these][..., [WAYS.index("constraints"), WAYS.index("both")]].sum((1, 2))
        best = int(sums.argmin())
        losses[these] = trials[best, these]
        chosen.append(SLIPS[best])
    return losses, chosen


def _figures(name: str, found: Sequence[Position], losses: NDArray[np.float64]) -> dict[str, Any]:
    ways = WAYS[: losses.shape[1]]
    last = ways[-1]
    gained = losses[:, [1, 2]] - losses[:, [-1]]
    boards = np.array([each.board for each in found])
    means, errors = _mean(np.column_stack((losses, gained)), boards)
    names = (*ways, f"constraints - {last}", f"net - {last}")
    return {
        "calls": name,
        "positions": len(found),
        "fitting": float(np.mean([each.fits for each in found])),
        **{
            way: {"loss": mean, "error": error}
            for way, mean, error in zip(names, means, errors, strict=True)
        },
    }


def grouped(found: Sequence[Position], losses: NDArray[np.float64]) -> list[dict[str, Any]]:
    """Return the figures by calls before, and of all positions together."""
    group = np.searchsorted(GROUPS, [each.before for each in found], side="right") - 1
    rows = []
    for index, start in enumerate(GROUPS):
        which = np.flatnonzero(group == index)
        last = GROUPS[index + 1] - 1 if index + 1 < len(GROUPS) else None
        name = f"{start}+" if last is None else f"{start}" if last == start else f"{start}-{last}"
        if len(which):
            rows.append(_figures(name, [found[place] for place in which.tolist()], losses[which]))
    return [*rows, _figures("all", found, losses)]


def _print(rows: Sequence[dict[str, Any]]) -> None:
    ways = [name for name in rows[-1] if isinstance(rows[-1][name], dict)]
    table = Table("calls before", "positions", *ways, title="cross-entropy per card and player")
    for row in rows:
        cells = [_cell(**row[way]) for way in ways]
        table.add_row(row["calls"], str(row["positions"]), *cells)
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def _cell(loss: float, error: float | None) -> str:
    return f"{loss:.4f}" if error is None else f"{loss:.4f} ± {error:.4f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--belief", required=True, help="weights of a belief network")
    parser.add_argument("--residual", help="weights of a residual belief network")
    parser.add_argument("--corpus", type=Path, help="auctions made by `train data`")
    parser.add_argument("--agent", help="who bids, where there is no corpus: rules:sayc")
    parser.add_argument("--deals", type=Path, help="a data set of solved deals, for an agent")
    parser.add_argument("--last", type=int, default=2000, help="the deals of it that are bid")
    parser.add_argument("--system", help="what calls are read by, if not what is played")
    parser.add_argument("--positions", type=int, default=2000, help="how many, about")
    parser.add_argument("--drawn", type=int, default=2000, help="deals drawn at a position")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if (given.corpus is None) == (given.agent is None) or bool(given.agent) != bool(given.deals):
        parser.error("expected either --corpus, or --agent with --deals")
    use_one_thread()
    try:
        net = load_plain_belief(given.belief)
        residual = load_weights(given.residual, "residual") if given.residual else None
        if given.corpus:
            system, auctions = of_corpus(given.corpus, net.card)
        else:
            owner = load_solved(given.deals).owner[-given.last :]
            system, auctions = of_agent(given.agent, given.system, owner, given.seed)
        corrects = residual.network if residual else None
        believers = Believers(
            given.system or system, net.network, corrects, given.drawn, given.seed
        )
        positions: list[Position] = []
        for number, (auction, deal) in enumerate(auctions):
            positions.extend(believers.positions(number, auction, deal))
            if sys.stderr.isatty():
                print(f"\r{len(positions)} of {given.positions} positions", end="", file=sys.stderr)
            if len(positions) >= given.positions and number:
                break
    except BidwrightError as error:
        sys.exit(f"{parser.prog}: {error}")
    losses, slips = _losses(positions)
    rows = grouped(positions, losses)
    _print(rows)
    print(
        f"deals fit the calls at {rows[-1]['fitting']:.1%} of positions; "
        f"added for a hidden call: {slips[0]} and {slips[1]}"
    )
    if given.json:
        result = {
            "auctions": str(given.corpus.name if given.corpus else given.agent),
            "system": given.system or system,
            "belief": net.card["digest"][:16],
            "residual": residual.card["digest"][:16] if residual else None,
            "drawn": given.drawn,
            "seed": given.seed,
            "slips": slips,
            "groups": rows,
        }
        given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
