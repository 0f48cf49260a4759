"""The paper's games, their settings, and its figures.

Source: Tian, Gong and Jiang (2020), Tables 1 and 2, section 6 and appendix C.
"""

from __future__ import annotations

from typing import NamedTuple

GAMES = (
    "comm-3",
    "comm-5",
    "comm-6",
    "comm-7",
    "hanabi",
    "bidding-4",
    "bidding-8",
    "bidding-16",
    "mini-3",
    "mini-4",
    "mini-5",
)
"""The columns of Table 1."""

DEPTHS = {"bidding-16": 3, "mini-4": 3, "mini-5": 3, "mini-6": 3}
"""Depth of the search; the maximal depth in the other games. The paper has no mini-6."""

STATES = (633, 34785, 270273, 2129793, 53, 241, 1985, 16129, 4081, 25576, 147421)
INFOSETS = (129, 2049, 8193, 32769, 45, 61, 249, 1009, 1021, 5116, 24571)

_TABLE1 = {
    "cfr": (0.89, 0.85, 0.85, 0.85, 9.11, 2.18, 4.96, 10.47, 1.01, 1.62, 2.60),
    "cfr+jps": (1.00, 1.00, 1.00, 1.00, 9.50, 2.20, 5.00, 10.56, 1.07, 1.71, 2.74),
    "a2c": (0.60, 0.57, 0.51, 0.02, 8.20, 2.19, 4.79, 9.97, 0.66, 1.03, 1.71),
    "bad": (1.00, 0.88, 0.50, 0.29, 9.47, 2.23, 4.99, 9.81, 0.53, 0.98, 1.31),
    "best": (1.00, 1.00, 1.00, 1.00, 10, 2.25, 5.06, 10.75, 1.13, 1.84, 2.89),
}
_MORE = {
    ("bidding-16", "bad+jps"): 10.47,
    ("mini-3", "bad+jps"): 1.12,
    ("mini-4", "bad+jps"): 1.71,
    ("mini-5", "bad+jps"): 2.77,
}
"""Section 6: what BAD + JPS comes to."""

SPEEDS = {"bidding-8": 4.0, "bidding-16": 13.0, "comm-4": 3.0, "mini-4": 30.0}
"""Section 6: the speed of an iteration, as a multiple of that of exhaustive search."""

SAMPLES = (1, 2, 5, 8, 15, 20, 25, 30)
"""States drawn from each information set in Table 2."""
PASSES = 100
"""Passes of the search with samples."""


class Sampled(NamedTuple):
    """A row of Table 2: a game, where the search begins, and the means, with all states first."""

    game: str
    base: str
    means: tuple[float, ...]


TABLE2 = (
    Sampled("hanabi", "cfr", (9.50, 10.00, 9.99, 9.95, 9.75, 9.51, 9.51, 9.51, 9.51)),
    Sampled("bidding-16", "cfr", (10.56, 10.47, 10.47, 10.49, 10.52, 10.58, 10.60, 10.61, 10.61)),
    Sampled("bidding-16", "bad", (10.47, 9.91, 9.95, 10.22, 10.34, 10.50, 10.55, 10.57, 10.55)),
    Sampled("mini-3", "bad", (1.12, 0.89, 1.12, 1.13, 1.13, 1.12, 1.12, 1.12, 1.12)),
    Sampled("mini-4", "bad", (1.71, 1.23, 1.63, 1.71, 1.71, 1.68, 1.67, 1.68, 1.69)),
    Sampled("mini-5", "bad", (2.77, 2.12, 2.51, 2.74, 2.79, 2.79, 2.76, 2.77, 2.78)),
)

TABLE4 = (
    ("1S 2S 3S 4S P", "1S 2S 3S P", "1S 2H 2S P", "1S P", "1S 2H 2S 4H 4S P"),
    ("P 2S 3S P", "P 1S 2S P", "P P", "P P", "P 1H P"),
    ("P 2S P", "P 1S P", "P P", "P P", "P 1H 2H P"),
    ("1H 1S P", "1H P", "1H P", "1H 2H P", "1H 3H P"),
    ("1H 1S 4H 4S P", "1H P", "1H P", "1H 2H 3H P", "1H 3H 3S 4H P"),
)
"""The auctions of a policy for mini-4 (appendix C), by the hearts of player 1 and of player 2."""


def mean(game: str, method: str) -> float | None:
    """Return the paper's mean payoff; None where it has none."""
    if method in _TABLE1 and game in GAMES:
        return float(_TABLE1[method][GAMES.index(game)])
    return _MORE.get((game, method))
