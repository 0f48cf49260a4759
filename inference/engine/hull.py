"""The hull of hands: the range of each number that bounds are about.

Hands that are known to be consistent show how far the ranges reach at least. The solver searches
only for hands beyond them, until there is none.

Shapes: `B` hands or deals, `P` players, `N` numbers of a hand. A holding, int `[24]`, is a hand as
far as rules can tell: the first features of `kb.logic.features`, which are lengths and honours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS
from bidwright.inference.engine.solver import Program
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.feature_table import STRENGTH_MAX
from bidwright.kb.logic.features import FEATURES, HONOUR_LETTERS, INDEX, SUIT_LETTERS

Array = NDArray[np.int16]

SUITS = 4
HOLDING = SUITS * (1 + len(HONOUR_LETTERS))
"""Numbers of a holding: four lengths, then aces, kings, queens, jacks and tens by suit."""

_TOTALS = {"hcp": STRENGTH_MAX, "points": STRENGTH_MAX, "controls": 12, "aces": 4, "balanced": 1}
_NAMES = (*FEATURES[:HOLDING], *_TOTALS)
_TOPS = np.array([HAND_SIZE] * SUITS + [1] * (HOLDING - SUITS) + list(_TOTALS.values()))
NUMBERS = tuple(zip(_NAMES, _TOPS.tolist(), strict=True))
"""The numbers that bounds are about: name in the encodings and largest value."""

Ranges = tuple[list[int], list[int]]
"""The least and the largest value of each number."""

_POINTS, _BALANCED = _NAMES.index("points"), _NAMES.index("balanced")
_HCP, _CONTROLS, _ACES = (4, 3, 2, 1, 0), (2, 1, 0, 0, 0), (1, 0, 0, 0, 0)
# High-card points twice: for points, what the lengths add comes on top.
_WEIGHTS = np.repeat(np.array([_HCP, _HCP, _CONTROLS, _ACES], dtype=np.int16), SUITS, axis=1).T
_CARDS = tuple(
    HAND_SIZE * suit + HAND_SIZE - 1 - place
    for place in range(len(HONOUR_LETTERS))
    for suit in range(SUITS)
)
"""Card index of each honour, in the order of a holding."""


def terms_of(name: str) -> tuple[tuple[int, int], ...]:
    """Return a number that bounds are about as a sum of features, as literals are written."""
    counts = {"aces": {"a": 1}, "controls": {"a": 2, "k": 1}}.get(name)
    if counts is None:
        return ((INDEX[name], 1),)
    return tuple(
        (INDEX[f"card({suit},{honour})"], weight)
        for honour, weight in counts.items()
        for suit in SUIT_LETTERS
    )


def numbers(holdings: Array) -> Array:
    """Return int16 `[..., N]`, the numbers that bounds are about, of holdings `[..., 24]`."""
    result = np.empty((*holdings.shape[:-1], len(_NAMES)), dtype=np.int16)
    lengths = holdings[..., :SUITS]
    result[..., :HOLDING] = holdings
    result[..., HOLDING : HOLDING + 4] = holdings[..., SUITS:] @ _WEIGHTS
    # A point for each card beyond the fourth of a suit.
    result[..., _POINTS] += np.maximum(lengths - 4, 0).sum(axis=-1)
    # No singleton and one doubleton at most.
    result[..., _BALANCED] = (lengths.min(axis=-1) >= 2) & ((lengths == 2).sum(axis=-1) <= 1)
    return result


def held(holdings: Array) -> NDArray[np.bool_]:
    """Return bool `[B, 52]`, hands with these holdings `[B, 24]` and the lowest spot cards."""
    honours = holdings[:, SUITS:]
    spots = holdings[:, :SUITS] - honours.reshape(-1, len(HONOUR_LETTERS), SUITS).sum(axis=1)
    # The lowest spot cards: rules cannot tell spot cards apart.
    ranks = np.arange(HAND_SIZE)
    hands: NDArray[np.bool_] = (ranks < spots[:, :, None]).reshape(-1, NUM_CARDS)
    hands[:, _CARDS] = honours > 0
    return hands


def to_bounds(low: Sequence[int], high: Sequence[int]) -> Bounds:
    """Return the bounds that state the least and largest value of each number."""
    clubs, diamonds, hearts, spades = zip(low[:SUITS], high[:SUITS], strict=True)
    hcp, points, controls, aces, balanced = zip(low[HOLDING:], high[HOLDING:], strict=True)
    return Bounds(
        hcp=hcp,
        points=points,
        lengths=(clubs, diamonds, hearts, spades),
        controls=controls,
        aces=aces,
        balanced=bool(balanced[0]) if balanced[0] == balanced[1] else None,
        sure=frozenset(compress(_CARDS, low[SUITS:HOLDING])),
        impossible=frozenset(
            [card for card, most in zip(_CARDS, high[SUITS:HOLDING], strict=True) if not most]
        ),
    )


def ranges_of(bounds: Bounds) -> Ranges:
    """Return the least and largest value of each number within bounds."""
    balanced = (0, 1) if bounds.balanced is None else (int(bounds.balanced),) * 2
    ranges = (
        *bounds.lengths,
        *((int(card in bounds.sure), int(card not in bounds.impossible)) for card in _CARDS),
        *(bounds.hcp, bounds.points, bounds.controls, bounds.aces, balanced),
    )
    return [low for low, _ in ranges], [high for _, high in ranges]


def common(outer: Iterable[Ranges]) -> Ranges:
    """Return the common part of several ranges of a hand's numbers."""
    lows, highs = zip(*outer, strict=True)
    low = [max(ends) for ends in zip(*lows, strict=True)]
    return low, [min(ends) for ends in zip(*highs, strict=True)]


