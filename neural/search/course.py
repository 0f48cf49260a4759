"""A search on its way: calls tried on deals, halved, compared, and close ones settled.

Letters in shapes: `D` deals, `A` candidates.
"""

from __future__ import annotations

from math import ceil, expm1, log1p, log2, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reading
from bidwright.neural.search.contract_values import foretold_tricks, gains, solved_tricks, to_solve
from bidwright.neural.search.parts import SearchParts
from bidwright.neural.search.proposals import Sample
from bidwright.neural.search.rollouts import Contracts, roll_out

_BATCH = 32
"""Deals that calls are tried on at a time, where tricks are foretold."""
_FEW = 2
"""The same where they are solved."""
_BIAS = 0.5
"""The standard deviation of the bias of foretold IMPs, before anything is solved."""
_CLOSE = 2.0
"""Standard errors within which the two best calls are close."""


class Course:
    """A search on its way; the policy's own call is at place 0."""

    def __init__(
        self, search: SearchParts, reading: Reading, tried: list[Call], start: float
    ) -> None:
        """Begin; nothing has been tried.

        Args:
            search: what it is made with.
            reading: the auction.
            tried: the calls to try, the policy's own first.
            start: when the decision began, by the search's clock.
        """
        self._search, self._reading, self._tried = search, reading, tried
        self._start = start
        self._gains: list[NDArray[np.float64]] = []
        self._contracts: list[Contracts] = []
        self.left = list(range(len(tried)))
        self.solved = 0
        self._reason = ""
        self._longest = 0.0
        self._drawn: Sample | None = None
        self._correction = np.zeros(len(tried))
        self._doubt = np.zeros(len(tried))

    # -------------------------------------------------------------------- time

    def spent(self, share: float = 1.0, more: float = 0.0) -> bool:
        """Tell whether a share of the time is over, or would be after so many more seconds."""
        limit = self._search.config.seconds
        return limit > 0 and self._search.clock() - self._start + more >= limit * share

    # --------------------------------------------------------------------- run

    def run(self, drawn: Sample) -> None:
        """Try the calls on deals until something is a reason to stop."""
        self._drawn = drawn
        foretold, race = self._search.tricks is not None, self._search.race
        rounds = max(1, ceil(log2(len(self._tried))))
        size, done = (_BATCH if foretold else _FEW), 0
        for number in range(rounds):
            end = len(drawn.owner) * (number + 1) // rounds
            while done < end:
                part = slice(done, min(done + size, end))
                self._reason = self._try(part)
                if self._reason:
                    break
                done = part.stop
                if done >= max(race.firm, self._search.config.r_min) and self._is_clear():
                    self._reason = f"the best call is clear after {done} deals"
                    break
            if self._reason:
                break
            if race.halving and number + 1 < rounds:
                self._halve()
        self._reason = self._reason or f"all {len(drawn.owner)} deals were used"
        if foretold and self._gains:
            self._settle()

    def _try(self, part: slice) -> str:
        """Try the calls that are left on some deals; return a reason to stop, if there is one."""
        if self.spent(more=self._longest):
            return "time was up"
        assert self._drawn is not None
        before = self._search.clock()
        search, auction, drawn = self._search, self._reading.auction, self._drawn
        calls = [self._tried[place] for place in self.left]
        owner, taken = drawn.owner[part], None if drawn.taken is None else drawn.taken[part]
        contracts = roll_out(owner, auction, calls, search.models, self.spent, taken)
        if contracts is None:
            return "time was up"
        if search.tricks is not None:
            tricks = foretold_tricks(search.tricks, owner, contracts)
        else:
            needed = to_solve(contracts, 0)
            cost = self._cost(contracts, needed)
            if self.solved + cost > search.config.solves:
                return f"all {self.solved} contracts that may be solved were"
            tricks = np.zeros((*contracts.bid.shape, 1), dtype=np.int64)
            for row in np.flatnonzero(needed):
                if self.spent():
                    return "time was up"
                one = _some(contracts, np.array([row]))
                tricks[row] = solved_tricks(search.solver, owner[[row]], one)[0]
            self.solved += cost
        found = gains(contracts, tricks, auction, self._reading.state.me.side, 0)
        full = np.full((len(owner), len(self._tried)), np.nan)
        full[:, self.left] = found
        self._gains.append(full)
        self._contracts.append(_spread(contracts, self.left, len(self._tried)))
        self._longest = max(self._longest, search.clock() - before)
        return ""

    @staticmethod
    def _cost(contracts: Contracts, needed: NDArray[np.bool_]) -> int:
        """Return how many different contracts there are to solve."""
        row = np.broadcast_to(np.arange(len(needed))[:, None], contracts.bid.shape)
        asked = needed[:, None] & (contracts.bid >= 0)
        keys = np.stack((row, contracts.denomination, contracts.declarer), axis=2)[asked]
        return len(np.unique(keys, axis=0))

    def _halve(self) -> None:
        """Drop the worse half of the calls; the policy's own stays, to compare with."""
        ranked = sorted(self.left, key=lambda place: -self.value(place)[0])
        kept = set(ranked[: ceil(len(ranked) / 2)]) | {0}
        self.left = [place for place in self.left if place in kept]

    # ------------------------------------------------------------------ values

    @property
    def _weights(self) -> NDArray[np.float64]:
        assert self._drawn is not None
        done = sum(len(each) for each in self._gains)
        return self._drawn.counts[:done].astype(np.float64)

    @property
    def effective(self) -> float:
        """What the deals that calls were tried on are worth, in deals of equal weight."""
        return self._size(self._weights / self._weights.sum()) if self._gains else 0.0

    def tried_on(self, place: int) -> int:
        """Return on how many deals a call was tried."""
        return sum(int(np.isfinite(each[:, place]).sum()) for each in self._gains)

    def value(self, place: int) -> tuple[float, float]:
        """Return what a call gains over the policy's own in IMPs, and the standard error."""
        return self._difference(place, 0)

    def _difference(self, one: int, other: int) -> tuple[float, float]:
        if not self._gains or one == other:
            return 0.0, 0.0
        gained = np.concatenate([each[:, one] - each[:, other] for each in self._gains])
        known = np.isfinite(gained)
        gained, weights = gained[known], self._weights[known]
        weights = weights / weights.sum()
        mean = float(weights @ gained)
        size = self._size(weights)
        spread = float(weights @ np.square(gained - mean)) / max(1.0, size - 1)
        mean += float(self._correction[one] - self._correction[other])
        return mean, sqrt(spread + float(self._doubt[one] + self._doubt[other]))

    def _size(self, weights: NDArray[np.float64]) -> float:
        """Return what deals with weights are worth, in deals of equal weight."""
        assert self._drawn is not None
        return min(float(1 / np.square(weights).sum()), self._drawn.effective)

    def _ranked(self) -> list[int]:
        return sorted(self.left, key=lambda place: (-self.value(place)[0], place))

    def _is_clear(self) -> bool:
        best, *others = self._ranked()
        clear = self._search.race.clear
        leads = [self._difference(best, other) for other in others]
        return all(lead > max(0.0, clear * error) for lead, error in leads)

    # ---------------------------------------------------------------- settling

    def _settle(self) -> None:
        """Solve deals on which the two best calls, if they are close, end differently."""
        best, *others = self._ranked()
        if not others:
            return
        rival = others[0]
        lead, error = self._difference(best, rival)
        if lead > _CLOSE * error:
            return
        places = sorted({0, best, rival})
        contracts = _joined(self._contracts, places)
        differs = np.flatnonzero(to_solve(contracts, 0) & (contracts.bid > -2).all(axis=1))
        assert self._drawn is not None
        weights = self._weights / self._weights.sum()
        tried = np.concatenate(self._gains)
        off: list[NDArray[np.float64]] = []
        rows: list[int] = []
        took = 0.0
        for row in differs.tolist():
            part = _some(contracts, np.array([row]))
            cost = self._cost(part, np.array([True]))
            if self.solved + cost > self._search.config.settle or self.spent(more=took):
                break
            before = self._search.clock()
            tricks = solved_tricks(self._search.solver, self._drawn.owner[[row]], part)
            took = max(took, self._search.clock() - before)
            self.solved += cost
            side = self._reading.state.me.side
            true = gains(part, tricks, self._reading.auction, side, 0)[0]
            off.append(true - tried[row, places])
            tried[row, places] = true
            rows.append(row)
        self._gains = [tried]
        if not rows:
            return
        unsolved = float(weights[differs].sum() - weights[rows].sum())
        self._correct(np.stack(off), weights[rows], unsolved, places)
        if len(rows) == len(differs):
            self._reason += f"; a close call was settled by solving {len(rows)} deals"
        else:
            self._reason += f"; a close call was looked at on {len(rows)} deals solved"

    def _correct(
        self,
        off: NDArray[np.float64],
        weights: NDArray[np.float64],
        unsolved: float,
        places: list[int],
    ) -> None:
        """Add what foretold IMPs are likely off on average, for the deals that were not solved.

        Args:
            off: `[R, P]`: solved minus foretold IMPs, on the deals solved.
            weights: `[R]`: their weights.
            unsolved: the weight of the deals on which calls differ and that were not solved.
            places: `[P]`: of which calls.
        """
        own = weights / weights.sum()
        mean = own @ off
        size = max(1.0, float(1 / np.square(own).sum()) - 1)
        chance = own @ np.square(off - mean) / size
        trust = _BIAS**2 / (_BIAS**2 + chance)
        self._correction[places] = unsolved * trust * mean
        self._doubt[places] = unsolved**2 * trust * chance

    # ----------------------------------------------------------------- verdict

    def verdict(self) -> tuple[Call, str]:
        """Return the call to make, and why the search stopped and chose it."""
        own = self._tried[0]
        config = self._search.config
        size = self.effective
        if round(size, 6) < config.r_min:
            few = f"; {size:.1f} effective deals are fewer than {config.r_min}, {own} stands"
            return own, self._reason + few
        best = self._ranked()[0]
        gain, error = self.value(best)
        if best == 0:
            return own, self._reason
        if gain <= needed_lead(config.caution, len(self._tried) - 1) * error:
            return own, f"{self._reason}; {self._tried[best]} is not better by enough, {own} stands"
        return self._tried[best], self._reason


