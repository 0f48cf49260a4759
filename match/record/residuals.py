"""Residuals of workers: boards of one that came out unlike those of the others.

Boards are dealt to workers as they are free, so each worker's are a sample of the same boards. If
the results of one stand out, its memory fails, or its program is not ours; results that are only
added up would hide that. A residual is the difference between a worker's mean and that of all
others together, in standard errors: of the IMPs, and of the size of the swings, since nonsense
that favours neither side leaves the mean where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, inf, sqrt
from statistics import NormalDist

from bidwright.match.record.estimate import FEWEST, Tally

FALSE_ALARMS = 0.001
"""The largest share of matches with a worker that stands out by chance."""


@dataclass(frozen=True, slots=True)
class Residual:
    """A worker's boards beside those of the others.

    Attributes:
        worker: its name.
        boards: the number of boards it played.
        mean: its IMPs a board for side a.
        imps: the residual of the IMPs; 0 where there are too few boards to tell.
        swings: the residual of the size of the swings, likewise.
    """

    worker: str
    boards: int
    mean: float
    imps: float
    swings: float


class Residuals:
    """The results of each worker of a match."""

    def __init__(self) -> None:
        """Start without boards."""
        self._imps: dict[str, Tally] = {}
        self._swings: dict[str, Tally] = {}

    def add(self, worker: str, imps: float) -> None:
        """Add a board that a worker played."""
        self._imps.setdefault(worker, Tally()).add(imps)
        self._swings.setdefault(worker, Tally()).add(abs(imps))

    def rows(self) -> list[Residual]:
        """Return the residuals of each worker, the first to finish a board first."""
        return self._among(list(self._imps))

    def suspects(self) -> list[Residual]:
        """Return the workers that stand out further than chance explains.

        The one that does so most is removed, and the others are compared again. Of two workers
        neither is the odd one.
        """
        left = list(self._imps)
        odd_ones: list[Residual] = []
        while len(left) > 1:
            # Two statistics for each worker, each in both directions: four chances of a false
            # alarm.
            limit = NormalDist().inv_cdf(1 - FALSE_ALARMS / 4 / len(self._imps))
            rows = self._among(left)
            odd = max(rows, key=_size)
            if _size(odd) <= limit:
                break
            # Of two that differ there is no telling which is wrong: both are named.
            odd_ones += [odd] if len(left) > 2 else rows
            left.remove(odd.worker)
        return odd_ones

    def _among(self, workers: Sequence[str]) -> list[Residual]:
        return [
            Residual(
                worker,
                self._imps[worker].count,
                self._imps[worker].mean,
                _residual(worker, workers, self._imps),
                _residual(worker, workers, self._swings),
            )
            for worker in workers
        ]


def _size(residual: Residual) -> float:
    return max(abs(residual.imps), abs(residual.swings))


def _residual(worker: str, workers: Sequence[str], tallies: dict[str, Tally]) -> float:
    of_worker = tallies[worker]
    others = [tallies[name] for name in workers if name != worker]
    count = sum(each.count for each in others)
    # With few boards the normal distribution is a poor guide.
    if min(of_worker.count, count) < FEWEST:
        return 0.0
    mean = sum(each.count * each.mean for each in others) / count
    # A worker's own scatter counts for its own mean: what it does may be wilder, too.
    squares = sum(each.squares + each.count * (each.mean - mean) ** 2 for each in others)
    error = sqrt(of_worker.variance / of_worker.count + squares / (count - 1) / count)
    # Workers whose boards all have the same result have no scatter: any difference is infinite.
    if not error:
        return 0.0 if of_worker.mean == mean else copysign(inf, of_worker.mean - mean)
    return (of_worker.mean - mean) / error
