"""The table of features of a hand, and the words of the language for them.

A `Feature` is a number of the vector that hands are represented by. A `NumberWord` is a word that
conditions compare with a range, such as `controls`; it is a sum of features. A `FactWord` is a word
that holds or not, such as `balanced`; it is a feature with the values 0 and 1. The program has all
knowledge of them here: ranges, their computation, the meanings of the words for players,
and the nouns of explanations. These follow from the table:

- the vector, its order and the names in the answer-set programs (`kb.logic.features`),
- the intervals of features that bounds imply, for a feature of one suit by enumeration
  (`kb.logic.intervals`),
- the forms that conditions are folded to (`kb.logic.hand_numbers`),
- the vocabulary of the language, its checks and the tables of docs/language.md
  (`kb.language.vocabulary`),
- the wording of explanations (`kb.wording.readings`) and of exchanged notes
  (`authoring.exchange.english`).

How to add one. A number that is a sum of features is a line of `NUMBERS`. A new feature is a line
of `SUIT_FEATURES` or `HAND_FEATURES`, a rule in `inference/engine/encodings/features.lp` that
defines `ge(P,NAME,N)` for the name given here, and a condition in
`tests/kb/logic/test_conditions.py`; the existing tests then hold the rule equal to `compute` on
random hands, its largest value to `high`, and the documentation to the meaning. A word for it is a
line of `NUMBERS` or `FACTS`. CONTRIBUTING.md takes an example through all of it.

Shapes: `B` hands, `S` suits (four, or one where a suit stands alone).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from bidwright.kb.logic.feature_records import (
    HONOUR_LETTERS,
    FactWord,
    Feature,
    Longest,
    NumberWord,
    SuitHoldings,
)

LENGTH_MAX = 13
"""The most cards in a suit."""

STRENGTH_MAX = 37
"""The most high-card points in a hand, and the most points.

