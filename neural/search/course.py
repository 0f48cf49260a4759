"""The course of a search: calls tried on deals, halved, compared, and close ones settled.

Letters in shapes: `D` deals, `A` candidates.
"""

from __future__ import annotations

from math import ceil, expm1, log1p, log2, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reading
from bidwright.neural.search.contract_values import gains, predicted_tricks, solved_tricks, to_solve
from bidwright.neural.search.parts import SearchParts
from bidwright.neural.search.proposals import Sample
from bidwright.neural.search.rollouts import Contracts, roll_out

_BATCH = 32
"""Deals that calls are tried on at a time, where a network predicts tricks."""
_FEW = 2
"""Deals that calls are tried on at a time, where contracts are solved."""
_BIAS = 0.5
"""The standard deviation of the prior of the bias of predicted IMPs."""
_CLOSE = 2.0
"""The lead of the best call, in standard errors, below which the two best are close."""


class Course:
    """A search in progress; the policy's own call is at place 0."""

    def __init__(self, search: SearchParts, reading: Reading, tried: list[Call]) -> None:
        """Begin a search.

        Args:
            search: the parts of the search.
            reading: the auction.
            tried: the calls to try, the policy's own first.
        """
        self._search, self._reading, self._tried = search, reading, tried
        self._gains: list[NDArray[np.float64]] = []
        self._contracts: list[Contracts] = []
        self.left = list(range(len(tried)))
        self.solved = 0
        self._reason = ""
        self._longest = 0.0
        self._drawn: Sample | None = None
        self._correction = np.zeros(len(tried))
        self._doubt = np.zeros(len(tried))

    # -------------------------------------------------------------------- work

    def spent(self, share: float = 1.0, more: float = 0.0) -> bool:
        """Return True if a share of the work is done, or would be after `more` seconds of it."""
        limit = self._search.config.seconds
        return limit > 0 and self._search.work.seconds + more >= limit * share

    # --------------------------------------------------------------------- run

    def run(self, drawn: Sample) -> None:
        """Try the calls on deals until there is a reason to stop."""
        self._drawn = drawn
        by_network, race = self._search.tricks is not None, self._search.race
        rounds = max(1, ceil(log2(len(self._tried))))
        # Solving is costly, so the deadline is looked at more often.
        size, done = (_BATCH if by_network else _FEW), 0
        for number in range(rounds):
            # The deals of a round are a prefix: the first rounds never see later ones.
            end = len(drawn.owner) * (number + 1) // rounds
            while done < end:
                part = slice(done, min(done + size, end))
                self._reason = self._try(part)
                if self._reason:
                    break
                done = part.stop
                # Not before enough deals: chance makes a lead clear now and then.
                if done >= max(race.firm, self._search.config.r_min) and self._is_clear():
                    self._reason = f"the best call is clear after {done} deals"
                    break
            if self._reason:
                break
            if race.halving and number + 1 < rounds:
                self._halve()
        self._reason = self._reason or f"all {len(drawn.owner)} deals were used"
        if by_network and self._gains:
            self._settle()

    def _try(self, part: slice) -> str:
        """Try the remaining calls on some deals; return a reason to stop, or an empty text."""
        # The longest step so far says whether another one fits before the deadline.
        if self.spent(more=self._longest):
            return "time was up"
        assert self._drawn is not None
        before = self._search.work.seconds
        search, auction, drawn = self._search, self._reading.auction, self._drawn
        calls = [self._tried[place] for place in self.left]
        owner, taken = drawn.owner[part], None if drawn.taken is None else drawn.taken[part]
        contracts = roll_out(owner, auction, calls, search.models, self.spent, taken)
        if contracts is None:
            return "time was up"
        if search.tricks is not None:
            tricks = predicted_tricks(search.tricks, owner, contracts)
            search.work.predict(contracts.bid.size)
        else:
            # Deals on which all calls end alike gain nothing, so they are not solved.
            needed = to_solve(contracts, 0)
            cost = self._cost(contracts, needed)
            if self.solved + cost > search.config.solves:
                return f"all {self.solved} contracts that may be solved were"
            tricks = np.zeros((*contracts.bid.shape, 1), dtype=np.int64)
            for row in np.flatnonzero(needed):
                if self.spent():
                    return "time was up"
                contracts_of_deal = _some(contracts, np.array([row]))
                search.work.solve(self._cost(contracts_of_deal, np.array([True])))
                tricks[row] = solved_tricks(search.solver, owner[[row]], contracts_of_deal)[0]
            self.solved += cost
        imps = gains(contracts, tricks, auction, self._reading.state.me.side, 0)
        full = np.full((len(owner), len(self._tried)), np.nan)
        full[:, self.left] = imps
        self._gains.append(full)
        self._contracts.append(_spread(contracts, self.left, len(self._tried)))
        self._longest = max(self._longest, search.work.seconds - before)
        return ""

    @staticmethod
    def _cost(contracts: Contracts, needed: NDArray[np.bool_]) -> int:
        """Return the number of different contracts to solve."""
        row = np.broadcast_to(np.arange(len(needed))[:, None], contracts.bid.shape)
        asked = needed[:, None] & (contracts.bid >= 0)
        keys = np.stack((row, contracts.denomination, contracts.declarer), axis=2)[asked]
        return len(np.unique(keys, axis=0))

    def _halve(self) -> None:
        """Drop the worse half of the calls; the policy's own stays, as the baseline."""
        ranked = sorted(self.left, key=lambda place: -self.value(place)[0])
        # The policy's own call is what gains are measured from.
        staying = set(ranked[: ceil(len(ranked) / 2)]) | {0}
        self.left = [place for place in self.left if place in staying]

    # ------------------------------------------------------------------ values

    @property
    def _weights(self) -> NDArray[np.float64]:
        assert self._drawn is not None
        done = sum(len(each) for each in self._gains)
        return self._drawn.counts[:done].astype(np.float64)

    @property
    def effective(self) -> float:
        """The effective number of the deals that calls were tried on."""
        return self._size(self._weights / self._weights.sum()) if self._gains else 0.0

    def tried_on(self, place: int) -> int:
        """Return the number of deals that a call was tried on."""
        return sum(int(np.isfinite(each[:, place]).sum()) for each in self._gains)

    def value(self, place: int) -> tuple[float, float]:
        """Return the gain of a call over the policy's own in IMPs, and the standard error."""
        return self._difference(place, 0)

    def _difference(self, first: int, second: int) -> tuple[float, float]:
        if not self._gains or first == second:
            return 0.0, 0.0
        gained = np.concatenate([each[:, first] - each[:, second] for each in self._gains])
        tried = np.isfinite(gained)
        gained, weights = gained[tried], self._weights[tried]
        weights = weights / weights.sum()
        mean = float(weights @ gained)
        # Weights are counts of draws, so their effective number bounds what can be known.
        size = self._size(weights)
        spread = float(weights @ np.square(gained - mean)) / max(1.0, size - 1)
        mean += float(self._correction[first] - self._correction[second])
        return mean, sqrt(spread + float(self._doubt[first] + self._doubt[second]))

    def _size(self, weights: NDArray[np.float64]) -> float:
        """Return the effective number of deals with weights, that is of deals of equal weight."""
        assert self._drawn is not None
        return min(float(1 / np.square(weights).sum()), self._drawn.effective)

    def _ranked(self) -> list[int]:
        return sorted(self.left, key=lambda place: (-self.value(place)[0], place))

    def _is_clear(self) -> bool:
        best, *others = self._ranked()
        clear = self._search.race.clear
        leads = [self._difference(best, other) for other in others]
        # A lead has to be positive: with no spread at all any would be clear.
        return all(lead > max(0.0, clear * error) for lead, error in leads)

    # ---------------------------------------------------------------- settling

    def _settle(self) -> None:
        """Solve the deals that tell the two best calls apart, if these are close."""
        best, *others = self._ranked()
        if not others:
            return
        rival = others[0]
        lead, error = self._difference(best, rival)
        # Not close: solving would not change the choice.
        if lead > _CLOSE * error:
            return
        places = sorted({0, best, rival})
        contracts = _joined(self._contracts, places)
        # Only deals on which the three contracts differ, and on which all three were tried.
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
            # The work of the longest solution so far: the next may take as much.
            if self.solved + cost > self._search.config.settle or self.spent(more=took):
                break
            before = self._search.work.seconds
            self._search.work.solve(cost)
            tricks = solved_tricks(self._search.solver, self._drawn.owner[[row]], part)
            took = max(took, self._search.work.seconds - before)
            self.solved += cost
            side = self._reading.state.me.side
            true = gains(part, tricks, self._reading.auction, side, 0)[0]
            off.append(true - tried[row, places])
            tried[row, places] = true
            rows.append(row)
        # Solved deals replace predictions, so nothing is counted twice.
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
        """Add the estimated bias of predicted IMPs, for the deals that were not solved.

        Args:
            off: `[R, P]`: solved minus predicted IMPs, on the deals solved.
            weights: `[R]`: their weights.
            unsolved: the weight of the deals with different contracts that were not solved.
            places: `[P]`: the places of the calls.
        """
        shares = weights / weights.sum()
        mean = shares @ off
        size = max(1.0, float(1 / np.square(shares).sum()) - 1)
        chance = shares @ np.square(off - mean) / size
        # The bias is believed as far as it is larger than chance makes it.
        trust = _BIAS**2 / (_BIAS**2 + chance)
        self._correction[places] = unsolved * trust * mean
        self._doubt[places] = unsolved**2 * trust * chance

    # ----------------------------------------------------------------- verdict

    def verdict(self) -> tuple[Call, str]:
        """Return the call to make, and the reason for it and for the end of the search."""
        baseline = self._tried[0]
        config = self._search.config
        size = self.effective
        # Rounded: sums of equal weights miss the limit by a hair.
        if round(size, 6) < config.r_min:
            few = f"; {size:.1f} effective deals are fewer than {config.r_min}, {baseline} stands"
            return baseline, self._reason + few
        best = self._ranked()[0]
        gain, error = self.value(best)
        if best == 0:
            return baseline, self._reason
        # The best of several is often best by chance: it needs a larger lead.
        if gain <= needed_lead(config.caution, len(self._tried) - 1) * error:
            return (
                baseline,
                f"{self._reason}; {self._tried[best]} is not better by enough, {baseline} stands",
            )
        return self._tried[best], self._reason


