"""The ends of ranges, found by listing the hands beyond those that are known.

Where cells and witnesses leave an end of a range open, the hands that would be beyond it are often
few: four aces among 12 points, or seven losers with 15. They are listed and tried one by one. That
is exact: where all were listed and none fits there is none. Where there are too many to be listed,
a part of them is tried, in which a hand may be found; the rest is for the solver.
"""

from __future__ import annotations

from collections.abc import Sequence

from bidwright.inference.engine.cells import CellInterval, literal_cells
from bidwright.inference.engine.hull import HOLDING, NUMBERS, SUITS, Array, Ranges, terms_of
from bidwright.inference.engine.listed_hands import ListedHands, Listing, tens_in
from bidwright.inference.engine.statements import Statement
from bidwright.inference.engine.within_cells import statement_within
from bidwright.kb.logic.formula import Literal

_MOST_LISTED = 32_768
"""Hands that are listed, where all of them are."""

_MOST_TRIED = 1_024
"""Hands that are tried where there are too many to be listed."""

# Few hands have an unusual number of aces or controls, so those ends are settled first.
_CONTROLS, _ACES = HOLDING + 2, HOLDING + 3
_IN_ORDER = (_CONTROLS, _ACES, *(p for p in range(len(NUMBERS)) if p not in (_CONTROLS, _ACES)))
"""The places of the numbers; those first beyond whose ends there are few hands."""


class Ends:
    """The search for the ends of the ranges of some hands.

    Attributes:
        least, most: ranges that no hand is outside.
        low, high: ranges of hands that are known.
        found: int16 `[24]` each, holdings of hands that were found beyond those known.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        cells: CellInterval,
        outer: Ranges,
        attained: Ranges,
    ) -> None:
        """Start from bounds of the hands that fit some statements.

        Args:
            statements: the statements.
            cells: the inner and the outer cells of the hands.
            outer: ranges that no hand is outside.
            attained: ranges of some of the hands, those of the inner cells included.
        """
        self.least, self.most = list(outer[0]), list(outer[1])
        self.low, self.high = attained
        self.found: list[Array] = []
        # Hands of the inner cells are known; only those between the two sets are in question.
        self._cells = cells.outer & ~cells.inner
        beyond = 0
        for place in range(len(NUMBERS)):
            if self.high[place] < self.most[place]:
                # Only cells beyond an end that is open can move it.
                beyond |= literal_cells(_reaches(place, self.high[place] + 1)).outer
            if self.low[place] > self.least[place]:
                beyond |= literal_cells(_is_most(place, self.low[place] - 1)).outer
        self._cells &= beyond
        self._statements = [statement_within(each, self._cells) for each in statements]

    @property
    def outer(self) -> Ranges:
        """The ranges that no hand is outside."""
        return self.least, self.most

    @property
    def attained(self) -> Ranges:
        """The ranges of the hands that are known."""
        return self.low, self.high

    def search(self) -> None:
        """Find the ends as far as the hands beyond them can be listed."""
        for place in _IN_ORDER:
            while self.high[place] < self.most[place] and self._raise(place):
                pass
            while self.low[place] > self.least[place] and self._lower(place):
                pass

    def _raise(self, place: int) -> bool:
        """Look for hands above the highest one known; return True if that moved an end."""
        value, most = self.high[place] + 1, self.most[place]
        listing = self._listing(place, value, most)
        # Too many to list: the far end, where hands are fewest, may be proved impossible.
        if listing.size > _MOST_TRIED and value < most:
            value = most
            listing = self._listing(place, value, most)
        is_complete = self._try(listing, _reaches(place, value))
        if is_complete:
            # All were tried, so nothing is beyond what was found.
            self.most[place] = max(value - 1, self.high[place])
        return is_complete or self.high[place] >= value

    def _lower(self, place: int) -> bool:
        """Look for hands below the lowest one known; return True if that moved an end."""
        value, least = self.low[place] - 1, self.least[place]
        listing = self._listing(place, least, value)
        if listing.size > _MOST_TRIED and value > least:
            value = least
            listing = self._listing(place, least, value)
        is_complete = self._try(listing, _is_most(place, value))
        if is_complete:
            self.least[place] = min(value + 1, self.low[place])
        return is_complete or self.low[place] <= value

    def _listing(self, place: int, least: int, most: int) -> Listing:
        """Return the hands that may fit with a number within a range."""
        cells = self._cells
        # The number alone narrows the cells, so that fewer hands are listed.
        if least > self.least[place]:
            cells &= literal_cells(_reaches(place, least)).outer
        if most < self.most[place]:
            cells &= literal_cells(_is_most(place, most)).outer
        fewest, top = self.least[_CONTROLS], self.most[_CONTROLS]
        if place == _CONTROLS:
            fewest, top = least, most
        elif place == _ACES:
            # Two controls an ace, and up to four more for the kings: with fewer, hands of few aces
            # and four kings are left out, and an end is taken for proved too soon.
            fewest, top = max(fewest, 2 * least), min(top, 2 * most + SUITS)
        return Listing(cells, (fewest, top))

    def _try(self, listing: Listing, literal: Literal) -> bool:
        """Take in hands of a listing that fit; return whether all of them were tried."""
        statements = [statement_within(each, listing.cells) for each in self._statements]
        # A statement that no hand of these cells fits leaves nothing to list.
        if not all(statements):
            return True
        tens = tens_in(statements, literal)
        # A sample finds a hand quickly if there are many; only then is the whole list tried.
        if listing.size > _MOST_TRIED:
            if self._take_in(listing.hands(_MOST_TRIED, tens), statements, literal):
                return False
            if listing.size > _MOST_LISTED:
                return False
        self._take_in(listing.hands(_MOST_LISTED, tens), statements, literal)
        return True

    def _take_in(
        self, hands: ListedHands, statements: Sequence[Statement], literal: Literal
    ) -> bool:
        """Take in those of some hands that fit; return whether a literal holds for one of them."""
        fitting = hands.fitting(*statements)
        if not fitting:
            return False
        ranges = hands.ranges(fitting, self.outer, self.attained)
        assert ranges is not None, "some hands are known"
        self.low, self.high = ranges
        beyond = hands.satisfying(fitting, ((literal,),))
        if beyond:
            # The lowest bit: one hand is enough as a witness.
            self.found.append(hands.holding((beyond & -beyond).bit_length() - 1))
        return bool(beyond)


def _reaches(place: int, value: int) -> Literal:
    """Return the literal that a number is at least a value."""
    return Literal(_TERMS[place], value)


def _is_most(place: int, value: int) -> Literal:
    """Return the literal that a number is at most a value."""
    return Literal(_TERMS[place], value + 1, positive=False)


_TERMS = tuple(terms_of(name) for name, _ in NUMBERS)
