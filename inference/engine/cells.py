"""The hands that conditions allow by shape and high-card points alone, without the solver.

A *cell* is all hands of one shape with one number of high-card points. Most conditions depend on
the cell of a hand only; a condition on single honours is true of all hands of some cells, of none
of others, and undecided in the rest. So a set of conditions has an inner set of cells, in which
every hand satisfies them, and an outer set, in which some hand may. Where the bounds of both sets
are equal they are the exact bounds; elsewhere they enclose them, and the solver decides.

Shapes: `S` = 560 shapes, `W` = 40 bits of a word. A set of cells is one integer of `S * W` bits:
bit `W * s + p` stands for the hands of shape `s` with `p` high-card points.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS
from bidwright.inference.engine.hull import HOLDING, NUMBERS, SUITS, Ranges, terms_of
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import (
    FEATURES,
    HCP,
    HONOUR_LETTERS,
    INDEX,
    LARGEST,
    POINTS,
    SUIT_LETTERS,
    features,
)
from bidwright.kb.logic.formula import Formula, Literal

Array = NDArray[np.int16]

_SUITS = len(SUIT_LETTERS)
_HONOURS = len(HONOUR_LETTERS)
_HOLDINGS = 1 << _HONOURS
# 40 bits for 38 numbers of points: whole bytes, and a set of cells is smaller than with 64.
_WORD = 40
_MOST_HCP = LARGEST[HCP]
_NONE = -2000
"""Stands for the largest value of a sum where there is no hand; sums of four are still int16."""


class CellInterval(NamedTuple):
    """The inner and the outer set of cells of a condition's hands.

    Attributes:
        inner: cells in which every hand satisfies the condition.
        outer: cells in which some hand may.
    """

    inner: int
    outer: int

    def __and__(self, other: CellInterval) -> CellInterval:
        """Return the cells of both conditions together."""
        return CellInterval(self.inner & other.inner, self.outer & other.outer)

    def __or__(self, other: CellInterval) -> CellInterval:
        """Return the cells of one condition or the other."""
        return CellInterval(self.inner | other.inner, self.outer | other.outer)


class Tables(NamedTuple):
    """Tables of shapes and of holdings in a suit, computed once.

    Attributes:
        shapes: int16 `[S, 4]`, the suit lengths of each shape.
        by_holding: int16 `[F', 14, 32]`, the features of a suit by length and honours held.
        exists: bool `[14, 32]`, whether there is such a holding.
        by_shape: int16 `[S, F]`, the features of each shape with spot cards only.
        hcp: int `[32]`, the high-card points of honours held.
    """

    shapes: Array
    by_holding: Array
    exists: NDArray[np.bool_]
    by_shape: Array
    hcp: NDArray[np.intp]


# Features of clubs stand for those of the other suits, which have the same names but for the
# letter.
_IN_CLUBS = [index for index, name in enumerate(FEATURES) if "(c" in name]
SUIT_OF = {
    INDEX[FEATURES[index].replace("(c", f"({letter}")]: (suit, place)
    for place, index in enumerate(_IN_CLUBS)
    for suit, letter in enumerate(SUIT_LETTERS)
}
"""For each feature of a suit: the suit, and the place of its kind."""


@cache
def cell_tables() -> Tables:
    """Return the tables of shapes and of holdings in a suit."""
    lengths = range(HAND_SIZE + 1)
    shapes = np.array(
        [
            (c, d, h, HAND_SIZE - c - d - h)
            for c in lengths
            for d in lengths[: HAND_SIZE + 1 - c]
            for h in lengths[: HAND_SIZE + 1 - c - d]
        ],
        dtype=np.int16,
    )
    spots = HAND_SIZE - _HONOURS
    held = np.zeros((HAND_SIZE + 1, _HOLDINGS, NUM_CARDS), dtype=np.bool_)
    exists = np.zeros((HAND_SIZE + 1, _HOLDINGS), dtype=np.bool_)
    for length in lengths:
        for honours in range(_HOLDINGS):
            low = length - honours.bit_count()
            exists[length, honours] = 0 <= low <= spots
            if exists[length, honours]:
                held[length, honours, :low] = True
                held[length, honours, spots:HAND_SIZE] = honours >> np.arange(_HONOURS) & 1
    by_holding = features(held.reshape(-1, NUM_CARDS)).reshape(*exists.shape, -1)
    low_cards = np.arange(HAND_SIZE) < shapes[:, :, None]
    by_shape = features(low_cards.reshape(len(shapes), NUM_CARDS))
    # Points less high-card points are what the shape adds; high-card points are counted per cell.
    by_shape[:, POINTS] -= by_shape[:, HCP]
    by_shape[:, HCP] = 0
    return Tables(
        shapes,
        np.ascontiguousarray(np.moveaxis(by_holding[:, :, _IN_CLUBS], 2, 0)),
        exists,
        by_shape,
        by_holding[HAND_SIZE - spots, :, HCP].astype(np.intp),
    )


def _largest(by_suit: NDArray[np.int16]) -> Array:
    """Return int16 `[K, S, 38]`: the largest sums of the hands of each cell; -1000 or less if none.

    Args:
        by_suit: int16 `[K, 4, 14, 32]`, for each sum what the holding in a suit adds.
    """
    tables = cell_tables()
    sums, points = len(by_suit), int(tables.hcp.max()) + 1
    # Shapes stand last in all arrays: numpy takes a long last axis in strides of whole registers.
    order = tables.hcp.argsort(kind="stable")
    starts = tables.hcp[order].searchsorted(np.arange(points))
    values = np.where(tables.exists, by_suit, np.int16(_NONE))
    best = np.maximum.reduceat(values[..., order], starts, axis=-1)
    best = np.ascontiguousarray(np.moveaxis(best, -1, 1))
    clubs, diamonds, hearts, spades = tables.shapes.T.astype(np.intp)
    width, lengths = 2 * points - 1, HAND_SIZE + 1
    sides = []
    for first, place in ((0, clubs * lengths + diamonds), (2, hearts * lengths + spades)):
        pair = np.full((sums, width, lengths, lengths), 2 * _NONE, dtype=np.int16)
        for hcp in range(points):
            part = pair[:, hcp : hcp + points]
            added = best[:, hcp, None, first, :, None] + best[:, :, first + 1, None, :]
            np.maximum(part, added, out=part)
        sides.append(pair.reshape(sums, width, -1).take(place, axis=2))
    low, high = sides
    result = np.full((sums, 2 * width - 1, len(tables.shapes)), 4 * _NONE, dtype=np.int16)
    for hcp in range(width):
        part = result[:, hcp : hcp + width]
        np.maximum(part, low[:, hcp, None] + high, out=part)
    # Beyond 37 points there is no hand, although the sum of four suits could go further.
    return np.ascontiguousarray(np.moveaxis(result[:, : _MOST_HCP + 1], 1, 2))


def _pack(cells: NDArray[np.bool_]) -> int:
    """Return the set of the cells marked in bool `[S, 38]`."""
    padded = np.zeros((len(cells), _WORD), dtype=np.bool_)
    padded[:, : cells.shape[1]] = cells
    # Little-endian, so that bit 40 s + p of the integer is cell (s, p).
    return int.from_bytes(np.packbits(padded, bitorder="little").tobytes(), "little")


def _words(cells: int) -> NDArray[np.int64]:
    """Return int64 `[S]`: the bits of each shape."""
    count, size = len(cell_tables().shapes), _WORD // 8
    words = np.zeros((count, np.dtype(np.int64).itemsize), dtype=np.uint8)
    packed = np.frombuffer(cells.to_bytes(count * size, "little"), dtype=np.uint8)
    words[:, :size] = packed.reshape(count, size)
    return words.view("<i8").ravel()


def in_cells(cells: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the shape and the high-card points of each cell of a set, both int `[C]`."""
    words = _words(cells)
    shapes = np.flatnonzero(words)
    packed = words[shapes].view(np.uint8).reshape(len(shapes), -1)
    rows, hcp = np.unpackbits(packed, axis=1, bitorder="little").nonzero()
    return shapes[rows], hcp


