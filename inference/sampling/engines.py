"""The two ways to draw deals exactly: one hand first (E1), or two hands jointly (E2).

Both give every deal that fits the same chance. They differ in what they cost: E1 is ready at
once and wasteful when several hands are rare, E2 takes a while to count and then hardly misses.
"""

from __future__ import annotations

from functools import cache, cached_property
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import Seat
from bidwright.inference.sampling.hand_tables import SHAPES
from bidwright.inference.sampling.predicate import EVERY_HAND, EVERY_KIND
from bidwright.inference.sampling.problem import Judgement, Problem

if TYPE_CHECKING:
    from bidwright.inference.sampling._conditions import Ceilings
    from bidwright.inference.sampling._one_hand import Cells
    from bidwright.inference.sampling._two_hands import (
        Divisions,
        Halves,
        Matches,
        PairCounts,
        PairProblem,
        Placements,
        Splits,
    )

Deals = NDArray[np.int64]
"""int64 `[D, 4]`: the hands of N, E, S and W as masks."""


_UNKNOWN_SETUP = 8_000.0
"""Usual cost of setting E2 up, in proposals of E1 (about 2 ms)."""
_WIDE_SETUP = 400_000.0
"""The same where edges are soft: nearly all shapes go together then, and all points with them.
From 600,000 to 2.5 million were counted; working the cost out takes 50,000 by itself."""


class Proposals(NamedTuple):
    """The result of a number of proposals."""

    deals: Deals
    """Deals that fit, at most as many as requested."""
    floors: NDArray[np.float64] | None
    """float64 `[D]`: the weight that each has to exceed; `None` for any number from 0 to 1."""
    fitting: int
    """Number of proposals that fit, with those beyond the request."""
    tries: int
    """Number of proposals made."""


class Engine(Protocol):
    """A way to draw deals.

    Attributes:
        kind: E1 or E2.
        name: its name in reports.
        cost: the cost of a proposal, that of E1 being 1.
        guess: the share of its proposals that is expected to fit, rather too high than too low.
    """

    kind: str
    name: str
    cost: float
    guess: float

    @property
    def setup(self) -> float:
        """The cost before the first proposal, in proposals of E1."""

    @property
    def ways(self) -> float:
        """Number of deals it draws from: all that fit, and some that do not, each once."""

    def propose(self, want: int, most: int, state: NDArray[np.uint64]) -> Proposals:
        """Return up to `want` deals that fit, from up to `most` proposals."""


class SingleHand:
    """E1: one hand drawn exactly, the others dealt at random and checked."""

    kind = "E1"
    cost = 1.0
    setup = 0.0

    def __init__(self, problem: Problem, seat: int, judgement: Judgement | None = None) -> None:
        """Count the hands of a seat, by weight where deals have weights."""
        from bidwright.inference.sampling import _one_hand

        self.name = f"{self.kind} {Seat(seat)}"
        self._problem = problem
        self._judgement = judgement
        predicate = problem.predicates[seat]
        need = int(problem.need[seat])
        self.seat = seat
        self._holdings = _one_hand.holdings(problem.free, problem.base[seat], predicate.kinds)
        tables, weights = predicate.upper[None], np.ones(1)
        if judgement is not None:
            tables, weights = judgement.tables(seat)
            tables = tables & predicate.upper
        # A copy, since a constant is read-only: for numba another type.
        self._cells = _one_hand.cells(
            problem.base[seat], need, tables.copy(), weights, self._holdings
        )
        # Nothing is left of the cells if no hand fits: the sampler turns that into its message.
        most = comb(int(problem.need.sum()), need)
        self.share = _total(self._cells) / most
        """The share of this seat's possible hands that may fit, by their largest weight."""
        self.weight = 1.0
        """The weight of those hands on average, at most."""
        if judgement is not None and self.share:
            self.weight = self.share * most / self._cells.hands
        shapes = float(_SHAPE_SHARES[predicate.upper != 0].sum())
        self.share_of_shapes = min(1.0, self.share / shapes) if shapes else 0.0
        """The share of the hands with its possible shapes that may fit, roughly."""
        self.ways = self.share * problem.deals
        self.order = np.array([seat], dtype=np.int64)
        self.guess = 1.0

    def then(self, seats: list[int], guess: float) -> None:
        """Set the order of the other hands, in dealing and checking, and their guessed share."""
        self.order = np.array([self.seat, *seats], dtype=np.int64)
        self.guess = guess

    def propose(self, want: int, most: int, state: NDArray[np.uint64]) -> Proposals:
        """Return up to `want` deals that fit, from up to `most` proposals."""
        from bidwright.inference.sampling._one_hand import deal_and_check

        problem = self._problem
        judgement = self._judgement
        deals = np.empty((want, 4), dtype=np.int64)
        floors = np.empty(want)
        count, tries = deal_and_check(
            deals,
            most,
            state,
            self.order,
            problem.need,
            problem.base,
            problem.free,
            self._holdings,
            self._cells,
            problem.compiled,
            _no_ceilings() if judgement is None else judgement.ceilings,
            floors,
        )
        return Proposals(deals[:count], None if judgement is None else floors[:count], count, tries)


