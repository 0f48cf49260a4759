"""Online joint policy search: what two partners would call if they changed together.

Source: Tian, Gong and Jiang, "Joint Policy Search for Multi-agent Collaboration with Imperfect
Information" (2020), sections 5.2 and 7.3. At a position of a game the cards of all players are
known to the search. Each call of the player is tried; the opponent answers as the policy does, a
few times; to each answer each call of the partner is tried, and the auction is bid to the end as
the policy does, a few times. So depth is three: player, opponent, partner. A change counts for as
much as this one deal says: lambda of the paper is 0, as there is no network for the worth of a
call over all deals that look alike. What the search finds is played and learnt from, nothing else:
the policy sees its own cards only.

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
"""Log policy `[N, C]` of the players to call at lanes."""
Allowed = Callable[[Lanes, Index], NDArray[np.bool_]]
"""Which calls may be tried at lanes, bool `[N, C]`."""


@dataclass(frozen=True)
class JointChange:
    """What two partners should call at a position, if that is better than the policy.

    Attributes:
        call: The player's call.
        replies: The partner's call after each answer of the opponent that was seen.
        gain: IMPs over what the policy makes of the position, as far as the samples tell.
    """

    call: int
    replies: Mapping[int, int]
    gain: float


def legal_calls(lanes: Lanes, which: Index) -> NDArray[np.bool_]:
    """Allow all that the Laws do, as the paper does."""
    return lanes.legal(which)


@dataclass(frozen=True, eq=False)
class JointSettings:
    """How much to search.

    Attributes:
        share: At which share of the tables, each once.
        allowed: What partners may change to.
        calls: How many calls of each partner are tried.
        answers: How often the opponent's answer is drawn.
        rollouts: How often an auction is bid to the end.
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
    """Searches positions of auctions for joint changes.

    Attributes:
        logs: The policy, of everybody.
        settings: How much to search. The calls that are tried are the likeliest of those that a
            player may make.
    """

    logs: Logs
    settings: JointSettings

    def changes(self, lanes: Lanes, which: Index, rng: torch.Generator) -> list[JointChange | None]:
        """Return the best joint change at each of some running lanes; None if none gains.

        Args:
            lanes: Where the auctions stand; they are not changed.
            which: Lanes whose auctions are equally long.
            rng: Draws answers and calls; consumed.
        """
        side = int(lanes.lengths[which[0]]) % 2
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
        same, group, weight = np.unique(
            pair * 64 + answer + 1, return_inverse=True, return_counts=True
        )
        first = np.zeros(len(same), dtype=np.int64)
        first[group[::-1]] = np.arange(len(after))[::-1]
        worth, reply = self._answered(after, first, datum[position[pair[first]]], side, rng)
        # What a call is worth: the mean over the answers to it.
        total = np.zeros(len(call))
        np.add.at(total, pair[first], worth * weight / self.settings.answers)
        out: list[JointChange | None] = []
        for place in range(len(which)):
            own = np.flatnonzero(position == place)
            best = own[np.argmax(total[own])]
            mine = (pair[first] == best) & (reply >= 0)
            replies = dict(zip(answer[first[mine]].tolist(), reply[mine].tolist(), strict=True))
            gain = float(total[best])
            out.append(JointChange(int(call[best]), replies, gain) if gain > 0 else None)
        return out

    def _tried(self, lanes: Lanes, which: Index) -> tuple[Index, Index]:
        """Return places in `which`, and the calls to try there, as pairs."""
        may = torch.from_numpy(self.settings.allowed(lanes, which))
        logs = self.logs(lanes, which).masked_fill(~may, -np.inf)
        likely, calls = logs.topk(min(self.settings.calls, logs.shape[1]), dim=1)
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
        """Return what some lanes are worth with the partner's best call, and that call.

        The call is -1 where the auction is over.
        """
        points = after.scores().astype(np.int64) * (1 - 2 * side)
        worth = imps_of((points[first] - datum).astype(np.int32)).astype(np.float64)
        reply = np.full(len(first), -1, dtype=np.int64)
        going = np.flatnonzero(np.isin(first, after.running))
        if not len(going):
            return worth, reply
        place, call = self._tried(after, first[going])
        ends = after.forked(np.repeat(first[going][place], self.settings.rollouts))
        ends.step(np.repeat(call, self.settings.rollouts))
        made = self._points(ends, side, rng).reshape(-1, self.settings.rollouts)
        means = imps_of((made - datum[going][place, None]).astype(np.int32)).mean(axis=1)
        for k in range(len(going)):
            own = np.flatnonzero(place == k)
            best = own[np.argmax(means[own])]
            worth[going[k]], reply[going[k]] = means[best], call[best]
        return worth, reply

    def _datum(
        self, lanes: Lanes, which: Index, side: int, rng: torch.Generator
    ) -> NDArray[np.int64]:
        """Return `[N]` the mean points that the policy makes, to the nearest score there can be."""
        count = self.settings.answers * self.settings.rollouts
        made = self._points(lanes.forked(np.repeat(which, count)), side, rng).reshape(-1, count)
        return np.asarray(np.rint(made.mean(axis=1) / UNIT) * UNIT).astype(np.int64)

    def _points(self, lanes: Lanes, side: int, rng: torch.Generator) -> NDArray[np.int64]:
        """Return the points of a side after auctions that the policy bids to the end."""
        while len(lanes.running):
            lanes.step(self._draw(lanes, rng))
        return lanes.scores().astype(np.int64) * (1 - 2 * side)

    def _draw(self, lanes: Lanes, rng: torch.Generator) -> Index:
        odds = self.logs(lanes, lanes.running).exp()
        return torch.multinomial(odds, 1, generator=rng)[:, 0].numpy()


