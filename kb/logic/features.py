"""The numbers a condition may use: features of a hand, the same for every reader of a rule.

A hand enters a condition only through this vector of small integers, all of them functions of suit
lengths and of the honours A K Q J T. Conditions are thresholds over it (`kb.logic.formula`), the
answer-set program defines each feature once more in `inference/engine/encodings/features.lp` under
the name given here, and differential tests hold the two equal.

Shapes: `B` hands, `F` = `len(FEATURES)` features.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.hand import Hand

SUIT_LETTERS = ("c", "d", "h", "s")
HONOUR_LETTERS = ("a", "k", "q", "j", "t")
_HONOUR_RANKS = (12, 11, 10, 9, 8)

_PER_SUIT = (
    "len",  # cards in the suit
    *(f"card_{honour}" for honour in HONOUR_LETTERS),  # 1 if held
    "losers",  # missing among the top min(3, length) cards
    "quick",  # quick tricks in halves: AK 4, AQ 3, A 2, KQ 2, Kx 1
    "short531",  # void 5, singleton 3, doubleton 1
    "short321",  # void 3, singleton 2, doubleton 1
    "over4",  # cards beyond the fourth
    "void",
    "singleton",
    "doubleton",
    "stopper",  # A, Kx, Qxx, Jxxx
    "half_stopper",  # K, Qx, Jxx
)
_PER_HAND = ("hcp", "points", "balanced", "semibalanced")

PATTERNS: tuple[tuple[int, int, int, int], ...] = tuple(
    (a, b, c, 13 - a - b - c)
    for a in range(13, 3, -1)
    for b in range(min(a, 13 - a), -1, -1)
    for c in range(min(b, 13 - a - b), -1, -1)
    if c >= 13 - a - b - c
)
"""The 39 hand patterns: suit lengths in falling order."""


def _asp_name(kind: str, suit: str) -> str:
    if kind.startswith("card_"):
        return f"card({suit},{kind[-1]})"
    return f"{kind}({suit})"


FEATURES: tuple[str, ...] = (
    *(_asp_name(kind, suit) for kind in _PER_SUIT for suit in SUIT_LETTERS),
    *_PER_HAND,
    *(f"pattern({','.join(map(str, lengths))})" for lengths in PATTERNS),
)
"""The term that names each feature in the answer-set program, by feature index."""

INDEX: dict[str, int] = {name: index for index, name in enumerate(FEATURES)}
"""Feature index by name."""


def suit_feature(kind: str, suit: int) -> int:
    """Index of a per-suit feature such as `len` or `card_a`; suit 0..3 = C D H S."""
    return INDEX[_asp_name(kind, SUIT_LETTERS[suit])]


HCP = INDEX["hcp"]
POINTS = INDEX["points"]
LENGTHS = tuple(suit_feature("len", suit) for suit in range(4))
PATTERN_INDEX = {
    lengths: len(FEATURES) - len(PATTERNS) + place for place, lengths in enumerate(PATTERNS)
}
"""Feature index of each hand pattern: 1 if the hand has it."""


def features(held: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the features of hands.

    Args:
        held: bool `[B, 52]`, True where the hand holds card `13 * suit + rank`.

    Returns:
        int16 `[B, F]`, columns in the order of `FEATURES`.
    """
    hands = held.shape[0]
    by_suit = held.reshape(hands, 4, 13).astype(np.int16)
    length = by_suit.sum(axis=2)
    ace, king, queen, jack, ten = (by_suit[:, :, rank] for rank in _HONOUR_RANKS)
    exactly = [(length == n).astype(np.int16) for n in range(3)]
    columns = {
        "len": length,
        "card_a": ace,
        "card_k": king,
        "card_q": queen,
        "card_j": jack,
        "card_t": ten,
        "losers": (length >= 1) * (1 - ace)
        + (length >= 2) * (1 - king)
        + (length >= 3) * (1 - queen),
        "quick": 2 * ace
        + ace * king
        + king * (length >= 2)
        + (ace | king) * queen
        - ace * king * queen,
        "short531": 5 * exactly[0] + 3 * exactly[1] + exactly[2],
        "short321": 3 * exactly[0] + 2 * exactly[1] + exactly[2],
        "over4": np.maximum(length - 4, 0),
        "void": exactly[0],
        "singleton": exactly[1],
        "doubleton": exactly[2],
        "stopper": ace | king * (length >= 2) | queen * (length >= 3) | jack * (length >= 4),
        "half_stopper": king | queen * (length >= 2) | jack * (length >= 3),
    }
    hcp = (4 * ace + 3 * king + 2 * queen + jack).sum(axis=1)
    no_short = (length >= 2).all(axis=1)
    doubletons = exactly[2].sum(axis=1)
    whole = {
        "hcp": hcp,
        "points": hcp + columns["over4"].sum(axis=1),
        "balanced": no_short & (doubletons <= 1),
        "semibalanced": no_short & (doubletons <= 2),
    }
    falling = -np.sort(-length, axis=1)
    patterns = (falling[:, None, :] == np.array(PATTERNS)[None, :, :]).all(axis=2)
    return np.concatenate(
        [columns[kind] for kind in _PER_SUIT]
        + [whole[kind][:, None] for kind in _PER_HAND]
        + [patterns],
        axis=1,
    ).astype(np.int16)


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