@cache
def _every() -> NDArray[np.bool_]:
    """Return bool `[S, 38]`: the cells that have a hand."""
    tables = cell_tables()
    nothing = np.zeros((1, _SUITS, *tables.exists.shape), dtype=np.int16)
    return np.asarray(_largest(nothing)[0] >= 0)


@cache
def every_cell() -> CellInterval:
    """Return the cells of all hands."""
    cells = _pack(_every())
    return CellInterval(cells, cells)


@lru_cache(maxsize=4096)
def _sum_cells(terms: tuple[tuple[int, int], ...], at_least: int) -> CellInterval:
    """Return the cells of the hands with a weighted sum of features of at least a number."""
    least, most = _extremes(terms)
    every = _every()
    inner = _pack(every & (least >= at_least))
    # The same array means that honours play no part: the condition is exact in cells.
    return CellInterval(inner, inner if least is most else _pack(every & (most >= at_least)))


@lru_cache(maxsize=256)
def _extremes(terms: tuple[tuple[int, int], ...]) -> tuple[Array, Array]:
    """Return the least and largest weighted sum of features in each cell, int16 `[S, 38]`."""
    tables = cell_tables()
    by_suit = np.zeros((_SUITS, *tables.exists.shape), dtype=np.int16)
    by_shape = np.zeros(len(tables.shapes), dtype=np.int16)
    per_hcp = 0
    for index, weight in terms:
        if index in SUIT_OF:
            suit, place = SUIT_OF[index]
            # A feature that the length decides is the same for all honours: it is a matter of the
            # shape.
            if _sees_honours(place):
                by_suit[suit] += weight * tables.by_holding[place]
                continue
        by_shape += weight * tables.by_shape[:, index]
        per_hcp += weight if index in (HCP, POINTS) else 0
    fixed = by_shape[:, None] + np.int16(per_hcp) * np.arange(_MOST_HCP + 1, dtype=np.int16)
    if not by_suit.any():
        return fixed, fixed
    # The least sum is the negative of the largest negated one.
    negated, most = _largest(np.stack([-by_suit, by_suit]))
    return fixed - negated, fixed + most


