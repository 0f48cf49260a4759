"""The switches of .bbsa convention cards, and what they are here: modules, values, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.authoring.balanced_ranges import rebid_beside

SYSTEM_ROW = "System type"
OPPONENT_ROW = "Opponent type"
FILLER = "Not defined"

BASES = {0: "two_over_one", 1: "sayc", 2: "polish_club", 4: "acol"}
"""The system that a card begins with, by its type."""

NOTRUMPS = {
    "two_over_one": "15..17",
    "sayc": "15..17",
    "polish_club": "15..17",
    "acol": "12..14",
}
"""The range of each one's opening of one notrump."""

VARIED = frozenset({"sayc"})
"""Those of them that take another range, and a range of opener's rebid beside it."""


def included(base: str, notrump: str) -> str:
    """Return a system with a range of one notrump, as an `include` writes it.

    Example:
        >>> included("sayc", "12..14"), included("sayc", "15..17")
        ('sayc(notrump = 12..14, rebid = 15..17)', 'sayc')
    """
    if notrump in ("", NOTRUMPS[base]):
        return base
    rebid = rebid_beside(notrump)
    return f"{base}(notrump = {notrump}" + (f", rebid = {rebid})" if rebid else ")")


TYPE_NAMES = {
    0: "two over one game forcing",
    1: "SAYC",
    2: "Polish Club",
    3: "a strong club",
    4: "Acol",
}
"""What the types of a card are."""


@dataclass(frozen=True, slots=True)
class Switch:
    """What a row of a card is here.

    Attributes:
        include: the module as an `include` writes it; empty if it is none.
        notrump: the range of the one notrump opening that it gives the system.
        parts: the systems that play it anyway.
    """

    include: str = ""
    notrump: str = ""
    parts: frozenset[str] = frozenset()


def _part(*systems: str) -> Switch:
    return Switch(parts=frozenset(systems))


_TWO, _POLISH = "two_over_one", "polish_club"
_WEAK_TWOS = ("sayc", "acol", _TWO)
_ALL = (*_WEAK_TWOS, _POLISH)


def _module(include: str) -> Switch:
    """Return a module that two over one has anyway."""
    return Switch(include, parts=frozenset({_TWO}))


SWITCHES: dict[str, Switch] = {
    "1NT opening range 12-14": Switch(notrump="12..14"),
    "1NT opening range 13-15": Switch(notrump="13..15"),
    "1NT opening range 14-16": Switch(notrump="14..16"),
    "1NT opening range 15-17": Switch(notrump="15..17"),
    "1NT opening range 16-18": Switch(notrump="16..18"),
    "1M-3M inviting": _part(*_ALL),
    "Gambling": _part("acol"),
    "Gerber": _part(*_ALL),
    "Gerber only for 1NT and 2NT openings": _part(*_ALL),
    "Gerber only for NT openings": _part(*_ALL),
    "Jacoby 2NT": _part(*_ALL),
    "Michaels Cuebid": _part(*_ALL),
    "Unusual 2NT": _part(*_ALL),
    "Forcing 1NT": _part(_TWO),
    "Quantitative 4NT": _part(*_ALL),
    "Super acceptance after NT": _part(*_ALL),
    "Weak natural 2M": _part(*_WEAK_TWOS),
    "Weak natural 2D": _part(*_WEAK_TWOS),
    "Blackwood 0314": Switch("rkcb(five_clubs = 0)"),
    "Blackwood 1430": Switch("rkcb", parts=frozenset({_TWO, _POLISH})),
    "Exclusion": Switch("exclusion"),
    "Cue bid": Switch("control_cue_bids"),
    "Splinter": _module("splinters"),
    "Bergen": Switch("bergen"),
    "Reverse Bergen": Switch("bergen(clubs = 10..12, diamonds = 7..9)"),
    "Drury": _module("drury"),
    "Reverse drury": _module("drury"),
    "Inverted minors": _module("inverted_minors"),
    "Jordan Truscott 2NT": _module("truscott"),
    "New Minor Forcing": _module("new_minor_forcing"),
    "Two Way New Minor Forcing": Switch("xyz"),
    "Fourth suit": _module("fourth_suit"),
    "Fourth suit game force": _module("fourth_suit"),
    "SMOLEN": Switch("smolen"),
    "Texas": _module("texas"),
    "Minor Suit Transfers after 1NT": Switch("minor_transfers"),
    "Lebensohl after 1NT": _module("lebensohl"),
    "Lebensohl after double": Switch("lebensohl_weak_twos"),
    "Ogust": Switch("ogust"),
    "Multi": Switch("multi", parts=frozenset({_POLISH})),
    "Cappelletti": Switch("cappelletti"),
    "Leaping Michaels": Switch("leaping_michaels"),
    "Responsive double": _module("responsive_doubles"),
    "Support double redouble": _module("support_doubles"),
    "Maximal Doubles": Switch("maximal_doubles"),
    "DOPI": Switch(),
    "ROPI": Switch(),
    "King ask by 5NT": Switch(),
}
"""Each switch that has a counterpart; one without a module is part of another one: `WITH`."""

WITH = {
    "DOPI": ("rkcb", "blackwood"),
    "ROPI": ("rkcb", "blackwood"),
    "King ask by 5NT": ("rkcb", "blackwood"),
}
"""Switches that come with modules which every system here has one of."""
