"""From the solver's report (`encodings/report.lp`) to bounds."""

from __future__ import annotations

from functools import cache

from bidwright.bridge.cards import HAND_SIZE
from bidwright.kb.bounds import Bounds, Interval
from bidwright.kb.features import HONOUR_LETTERS, SUIT_LETTERS

_ACE = HAND_SIZE - 1
_TOPS: dict[str, int] = {
    **{f"len({suit})": 13 for suit in SUIT_LETTERS},
    "hcp": 37,
    "points": 37,
    "controls": 12,
    "aces": 4,
    "balanced": 1,
    **{f"card({suit},{honour})": 1 for suit in SUIT_LETTERS for honour in HONOUR_LETTERS},
}
"""Each reported number with its largest value."""

_SLOTS = tuple(_TOPS)
_CARD_SLOTS = tuple(
    (_SLOTS.index(f"card({SUIT_LETTERS[suit]},{honour})"), HAND_SIZE * suit + _ACE - place)
    for suit in range(len(SUIT_LETTERS))
    for place, honour in enumerate(HONOUR_LETTERS)
)
"""Slot and card index of every honour."""


@cache
def _tokens(player: str) -> dict[str, tuple[int, int, bool]]:
    """Return slot, number and whether it is a possible maximum for each token about a player."""
    table: dict[str, tuple[int, int, bool]] = {}
    for slot, (name, top) in enumerate(_TOPS.items()):
        for number in range(1, top + 1):
            table[f"ge({player},{name},{number})"] = (slot, number, True)
            table[f"lt({player},{name},{number})"] = (slot, number - 1, False)
    return table


def decode(report: str, players: tuple[str, ...]) -> dict[str, Bounds]:
    """Return the bounds of each player's hand from the brave consequences, as text."""
    table = _all_tokens(players)
    highs = [[0] * len(_SLOTS) for _ in players]
    lows = [list(_TOPS.values()) for _ in players]
    for token in report.split():
        place, slot, number, is_high = table[token]
        if is_high:
            if number > highs[place][slot]:
                highs[place][slot] = number
        elif number < lows[place][slot]:
            lows[place][slot] = number
    return {
        player: _bounds(low, high) for player, low, high in zip(players, lows, highs, strict=True)
    }


@cache
def _all_tokens(players: tuple[str, ...]) -> dict[str, tuple[int, int, int, bool]]:
    return {
        token: (place, *meaning)
        for place, player in enumerate(players)
        for token, meaning in _tokens(player).items()
    }


def _bounds(low: list[int], high: list[int]) -> Bounds:
    pairs: list[Interval] = list(zip(low, high, strict=True))
    clubs, diamonds, hearts, spades, hcp, points, controls, aces, balanced = pairs[:9]
    return Bounds(
        hcp=hcp,
        points=points,
        lengths=(clubs, diamonds, hearts, spades),
        controls=controls,
        aces=aces,
        balanced=bool(balanced[0]) if balanced[0] == balanced[1] else None,
        sure=frozenset(card for slot, card in _CARD_SLOTS if low[slot]),
        impossible=frozenset(card for slot, card in _CARD_SLOTS if not high[slot]),
    )
