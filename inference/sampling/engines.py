"""The two ways to draw deals exactly: one hand first (E1), or two hands jointly (E2).

Both give every deal that fits the same chance. They differ in what they cost: E1 is ready at
once and wasteful when several hands are rare, E2 takes a while to count and then hardly misses.
"""

from __future__ import annotations

from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.inference.sampling.predicate import EVERY_HAND, EVERY_KIND
from bidwright.inference.sampling.problem import Problem

if TYPE_CHECKING:
    from bidwright.inference.sampling import _pair

Deals = NDArray[np.int64]
"""int64 `[D, 4]`: the hands of N, E, S and W as masks."""


class Proposals(NamedTuple):
    """What came of a number of proposals."""

    deals: Deals
    """Deals that fit, no more than were wanted."""
    fitting: int
    """How many did."""
    tries: int
    """How many proposals were made."""


class Engine(Protocol):
    """A way to draw deals.

    Attributes:
        name: what reports call it.
        cost: what a proposal costs, that of E1 being 1.
    """

    name: str
    cost: float

    @property
    def ways(self) -> float:
        """How many deals it draws from: all that fit, and some that do not, each once."""

    def propose(self, want: int, most: int, state: NDArray[np.uint64]) -> Proposals:
        """Return up to `want` deals that fit, from up to `most` proposals."""


class SingleHand:
    """E1: one hand drawn exactly, the others dealt at random and checked."""

    name = "E1"
    cost = 1.0

    def __init__(self, problem: Problem, seat: int) -> None:
        """Count the hands of a seat."""
        from bidwright.inference.sampling import _single

        self._problem = problem
        predicate = problem.predicates[seat]
        need = int(problem.need[seat])
        self.seat = seat
        self._holdings = _single.holdings(problem.free, problem.base[seat], predicate.kinds)
        self._cells = _single.cells(problem.base[seat], need, predicate.upper, self._holdings)
        hands = float(self._cells.ways[-1]) if len(self._cells.ways) else 0.0
        self.share = hands / comb(int(problem.need.sum()), need)
        """The share of this seat's possible hands that may fit."""
        self.ways = self.share * problem.deals
        self.order = np.array([seat], dtype=np.int64)

    def then(self, seats: list[int]) -> None:
        """Set the order in which the other hands are dealt and checked."""
        self.order = np.array([self.seat, *seats], dtype=np.int64)

    def propose(self, want: int, most: int, state: NDArray[np.uint64]) -> Proposals:
        """Return up to `want` deals that fit, from up to `most` proposals."""
        from bidwright.inference.sampling._single import deal_and_check

        problem = self._problem
        deals = np.empty((want, 4), dtype=np.int64)
        found, tries = deal_and_check(
            deals,
            most,
            state,
            self.order,
            problem.need,
            problem.base,
            problem.free,
            self._holdings,
            self._cells,
            problem.circuit,
        )
        return Proposals(deals[:found], found, tries)


class TwoHands:
    """E2: two hands drawn jointly; a third by implication, if it is the only one left."""

    name = "E2"
    cost = 3.5

    def __init__(self, problem: Problem, seats: list[int]) -> None:
        """Find which shapes go together; the first two of the hidden seats are drawn."""
        from bidwright.inference.sampling import _pair

        self._problem = problem
        self._seats = np.array(seats, dtype=np.int64)
        self._question = self._ask(seats)
        self._places = _pair.place_honours(self._question)
        self._splits = _pair.split_suits(self._question, self._places)
        found = _pair.match_shapes(self._question, self._splits)
        self._low, self._high, self._matches = found
        self._walk: _pair.Walk | None = None

    def _ask(self, seats: list[int]) -> _pair.Question:
        from bidwright.inference.sampling import _pair

        problem, rest = self._problem, seats[2:]
        implied = len(rest) == 1
        roles = [*seats[:2], *(rest if implied else [])]
        predicates = [problem.predicates[seat] for seat in roles]
        base = [int(problem.base[seat]) for seat in roles]
        upper = [predicate.upper for predicate in predicates]
        kinds = [predicate.kinds for predicate in predicates]
        if not implied:
            base.append(0)
            upper.append(EVERY_HAND)
            kinds.append(EVERY_KIND)
        need = [int(problem.need[seat]) for seat in seats[:2]]
        need.append(sum(int(problem.need[seat]) for seat in rest))
        return _pair.Question(
            problem.free,
            np.array(base, dtype=np.int64),
            np.array(need, dtype=np.int64),
            np.stack(upper),
            np.stack(kinds),
            implied,
        )

    @property
    def setup(self) -> float:
        """What it still costs to count, in proposals of E1."""
        if self._walk is not None:
            return 0.0
        matches = self._matches
        halves = sum(np.count_nonzero(used) for used in self._used)
        rows, columns = (_highest(matches.points[:, role]) + 1 for role in (0, 1))
        allowed = int(np.bitwise_or.reduce(matches.points[:, 0])).bit_count()
        return 2_000.0 + 20.0 * halves + len(matches.ways) * rows * columns * allowed / 400

    @cached_property
    def _used(self) -> list[NDArray[np.bool_]]:
        """Which of the low and of the high halves occur in a match."""
        used = []
        for side, halves in enumerate((self._low, self._high)):
            occurs = np.zeros(len(halves), dtype=np.bool_)
            occurs[self._matches.halves[:, side]] = True
            used.append(occurs)
        return used

    @property
    def _counted(self) -> _pair.Walk:
        """Everything that drawing needs; counted when first asked for."""
        from bidwright.inference.sampling import _pair

        if self._walk is None:
            matches, low, high = self._matches, self._low, self._high
            most = np.array([_highest(matches.points[:, role]) for role in (0, 1)], dtype=np.int64)
            used = self._used
            low_ways = _pair.count_halves(self._splits, low, used[0], 0, most, False)
            high_ways = _pair.count_halves(self._splits, high, used[1], 2, most, True)
            total = sum(_POINTS[card] for card in range(52) if self._problem.free >> card & 1)
            _pair.count_matches(matches, low_ways, high_ways, total)
            places, splits = self._places, self._splits
            self._walk = _pair.Walk(
                self._question, places, splits, low, high, low_ways, high_ways, matches, total
            )
        return self._walk

    @cached_property
    def ways(self) -> float:
        """How many deals there are to draw from."""
        if not len(self._matches.ways):
            return 0.0
        ways = float(self._counted.matches.ways[-1])
        rest = self._seats[2:]
        if len(rest) > 1:
            ways *= comb(int(self._problem.need[rest].sum()), int(self._problem.need[rest[0]]))
        return ways

    def propose(self, want: int, most: int, state: NDArray[np.uint64]) -> Proposals:
        """Return up to `want` deals that fit, from `most` proposals."""
        from bidwright.inference.sampling import _pair, _random

        problem = self._problem
        shares = np.sort(_random.uniforms(state, most))
        drawn = _pair.draw_pairs(shares, state, self._counted)
        deals = np.empty((most, 4), dtype=np.int64)
        found = _pair.complete_and_check(
            drawn,
            deals,
            state,
            self._seats,
            problem.need,
            problem.base,
            problem.free,
            problem.circuit,
        )
        return Proposals(deals[: min(found, want)], found, most)


_POINTS = [max(card % 13 - 8, 0) for card in range(52)]
"""High-card points of each card."""


def _highest(masks: NDArray[np.int64]) -> int:
    """Return the highest bit in any of the masks, at most 20 (the points of two suits)."""
    together = int(np.bitwise_or.reduce(masks))
    return min(together.bit_length() - 1, 20)
