"""The difference of two sides estimated from a match: means, intervals, and a stopping rule.

The unit is a board, bid at both tables; its IMPs are one observation, so the pairing is in the
numbers themselves.

- `interval`: the usual t interval, for a number of boards settled beforehand.
- `confidence_sequence`: an interval that may be computed after every board. Its level holds for
  all boards together, so a match may be stopped because of it. It is the asymptotic confidence
  sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
  and asymptotic confidence sequences", Annals of Statistics 52 (2024), theorem 2.2, which
  rests on Robbins' normal mixture (Annals of Mathematical Statistics 41, 1970).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, sqrt
from statistics import NormalDist

from bidwright.match.record.match_lines import StopValues

LEVEL = 0.95
"""The default confidence level of an interval."""

TUNED_FOR = 1000
"""The number of boards with the tightest confidence sequence."""

FEWEST = 50
"""The fewest boards of a match that is stopped: the variance has to be known somewhat."""


@dataclass
class Tally:
    """A running mean and variance (Welford, Technometrics 4, 1962)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """Sum of the squared deviations from the mean."""

    @classmethod
    def of(cls, values: Iterable[float]) -> Tally:
        """Return the tally of some values."""
        tally = cls()
        for value in values:
            tally.add(value)
        return tally

    def add(self, value: float) -> None:
        """Add an observation."""
        self.count += 1
        # Welford's form: a sum of squares less a square of sums loses digits when the mean is
        # large.
        step = value - self.mean
        self.mean += step / self.count
        self.squares += step * (value - self.mean)

    @property
    def variance(self) -> float:
        """The unbiased variance; 0 with fewer than two observations."""
        return self.squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of an observation."""
        return sqrt(self.variance)

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite with fewer than two observations."""
        return self.deviation / sqrt(self.count) if self.count > 1 else inf


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that holds the true mean with a given level of confidence."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Return True if a value is outside the interval."""
        return not self.low <= value <= self.high


def t_quantile(probability: float, degrees: int) -> float:
    """Return a quantile of Student's t distribution.

    Source:
        The expansion of Cornish and Fisher; Abramowitz and Stegun, 26.7.5. With 3 degrees of
        freedom it is right to 1 %, from 10 on to four digits; one and two are exact.
    """
    # No degrees of freedom: nothing can be said.
    if degrees < 1:
        return inf
    z = NormalDist().inv_cdf(probability)
    # The expansion below is poor for one and two degrees; these have closed forms.
    if degrees == 1:
        from math import pi, tan

        return tan(pi * (probability - 0.5))
    if degrees == 2:
        centred = 2 * probability - 1
        return centred * sqrt(2 / (1 - centred * centred))
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(degrees) ** power for power, term in enumerate(terms))


def interval(tally: Tally, level: float = LEVEL) -> Interval:
    """Return the t interval of the mean, for a number of boards that was settled beforehand."""
    half = t_quantile((1 + level) / 2, tally.count - 1) * tally.error if tally.count > 1 else inf
    return Interval(tally.mean - half, tally.mean + half)


def confidence_sequence(tally: Tally, level: float = LEVEL, tuned_for: int = TUNED_FOR) -> Interval:
    """Return an interval of the mean that may be computed after every board.

    Args:
        tally: the boards so far.
        level: the probability that the true mean is in all intervals of the sequence.
        tuned_for: the number of boards at which it is to be tightest.
    """
    if tally.count < 2:
        return Interval(-inf, inf)
    alpha = 1 - level
    # The paper's approximation of the best tuning at a number of boards.
    rho2 = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / tuned_for
    spread = tally.count * rho2 + 1
    half = tally.deviation * sqrt(2 * spread / (tally.count**2 * rho2) * log(sqrt(spread) / alpha))
    return Interval(tally.mean - half, tally.mean + half)


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """The condition for the end of a match.

    It stops once the confidence sequence excludes 0, so that one side is better; or, if a
    margin is given, once it lies within the margin, so that neither is better by more. If a half
    width is given it stops once the sequence is as narrow as that, whoever is better.

    Attributes:
        level: the confidence level of the decision.
        margin: a difference in IMPs per board that does not matter.
        within: the half width, in IMPs per board, that the interval is to have; None if the
            question is which side is better.
    """

    level: float = LEVEL
    margin: float | None = None
    within: float | None = None

    def as_json(self) -> StopValues:
        """Return the rule as plain values, whose names are its fields."""
        return {"level": self.level, "margin": self.margin, "within": self.within}

    def verdict(self, tally: Tally) -> str | None:
        """Return `ahead`, `behind`, `level` or `known` once that is settled, `None` before."""
        if tally.count < FEWEST:
            # The level holds asymptotically: with few boards the variance is hardly known.
            return None
        sequence = confidence_sequence(tally, self.level)
        if self.within is not None:
            return "known" if sequence.half_width <= self.within else None
        if sequence.low > 0:
            return "ahead"
        if sequence.high < 0:
            return "behind"
        if self.margin is not None and sequence.low > -self.margin and sequence.high < self.margin:
            return "level"
        return None
