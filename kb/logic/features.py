"""The vector of features: the numbers through which a hand enters conditions.

All of them are small integers, functions of suit lengths and of the honours A K Q J T. Conditions
are thresholds over them (`kb.logic.formula`). `kb.logic.feature_table` says what each one is; the
answer-set program defines them once more in `inference/engine/encodings/features.lp` under the
names given here, and differential tests hold the two equal.

Shapes: `B` hands, `F` = `len(FEATURES)` features.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.hand import Hand
from bidwright.kb.logic.feature_records import (
    HONOUR_LETTERS,
    HONOUR_RANKS,
    SUIT_LETTERS,
    Feature,
    SuitHoldings,
)
from bidwright.kb.logic.feature_table import HAND_FEATURES, SUIT_FEATURES

__all__ = [
    "FEATURES",
    "GIVEN",
    "HCP",
    "HONOUR_LETTERS",
    "INDEX",
    "LARGEST",
    "LENGTHS",
    "PATTERNS",
    "PATTERN_INDEX",
    "POINTS",
    "SUIT_LETTERS",
    "features",
    "features_of",
    "held_cards",
    "suit_feature",
]

PATTERNS: tuple[tuple[int, int, int, int], ...] = tuple(
    (a, b, c, 13 - a - b - c)
    for a in range(13, 3, -1)
    for b in range(min(a, 13 - a), -1, -1)
    for c in range(min(b, 13 - a - b), -1, -1)
    if c >= 13 - a - b - c
)
"""The 39 hand patterns: suit lengths in falling order."""

_SUITS = range(len(SUIT_LETTERS))
_COLUMNS: tuple[tuple[Feature, int | None], ...] = (
    *((feature, suit) for feature in SUIT_FEATURES for suit in _SUITS),
    *((feature, None) for feature in HAND_FEATURES),
)
"""The features before the hand patterns, each with its suit."""

FEATURES: tuple[str, ...] = (
    *(feature.term(suit) for feature, suit in _COLUMNS),
    *(f"pattern({','.join(map(str, lengths))})" for lengths in PATTERNS),
)
"""The term that names each feature in the answer-set program, by feature index."""

LARGEST: tuple[int, ...] = (*(feature.high for feature, _ in _COLUMNS), *(1 for _ in PATTERNS))
"""The largest value of each feature; the smallest is 0."""

GIVEN = frozenset(index for index, (feature, _) in enumerate(_COLUMNS) if feature.given)
"""Features that every program defines from the start; the others are defined on demand."""

INDEX: dict[str, int] = {name: index for index, name in enumerate(FEATURES)}
"""Feature index by name."""

_BY_SUIT = {
    feature.kind: tuple(INDEX[feature.term(suit)] for suit in _SUITS) for feature in SUIT_FEATURES
}


def suit_feature(kind: str, suit: int) -> int:
    """Index of a per-suit feature such as `len` or `card_a`; suit 0..3 = C D H S."""
    return _BY_SUIT[kind][suit]


HCP = INDEX["hcp"]
POINTS = INDEX["points"]
LENGTHS = tuple(suit_feature("len", suit) for suit in _SUITS)
PATTERN_INDEX = {lengths: len(_COLUMNS) + place for place, lengths in enumerate(PATTERNS)}
"""Feature index of each hand pattern: 1 if the hand has it."""


def features(held: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the features of hands.

    Args:
        held: bool `[B, 52]`, True where the hand holds card `13 * suit + rank`.

    Returns:
        int16 `[B, F]`, columns in the order of `FEATURES`.
    """
    by_suit = held.reshape(len(held), 4, 13).astype(np.int16)
    length = by_suit.sum(axis=2, dtype=np.int16)
    cards = SuitHoldings(length, *(by_suit[:, :, rank] for rank in HONOUR_RANKS))
    # numpy sorts upwards only: the negative of a sort of the negatives.
    falling = -np.sort(-length, axis=1)
    patterns = (falling[:, None, :] == np.array(PATTERNS)[None, :, :]).all(axis=2)
    columns = [feature.compute(cards) for feature in SUIT_FEATURES]
    columns += [feature.compute(cards)[:, None] for feature in HAND_FEATURES]
    return np.concatenate([*columns, patterns], axis=1).astype(np.int16)


def held_cards(hands: Sequence[Hand]) -> NDArray[np.bool_]:
    """Return bool `[B, 52]`: which cards each hand holds."""
    held = np.zeros((len(hands), 52), dtype=np.bool_)
    for row, hand in zip(held, hands, strict=True):
        row[list(hand.cards)] = True
    return held


_HONOURS = len(HONOUR_RANKS)
_LONGEST = 13

_Row = tuple[tuple[int, ...], tuple[int, ...]]
"""The features of a suit, and what it adds to those of the whole hand."""


@cache
def _rows() -> list[_Row]:
    """Return a row for each holding of a suit; its place is `32 * length + honours`, a bit each.

    Rows of holdings that there are not, such as five honours in four cards, are never read.
    """
    places = np.arange((_LONGEST + 1) << _HONOURS, dtype=np.int16)
    honours = [(places >> bit & 1)[:, None] for bit in range(_HONOURS)]
    cards = SuitHoldings((places >> _HONOURS)[:, None], *honours)
    of_suit = [feature.compute(cards)[:, 0] for feature in SUIT_FEATURES]
    added = [feature.compute(cards) for feature in HAND_FEATURES if feature.adds]
    return [
        (tuple(row), tuple(sums))
        for row, sums in zip(
            np.stack(of_suit, 1).tolist(), np.stack(added, 1).tolist(), strict=True
        )
    ]


@lru_cache(maxsize=1_024)
def _shape(lengths: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the features of the whole hand that do not add up, and its pattern."""
    # Equal for every hand of a shape, of which there are 560.
    none = np.zeros((1, len(lengths)), dtype=np.int16)
    cards = SuitHoldings(np.array([lengths], dtype=np.int16), *[none] * _HONOURS)
    decided = (feature.compute(cards) for feature in HAND_FEATURES if not feature.adds)
    falling = tuple(sorted(lengths, reverse=True))
    return (
        tuple(int(values[0]) for values in decided),
        tuple(int(pattern == falling) for pattern in PATTERNS),
    )


_HONOUR_BITS = {rank: 1 << bit for bit, rank in enumerate(HONOUR_RANKS)}
_CARD_BITS = tuple((1 << _HONOURS) + _HONOUR_BITS.get(rank, 0) for rank in range(13))
"""The contribution of a card to the place of the row of its suit."""


@lru_cache(maxsize=10_000)
def features_of(hand: Hand) -> tuple[int, ...]:
    """Return the features of one hand, in the order of `FEATURES`.

    They are put together from tables by suit and by shape, which takes a tenth of the time that
    `features` takes for an array of one hand.
    """
    places = [0, 0, 0, 0]
    for card in hand.cards:
        suit, rank = divmod(card, 13)
        places[suit] += _CARD_BITS[rank]
    rows = _rows()
    # A list and not a generator, since both are walked several times.
    suits = [rows[place] for place in places]
    sums = map(sum, zip(*[added for _, added in suits], strict=True))
    decided, pattern = _shape(tuple([place >> _HONOURS for place in places]))
    # Features of the whole hand come in their order, whether they add up or not.
    others = iter(decided)
    return (
        *chain.from_iterable(zip(*[row for row, _ in suits], strict=True)),
        *[next(sums) if feature.adds else next(others) for feature in HAND_FEATURES],
        *pattern,
    )
