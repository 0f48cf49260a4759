"""Online joint policy search: better calls of two partners who may change together.

Source: Tian, Gong and Jiang, "Joint Policy Search for Multi-agent Collaboration with Imperfect
Information" (2020), sections 5.2 and 7.3, read as in their published program. At a position of a
game each call that the player's policy is likely enough to make is tried; the opponent answers as
the policy does, a few times; to each answer each call that the partner is likely enough to make is
tried, and the auction is bid to the end as the policy does, a few times. So depth is three: player,
opponent, partner. The value of the player's call is the mean over the answers and over the
partner's calls, all as likely. A call that gains over the policy is played; the partner then calls
as the policy does. With a depth of one, only the player changes.

The search knows the cards of all players, and its gain is that of one deal: J1 of the paper. What
it favours by that is held in check in three ways. Rare calls are not tried, however well they work
with the cards open. J2, the gain over all deals that look alike to the player as a network predicts
it, counts by `weight` (lambda of the paper). Or `deals` draws deals of the player's information
set, and the gain is the mean over them.

Letters in shapes: `N` positions, `C` = 38 calls, `K` deals of a position, `T` calls that are tried.
"""

from __future__ import annotations

from collections.abc import Callable
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
Advantages = Callable[[Lanes, Index], Tensor]
"""A function that returns the predicted gain in IMPs, over all deals that look alike to the player
to call, of each of his calls over the policy, `[N, C]`."""
Drawn = Callable[[Lanes, Index, int, torch.Generator], Lanes]
"""A function that returns deals of the information sets of the players to call at lanes, as new
lanes that stand where those do, the same number for each, side by side."""

DEPTHS = (1, 3)
"""Depths of a search: the player alone, or with his partner."""