def needed_lead(caution: float, rivals: int) -> float:
    """Return the lead that the best of several calls needs, in standard errors.

    The best of several gains that are nothing but chance exceeds it as rarely as a single one
    exceeds `caution` (Šidák's correction).

    Args:
        caution: the lead that a single call needs, in standard errors.
        rivals: the number of calls that were compared with the policy's own.
    """
    chance = NormalDist().cdf(-caution)
    chance_of_one = -expm1(log1p(-chance) / max(1, rivals))
    return -NormalDist().inv_cdf(chance_of_one) if 0 < chance_of_one < 1 else caution


def _some(contracts: Contracts, which: NDArray[np.bool_] | NDArray[np.int64]) -> Contracts:
    return Contracts(contracts.bid[which], contracts.doubled[which], contracts.declarer[which])


UNTRIED = -2
"""The bid of a call that was no longer tried on a deal."""


def _spread(contracts: Contracts, places: list[int], width: int) -> Contracts:
    """Return contracts of some calls at their places among all, `UNTRIED` elsewhere."""

    def filled(values: NDArray[np.int64]) -> NDArray[np.int64]:
        full = np.full((len(values), width), UNTRIED)
        full[:, places] = values
        return full

    return Contracts(*map(filled, (contracts.bid, contracts.doubled, contracts.declarer)))


def _joined(parts: list[Contracts], places: list[int]) -> Contracts:
    """Return the contracts of some calls on all deals."""
    return Contracts(
        *(
            np.concatenate([getattr(each, name)[:, places] for each in parts])
            for name in ("bid", "doubled", "declarer")
        )
    )