@cache
def _sees_honours(place: int) -> bool:
    """Return True if a feature of a suit depends on more than the length of the suit."""
    tables = cell_tables()
    values = tables.by_holding[place]
    return any(
        len(set(row[there].tolist())) > 1 for row, there in zip(values, tables.exists, strict=True)
    )


@lru_cache(maxsize=4096)
def literal_cells(literal: Literal) -> CellInterval:
    """Return the cells of a literal."""
    reached = _sum_cells(literal.terms, literal.at_least)
    # Inner and outer change roles when a condition is denied.
    return reached if literal.positive else complement(reached)


def complement(cells: CellInterval) -> CellInterval:
    """Return the cells of all other hands."""
    every = every_cell().outer
    return CellInterval(every ^ cells.outer, every ^ cells.inner)


@lru_cache(maxsize=4096)
def formula_cells(formula: Formula) -> CellInterval:
    """Return the cells of a formula."""
    inner, outer = every_cell()
    for clause in formula:
        if len(clause) == 1:
            some_inner, some_outer = literal_cells(clause[0])
            inner &= some_inner
            outer &= some_outer
            continue
        some_inner = some_outer = 0
        for literal in clause:
            own_inner, own_outer = literal_cells(literal)
            some_inner |= own_inner
            some_outer |= own_outer
        inner &= some_inner
        outer &= some_outer
    return CellInterval(inner, outer)


@lru_cache(maxsize=1024)
def cells_by_rule(statement: Statement) -> dict[int, CellInterval]:
    """Return the cells of the hands that fit a statement by each of its alternatives.

    The dictionary is shared by all who ask: it is to be read only.
    """
    result: dict[int, CellInterval] = {}
    denied_inner = denied_outer = 0
    for alternative in statement:
        for _, rival in alternative.rivals:
            rival_inner, rival_outer = formula_cells(rival)
            denied_inner |= rival_inner
            denied_outer |= rival_outer
        own_inner, own_outer = formula_cells(alternative.formula)
        # What is surely denied leaves the outer cells, what may be denied the inner ones.
        result[alternative.index] = CellInterval(
            own_inner & ~denied_outer, own_outer & ~denied_inner
        )
    return result


def fitting_cells(statements: Iterable[Statement]) -> CellInterval:
    """Return the cells of the hands that fit all statements."""
    cells = every_cell()
    for statement in statements:
        cells = cells & _statement_cells(statement)
    return cells


@lru_cache(maxsize=1024)
def _statement_cells(statement: Statement) -> CellInterval:
    """Return the cells of the hands that fit a statement."""
    cells = CellInterval(0, 0)
    for alternative in cells_by_rule(statement).values():
        cells = cells | alternative
    return cells


@cache
def _reached() -> tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]:
    """Return the cells where each number, but for the points, reaches a value, and stays below it.

    Returns:
        The place of the number; for each value from 1 up the cells in which some hand has as much
        or more; and for each of them the cells in which some hand has less.
    """
    every = _every()
    result = []
    for place, (name, top) in enumerate(NUMBERS):
        # Points are not among them: they are read off the bits of the cells themselves.
        if place not in _POINTS:
            least, most = _extremes(terms_of(name))
            above = tuple(_pack(every & (most >= value)) for value in range(1, top + 1))
            below = tuple(_pack(every & (least < value)) for value in range(1, top + 1))
            result.append((place, above, below))
    return tuple(result)


@cache
def _any_card() -> int:
    """Return the cells where each honour is held by some hand, and lacked by another."""
    cells = every_cell().outer
    for place, above, below in _reached():
        if SUITS <= place < HOLDING:
            cells &= above[0] & below[0]
    return cells


_POINTS = (HOLDING, HOLDING + 1)
"""The places of high-card points and of points among the numbers."""


@lru_cache(maxsize=2048)
def ranges(cells: int) -> Ranges:
    """Return the ranges of the numbers of the hands of some cells, at least one, each attained.

    The lists are shared by all who ask: they are to be read only.
    """
    low, high = [0] * len(NUMBERS), [0] * len(NUMBERS)
    reached = _reached()
    # Nearly always every honour is open: one test instead of forty.
    if cells & _any_card():
        high[SUITS:HOLDING] = [1] * (HOLDING - SUITS)
        reached = tuple(each for each in reached if not SUITS <= each[0] < HOLDING)
    for place, above, below in reached:
        # Masks are nested, so halving finds the first value that no cell reaches.
        high[place] = bisect_left(above, True, key=lambda some: not cells & some)
        low[place] = bisect_left(below, True, key=lambda some: bool(cells & some))
    words = _words(cells)
    over = cell_tables().by_shape[:, POINTS].astype(np.int64)
    # Points are high-card points shifted by what the shape adds.
    for place, by_shape in zip(_POINTS, (words, words << over), strict=True):
        # All shapes together: the lowest and the highest bit are the ends of the range.
        bits = int(np.bitwise_or.reduce(by_shape))
        low[place], high[place] = (bits & -bits).bit_length() - 1, bits.bit_length() - 1
    return low, high
