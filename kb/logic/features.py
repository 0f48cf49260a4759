"""The vector of features: the numbers through which a hand enters conditions.

All of them are small integers, functions of suit lengths and of the honours A K Q J T. Conditions
are thresholds over them (`kb.logic.formula`). `kb.logic.feature_table` says what each one is; the
answer-set program defines them once more in `inference/engine/encodings/features.lp` under the
names given here, and differential tests hold the two equal.

Shapes: `B` hands, `F` = `len(FEATURES)` features.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

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


@lru_cache(maxsize=10_000)
def features_of(hand: Hand) -> tuple[int, ...]:
    """Return the features of one hand, in the order of `FEATURES`."""
    return tuple(features(held_cards((hand,)))[0].tolist())