def _total(cells: Cells) -> float:
    """Return the number of hands in some cells, by weight."""
    return float(cells.ways[-1]) if len(cells.ways) else 0.0


class _Shapes(NamedTuple):
    """The shapes of two hands that go together."""

    placements: Placements
    splits: Splits
    low: Halves
    high: Halves
    matches: Matches


class TwoHands:
    """E2: two hands drawn jointly; a third by implication, if it is the only one left.

    Two that are left get shapes that may fit them; their points and honours are left to chance.
    """

    kind = "E2"
    cost = 3.5

    def __init__(
        self, problem: Problem, seats: list[int], guess: float = 1.0, *, wide: bool = False
    ) -> None:
        """Prepare to draw the first two of the hidden seats.

        Args:
            problem: the problem.
            seats: the hidden seats.
            guess: the share of the other hands that fit.
            wide: True if edges are soft.
        """
        self.guess = guess
        self._unknown = _WIDE_SETUP if wide else _UNKNOWN_SETUP
        self.name = f"{self.kind} {Seat(seats[0])}{Seat(seats[1])}"
        self._problem = problem
        self._seats = np.array(seats, dtype=np.int64)
        self._kept_counts: PairCounts | None = None

    @cached_property
    def _pair_problem(self) -> PairProblem:
        """The constraints on the two hands and on the rest."""
        from bidwright.inference.sampling._two_hands import PairProblem

        problem, seats = self._problem, self._seats.tolist()
        rest = seats[2:]
        implied = len(rest) == 1
        roles = [*seats[:2], *(rest if implied else [])]
        predicates = [problem.predicates[seat] for seat in roles]
        base = [int(problem.base[seat]) for seat in roles]
        upper = [predicate.upper for predicate in predicates]
        kinds = [predicate.kinds for predicate in predicates]
        # With two or more hands left, role 2 stands for all of them, and no predicate of one hand
        # holds for their union.
        if not implied:
            base.append(0)
            upper.append(EVERY_HAND)
            kinds.append(EVERY_KIND)
        need = [int(problem.need[seat]) for seat in seats[:2]]
        need.append(sum(int(problem.need[seat]) for seat in rest))
        return PairProblem(
            problem.free,
            np.array(base, dtype=np.int64),
            np.array(need, dtype=np.int64),
            np.stack(upper),
            np.stack(kinds),
            implied,
            self._divisions(rest),
        )

    def _divisions(self, rest: list[int]) -> Divisions:
        """Return the divisions of the rest of the cards among the hands that are left."""
        from bidwright.inference.sampling._two_hands import divide, undivided

        problem = self._problem
        if len(rest) < 2:
            return undivided(1.0)
        need = problem.need[rest]
        # Every division fits, whatever the shapes: one number instead of a table of thousands.
        if all(problem.predicates[seat].is_free for seat in rest):
            return undivided(float(comb(int(need.sum()), int(need[0]))))
        upper = np.stack([problem.predicates[seat].upper for seat in rest])
        return divide(problem.free, problem.base[rest], need, upper)

    @cached_property
    def _shapes(self) -> _Shapes:
        """The halves, and the matches of halves whose shapes fit all roles."""
        from bidwright.inference.sampling._two_hands import match_shapes, place_honours, split_suits

        placements = place_honours(self._pair_problem)
        splits = split_suits(self._pair_problem, placements)
        return _Shapes(placements, splits, *match_shapes(self._pair_problem, splits))

    @property
    def is_explored(self) -> bool:
        """True once the cost of this engine has been worked out."""
        return "_shapes" in self.__dict__

    def explore(self) -> None:
        """Compute the cost of this engine; that itself is cheap."""
        assert self._shapes

    @property
    def _matches(self) -> Matches:
        return self._shapes.matches

    @property
    def setup(self) -> float:
        """The cost of the counting left to do, in proposals of E1; a guess until explored."""
        if self._kept_counts is not None:
            return 0.0
        return self.price if self.is_explored else self._unknown

    @cached_property
    def price(self) -> float:
        """The cost of counting, done or not, in proposals of E1."""
        matches = self._matches
        halves = sum(np.count_nonzero(used) for used in self._used)
        rows, columns = (_highest(matches.points[:, role]) + 1 for role in (0, 1))
        allowed = int(np.bitwise_or.reduce(matches.points[:, 0])).bit_count()
        # A proposal of E1 takes some 0.25 microseconds. A wrong price costs time and changes no
        # chance.
        return 2_000.0 + 20.0 * halves + len(matches.ways) * rows * columns * allowed / 400

    @cached_property
    def _used(self) -> list[NDArray[np.bool_]]:
        """Two masks: the low halves, and the high halves, that occur in a match."""
        used = []
        for side, halves in enumerate((self._shapes.low, self._shapes.high)):
            occurs = np.zeros(len(halves), dtype=np.bool_)
            occurs[self._matches.halves[:, side]] = True
            used.append(occurs)
        return used

    @property
    def _counts(self) -> PairCounts:
        """Everything that drawing needs, counted at the first use."""
        from bidwright.inference.sampling._two_hands import PairCounts, count_halves, count_matches

        if self._kept_counts is None:
            placements, splits, low, high, matches = self._shapes
            most = np.array([_highest(matches.points[:, role]) for role in (0, 1)], dtype=np.int64)
            low_ways = count_halves(splits, low, self._used[0], 0, most, False)
            high_ways = count_halves(splits, high, self._used[1], 2, most, True)
            total = sum(_POINTS[card] for card in range(52) if self._problem.free >> card & 1)
            count_matches(matches, low_ways, high_ways, total)
            self._kept_counts = PairCounts(
                self._pair_problem,
                placements,
                splits,
                low,
                high,
                low_ways,
                high_ways,
                matches,
                total,
            )
        return self._kept_counts

    @cached_property
    def ways(self) -> float:
        """Number of deals to draw from."""
        return float(self._counts.matches.ways[-1]) if len(self._matches.ways) else 0.0

    def propose(self, want: int, most: int, state: NDArray[np.uint64]) -> Proposals:
        """Return up to `want` deals that fit, from `most` proposals."""
        from bidwright.inference.sampling._cards import uniforms
        from bidwright.inference.sampling._two_hands import complete_and_check, draw_pairs

        problem = self._problem
        # Sorted, so that one walk along the matches serves all draws.
        shares = np.sort(uniforms(state, most))
        drawn = draw_pairs(shares, state, self._counts)
        deals = np.empty((most, 4), dtype=np.int64)
        count = complete_and_check(
            drawn,
            deals,
            state,
            self._seats,
            problem.need,
            problem.base,
            problem.free,
            self._pair_problem.divisions,
            problem.compiled,
        )
        return Proposals(deals[: min(count, want)], None, count, most)


@cache
def _no_ceilings() -> Ceilings:
    """Return the ceilings of deals that all weigh the same."""
    from bidwright.inference.sampling._conditions import Ceilings

    return Ceilings(np.zeros((4, 0, 0), dtype=np.uint8), np.zeros((0, 0)))


_SHAPE_SHARES = np.array([prod(comb(13, n) for n in shape) for shape in SHAPES.tolist()])
_SHAPE_SHARES = _SHAPE_SHARES / _SHAPE_SHARES.sum()
"""float64 `[S]`: the share of each shape among all hands."""

_POINTS = [max(card % 13 - 8, 0) for card in range(52)]
"""High-card points of each card."""


def _highest(masks: NDArray[np.int64]) -> int:
    """Return the highest bit in any of the masks, at most 20 (the points of two suits)."""
    together = int(np.bitwise_or.reduce(masks))
    return min(together.bit_length() - 1, 20)
