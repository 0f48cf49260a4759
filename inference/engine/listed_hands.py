"""Hands of some cells, listed one by one as far as conditions can tell them apart.

A hand is its shape and the honours of each suit. Its aces, kings, queens and jacks are one of the
65,536 *placements*; a cell has those of its high-card points that its shape has room for. Tens are
distinguished where a condition asks about them.

Shapes: `C` cells, `B` hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE
from bidwright.inference.engine.cells import SUIT_OF, cell_tables, in_cells
from bidwright.inference.engine.hull import SUITS, Array
from bidwright.inference.engine.statements import Statement
from bidwright.inference.engine.witnesses import HandPool
from bidwright.kb.logic.features import HCP, HONOUR_LETTERS, LARGEST, POINTS, suit_feature
from bidwright.kb.logic.formula import Literal

# Placements leave out the ten, which conditions rarely ask about.
_HONOURS = len(HONOUR_LETTERS)
_HOLDINGS = 1 << _HONOURS
_PLACED = _HONOURS - 1
"""Honours of a suit without the ten."""
TEN = 1
"""The bit of the ten in a holding."""
MOST_SPOTS = HAND_SIZE - _HONOURS
"""Cards of a suit that are no honours."""
_MOST_CONTROLS = 12
_TENS = {suit_feature("card_t", suit): suit for suit in range(SUITS)}
"""The suit of each ten, by its feature."""

Places = NDArray[np.intp]


class _Placements(NamedTuple):
    """The placements of aces, kings, queens and jacks, by high-card points and then by controls.

    A holding in a suit is a number: 32 times its length, and a bit for each honour, the ace the
    highest.

    Attributes:
        honours: int `[4, 65536]`, the honours of each suit.
        lengths: int `[4, 560]`, the length of each suit of a shape, 32-fold.
        hcp: int16 `[65536]`.
        counts: int `[65536]`, a number that tells how many honours each suit has.
        has_room: bool `[560, 625]`, whether a shape has room for these numbers.
        first: int `[38, 14]`, the first placement of so many points with so many controls or more.
        spots: int `[448]`, the other cards of a holding.
    """

    honours: Places
    lengths: Places
    hcp: Array
    counts: Places
    has_room: NDArray[np.bool_]
    first: Places
    spots: Places


@cache
def placements() -> _Placements:
    """Return the placements of aces, kings, queens and jacks."""
    suit = np.arange(0, _HOLDINGS, 2)
    held = np.arange(_HOLDINGS)[:, None] >> np.arange(_HONOURS) & 1
    number = held.sum(axis=1)
    # Points first and then controls, in one number: placements of a range are neighbours.
    strength = held @ [0, 1, 2, 3, 4] * (_MOST_CONTROLS + 2) + held @ [0, 0, 0, 1, 2]
    # 16 bits, which numpy sorts by digits: a fifth of the time of sorting by two keys.
    sums = _sums([strength[suit].astype(np.int16)] * SUITS)
    order = sums.argsort(kind="stable")
    sums = sums[order]
    wanted = np.arange((LARGEST[HCP] + 1) * (_MOST_CONTROLS + 2))
    shapes = cell_tables().shapes
    return _Placements(
        # The honours of each suit are a digit of the place before the sort.
        np.stack(
            [suit[order >> _PLACED * place & len(suit) - 1] for place in reversed(range(SUITS))]
        ),
        np.ascontiguousarray(shapes.T * np.intp(_HOLDINGS)),
        (sums // (_MOST_CONTROLS + 2)).astype(np.int16),
        _sums([_HONOURS**place * number[suit] for place in range(SUITS)])[order],
        _room(shapes),
        np.searchsorted(sums, wanted).reshape(-1, _MOST_CONTROLS + 2),
        (np.arange(HAND_SIZE + 1)[:, None] - number).ravel(),
    )


def _sums(by_suit: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return `[65536]`, the sum over the suits of what 16 sets of honours count in each."""
    clubs, diamonds, hearts, spades = by_suit
    sums = clubs[:, None, None, None] + diamonds[:, None, None] + hearts[:, None] + spades
    return np.asarray(sums.ravel())


def _room(shapes: Array) -> NDArray[np.bool_]:
    """Return bool `[S, 625]`, True where shapes `[S, 4]` have room for numbers of honours."""
    # A suit has room if its honours are no more than its length, and its spots no more than there
    # are.
    spots = np.arange(HAND_SIZE + 1)[:, None] - np.arange(_HONOURS)
    room = ((spots >= 0) & (spots <= MOST_SPOTS + 1))[shapes]
    clubs, diamonds, hearts, spades = np.moveaxis(room, 1, 0)
    # Clubs count ones, spades the highest digit.
    red = diamonds[:, :, None] & clubs[:, None]
    dark = spades[:, :, None] & hearts[:, None]
    has_room = dark[:, :, :, None, None] & red[:, None, None]
    return np.asarray(has_room.reshape(len(shapes), -1))


