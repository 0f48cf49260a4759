"""The numbers of the table as forms over the features, ready to be put into conditions."""

from __future__ import annotations

from bidwright.kb.logic import linear
from bidwright.kb.logic.feature_records import Longest, NumberWord, Weights
from bidwright.kb.logic.feature_table import NUMBERS, SUIT_FEATURES
from bidwright.kb.logic.features import INDEX, LENGTHS, suit_feature
from bidwright.kb.logic.linear import Linear, NumberForm, SecondLongest

_SUITS = range(len(LENGTHS))
_SUIT_KINDS = frozenset(feature.kind for feature in SUIT_FEATURES)


def _sum(weights: Weights, suits: tuple[int, ...]) -> Linear:
    """Return the sum of features over some suits; features of the whole hand count once."""
    form = Linear()
    for kind, weight in weights.items():
        # Of the whole hand, such as `hcp`, there is one feature however many suits are asked about.
        one_kind = kind in _SUIT_KINDS
        indices = [suit_feature(kind, suit) for suit in suits] if one_kind else [INDEX[kind]]
        for index in indices:
            form = linear.add_linear(form, linear.feature(index, weight))
    return form


def _longest(longest: Longest) -> NumberForm:
    lengths = [linear.feature(LENGTHS[suit]) for suit in longest.suits]
    match longest.place, longest.count:
        case 0, 1:
            return linear.largest_of(*lengths)
        # Among two suits the two longest are all of them.
        case 0, 2 if len(lengths) == len(LENGTHS):
            return linear.two_longest()
        case 1, 1 if len(lengths) == len(LENGTHS):
            return SecondLongest()
        case -1, 1:
            return linear.smallest_of(*lengths)
        case _:
            raise ValueError(f"no form for {longest!r}")


def form_of(number: NumberWord, suit: int | None = None) -> NumberForm:
    """Return the form of a number of the table; of a suit (0..3) if it takes one in brackets.

    Raises:
        ValueError: there is no form for the suit that it names.
    """
    if number.longest is not None:
        return _longest(number.longest)
    form = linear.add_linear(linear.constant(number.constant), _sum(number.hand, tuple(_SUITS)))
    if suit is None:
        return form
    # Shortness counts outside the trumps that it is to ruff with.
    others = tuple(other for other in _SUITS if other != suit)
    of_suit = linear.add_linear(_sum(number.suit, (suit,)), _sum(number.elsewhere, others))
    return linear.add_linear(form, of_suit)


HAND_NUMBERS: dict[str, NumberForm] = {
    number.name: form_of(number) for number in NUMBERS if not number.is_of_suit
}
"""The form of each number of the whole hand, by its word."""

SUIT_NUMBERS: dict[str, tuple[NumberForm, ...]] = {
    "len": tuple(linear.feature(index) for index in LENGTHS),
    **{
        number.name: tuple(form_of(number, suit) for suit in _SUITS)
        for number in NUMBERS
        if number.is_of_suit
    },
}
"""The form of each number of a suit, by its word and suit (0..3)."""
