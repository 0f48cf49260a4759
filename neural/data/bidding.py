"""Auctions that rule bidders have, with now and then a random call.

Random calls make odd auctions, so that a policy learns what the rules say there too: what is to be
learnt at a random call is what the rules wanted, not the call itself. Auction number `i` of a seed
depends on nothing but the system, the seed and the share of random calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import FIRST_BID, Call
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.reader import Reader
from bidwright.kb.cache import open_system
from bidwright.kb.features import features_of
from bidwright.neural.data.auctions import MOST_CALLS, NO_CALL, Auctions, vulnerable_sides

_JUMP = 0.6
"""A random bid is this much likelier than the one above it."""

_MEMORY = 50_000
"""Readings that a bidder remembers."""

ROW = NUM_CARDS + 3 + 2 * MOST_CALLS
"""Bytes of an auction: owner, dealer, both sides' vulnerability, calls, wanted calls."""


@dataclass(frozen=True, slots=True)
class BiddingPlan:
    """What is bid.

    Attributes:
        system: the system of all four players.
        seed: what deals, dealers, vulnerability and random calls are drawn from.
        random_share: how likely a call is a random one, 0 to 1.
    """

    system: str
    seed: int = 0
    random_share: float = 0.05


def system_hash(name: str) -> str:
    """Return the hash of the texts that a system is made of, wherever they are kept."""
    from bidwright.kb.load import load

    digest = sha256()
    for path, text in sorted(load(name).texts.items(), key=lambda each: Path(each[0]).name):
        digest.update(f"{Path(path).name}\0{text}\0".encode())
    return digest.hexdigest()[:16]


class RuleBidders:
    """Four players of one system."""

    def __init__(self, plan: BiddingPlan) -> None:
        """Open the system."""
        rules = open_system(plan.system)
        self._plan = plan
        self._reader = Reader(dict.fromkeys(Side, rules), memory=_MEMORY)

    def bid(self, number: int) -> NDArray[np.uint8]:
        """Return an auction by its number, uint8 `[ROW]`."""
        owner = numbered_deals(self._plan.seed, [number])[0]
        rng = np.random.default_rng((self._plan.seed, number, 1))
        dealer = Seat(int(rng.integers(len(Seat))))
        vulnerability = list(Vulnerability)[int(rng.integers(len(Vulnerability)))]
        calls = np.full((2, MOST_CALLS), NO_CALL, dtype=np.uint8)
        features = [features_of(hand) for hand in deal_from_owner(owner).hands if hand]
        reading = self._reader.start(dealer, vulnerability)
        for turn in range(MOST_CALLS):
            if reading.auction.is_over:
                break
            chosen = reading.decision.choose(features[reading.state.me])
            wanted = chosen.call if chosen else Call.PASS
            call = wanted
            if rng.random() < self._plan.random_share:
                call = random_call(reading.auction, rng)
            calls[:, turn] = call, wanted
            reading = reading.with_call(call)
        head = [dealer, *vulnerable_sides(vulnerability)]
        return np.concatenate((owner, np.array(head, dtype=np.uint8), calls.reshape(-1)))


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
        "system": Path(plan.system).name,
        "system_hash": system_hash(plan.system),
        "seed": plan.seed,
        "random_share": plan.random_share,
    }
    width = max(1, int((calls != NO_CALL).sum(axis=1).max(initial=0)))
    return Auctions(owner, dealer[:, 0], vulnerable, calls[:, :width], wanted[:, :width], origin)
