"""The hands that make a call as conditions of the language, by a decision tree over named facts.

The tree is grown as CART does it (Breiman, Friedman, Olshen & Stone, "Classification and Regression
Trees", 1984): each time by the fact and threshold that leave the least impurity (Gini). It is kept
small, for its leaves are to be read by people.

Shapes: `N` hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.kb.logic.features import INDEX, LENGTHS
from bidwright.kb.logic.hand_numbers import HAND_NUMBERS, SUIT_NUMBERS
from bidwright.kb.logic.linear import Linear, NumberForm

_DEPTH = 3
"""Facts that a leaf may ask of a hand, besides those that are closed around it."""
_LEAST = 4
"""The least hands of a leaf that make the call."""
_SHARE = 0.5
"""The least share of a leaf's hands that make it."""
_FLAGS = ("balanced", "semibalanced")
_NUMBERS = ("hcp", "points", "controls", "aces")

Values = Mapping[str, NDArray[np.int64]]
"""Int64 `[N]` by fact: what it is for each hand."""
Marks = NDArray[np.bool_]
Range = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Leaf:
    """Hands that mostly make a call.

    Attributes:
        ranges: the least and largest value of each fact in the condition.
        hands: the number of hands seen that fit.
        inside: the number of them that make the call.
    """

    ranges: tuple[tuple[str, Range], ...]
    hands: int
    inside: int

    def fitting(self, values: Values) -> Marks:
        """Return bool `[N]`, True for hands that fit."""
        return _fitting(values, self.ranges)

    @property
    def text(self) -> str:
        """The condition, as rules write it."""
        return ", ".join(_range_text(name, *ends) for name, ends in self.ranges)


def facts_of_hand(row: Sequence[int], suits: Mapping[str, int]) -> dict[str, int]:
    """Return the facts of a hand that a tree asks about, by words of the language.

    Args:
        row: the hand's features.
        suits: the suits (0..3) that conditions can name, by their words or letters.
    """
    return {
        **{name: _value(HAND_NUMBERS[name], row) for name in _NUMBERS},
        **{name: row[LENGTHS[suit]] for name, suit in suits.items()},
        **{f"top5({name})": _value(SUIT_NUMBERS["top5"][s], row) for name, s in suits.items()},
        **{name: row[INDEX[name]] for name in _FLAGS},
    }


def _value(form: NumberForm, row: Sequence[int]) -> int:
    assert isinstance(form, Linear), "these numbers are sums"
    return int(form.constant + sum(weight * row[index] for index, weight in form.terms))


def leaves(values: Values, makes: Marks, suit: str | None) -> Iterator[Leaf]:
    """Yield the leaves of a tree with hands that mostly make a call.

    High-card points and the length in the suit that is bid are closed around the hands that make
    it, since no hands outside were seen.

    Args:
        values: the facts of the hands that called at the same place.
        makes: bool `[N]`, True for hands that make the call.
        suit: the word or letter of the suit bid, if it is one.
    """
    everybody = np.ones(len(makes), dtype=np.bool_)
    for path, here in _grown(values, makes, everybody, {}, _DEPTH):
        making = here & makes
        if making.sum() < _LEAST:
            continue
        ranges = dict(path)
        # From the smallest hand seen to the largest: beyond them the tree knows nothing.
        ranges["hcp"] = int(values["hcp"][making].min()), int(values["hcp"][making].max())
        if suit is not None:
            # The length has no upper end of its own: more cards of the suit are no reason against
            # the bid.
            ranges[suit] = int(values[suit][making].min()), ranges.get(suit, (None, None))[1]
        # In the order of the facts, so that equal leaves have equal texts.
        condition = tuple((name, ranges[name]) for name in values if name in ranges)
        # The ranges closed above leave out hands, so the leaf is counted anew.
        fits = _fitting(values, condition)
        inside = int((fits & makes).sum())
        if inside >= _LEAST and inside >= _SHARE * fits.sum():
            yield Leaf(condition, int(fits.sum()), inside)


def _grown(
    values: Values, makes: Marks, here: Marks, path: Mapping[str, Range], depth: int
) -> Iterator[tuple[Mapping[str, Range], Marks]]:
    """Yield the leaves below a node: the ranges on the way there, and bool `[N]`, its hands."""
    best: tuple[float, str, int] | None = None
    if depth and 0 < makes[here].sum() < here.sum():
        least = _impurity(makes[here])
        for name, column in values.items():
            # The first value would put all hands on one side.
            for threshold in np.unique(column[here])[1:].tolist():
                above = column[here] >= threshold
                left = _impurity(makes[here][above]) + _impurity(makes[here][~above])
                # A difference of rounding must not decide which fact is taken.
                if left < least - 1e-9:
                    least, best = left, (left, name, threshold)
    if best is None:
        yield path, here
        return
    _, name, threshold = best
    low, high = path.get(name, (None, None))
    for side, ends in (
        (values[name] >= threshold, (threshold, high)),
        (values[name] < threshold, (low, threshold - 1)),
    ):
        yield from _grown(values, makes, here & side, {**path, name: ends}, depth - 1)


def _impurity(makes: Marks) -> float:
    """Return the Gini impurity of some hands, times how many they are."""
    count = len(makes)
    share = float(makes.mean()) if count else 0.0
    # Times the count, so that the two sides of a split can be added.
    return count * share * (1 - share)


def _fitting(values: Values, ranges: Sequence[tuple[str, Range]]) -> Marks:
    fits = np.ones(len(next(iter(values.values()))), dtype=np.bool_)
    for name, (low, high) in ranges:
        if low is not None:
            fits &= values[name] >= low
        if high is not None:
            fits &= values[name] <= high
    return fits


def _range_text(name: str, low: int | None, high: int | None) -> str:
    if name in _FLAGS:
        return name if low else f"not {name}"
    if low == high:
        return f"{name} {low}"
    if high is None:
        return f"{name} {low}+"
    return f"{name} {'' if low is None else low}..{high}"