@cache
def _atoms(player: str) -> tuple[tuple[str, ...], ...]:
    """Return for each number the atoms that it is at least 1, 2, ... up to its largest value."""
    return tuple(
        tuple(f"ge({player},{name},{number})" for number in range(1, top + 1))
        for name, top in zip(_NAMES, _TOPS.tolist(), strict=True)
    )


def steps(program: Program, player: str) -> NDArray[np.int32]:
    """Return int32 `[N, 39]`: the literal for "number `i` of a player is at least `j`".

    It is 0 where that is sure or impossible.
    """
    # One column more than the largest value, for "more than that", which is 0: impossible.
    table = np.zeros((len(_NAMES), _TOPS.max() + 2), dtype=np.int32)
    for row, atoms in zip(table, _atoms(player), strict=True):
        row[1 : len(atoms) + 1] = [program.literal(atom) for atom in atoms]
    return table


class Hull:
    """The ranges of the numbers of some players' hands, as far as they are known.

    Attributes:
        seeks_beyond: whether `sought` asks for hands beyond those seen, so that there may be none.
    """

    def __init__(
        self,
        scales: Sequence[NDArray[np.int32]],
        outer: Sequence[Bounds],
        seen: Array | None = None,
        attained: Sequence[Ranges] | None = None,
    ) -> None:
        """Start from bounds and, if there are any, from consistent hands.

        Args:
            scales: `steps` of each player.
            outer: bounds of each player's hand that hold for sure.
            seen: int16 `[B, P, 24]`, hands that are consistent.
            attained: instead of `seen`, each player's ranges of some consistent hands.
        """
        self._steps = np.stack(scales)
        lows, highs = zip(*map(ranges_of, outer), strict=True)
        self._least, self._most = np.array(lows), np.array(highs)
        # Turned around as long as no hand is known: any hand narrows them.
        self._low, self._high = self._most.copy(), self._least.copy()
        self._number = np.arange(len(_NAMES))[None, :].repeat(len(outer), axis=0)
        self._player = np.arange(len(outer))[:, None].repeat(len(_NAMES), axis=1)
        self._found: list[Array] = []
        self._seen = seen
        self._has_first_model = False
        self.seeks_beyond = False
        self._has_seen = seen is not None and len(seen) > 0
        if seen is not None and self._has_seen:
            values = numbers(seen)
            self._low, self._high = values.min(axis=0), values.max(axis=0)
        elif attained is not None:
            self._has_seen = True
            self._low = np.array([low for low, _ in attained])
            self._high = np.array([high for _, high in attained])

    @cached_property
    def _scales(self) -> list[list[list[int]]]:
        """The steps as lists, which are read faster one by one."""
        scales: list[list[list[int]]] = self._steps.tolist()
        return scales

    @property
    def is_complete(self) -> bool:
        """True once hands were seen and nothing beyond them is possible."""
        return self._has_seen and not self.beyond()

    def sought(self) -> list[int]:
        """Return literals that hold for all hands that are to be looked for.

        They hold for all hands that are still possible. Where those beyond the hands seen are
        beyond them in one way only, they are looked for right away.
        """
        table = self._steps
        # 0 means sure or impossible, and is no literal to assume.
        above = table[self._player, self._number, self._least]
        below = table[self._player, self._number, self._most + 1]
        within = [*above[above != 0].tolist(), *(-below[below != 0]).tolist()]
        # A single way beyond (two searches of five) is assumed: without it the first model of the
        # search would only serve to ask for others.
        beyond = self.beyond() if self._has_seen else []
        self.seeks_beyond = len(beyond) == 1
        return within + beyond if self.seeks_beyond else within

    def beyond(self) -> list[int]:
        """Return literals, some of which hold for hands that are well beyond those seen."""
        up, down = self._high < self._most, self._low > self._least
        higher = self._steps[self._player[up], self._number[up], self._halfway_up[up]]
        lower = self._steps[self._player[down], self._number[down], self._halfway_down[down] + 1]
        return [*higher.tolist(), *(-lower).tolist()]

    @property
    def _halfway_up(self) -> NDArray[np.int_]:
        return np.asarray((self._high + self._most + 1) // 2)

    # Halfway, not the next value: an end far away is found in few steps.
    @property
    def _halfway_down(self) -> NDArray[np.int_]:
        return np.asarray((self._low + self._least) // 2)

    def refute(self) -> None:
        """Note that no hand is as `beyond` says."""
        self._has_first_model = False
        up, down = self._high < self._most, self._low > self._least
        # Nothing is at or beyond halfway, so the end comes down to below it.
        self._most[up] = self._halfway_up[up] - 1
        self._least[down] = self._halfway_down[down] + 1

    def see(self, is_true: Callable[[int], bool]) -> list[int]:
        """Take in a model and return literals, some of which must be true in a later one."""
        if not self._has_first_model:  # it is any model: the ones that follow are beyond those seen
            self._has_first_model = True
            if self._has_seen and not self.seeks_beyond:
                return self.beyond()
        holding = np.array(
            [
                [
                    # Found by halving: each look at the model is a call into the solver.
                    _value(is_true, row, low, high)
                    for row, low, high in zip(scale[:HOLDING], lows, highs, strict=False)
                ]
                for scale, lows, highs in zip(
                    self._scales, self._least.tolist(), self._most.tolist(), strict=True
                )
            ],
            dtype=np.int16,
        )
        self._found.append(holding)
        self._has_seen = True
        values = numbers(holding)
        self._low, self._high = np.minimum(self._low, values), np.maximum(self._high, values)
        return self.beyond()

    @property
    def hands(self) -> Array:
        """The hands seen, int16 `[B, P, 24]`."""
        new = np.array(self._found, dtype=np.int16).reshape(-1, len(self._steps), HOLDING)
        return new if self._seen is None else np.concatenate([self._seen, new])

    def bounds(self) -> list[Bounds]:
        """Return each player's bounds, from the hands seen."""
        return [
            to_bounds(low, high)
            for low, high in zip(self._low.tolist(), self._high.tolist(), strict=True)
        ]


def settle(
    hull: Hull, program: Program, assumptions: Sequence[int], deadline: float | None = None
) -> bool:
    """Search a program for the ends of a hull until all are known; False if there is no model.

    Raises:
        Timeout: If the deadline passed.
    """
    while not hull.is_complete:
        has_model = program.explore([*assumptions, *hull.sought()], hull.see, deadline)
        # With a hand beyond assumed, no model means only that there is none beyond.
        if not has_model and not hull.seeks_beyond:
            return False
        hull.refute()
    return True


def _value(is_true: Callable[[int], bool], row: Sequence[int], low: int, high: int) -> int:
    """Return the number of a row, which lies within a range, in a model."""
    # Numbers are encoded by their order: "at least 5" is false wherever "at least 4" is.
    while low < high:
        middle = (low + high + 1) // 2
        if is_true(row[middle]):
            low = middle
        else:
            high = middle - 1
    return low
