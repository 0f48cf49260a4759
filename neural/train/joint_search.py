"""Online joint policy search: better pairs of calls of two partners who change together.

Source: Tian, Gong and Jiang, "Joint Policy Search for Multi-agent Collaboration with Imperfect
Information" (2020), sections 5.2 and 7.3. At a position of a game the cards of all players are
known to the search. Each call of the player is tried; the opponent answers as the policy does, a
few times; to each answer each call of the partner is tried, and the auction is bid to the end as
the policy does, a few times. So depth is three: player, opponent, partner. The value of a change is
that of this one deal: lambda of the paper is 0, as there is no network for the value of a call over
all deals that look alike. The policy learns from the calls of the search alone, and sees its own
cards only.

Letters in shapes: `N` positions, `C` = 38 calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.neural.env.lanes import Index, Lanes
from bidwright.neural.env.points import UNIT, imps_of

Logs = Callable[[Lanes, Index], Tensor]
"""A function that returns the log policy `[N, C]` of the players to call at lanes."""
Allowed = Callable[[Lanes, Index], NDArray[np.bool_]]
"""A function that returns the calls to search among at lanes, bool `[N, C]`."""


@dataclass(frozen=True)
class JointChange:
    """A pair of calls of two partners at a position that gains over the policy.

    Attributes:
        call: The player's call.
        replies: The partner's call after each answer of the opponent that was sampled.
        gain: The gain over the policy in IMPs, estimated from the samples.
    """

    call: int
    replies: Mapping[int, int]
    gain: float


def legal_calls(lanes: Lanes, which: Index) -> NDArray[np.bool_]:
    """Return the legal calls, as the paper does, bool `[N, C]`."""
    return lanes.legal(which)


@dataclass(frozen=True, eq=False)
class JointSettings:
    """The settings of a search for joint changes.

    Attributes:
        share: The share of the tables with a search, one each.
        allowed: The calls that partners may change to.
        calls: The number of calls of each partner that are tried.
        answers: Samples of the opponent's answer to a call.
        rollouts: Samples of the rest of an auction.
        latest: Searches come after fewer calls than this.
    """

    share: float
    allowed: Allowed
    calls: int = 4
    answers: int = 5
    rollouts: int = 5
    latest: int = 8


@dataclass(frozen=True, eq=False)
class JointSearch:
    """A search for joint changes at positions of auctions.

    Attributes:
        logs: The policy of all players.
        settings: The settings. The calls that are tried are the likeliest of the allowed ones.
    """

    logs: Logs
    settings: JointSettings

    def changes(self, lanes: Lanes, which: Index, rng: torch.Generator) -> list[JointChange | None]:
        """Return the best joint change at each of some running lanes; None if none gains.

        Args:
            lanes: The auctions; they are not changed.
            which: Lanes whose auctions are equally long.
            rng: Draws answers and calls; consumed.
        """
        # The side is fixed for the whole search; seats alternate below.
        side = int(lanes.lengths[which[0]]) % 2
        # All changes are compared with the same mean of what the policy comes to.
        datum = self._datum(lanes, which, side, rng)
        position, call = self._tried(lanes, which)
        # One fork for each call that is tried and each answer to it.
        after = lanes.forked(np.repeat(which[position], self.settings.answers))
        after.step(np.repeat(call, self.settings.answers))
        answer = np.full(len(after), -1, dtype=np.int64)
        if len(after.running):
            going = after.running
            answer[going] = self._draw(after, rng)
            after.step(answer[going])
        pair = np.repeat(np.arange(len(call)), self.settings.answers)
        # Equal answers to a call are worked out once: a number below 64 names call and answer
        # together.
        same, group, weight = np.unique(
            pair * 64 + answer + 1, return_inverse=True, return_counts=True
        )
        first = np.zeros(len(same), dtype=np.int64)
        # Backwards, so that the first of equal rows is the one that stays.
        first[group[::-1]] = np.arange(len(after))[::-1]
        value, reply = self._answered(after, first, datum[position[pair[first]]], side, rng)
        # The value of a call is the mean over the answers to it.
        total = np.zeros(len(call))
        np.add.at(total, pair[first], value * weight / self.settings.answers)
        out: list[JointChange | None] = []
        for place in range(len(which)):
            pairs = np.flatnonzero(position == place)
            best = pairs[np.argmax(total[pairs])]
            mine = (pair[first] == best) & (reply >= 0)
            replies = dict(zip(answer[first[mine]].tolist(), reply[mine].tolist(), strict=True))
            gain = float(total[best])
            out.append(JointChange(int(call[best]), replies, gain) if gain > 0 else None)
        return out

    def _tried(self, lanes: Lanes, which: Index) -> tuple[Index, Index]:
        """Return the calls to try as pairs: places in the array of lanes, and calls."""
        may = torch.from_numpy(self.settings.allowed(lanes, which))
        # Calls that may not be tried must not be among the likeliest.
        logs = self.logs(lanes, which).masked_fill(~may, -np.inf)
        likely, calls = logs.topk(min(self.settings.calls, logs.shape[1]), dim=1)
        # Where fewer calls are allowed the rest of the row is minus infinity.
        place, rank = torch.nonzero(torch.isfinite(likely), as_tuple=True)
        return place.numpy(), calls[place, rank].numpy()

    def _answered(
        self,
        after: Lanes,
        first: Index,
        datum: NDArray[np.int64],
        side: int,
        rng: torch.Generator,
    ) -> tuple[NDArray[np.float64], Index]:
        """Return the values of lanes in IMPs with the partner's best call, and that call.

        The call is -1 where the auction is over.
        """
        # Points are the dealer's side's; the search wants its own.
        points = after.scores().astype(np.int64) * (1 - 2 * side)
        value = imps_of((points[first] - datum).astype(np.int32)).astype(np.float64)
        reply = np.full(len(first), -1, dtype=np.int64)
        going = np.flatnonzero(np.isin(first, after.running))
        if not len(going):
            return value, reply
        place, call = self._tried(after, first[going])
        ends = after.forked(np.repeat(first[going][place], self.settings.rollouts))
        ends.step(np.repeat(call, self.settings.rollouts))
        points_made = self._points(ends, side, rng).reshape(-1, self.settings.rollouts)
        means = imps_of((points_made - datum[going][place, None]).astype(np.int32)).mean(axis=1)
        for k in range(len(going)):
            of_lane = np.flatnonzero(place == k)
            best = of_lane[np.argmax(means[of_lane])]
            value[going[k]], reply[going[k]] = means[best], call[best]
        return value, reply

    def _datum(
        self, lanes: Lanes, which: Index, side: int, rng: torch.Generator
    ) -> NDArray[np.int64]:
        """Return the mean points of the policy `[N]`, rounded to the unit of scores."""
        count = self.settings.answers * self.settings.rollouts
        points = self._points(lanes.forked(np.repeat(which, count)), side, rng).reshape(-1, count)
        # The scale of IMPs is a table by tens of points.
        return np.asarray(np.rint(points.mean(axis=1) / UNIT) * UNIT).astype(np.int64)

    def _points(self, lanes: Lanes, side: int, rng: torch.Generator) -> NDArray[np.int64]:
        """Return the points of a side after auctions that the policy bids to the end."""
        while len(lanes.running):
            lanes.step(self._draw(lanes, rng))
        return lanes.scores().astype(np.int64) * (1 - 2 * side)

    def _draw(self, lanes: Lanes, rng: torch.Generator) -> Index:
        odds = self.logs(lanes, lanes.running).exp()
        return torch.multinomial(odds, 1, generator=rng)[:, 0].numpy()


class JointPlay:
    """A choice of tables to search at, which plays the changes that are found."""

    def __init__(self, search: JointSearch, tables: int, rng: torch.Generator) -> None:
        """Choose tables, and the number of calls before the search at each.

        Args:
            search: The search; its settings give the share of tables.
            tables: The number of tables.
            rng: Consumed by the choice and by all searches.
        """
        chosen = torch.rand(tables, generator=rng) < search.settings.share
        when = torch.randint(search.settings.latest, (tables,), generator=rng)
        # Minus one never comes: the lane has no search.
        self._when = torch.where(chosen, when, -1).numpy()
        self._search, self._rng = search, rng
        self._planned: dict[int, tuple[int, Mapping[int, int]]] = {}
        self.searched = 0
        self.gains: list[float] = []

    def override(
        self, lanes: Lanes, mine: NDArray[np.bool_], calls: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Replace calls `[N]` of the running lanes by those of the search, for the learner's side.

        Args:
            lanes: The auctions.
            mine: bool `[N]`: True where the player to call, and his partner, are the learner.
            calls: The calls that the policy drew; changed in place.

        Returns:
            bool `[N]`: True where the search chose the call, even if the policy drew the same.
        """
        chosen = np.zeros(len(calls), dtype=np.bool_)
        running = lanes.running
        length = int(lanes.lengths[running[0]])
        for row in np.flatnonzero(mine):
            planned = self._planned.get(int(running[row]))
            # A change covers two calls of the learner: this is the second one.
            if planned is not None and planned[0] == length:
                answer = int(lanes.calls[running[row], length - 1])
                # An answer that was not sampled has no reply: the drawn call stays.
                calls[row] = planned[1].get(answer, calls[row])
                chosen[row] = answer in planned[1]
        rows = np.flatnonzero(mine & (self._when[running] == length))
        if not len(rows):
            return chosen
        self.searched += len(rows)
        changes = self._search.changes(lanes, running[rows], self._rng)
        for row, change in zip(rows, changes, strict=True):
            if change is not None:
                calls[row] = change.call
                chosen[row] = True
                # Partner's turn comes after the opponent's.
                self._planned[int(running[row])] = (length + 2, change.replies)
                self.gains.append(change.gain)
        return chosen

    @property
    def numbers(self) -> dict[str, float]:
        """Numbers of the searches for the curve, by name."""
        count = len(self.gains)
        return {
            "searched": self.searched,
            "changed": count,
            "search_gain": sum(self.gains) / count if count else 0.0,
        }
