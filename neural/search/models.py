"""How players are expected to bid, at many tables in lockstep: by a network or by rules.

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
from bidwright.inference.reading.reader import Reader
from bidwright.kb.logic.features import features
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.networks import Network, log_policy


class Model(Protocol):
    """How somebody is expected to bid."""

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return int64 `[N]`: his call in each of some lanes, all of which he is to call in."""

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return float64 `[N]`: how likely he makes a call in each of some lanes."""


class NetworkModel:
    """Bids as a policy network does."""

    def __init__(self, network: Network) -> None:
        """Take the network."""
        self._network = network.eval()

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return the likeliest legal calls."""
        return np.asarray(self._logs(lanes, which).argmax(dim=1).numpy())

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return the probabilities of a call."""
        return np.asarray(self._logs(lanes, which)[:, call].exp().double().numpy())

    def _logs(self, lanes: Lanes, which: Index) -> Tensor:
        seen, legal = lanes.observe(which), lanes.legal(which)
        with torch.inference_mode():
            return log_policy(self._network(torch.from_numpy(seen)), torch.from_numpy(legal))


class RuleModel:
    """Bids by the rules of his side: the first that fits, and a pass where none does."""

    def __init__(self, reader: Reader, dealer: Seat, vulnerability: Vulnerability) -> None:
        """Read auctions that begin like this."""
        self._reader = reader
        self._dealer, self._vulnerability = dealer, vulnerability

    def likeliest(self, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        """Return the calls of the rules."""
        calls = np.empty(len(which), dtype=np.int64)
        for rows, decision in self._decisions(lanes, which):
            calls[rows] = self._chosen(decision, lanes, which[rows])
        return calls

    def chances(self, lanes: Lanes, which: Index, call: Call) -> NDArray[np.float64]:
        """Return 1 where the rules make a call, 0 elsewhere."""
        return np.asarray(self.likeliest(lanes, which) == call, dtype=np.float64)

    def _chosen(self, decision: DecisionList, lanes: Lanes, which: Index) -> NDArray[np.int64]:
        seat = int(lanes.lengths[which[0]]) % len(Seat)
        held = lanes.boards.owner[which // lanes.tables] == seat
        made = np.array([*(each.call for each in decision.instances), Call.PASS], dtype=np.int64)
        return np.asarray(made[decision.choose_for(features(held))])

    def _decisions(
        self, lanes: Lanes, which: Index
    ) -> Iterator[tuple[NDArray[np.int64], DecisionList]]:
        """Yield the rows with the same auction, and the rules that apply after it."""
        length = int(lanes.lengths[which[0]])
        auctions, of = np.unique(lanes.calls[which, :length], axis=0, return_inverse=True)
        order = np.argsort(of.reshape(-1), kind="stable")
        ends = np.searchsorted(of.reshape(-1)[order], np.arange(len(auctions)), side="right")
        for calls, rows in zip(auctions.tolist(), np.split(order, ends[:-1]), strict=True):
            made = tuple(CALLS[call] for call in calls)
            reading = self._reader.read(Auction(self._dealer, made, self._vulnerability))
            yield rows, reading.decision
