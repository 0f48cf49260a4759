"""Auctions that rule bidders have, with now and then a random call.

Random calls make odd auctions, so that a policy learns what the rules say there too: what is to be
learnt at a random call is what the rules wanted, not the call itself. Auction number `i` of a seed
depends on nothing but the system, the seed and the share of random calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import FIRST_BID, Call
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.neural.data.auctions import MOST_CALLS, NO_CALL, Auctions, vulnerable_sides
from bidwright.neural.made_for import MadeFor

_JUMP = 0.6
"""A random bid is this much likelier than the one above it."""

_MEMORY = 50_000
"""Readings that a bidder remembers."""

_EFFORT = 300_000
"""Proposals after which no more echoes are looked for."""

_CALLS = NUM_CARDS + 3
_WANTED = _CALLS + MOST_CALLS
ROW = _WANTED + MOST_CALLS
"""Bytes of an auction: owner, dealer, both sides' vulnerability, calls, wanted calls."""


@dataclass(frozen=True, slots=True)
class BiddingPlan:
    """What is bid.

    Attributes:
        system: the system of all four players.
        seed: what deals, dealers, vulnerability and random calls are drawn from.
        random_share: how likely a call is a random one, 0 to 1.
        echoes: further deals for each auction, drawn from all that fit its calls: they cost little,
            and an auction and one of its deals are as likely as if it had been bid on that deal.
    """

    system: str
    seed: int = 0
    random_share: float = 0.05
    echoes: int = 0

    def made_for(self) -> MadeFor:
        """Return the system in its present state."""
        return MadeFor(Path(self.system).name, open_system(self.system).fingerprint)


class RuleBidders:
    """Four players of one system."""

    def __init__(self, plan: BiddingPlan) -> None:
        """Open the system."""
        rules = open_system(plan.system)
        self._plan = plan
        self._reader = Reader(dict.fromkeys(Side, rules), memory=_MEMORY)

    def bid(self, number: int) -> NDArray[np.uint8]:
        """Return an auction by its number, and its echoes, uint8 `[1 + echoes, ROW]`.

        Echoes that could not be drawn have the first deal, and nothing to learn.
        """
        rng = np.random.default_rng((self._plan.seed, number, 1))
        owner = numbered_deals(self._plan.seed, [number])[0]
        dealer = Seat(int(rng.integers(len(Seat))))
        vulnerability = list(Vulnerability)[int(rng.integers(len(Vulnerability)))]
        readings = self._bid_out(owner, self._reader.start(dealer, vulnerability), rng)
        auction = readings[-1].auction
        made = np.array(auction.calls, dtype=np.uint8)
        rows = np.full((1 + self._plan.echoes, ROW), NO_CALL, dtype=np.uint8)
        rows[:, :NUM_CARDS] = owner
        rows[:, NUM_CARDS:_CALLS] = [dealer, *vulnerable_sides(vulnerability)]
        rows[:, _CALLS : _CALLS + len(made)] = made
        deals = [owner, *self._echoes(readings[-1], rng)]
        for row, deal in zip(rows, deals, strict=False):
            row[:NUM_CARDS] = deal
            row[_WANTED : _WANTED + len(made)] = _wanted(readings, deal)
        return rows

    def _bid_out(
        self, owner: NDArray[np.uint8], reading: Reading, rng: np.random.Generator
    ) -> list[Reading]:
        """Return the reading before each call, and that of the whole auction."""
        features = [features_of(hand) for hand in deal_from_owner(owner).hands if hand]
        readings = [reading]
        while not reading.auction.is_over and len(readings) <= MOST_CALLS:
            chosen = reading.decision.choose(features[reading.state.me])
            call = chosen.call if chosen else Call.PASS
            if rng.random() < self._plan.random_share:
                call = random_call(reading.auction, rng)
            reading = reading.with_call(call)
            readings.append(reading)
        return readings

    def _echoes(self, reading: Reading, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return deals that fit an auction, uint8 `[E, 52]`; fewer where they are rare."""
        if not self._plan.echoes:
            return np.empty((0, NUM_CARDS), dtype=np.uint8)
        from bidwright.inference.sampling import DealSampler, Knowledge

        try:
            sampler = DealSampler(Knowledge.of_rule_bidders(reading))
            return sampler.draw(self._plan.echoes, rng, effort=_EFFORT, at_least=0).owner
        except BidwrightError:
            return np.empty((0, NUM_CARDS), dtype=np.uint8)


def _wanted(readings: Sequence[Reading], owner: NDArray[np.uint8]) -> list[Call]:
    """Return the calls that the rules want on a deal, at each turn of an auction."""
    features = [features_of(hand) for hand in deal_from_owner(owner).hands if hand]
    chosen = [reading.decision.choose(features[reading.state.me]) for reading in readings[:-1]]
    return [each.call if each else Call.PASS for each in chosen]


def random_call(auction: Auction, rng: np.random.Generator) -> Call:
    """Return a legal call, low bids likelier than high ones; `rng` is consumed."""
    legal = auction.legal_calls()
    lowest = next((place for place, call in enumerate(legal) if call >= FIRST_BID), len(legal))
    weights = np.array([_JUMP ** max(0, place - lowest) for place in range(len(legal))])
    return legal[int(rng.choice(len(legal), p=weights / weights.sum()))]


def auctions_of(rows: NDArray[np.uint8], plan: BiddingPlan) -> Auctions:
    """Return auctions from rows, uint8 `[A, ROW]`."""
    owner, dealer, vulnerable, calls, wanted = np.split(
        rows, np.cumsum([NUM_CARDS, 1, 2, MOST_CALLS]), axis=1
    )
    origin = {
        "kind": "rules",
        **plan.made_for().entries(),
        "seed": plan.seed,
        "random_share": plan.random_share,
        "echoes": plan.echoes,
    }
    width = max(1, int((calls != NO_CALL).sum(axis=1).max(initial=0)))
    return Auctions(owner, dealer[:, 0], vulnerable, calls[:, :width], wanted[:, :width], origin)