AKQJ AKQ AKQ AKQ has 37 of both: a fifth card of a suit adds a point where a queen or a jack of
another suit is lost. `tests/kb/logic/test_features.py` proves it over all shapes.
"""


def _losers(cards: SuitHoldings) -> NDArray[np.generic]:
    return (
        (cards.length >= 1) * (1 - cards.ace)
        + (cards.length >= 2) * (1 - cards.king)
        + (cards.length >= 3) * (1 - cards.queen)
    )


def _quick_halves(cards: SuitHoldings) -> NDArray[np.generic]:
    ace, king, queen = cards.ace, cards.king, cards.queen
    # In halves, so that they are whole numbers like all features.
    guarded = king * (cards.length >= 2)
    # The last term: beside ace and king the queen is not counted once more.
    return np.asarray(2 * ace + ace * king + guarded + (ace | king) * queen - ace * king * queen)


def _stopper(cards: SuitHoldings) -> NDArray[np.generic]:
    length = cards.length
    held = cards.king * (length >= 2) | cards.queen * (length >= 3) | cards.jack * (length >= 4)
    # Kx, Qxx, Jxxx: the suit is stopped once they have led it as often as they have higher cards.
    return np.asarray(cards.ace | held)


def _half_stopper(cards: SuitHoldings) -> NDArray[np.generic]:
    length = cards.length
    return np.asarray(cards.king | cards.queen * (length >= 2) | cards.jack * (length >= 3))


def _over_four(cards: SuitHoldings) -> NDArray[np.generic]:
    return np.maximum(cards.length - 4, 0)


def _hcp(cards: SuitHoldings) -> NDArray[np.generic]:
    return np.asarray((4 * cards.ace + 3 * cards.king + 2 * cards.queen + cards.jack).sum(axis=1))


def _by_length(*values: int) -> Callable[[SuitHoldings], NDArray[np.generic]]:
    """Return a function of a suit's length that computes a feature: its values for 0, 1, ... cards.

    It is 0 for lengths beyond those given.
    """
    table = np.zeros(LENGTH_MAX + 1, dtype=np.int16)
    table[: len(values)] = values
    # A look-up by length: one array operation for all hands and suits.
    return lambda cards: table[cards.length]


def _is_flat(cards: SuitHoldings, doubletons: int) -> NDArray[np.bool_]:
    """Return bool `[B]`: no void, no singleton, and no more than some doubletons."""
    length = cards.length
    # Long suits need no test: six cards leave a shortage or two doubletons.
    few = (length == 2).sum(axis=1) <= doubletons
    return np.asarray((length >= 2).all(axis=1) & few)


SUIT_FEATURES: tuple[Feature, ...] = (
    Feature("len", LENGTH_MAX, lambda cards: cards.length, given=True),
    Feature("card_a", 1, lambda cards: cards.ace, given=True),
    Feature("card_k", 1, lambda cards: cards.king, given=True),
    Feature("card_q", 1, lambda cards: cards.queen, given=True),
    Feature("card_j", 1, lambda cards: cards.jack, given=True),
    Feature("card_t", 1, lambda cards: cards.ten, given=True),
    Feature("losers", 3, _losers),
    # quick tricks in halves: AK 4, AQ 3, A 2, KQ 2, Kx 1
    Feature("quick", 4, _quick_halves, noun="half quick tricks in {}"),
    Feature(
        "short531",
        5,
        _by_length(5, 3, 1),
        noun="shortness points in {}",
    ),
    Feature(
        "short321",
        3,
        _by_length(3, 2, 1),
        noun="shortness points (3-2-1) in {}",
    ),
    Feature("over4", LENGTH_MAX - 4, _over_four, noun="{} over four"),
    Feature("void", 1, _by_length(1)),
    Feature("singleton", 1, _by_length(0, 1)),
    Feature("doubleton", 1, _by_length(0, 0, 1)),
    Feature("stopper", 1, _stopper),
    Feature("half_stopper", 1, _half_stopper),
)
"""The features of each suit; their values depend on the cards of that suit alone."""

HAND_FEATURES: tuple[Feature, ...] = (
    Feature("hcp", STRENGTH_MAX, _hcp, given=True, adds=True),
    Feature(
        "points",
        STRENGTH_MAX,
        lambda cards: _hcp(cards) + _over_four(cards).sum(axis=1),
        given=True,
        adds=True,
    ),
    Feature("balanced", 1, lambda cards: _is_flat(cards, 1), given=True),
    Feature("semibalanced", 1, lambda cards: _is_flat(cards, 2)),
)
"""The features of the whole hand, hand patterns (`kb.logic.features.PATTERNS`) apart."""


def _top(count: int) -> dict[str, int]:
    """Return the weights that count the highest honours of a suit."""
    return {f"card_{honour}": 1 for honour in HONOUR_LETTERS[:count]}


NUMBERS: tuple[NumberWord, ...] = (
    NumberWord(
        "hcp", 0, STRENGTH_MAX, "high-card points: A 4, K 3, Q 2, J 1", "HCP", hand={"hcp": 1}
    ),
    NumberWord(
        "points",
        0,
        STRENGTH_MAX,
        "high-card points, and 1 for each card over four in each suit",
        "points",
        hand={"points": 1},
    ),
    NumberWord(
        "length_points",
        0,
        LENGTH_MAX - 4,
        "1 for each card over four in each suit",
        "length points",
        hand={"over4": 1},
    ),
    NumberWord("aces", 0, 4, "number of aces", "aces", hand={"card_a": 1}),
    NumberWord("kings", 0, 4, "number of kings", "kings", hand={"card_k": 1}),
    NumberWord("queens", 0, 4, "number of queens", "queens", hand={"card_q": 1}),
    NumberWord(
        "controls", 0, 12, "an ace is 2, a king 1", "controls", hand={"card_a": 2, "card_k": 1}
    ),
    NumberWord(
        "keycards",
        0,
        5,
        "aces, and the king of S",
        "key cards for {}",
        hand={"card_a": 1},
        suit={"card_k": 1},
    ),
    NumberWord("top2", 0, 2, "how many of A K in S", exchanged="of the top two in", suit=_top(2)),
    NumberWord(
        "top3", 0, 3, "how many of A K Q in S", exchanged="of the top three in", suit=_top(3)
    ),
    NumberWord(
        "top4", 0, 4, "how many of A K Q J in S", exchanged="of the top four in", suit=_top(4)
    ),
    NumberWord(
        "top5", 0, 5, "how many of A K Q J T in S", exchanged="of the top five in", suit=_top(5)
    ),
    NumberWord(
        "shortness",
        0,
        15,
        "outside S: a void 5, a singleton 3, a doubleton 1",
        "shortness points outside {}",
        elsewhere={"short531": 1},
    ),
    NumberWord(
        "shortness321",
        0,
        9,
        "outside S: a void 3, a singleton 2, a doubleton 1",
        "shortness points (3-2-1) outside {}",
        "dummy shortness points outside",
        elsewhere={"short321": 1},
    ),
    NumberWord("voids", 0, 3, "number of voids", "voids", hand={"void": 1}),
    NumberWord("singletons", 0, 3, "number of singletons", "singletons", hand={"singleton": 1}),
    NumberWord("doubletons", 0, 3, "number of doubletons", "doubletons", hand={"doubleton": 1}),
    NumberWord(
        "losers",
        0,
        12,
        "losing tricks: A, K, Q missing among the first three cards of a suit",
        "losers",
        hand={"losers": 1},
    ),
    NumberWord("losers", 0, 3, "losing tricks in S", "losers in {}", suit={"losers": 1}),
    NumberWord(
        "quick_tricks",
        0,
        8,
        "AK 2, AQ 1.5, A 1, KQ 1, Kx 0.5, in each suit",
        "quick tricks",
        hand={"quick": Fraction(1, 2)},
    ),
    NumberWord(
        "playing_tricks",
        1,
        13,
        "13 less the losing tricks",
        "playing tricks",
        hand={"losers": -1},
        constant=13,
    ),
    NumberWord(
        "suit_tricks",
        0,
        LENGTH_MAX,
        "length of S less the losing tricks in it",
        "tricks in {}",
        suit={"len": 1, "losers": -1},
    ),
    NumberWord(
        "longest",
        4,
        LENGTH_MAX,
        "length of the longest suit",
        exchanged="cards in the longest suit",
        longest=Longest(),
    ),
    NumberWord(
        "second_longest",
        0,
        6,
        "length of the second longest suit",
        exchanged="cards in the second longest suit",
        longest=Longest(place=1),
    ),
    NumberWord(
        "two_longest",
        7,
        LENGTH_MAX,
        "cards in the two longest suits together",
        "cards in the two longest suits",
        longest=Longest(count=2),
    ),
    NumberWord(
        "shortest",
        0,
        3,
        "length of the shortest suit",
        exchanged="cards in the shortest suit",
        longest=Longest(place=-1),
    ),
    NumberWord(
        "hcp_in",
        0,
        10,
        "high-card points in S",
        "HCP in {}",
        suit={"card_a": 4, "card_k": 3, "card_q": 2, "card_j": 1},
    ),
    NumberWord(
        "longest_minor",
        0,
        LENGTH_MAX,
        "length of the longer minor",
        exchanged="cards in the longer minor",
        longest=Longest((0, 1)),
    ),
    NumberWord(
        "longest_major",
        0,
        LENGTH_MAX,
        "length of the longer major",
        exchanged="cards in the longer major",
        longest=Longest((2, 3)),
    ),
)
"""The numbers of a hand, in the order of the documentation; suit lengths apart."""

FACTS: tuple[FactWord, ...] = (
    FactWord("balanced", "balanced", "4333, 4432 or 5332", "balanced", "unbalanced", "balanced"),
    FactWord(
        "semibalanced",
        "semibalanced",
        "no void, no singleton, at most two doubletons",
        "semi-balanced",
        "not even semi-balanced",
        "semi-balanced",
    ),
    FactWord(
        "unbalanced", "balanced", "not balanced", "unbalanced", "balanced", "unbalanced", value=0
    ),
    FactWord(
        "stopper",
        "stopper",
        "A, Kx, Qxx or Jxxx in S",
        "{one} stopper",
        "no {one} stopper",
        "stopper in",
        is_of_suit=True,
    ),
    FactWord(
        "half_stopper",
        "half_stopper",
        "K, Qx or Jxx in S",
        "half a {one} stopper",
        "not even half a {one} stopper",
        "half stopper in",
        is_of_suit=True,
    ),
    FactWord(
        "singleton",
        "singleton",
        "one card in S",
        "singleton in {}",
        "no singleton in {}",
        "singleton in",
        is_of_suit=True,
    ),
    FactWord(
        "void", "void", "no card in S", "void in {}", "no void in {}", "void in", is_of_suit=True
    ),
    FactWord(
        "doubleton",
        "doubleton",
        "two cards in S",
        "doubleton in {}",
        "no doubleton in {}",
        "doubleton in",
        is_of_suit=True,
    ),
)
"""The facts of a hand that are features, in the order of the documentation."""