class JointPlay:
    """Decides at which tables to search, and plays what was found there."""

    def __init__(self, search: JointSearch, tables: int, rng: torch.Generator) -> None:
        """Choose tables, and when to search there.

        Args:
            search: How to search, and at which share of the tables.
            tables: How many there are.
            rng: Chooses; consumed by this and by all searches.
        """
        chosen = torch.rand(tables, generator=rng) < search.settings.share
        when = torch.randint(search.settings.latest, (tables,), generator=rng)
        self._when = torch.where(chosen, when, -1).numpy()
        self._search, self._rng = search, rng
        self._planned: dict[int, tuple[int, Mapping[int, int]]] = {}
        self.searched = 0
        self.gains: list[float] = []

    def override(
        self, lanes: Lanes, mine: NDArray[np.bool_], calls: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Write what was found over calls `[N]` of the running lanes, where they are the learner's.

        Args:
            lanes: Where the auctions stand.
            mine: bool `[N]`: where the player to call, and his partner, are the learner.
            calls: What the policy drew; changed.

        Returns:
            bool `[N]`: where the search chose the call, whatever the policy drew.
        """
        chosen = np.zeros(len(calls), dtype=np.bool_)
        running = lanes.running
        length = int(lanes.lengths[running[0]])
        for row in np.flatnonzero(mine):
            planned = self._planned.get(int(running[row]))
            if planned is not None and planned[0] == length:
                answer = int(lanes.calls[running[row], length - 1])
                calls[row] = planned[1].get(answer, calls[row])
                chosen[row] = answer in planned[1]
        rows = np.flatnonzero(mine & (self._when[running] == length))
        if not len(rows):
            return chosen
        self.searched += len(rows)
        found = self._search.changes(lanes, running[rows], self._rng)
        for row, change in zip(rows, found, strict=True):
            if change is not None:
                calls[row] = change.call
                chosen[row] = True
                self._planned[int(running[row])] = (length + 2, change.replies)
                self.gains.append(change.gain)
        return chosen

    @property
    def numbers(self) -> dict[str, float]:
        """What there is to say of the searches."""
        count = len(self.gains)
        return {
            "searched": self.searched,
            "changed": count,
            "search_gain": sum(self.gains) / count if count else 0.0,
        }
