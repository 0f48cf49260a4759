"""Deterministic matches of policies: greedy calls on solved deals, each played twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.calls import FIRST_BID
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.points import imps_of
from bidwright.neural.networks import CardVectors, Network, log_policy

Policy = Callable[[NDArray[np.uint8], NDArray[np.bool_]], NDArray[np.int64]]
"""From observations, uint8 `[N, 480]`, and legal calls, bool `[N, C]`, to calls, int64 `[N]`."""


@dataclass(frozen=True, eq=False)
class PairedMatch:
    """The result of a match.

    Attributes:
        imps: int8 `[B]`: IMPs of side A on each board.
        calls: uint8 `[2 B, 320]`: the auctions; of each board first that with A on the dealer's
            side. Entries after the end of an auction mean nothing.
        lengths: int16 `[2 B]`: calls of each auction.
    """

    imps: NDArray[np.int8]
    calls: NDArray[np.uint8]
    lengths: NDArray[np.int16]

    @property
    def mean(self) -> float:
        """The mean IMPs a board."""
        return float(self.imps.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(self.imps.std(ddof=1) / np.sqrt(len(self.imps)))


def greedy(
    network: Network, device: torch.device | str = "cpu", cards: Tensor | None = None
) -> Policy:
    """Return the policy that always makes the likeliest legal call of a network.

    Args:
        network: the network.
        device: the device to compute on.
        cards: float32 `[2, V]`: the card vectors of its side and of the other one; nothing is
            disclosed if they are not given.
    """
    network = network.to(device).eval()
    table = None if cards is None else cards.to(device)

    def choose(seen: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        with torch.inference_mode():
            # Row 0 is the own side's vector and row 1 the other's, at every position.
            which = torch.arange(2, device=device).expand(len(seen), 2)
            vectors = None if table is None else CardVectors(table, which)
            logits = network(torch.from_numpy(seen).to(device), vectors)
            best = log_policy(logits, torch.from_numpy(legal).to(device)).argmax(dim=1)
        return np.asarray(best.cpu().numpy())

    return choose


def play_duplicate(a: Policy, b: Policy, boards: Boards) -> PairedMatch:
    """Play a match: each board at two tables, A on the dealer's side at one of them."""
    lanes = Lanes(boards, 2)
    while len(lanes.running):
        seen, legal = lanes.observe(), lanes.legal()
        # Table 2 of each board has A on the other side.
        of_a = lanes.running % 2 == lanes.turn % 2
        calls = np.zeros(len(lanes.running), dtype=np.int64)
        for policy, mine in ((a, of_a), (b, ~of_a)):
            if mine.any():
                calls[mine] = policy(seen[mine], legal[mine])
        lanes.step(calls)
    scores = lanes.scores().reshape(-1, 2)
    return PairedMatch(imps_of(scores[:, 0] - scores[:, 1]), lanes.calls, lanes.lengths)


@dataclass(frozen=True, eq=False)
class CallAgreement:
    """The agreement of a policy's calls with those of another one, along its own auctions.

    Attributes:
        calls: the share of all calls.
        openings: the share of first bids.
        lanes: the tables, their auctions over.
    """

    calls: float
    openings: float
    lanes: Lanes


def agreement(policy: Policy, other: Policy, boards: Boards) -> CallAgreement:
    """Return the agreement of a policy that plays itself with another one in its place."""
    lanes = Lanes(boards, 1)
    opened = np.zeros(len(lanes), dtype=np.bool_)
    same = total = same_openings = total_openings = 0
    while len(lanes.running):
        running, seen, legal = lanes.running, lanes.observe(), lanes.legal()
        calls = policy(seen, legal)
        equal = calls == other(seen, legal)
        # A lane opens with its first bid; passes before it are no openings.
        opening = (calls >= FIRST_BID) & ~opened[running]
        same += int(equal.sum())
        total += len(equal)
        same_openings += int((equal & opening).sum())
        total_openings += int(opening.sum())
        opened[running] |= opening
        lanes.step(calls)
    return CallAgreement(same / max(1, total), same_openings / max(1, total_openings), lanes)
