"""A policy's self-play with what a search says at its open decisions: a corpus to learn from.

The policy bids random deals in all four seats, greedy. Where the file allows more than one likely
call, or the rules' call is not the policy's, the search of `bmcs` is asked, among those calls only
and the policy's own. What it chooses is the call to learn there: its own, too, where it stands. The
auction goes on with the policy's own call, so positions are those that it comes to. Where its own
call stands that the file does not allow, there is nothing to learn.

That is half of expert iteration; `train sl` with `hold` is the other half.

Source: Anthony, Tian and Barber, "Thinking fast and slow with deep learning and tree search", 2017.

Letters in shapes: `C` calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import CALLS
from bidwright.bridge.cards import NUM_CARDS, Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import Hand
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.reading.conformity import possible_for
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.neural.card_vectors import hidden_card, side_cards
from bidwright.neural.data.auctions import MOST_CALLS, NO_CALL, Auctions, Json, vulnerable_sides
from bidwright.neural.data.bidding import ROW
from bidwright.neural.made_for import MadeFor
from bidwright.neural.networks import Network
from bidwright.neural.policies import (
    Weighing,
    load_policy,
    load_tricks,
    policy_logs,
    use_one_thread,
)
from bidwright.neural.prior import rule_view
from bidwright.neural.search.bmcs import Search, candidates
from bidwright.neural.search.models import Model, NetworkModel
from bidwright.neural.search.proposals import Owners
from bidwright.neural.search.settings import SearchConfig

Tier = Literal["usual", "possible"]

SEARCH = SearchConfig(p_max=512, r_max=128, rollouts="policy", caution=2.0, settle=0, seconds=0.0)
"""The settings of a search unless others are asked for."""

_MEMORY = 20_000
"""Readings that a bidder remembers."""
_BOARD, _SEARCH = 3, 4
_CALLS = NUM_CARDS + 3
_DISCLOSED = 1


@dataclass(frozen=True, slots=True)
class SearchedPlan:
    """What is bid and searched.

    Attributes:
        policy: weights of the policy.
        system: what all four players disclose.
        seed: what deals, dealers, vulnerability and the deals of searches are drawn from.
        tier: the calls that a search may choose: those of the file, or with latitude as well.
        tricks: weights that foretell tricks; nothing is solved.
        search: settings of the search, which has all the time that it takes.
    """

    policy: str
    system: str
    seed: int = 0
    tier: Tier = "usual"
    tricks: str = "tricks"
    search: SearchConfig = SEARCH

    def __post_init__(self) -> None:
        """Check that the search needs nothing that is not there.

        Raises:
            InvalidError: It may solve or stop by the clock, which would not come out the same
                everywhere, bids on by the rules, or asks for beliefs.
        """
        fixed = {"settle": 0, "seconds": 0.0, "rollouts": "policy"}
        for name, value in fixed.items():
            if (given := getattr(self.search, name)) != value:
                raise InvalidError(f"expected {name}={value} to search for experts, got {given}")
        if self.search.proposals not in ("constraints", "uniform"):
            raise InvalidError(
                "expected proposals=constraints or proposals=uniform to search for experts, "
                f"got {self.search.proposals}"
            )

    @property
    def batch(self) -> int:
        """Auctions that are bid and written at a time."""
        return 5

    @property
    def each(self) -> int:
        """Rows of an auction."""
        return 1

    @property
    def row(self) -> int:
        """Bytes of a row."""
        return ROW

    @property
    def code(self) -> tuple[str, ...]:
        """The folders of code that decide what is bid."""
        return ("bridge", "kb", "inference", "neural")

    @property
    def systems(self) -> tuple[str, ...]:
        """The system."""
        return (self.system,)

    def made_for(self) -> MadeFor:
        """Return the system in its present state."""
        return MadeFor(Path(self.system).name, open_system(self.system).fingerprint)

    def fingerprint(self) -> str:
        """Return the fingerprint of the system, and the hashes of the weights."""
        return " ".join((str(self.made_for().fingerprint), *_digests(self.policy, self.tricks)))

    def about(self) -> Json:
        """Return all that decides what is bid, as plain values."""
        return {**asdict(self), "policy": "", "tricks": "", "system": self.fingerprint()}

    def bidder(self) -> Callable[[int], NDArray[np.uint8]]:
        """Return what bids an auction by its number."""
        return SearchingBidders(self).bid

    def corpus(self, rows: NDArray[np.uint8]) -> Auctions:
        """Return the auctions from rows."""
        owner, dealer, vulnerable, calls, wanted = np.split(
            rows, np.cumsum([NUM_CARDS, 1, 2, MOST_CALLS]), axis=1
        )
        policy, tricks = _digests(self.policy, self.tricks)
        origin = {
            "kind": "searched",
            **self.made_for().entries(),
            "policy": policy,
            "tricks": tricks,
            "seed": self.seed,
            "tier": self.tier,
            "search": asdict(self.search),
        }
        width = max(1, int((calls != NO_CALL).sum(axis=1).max(initial=0)))
        rules = open_system(self.system)
        return Auctions(
            owner,
            dealer[:, 0],
            vulnerable,
            calls[:, :width],
            wanted[:, :width],
            origin,
            np.full((len(rows), 2), _DISCLOSED, dtype=np.uint16),
            np.stack([hidden_card(), side_cards(rules, rules)[0]]),
        )


@lru_cache(maxsize=8)
def _digests(policy: str, tricks: str) -> tuple[str, str]:
    found = (load_policy(policy).card["digest"], load_tricks(tricks).card["digest"])
    return found[0][:16], found[1][:16]


def outcome(corpus: Auctions) -> tuple[int, int]:
    """Return at how many decisions a search chose, and at how many of them another call."""
    asked = corpus.wanted != NO_CALL
    return int(asked.sum()), int((asked & (corpus.wanted != corpus.calls)).sum())


class SearchingBidders:
    """Four players who bid by a policy, and what a search would call in their place."""

    def __init__(self, plan: SearchedPlan) -> None:
        """Open system and weights."""
        use_one_thread()
        self._plan = plan
        rules = open_system(plan.system)
        self._reader = Reader(dict.fromkeys(Side, rules), HandEngine(), _MEMORY)
        self._policy: Network = load_policy(plan.policy).network
        self._cards = side_cards(rules, rules) if self._policy.asks_for_cards else None
        model: Model = NetworkModel(self._policy, self._cards)
        self._search = Search(
            plan.search,
            dict.fromkeys(Side, model),
            None,
            load_tricks(plan.tricks).network,
            _unasked,
            perf_counter,
        )

    def bid(self, number: int) -> NDArray[np.uint8]:
        """Return an auction by its number, uint8 `[1, ROW]`, with the calls to learn."""
        seed = self._plan.seed
        rng = np.random.default_rng((seed, number, _BOARD))
        owner = numbered_deals(seed, [number])[0]
        dealer = Seat(int(rng.integers(len(Seat))))
        vulnerability = list(Vulnerability)[int(rng.integers(len(Vulnerability)))]
        row = np.full((1, ROW), NO_CALL, dtype=np.uint8)
        row[0, :NUM_CARDS] = owner
        row[0, NUM_CARDS:_CALLS] = [dealer, *vulnerable_sides(vulnerability)]
        hands = deal_from_owner(owner).hands
        reading = self._reader.start(dealer, vulnerability)
        while not reading.auction.is_over and (turn := len(reading.auction.calls)) < MOST_CALLS:
            hand = hands[reading.state.me]
            assert hand is not None, "numbered deals are whole"
            chance = np.random.default_rng((seed, number, _SEARCH, turn))
            own, wanted = self._call(reading, hand, chance)
            row[0, _CALLS + turn] = own
            row[0, _CALLS + MOST_CALLS + turn] = wanted
            reading = reading.with_call(CALLS[own])
        return row

    def _call(self, reading: Reading, hand: Hand, rng: np.random.Generator) -> tuple[int, int]:
        """Return the policy's call, and the one to learn or `NO_CALL`; `rng` is consumed."""
        cards = None if self._cards is None else self._cards[None]
        (logs,) = policy_logs(self._policy, [reading.auction], [hand], cards)
        own, config = int(logs.argmax()), self._plan.search
        view = rule_view(reading, hand)
        if len(candidates(Weighing(logs, view, np.isinf(logs), 0, logs), config)) == 1:
            return own, NO_CALL
        allowed = view.conforming
        if self._plan.tier == "possible":
            held = np.array([features_of(hand)], dtype=np.int16)
            likely = [CALLS[call] for call in np.flatnonzero(np.exp(logs) >= config.p_min)]
            allowed = possible_for(reading, held, [*likely, CALLS[own]])[0]
        tried = allowed.copy()
        tried[own] = True
        weighing = Weighing(logs, view, ~tried, 0, np.where(tried, logs, -np.inf))
        if len(candidates(weighing, config)) == 1:
            return own, NO_CALL
        call = int(self._search.find(reading, hand, weighing, rng).call)
        return own, call if allowed[call] else NO_CALL


def _unasked(
    owner: Owners, denomination: NDArray[np.int64], declarer: NDArray[np.int64]
) -> NDArray[np.uint8]:
    raise AssertionError("tricks are foretold")