class Listing:
    """The hands of some cells that have some number of controls.

    Attributes:
        cells: the cells.
        size: how many pairs of a shape and a placement there are; not all of them fit together.
    """

    def __init__(self, cells: int, controls: tuple[int, int]) -> None:
        """List the hands of cells with controls within a range."""
        self.cells = cells
        self._shapes, hcp = in_cells(cells)
        fewest, most = controls
        first = placements().first
        self._first = first[hcp, fewest]
        # A range of controls is a range of placements.
        self._sizes = first[hcp, max(most + 1, fewest)] - self._first
        self.size = int(self._sizes.sum())

    def hands(self, most: int, tens: Iterable[int]) -> ListedHands:
        """Return the hands, or as many of them as are asked for, evenly spread.

        Args:
            most: how many pairs of a shape and a placement may be looked at.
            tens: the suits whose tens are distinguished.
        """
        ends = self._sizes.cumsum()
        if self.size <= most:
            cell = np.arange(len(ends)).repeat(self._sizes)
            place = np.arange(self.size)
        else:
            # Evenly spread over all cells, always the same ones.
            place = np.arange(most) * self.size // most
            cell = ends.searchsorted(place, side="right")
        placement = place + (self._first + self._sizes - ends)[cell]
        shape = self._shapes[cell]
        table = placements()
        # A shape without room for the honours has no such hand.
        fits = table.has_room[shape, table.counts[placement]]
        return ListedHands(shape[fits], placement[fits], tens)


class ListedHands(HandPool):
    """Hands, of each its shape and its honours; features are worked out when they are asked for."""

    def __init__(self, shapes: Places, placements: Places, tens: Iterable[int]) -> None:
        """List hands.

        Args:
            shapes: int `[B]`, their shapes.
            placements: int `[B]`, the placements of their aces, kings, queens and jacks.
            tens: the suits whose tens are distinguished; others are held only where they must be.
        """
        self._shapes = shapes
        self._placements = placements
        self._holdings: dict[int, Places] = {}
        for suit in tens:
            self._tell_apart(suit)
        self._features: dict[int, Array] = {}
        super().__init__(len(self._shapes))

    def _tell_apart(self, suit: int) -> None:
        """Take hands that can hold the ten of a suit or not for two, without it and with it."""
        holding = self._holding(suit)
        spots = placements().spots[holding]
        # Where a spot card could be the ten, both hands exist.
        both = np.flatnonzero((spots > 0) & (holding & TEN == 0))
        hands = np.concatenate([np.arange(len(holding)), both])
        self._shapes, self._placements = self._shapes[hands], self._placements[hands]
        self._holdings = {other: each[hands] for other, each in self._holdings.items()}
        self._holdings[suit][len(holding) :] += TEN

    def _holding(self, suit: int) -> Places:
        """Return int `[B]`, the holding of each hand in a suit."""
        holding = self._holdings.get(suit)
        if holding is None:
            table = placements()
            holding = table.lengths[suit].take(self._shapes)
            holding += table.honours[suit].take(self._placements)
            # More spot cards than there are without the ten: it has to be among them.
            holding += table.spots.take(holding) > MOST_SPOTS
            self._holdings[suit] = holding
        return holding

    def _column(self, index: int, start: int) -> Array:
        column = self._features.get(index)
        if column is None:
            column = self._features[index] = self._feature(index)
        return column

    def _feature(self, index: int) -> Array:
        """Return int16 `[B]`, a feature of each hand."""
        tables = cell_tables()
        if index in SUIT_OF:
            suit, kind = SUIT_OF[index]
            return np.asarray(tables.by_holding[kind].reshape(-1).take(self._holding(suit)))
        of_shape: Array = tables.by_shape[:, index].take(self._shapes)
        if index in (HCP, POINTS):
            of_shape += placements().hcp.take(self._placements)
        return of_shape

    def column(self, index: int) -> Array:
        """Return int16 `[B]`, a feature of the hands."""
        return self._column(index, 0)

    def holding(self, place: int) -> Array:
        """Return int16 `[24]`, the lengths and the honours of the hand at a place."""
        holdings = np.array([self._holding(suit)[place] for suit in range(SUITS)])
        # The ace is the highest bit, and first in a holding.
        falling = np.arange(_HONOURS)[::-1, None]
        honours = (holdings >> falling & 1).ravel()
        return np.concatenate([holdings // _HOLDINGS, honours]).astype(np.int16)


def tens_in(statements: Iterable[Statement], literal: Literal | None) -> set[int]:
    """Return the suits with a ten that statements or a literal ask about."""
    literals = {
        each
        for statement in statements
        for alternative in statement
        for formula in (alternative.formula, *(rival for _, rival in alternative.rivals))
        for clause in formula
        for each in clause
    }
    if literal is not None:
        literals.add(literal)
    return {_TENS[index] for each in literals for index, _ in each.terms if index in _TENS}
