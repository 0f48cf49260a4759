"""A policy's self-play with the calls of a search at its open decisions: a corpus to learn from.

The policy bids random deals in all four seats, greedy. Where the file allows more than one likely
call, or the rules' call is not the policy's, the search of `bmcs` chooses among those calls and the
policy's own. Its choice is the call to learn there, even if it is the policy's own. The auction
continues with the policy's own call, so positions are those that the policy reaches. Where the
search chooses an own call that the file does not allow, there is nothing to learn.

That is half of expert iteration; `train sl` with `hold` is the other half.

Source: Anthony, Tian and Barber, "Thinking fast and slow with deep learning and tree search", 2017.

Letters in shapes: `C` calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
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
from bidwright.neural.data.auctions import MOST_CALLS, NO_CALL, Auctions, vulnerable_sides
from bidwright.neural.data.bidding import ROW
from bidwright.neural.made_for import CorpusOrigin, MadeFor
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
from bidwright.neural.search.work import Work

Tier = Literal["usual", "possible"]

# No solving and no clock: the corpus must come out the same on every machine.
SEARCH = SearchConfig(p_max=512, r_max=128, rollouts="policy", caution=2.0, settle=0, seconds=0.0)
"""The settings of a search by default."""

_MEMORY = 20_000
"""The most readings in a bidder's memory."""
_BOARD, _SEARCH = 3, 4
_CALLS = NUM_CARDS + 3
# Row 1 of a table of one system, which everybody plays and discloses.
_DISCLOSED = 1


@dataclass(frozen=True, slots=True)
class SearchedPlan:
    """The plan of a corpus of searched decisions.

    Attributes:
        policy: weights of the policy.
        system: the system that all four players disclose.
        seed: the seed of deals, dealers, vulnerability and the deals of searches.
        tier: the calls that a search may choose: those of the file, or with latitude as well.
        tricks: weights that predict tricks; nothing is solved.
        search: settings of the search, which has no time limit.
    """

    policy: str
    system: str
    seed: int = 0
    tier: Tier = "usual"
    tricks: str = "tricks"
    search: SearchConfig = SEARCH

    def __post_init__(self) -> None:
        """Check the settings of the search.

        Raises:
            InvalidError: It may solve contracts or stop by the clock, with other results on other
                machines, its rollouts are by the rules, or it needs a belief network.
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
        # A searched auction is slow, and an interrupted batch is lost.
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
        """The folders of code that auctions depend on."""
        return ("bridge", "kb", "inference", "neural")

    @property
    def systems(self) -> tuple[str, ...]:
        """The system of all players."""
        return (self.system,)

    def made_for(self) -> MadeFor:
        """Return the system in its present state."""
        return MadeFor(Path(self.system).name, open_system(self.system).fingerprint)

    def fingerprint(self) -> str:
        """Return the fingerprint of the system, and the hashes of the weights."""
        return " ".join((str(self.made_for().fingerprint), *_digests(self.policy, self.tricks)))

    def about(self) -> Mapping[str, object]:
        """Return all that auctions depend on, as plain values."""
        # Names of files are no part of it; the hashes of what they hold are.
        return {**asdict(self), "policy": "", "tricks": "", "system": self.fingerprint()}

    def bidder(self) -> Callable[[int], NDArray[np.uint8]]:
        """Return a function that bids an auction by its number."""
        return SearchingBidders(self).bid

    def corpus(self, rows: NDArray[np.uint8]) -> Auctions:
        """Return the auctions from rows."""
        owner, dealer, vulnerable, calls, wanted = np.split(
            rows, np.cumsum([NUM_CARDS, 1, 2, MOST_CALLS]), axis=1
        )
        policy, tricks = _digests(self.policy, self.tricks)
        origin: CorpusOrigin = {
            "kind": "searched",
            "policy": policy,
            "tricks": tricks,
            "seed": self.seed,
            "tier": self.tier,
            "search": asdict(self.search),
        }
        self.made_for().add_to(origin)
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
    digests = (load_policy(policy).digest, load_tricks(tricks).digest)
    return digests[0][:16], digests[1][:16]


def outcome(corpus: Auctions) -> tuple[int, int]:
    """Return the number of decisions that a search chose, and of those that it changed."""
    asked = corpus.wanted != NO_CALL
    return int(asked.sum()), int((asked & (corpus.wanted != corpus.calls)).sum())


class SearchingBidders:
    """Four bidders by a policy, with the calls of a search to learn."""

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
            Work(),
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
            # A generator for each decision, so that one more draw somewhere shifts nothing.
            chance = np.random.default_rng((seed, number, _SEARCH, turn))
            policy_call, wanted = self._call(reading, hand, chance)
            row[0, _CALLS + turn] = policy_call
            row[0, _CALLS + MOST_CALLS + turn] = wanted
            reading = reading.with_call(CALLS[policy_call])
        return row

    def _call(self, reading: Reading, hand: Hand, rng: np.random.Generator) -> tuple[int, int]:
        """Return the policy's call, and the one to learn or `NO_CALL`; `rng` is consumed."""
        cards = None if self._cards is None else self._cards[None]
        (logs,) = policy_logs(self._policy, [reading.auction], [hand], cards)
        policy_call, config = int(logs.argmax()), self._plan.search
        view = rule_view(reading, hand)
        # Nothing to choose between: the search is not asked, and nothing is to be learnt.
        if len(candidates(Weighing(logs, view, np.isinf(logs), 0, logs), config)) == 1:
            return policy_call, NO_CALL
        allowed = view.conforming
        if self._plan.tier == "possible":
            held = np.array([features_of(hand)], dtype=np.int16)
            # Only the likely calls are read with latitude, which takes time; the others are not
            # candidates.
            likely = [CALLS[call] for call in np.flatnonzero(np.exp(logs) >= config.p_min)]
            allowed = possible_for(reading, held, [*likely, CALLS[policy_call]])[0]
        tried = allowed.copy()
        # The policy's own call is always a candidate: the search may confirm it.
        tried[policy_call] = True
        # Forbidden calls have no probability, so the search never proposes them.
        weighing = Weighing(logs, view, ~tried, 0, np.where(tried, logs, -np.inf))
        if len(candidates(weighing, config)) == 1:
            return policy_call, NO_CALL
        call = int(self._search.find(reading, hand, weighing, rng).call)
        # A choice outside the file is not learnt: the file is what the policy is to keep.
        return policy_call, call if allowed[call] else NO_CALL


def _unasked(
    owner: Owners, denomination: NDArray[np.int64], declarer: NDArray[np.int64]
) -> NDArray[np.uint8]:
    raise AssertionError("a network predicts tricks")