def needed_lead(caution: float, rivals: int) -> float:
    """Return by how many standard errors the best of several calls must lead to be believed.

    The best of several gains that are nothing but chance exceeds it as rarely as a single one
    exceeds `caution` (Šidák's correction).

    Args:
        caution: what one call would need.
        rivals: how many calls were compared with the policy's own.
    """
    chance = NormalDist().cdf(-caution)
    each = -expm1(log1p(-chance) / max(1, rivals))
    return -NormalDist().inv_cdf(each) if 0 < each < 1 else caution


def _some(contracts: Contracts, which: NDArray[np.bool_] | NDArray[np.int64]) -> Contracts:
    return Contracts(contracts.bid[which], contracts.doubled[which], contracts.declarer[which])


UNTRIED = -2
"""The bid of a call that was no longer tried on a deal."""


def _spread(contracts: Contracts, places: list[int], width: int) -> Contracts:
    """Return contracts of some calls at their places among all."""

    def wide(values: NDArray[np.int64]) -> NDArray[np.int64]:
        full = np.full((len(values), width), UNTRIED)
        full[:, places] = values
        return full

    return Contracts(wide(contracts.bid), wide(contracts.doubled), wide(contracts.declarer))


def _joined(parts: list[Contracts], places: list[int]) -> Contracts:
    """Return the contracts of some calls on all deals."""
    return Contracts(
        *(
            np.concatenate([getattr(each, name)[:, places] for each in parts])
            for name in ("bid", "doubled", "declarer")
        )
    )