@dataclass(frozen=True)
class CallChange:
    """The best of several calls that were tried at a position.

    Attributes:
        call: The player's call.
        gain: The gain over the policy in IMPs, estimated from the samples; it may be a loss.
    """

    call: int
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
        least: Calls that the policy makes with more than this probability are tried.
        depth: One of `DEPTHS`.
        answers: Samples of the opponent's answer to a call.
        rollouts: Samples of the rest of an auction.
        latest: Searches come after fewer calls than this.
        weight: The weight of J2, 0 to 1: lambda of the paper.
        deals: Deals of the information set that a gain is the mean over; 0 for the deal on the
            table.
        drawn: The source of those deals.
    """

    share: float
    allowed: Allowed
    least: float = 0.05
    depth: int = 3
    answers: int = 5
    rollouts: int = 5
    latest: int = 8
    weight: float = 0.0
    deals: int = 0
    drawn: Drawn | None = None


@dataclass(frozen=True, eq=False)
class JointSearch:
    """A search for joint changes at positions of auctions.

    Attributes:
        logs: The policy of all players.
        settings: The settings.
        advantages: Predictions for J2; needed where it has a weight.
    """

    logs: Logs
    settings: JointSettings
    advantages: Advantages | None = None

    def changes(self, lanes: Lanes, which: Index, rng: torch.Generator) -> list[CallChange | None]:
        """Return the best change at each of some running lanes; None with a single call to try.

        Args:
            lanes: The auctions; they are not changed.
            which: Lanes whose auctions are equally long.
            rng: Draws deals, answers and calls; consumed.
        """
        place, call, odds = self._tried(lanes, which)
        # With one call to try there is nothing to choose: no roll-out is spent on it.
        several = np.bincount(place, minlength=len(which))[place] > 1
        place, call, odds = place[several], call[several], odds[several]
        out: list[CallChange | None] = [None] * len(which)
        if not len(place):
            return out
        gains = self.gains(lanes, which, place, call, odds, rng)
        for position in np.unique(place):
            pairs = np.flatnonzero(place == position)
            best = pairs[np.argmax(gains[pairs])]
            out[position] = CallChange(int(call[best]), float(gains[best]))
        return out

    def gains(
        self,
        lanes: Lanes,
        which: Index,
        place: Index,
        call: Index,
        odds: NDArray[np.float64],
        rng: torch.Generator,
    ) -> NDArray[np.float64]:
        """Return the gains of calls over the policy in IMPs, `[T]`.

        Args:
            lanes: The auctions; they are not changed.
            which: Lanes whose auctions are equally long.
            place: `[T]` the place in `which` of each call.
            call: `[T]` the calls.
            odds: `[T]` their probabilities by the policy.
            rng: Draws deals, answers and calls; consumed.
        """
        settings = self.settings
        searched, row = np.unique(place, return_inverse=True)
        alike = max(1, settings.deals)
        if settings.deals:
            assert settings.drawn is not None, "a search over deals is given a source of them"
            roots = settings.drawn(lanes, which[searched], settings.deals, rng)
        else:
            roots = lanes.forked(which[searched])
        # The side is fixed for the whole search; seats alternate below.
        side = int(lanes.lengths[which[0]]) % 2
        # All calls are tried on the same deals.
        at = (row[:, None] * alike + np.arange(alike)).reshape(-1)
        datum, before = self._before(roots, side, rng)
        calls, chances = np.repeat(call, alike), np.repeat(odds, alike)
        gains = self._on_deals(roots, at, calls, chances, side, datum, before, rng)
        gains = gains.reshape(-1, alike).mean(axis=1)
        if settings.weight:
            # J2 at the player's own information set, which all its deals share.
            ahead = self._ahead(lanes, which[searched])
            gains += settings.weight * ahead[row, call]
        return np.asarray(gains)

    def _on_deals(
        self,
        roots: Lanes,
        at: Index,
        call: Index,
        odds: NDArray[np.float64],
        side: int,
        datum: NDArray[np.int64],
        before: NDArray[np.float64],
        rng: torch.Generator,
    ) -> NDArray[np.float64]:
        """Return the gains `[T]` of calls at deals `at`, without J2 of the player's own call.

        At the player's information set a change counts in full but for the weight of J2. At the
        partner's it counts by the chance of getting there: with the change for certain, less the
        weight of J2 times that by the policy, which makes the player's call with `odds`.
        """
        settings = self.settings
        after = roots.forked(np.repeat(at, settings.answers))
        after.step(np.repeat(call, settings.answers))
        if len(after.running):
            after.step(self._draw(after, rng))
        base = np.repeat(at, settings.answers)
        by_policy, by_partner, ahead = self._replies(after, datum[base], side, rng)
        shape = (-1, settings.answers)
        alone = by_policy.reshape(shape).mean(axis=1) - before[at]
        if settings.depth == 1:
            return np.asarray((1 - settings.weight) * alone)
        joint = (by_partner - by_policy).reshape(shape).mean(axis=1)
        share = settings.weight * odds
        partners = (1 - share) * joint + share * ahead.reshape(shape).mean(axis=1)
        return np.asarray((1 - settings.weight) * alone + partners)

    def _replies(
        self, after: Lanes, datum: NDArray[np.int64], side: int, rng: torch.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the IMPs of lanes by the policy, those with the partner's calls, and J2.

        All are `[N]`; both are the same where a lane is over.
        """
        settings = self.settings
        # Points are the dealer's side's; the search wants its own.
        points = after.scores().astype(np.int64) * (1 - 2 * side)
        value = imps_of((points - datum).astype(np.int32)).astype(np.float64)
        by_policy, by_partner, ahead = value, value.copy(), np.zeros(len(value))
        going = after.running
        if not len(going):
            return by_policy, by_partner, ahead
        # Without J2 the policy's own value after the answer cancels where the partner changes.
        if settings.depth == 1 or settings.weight:
            by_policy[going] = self._mean_imps(after, going, None, datum[going], side, rng)
        if settings.depth == 1:
            return by_policy, by_partner, ahead
        place, call, _ = self._tried(after, going)
        count = np.bincount(place, minlength=len(going))
        reached = self._mean_imps(after, going[place], call, datum[going[place]], side, rng)
        by_partner[going] = np.bincount(place, reached, len(going)) / count
        if settings.weight:
            predicted = self._ahead(after, going)[place, call]
            ahead[going] = np.bincount(place, predicted, len(going)) / count
        else:
            by_policy[going] = by_partner[going]
        return by_policy, by_partner, ahead

    def _tried(self, lanes: Lanes, which: Index) -> tuple[Index, Index, NDArray[np.float64]]:
        """Return the calls to try as places in the array of lanes, calls and their odds.

        The likeliest of the allowed calls is among them, however unlikely it is.
        """
        may = torch.from_numpy(self.settings.allowed(lanes, which))
        odds = self.logs(lanes, which).exp().masked_fill(~may, -1.0)
        tried = odds > self.settings.least
        tried[torch.arange(len(which)), odds.argmax(dim=1)] = True
        place, call = torch.nonzero(tried, as_tuple=True)
        chances = odds[place, call].double().clamp(min=0.0)
        return place.numpy(), call.numpy(), chances.numpy()

    def _before(
        self, roots: Lanes, side: int, rng: torch.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the mean points of the policy, which IMPs are against, and its mean IMPs, `[N]`.

        The mean of IMPs is not nought: they grow less than points do.
        """
        count = self.settings.answers * self.settings.rollouts
        every = np.repeat(np.arange(len(roots)), count)
        points = self._points(roots.forked(every), side, rng).reshape(-1, count)
        # The scale of IMPs is a table by tens of points.
        datum = np.asarray(np.rint(points.mean(axis=1) / UNIT) * UNIT).astype(np.int64)
        return datum, imps_of((points - datum[:, None]).astype(np.int32)).mean(axis=1)

    def _mean_imps(
        self,
        lanes: Lanes,
        which: Index,
        call: Index | None,
        datum: NDArray[np.int64],
        side: int,
        rng: torch.Generator,
    ) -> NDArray[np.float64]:
        """Return the mean IMPs of lanes bid to the end by the policy, after a call if given."""
        count = self.settings.rollouts
        ends = lanes.forked(np.repeat(which, count))
        if call is not None:
            ends.step(np.repeat(call, count))
        points = self._points(ends, side, rng).reshape(-1, count)
        return np.asarray(imps_of((points - datum[:, None]).astype(np.int32)).mean(axis=1))

    def _points(self, lanes: Lanes, side: int, rng: torch.Generator) -> NDArray[np.int64]:
        """Return the points of a side after auctions that the policy bids to the end."""
        while len(lanes.running):
            lanes.step(self._draw(lanes, rng))
        return lanes.scores().astype(np.int64) * (1 - 2 * side)

    def _draw(self, lanes: Lanes, rng: torch.Generator) -> Index:
        odds = self.logs(lanes, lanes.running).exp()
        return torch.multinomial(odds, 1, generator=rng)[:, 0].numpy()

    def _ahead(self, lanes: Lanes, which: Index) -> NDArray[np.float64]:
        assert self.advantages is not None, "a search with J2 is given predictions"
        return self.advantages(lanes, which).double().numpy()


class JointPlay:
    """A choice of tables to search at, which plays the changes that gain."""

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
        self.searched = self.compared = 0
        self.gains: list[float] = []

    def override(self, lanes: Lanes, mine: NDArray[np.bool_], calls: NDArray[np.int64]) -> None:
        """Replace calls `[N]` of the running lanes by those that gain, for the learner's side.

        Args:
            lanes: The auctions.
            mine: bool `[N]`: True where the player to call, and his partner, are the learner.
            calls: The calls that the policy drew; changed in place.
        """
        running = lanes.running
        length = int(lanes.lengths[running[0]])
        rows = np.flatnonzero(mine & (self._when[running] == length))
        if not len(rows):
            return
        self.searched += len(rows)
        changes = self._search.changes(lanes, running[rows], self._rng)
        for row, change in zip(rows, changes, strict=True):
            self.compared += change is not None
            if change is not None and change.gain > 0:
                calls[row] = change.call
                self.gains.append(change.gain)

    @property
    def numbers(self) -> dict[str, float]:
        """Numbers of the searches for the curve, by name.

        They are searches, those with several calls to try, those that changed the call, and the
        mean gain of the latter.
        """
        count = len(self.gains)
        return {
            "searched": self.searched,
            "compared": self.compared,
            "changed": count,
            "search_gain": sum(self.gains) / count if count else 0.0,
        }
