"""Models of bidders, at many tables in lockstep: by a network, by rules, by both.

Letters in shapes: `N` lanes, `C` calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.features import features
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.networks import CardSums, CardVectors, Network, log_policy
from bidwright.neural.policies import RuleUse, weigh_all
from bidwright.neural.search.work import Work


class Model(Protocol):
    """A model of a bidder."""

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return the likeliest call in each of some lanes with the bidder in turn, int64 `[N]`."""

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return the probability of a call in each of some lanes, float64 `[N]`."""


class NetworkModel:
    """A model by a policy network."""

    def __init__(
        self,
        network: Network,
        cards: NDArray[np.float32] | None = None,
        work: Work | None = None,
    ) -> None:
        """Take the network.

        Args:
            network: the policy.
            cards: float32 `[2, V]`: the card vectors of the side that bids so, and of the other
                one; nothing is disclosed if they are not given.
            work: the work of a search, to which that of the model is added.
        """
        self._network = network.eval()
        self._work = work or Work()
        self._table = None if cards is None else torch.from_numpy(cards)
        self._sums: CardSums | None = None

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return the likeliest legal calls."""
        return np.asarray(self.logs(lanes, which).argmax(dim=1).numpy())

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return the probabilities of a call."""
        return np.asarray(self.logs(lanes, which)[:, call].exp().double().numpy())

    def logs(self, lanes: Lanes, which: Index) -> Tensor:
        """Return the network's log policy, float32 `[N, C]`."""
        seen, legal = lanes.observe(which), lanes.legal(which)
        self._work.ask(len(seen))
        with torch.inference_mode():
            if self._table is not None and self._sums is None:
                # Card vectors stay the same in a search: a tenth of a network's time.
                self._sums = self._network.sums_of_cards(self._table)
            logits = self._network(torch.from_numpy(seen), self._cards(len(seen)), self._sums)
            return log_policy(logits, torch.from_numpy(legal))

    def _cards(self, count: int) -> CardVectors | None:
        if self._table is None:
            return None
        return CardVectors(self._table, torch.arange(2).expand(count, 2))


class ReadingModel:
    """The base of models that read auctions: the rules that apply, and the hands."""

    _weighs = False
    """True if calls are weighed by the rules as prior and shield."""

    def __init__(
        self,
        reader: Reader,
        dealer: Seat,
        vulnerability: Vulnerability,
        work: Work | None = None,
    ) -> None:
        """Take a reader, and the dealer and vulnerability of all auctions.

        Args:
            reader: the reader.
            dealer: the dealer of all auctions.
            vulnerability: the vulnerability of all auctions.
            work: the work of a search, to which that of the model is added.
        """
        self._reader = reader
        self._work = work or Work()
        self._dealer, self._vulnerability = dealer, vulnerability

    def _held(self, lanes: Lanes, which: Index) -> NDArray[np.int16]:
        """Return the features `[N, F]` of the hands of the players to call."""
        # All lanes are equally long, so the same seat is to call in all.
        seat = int(lanes.lengths[which[0]]) % len(Seat)
        return features(lanes.boards.owner[which // lanes.tables] == seat)

    def _readings(self, lanes: Lanes, which: Index) -> Iterator[tuple[NDArray[np.int64], Reading]]:
        """Yield the rows with the same auction, and its reading."""
        length = int(lanes.lengths[which[0]])
        # Equal auctions are read once, whatever their hands.
        auctions, of = np.unique(lanes.calls[which, :length], axis=0, return_inverse=True)
        order = np.argsort(of.reshape(-1), kind="stable")
        ends = np.searchsorted(of.reshape(-1)[order], np.arange(len(auctions)), side="right")
        for calls, rows in zip(auctions.tolist(), np.split(order, ends[:-1]), strict=True):
            auction_calls = tuple(CALLS[call] for call in calls)
            self._work.read(len(rows), weighed=self._weighs)
            yield rows, self._reader.read(Auction(self._dealer, auction_calls, self._vulnerability))


class RuleModel(ReadingModel):
    """A model by the rules of a side: the first that fits, and a pass where none does."""

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return the calls of the rules."""
        calls = np.empty(len(which), dtype=np.int64)
        for rows, reading in self._readings(lanes, which):
            decision = reading.decision
            by_rule = [*(each.call for each in decision.instances), Call.PASS]
            chosen = decision.choose_for(self._held(lanes, which[rows]))
            calls[rows] = np.array(by_rule, dtype=np.int64)[chosen]
        return calls

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return 1 where the rules make a call, 0 elsewhere."""
        return np.asarray(self.likeliest(lanes, which) == call, dtype=np.float64)


class HybridModel(ReadingModel):
    """A model of a hybrid agent: a policy network, with the rules as prior and shield."""

    _weighs = True

    def __init__(
        self,
        policy: NetworkModel,
        use: RuleUse,
        reader: Reader,
        dealer: Seat,
        vulnerability: Vulnerability,
        work: Work | None = None,
    ) -> None:
        """Take the policy, the part of the rules, and the rest as `ReadingModel` does."""
        super().__init__(reader, dealer, vulnerability, work)
        self._policy, self._use = policy, use

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return the likeliest calls of policy and rules together."""
        return np.asarray(self._logs(lanes, which).argmax(axis=1))

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return the probabilities of a call by policy and rules together."""
        return np.asarray(np.exp(self._logs(lanes, which)[:, call]))

    def _logs(self, lanes: Lanes, which: Index) -> NDArray[np.float64]:
        logs = self._policy.logs(lanes, which).double().numpy()
        # The network's rows for illegal calls are finite; the rules expect minus infinity.
        logs = np.where(lanes.legal(which), logs, -np.inf)
        for rows, reading in self._readings(lanes, which):
            logs[rows] = weigh_all(logs[rows], reading, self._held(lanes, which[rows]), self._use)
        return logs
