"""The layout of the card vector: the facts of a system that networks see, and their places.

The facts are the meanings of calls in standard positions: openings, responses, doubles and
overcalls. The vector begins with a 1 (disclosed); for each position `FACTS` numbers follow. The
vector of a system that is not disclosed is all zeros. Weights carry the version as the name of
their encoding (`cards1`), which changes with any position or fact.
"""

from __future__ import annotations

from bidwright.bridge.cards import SUITS

STANDARD = (
    *("1C", "1D", "1H", "1S", "1NT", "2C", "2D", "2H", "2S", "2NT", "3C", "3S"),
    *("1C (P) 1D", "1C (P) 1H", "1C (P) 1NT", "1C (P) 2C", "1C (P) 2D", "1C (P) 3C"),
    *("1D (P) 2C", "1D (P) 2D", "1D (P) 2H", "1D (P) 3D"),
    *("1H (P) 1S", "1H (P) 1NT", "1H (P) 2C", "1H (P) 2H", "1H (P) 2NT", "1H (P) 3C", "1H (P) 3H"),
    *("1S (P) 2H", "1S (P) 2NT", "1S (P) 4C"),
    *("1NT (P) 2C", "1NT (P) 2D", "1NT (P) 2H", "1NT (P) 2S", "1NT (P) 2NT", "1NT (P) 3C"),
    *("2C (P) 2D", "2D (P) 2H", "2H (P) 2NT", "2NT (P) 3C", "2NT (P) 3D"),
    *("(1C) X", "(1C) 1H", "(1C) 1NT", "(1C) 2C", "(1C) 2H"),
    *("(1H) X", "(1H) 1S", "(1H) 1NT", "(1H) 2D", "(1H) 2H", "(1H) 2S", "(1H) 2NT"),
    *("(1NT) X", "(1NT) 2C", "(1NT) 2D", "(1NT) 2H", "(1NT) 2S", "(2H) X", "(2H) 2NT"),
    *("1D (1H) X", "1D (1S) X", "1H (X) XX", "1H (X) 2NT", "1NT (2H) X", "1S (2H) X"),
)
"""Auctions with the calls to describe at the end, opponents' calls in brackets."""

FACTS = 1 + 2 + 2 * len(SUITS) + 4
"""Numbers of a position: 1 if the call is agreed, and then least and most points (no more than 24)
over `POINTS_SCALE`, least and most cards (no more than 8) over `CARDS_SCALE` in clubs, diamonds,
hearts and spades, and 1 if it is artificial, forcing, forcing to game, inviting."""

CARD = 1 + FACTS * len(STANDARD)
"""Numbers of a card vector."""

MOST_POINTS, POINTS_SCALE = 24, 4.0
MOST_CARDS, CARDS_SCALE = 8, 2.0
"""Divisors that make the usual differences of systems, some points and a card, about 1."""

NOT_DISCLOSED = 0
"""The row of every table of card vectors that is all zeros."""
