"""The system that each side disclosed: given, named in the file, or assumed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from bidwright.bridge.board import Board
from bidwright.bridge.cards import Side
from bidwright.kb.loading.search_path import available_systems

GIVEN, FILE, ASSUMED, UNKNOWN = "given", "file", "assumed", "unknown"
"""Sources of a system; `UNKNOWN`: the file names one that does not ship."""

DEFAULT = "sayc"
"""The system that is assumed where none is named."""

_TAGS = {
    Side.NS: ("BidSystemNS", "BidSystemN", "BidSystemS", "SystemNS", "BidSystem"),
    Side.EW: ("BidSystemEW", "BidSystemE", "BidSystemW", "SystemEW", "BidSystem"),
}
_OTHER_NAMES = {
    "standardamericanyellowcard": "sayc",
    "21": "two_over_one",
    "21gf": "two_over_one",
    "2over1": "two_over_one",
    "2over1gf": "two_over_one",
    "2over1gameforce": "two_over_one",
    "twooveronegameforce": "two_over_one",
    "twooveronegameforcing": "two_over_one",
    "standardenglishacol": "acol",
}


@dataclass(frozen=True, slots=True)
class SideSystem:
    """The system that a side is held against.

    Attributes:
        system: its name or file.
        source: where it is known from: `GIVEN`, `FILE`, `ASSUMED`, or `UNKNOWN`.
        named: what the file calls it; empty if the file names none.
    """

    system: str
    source: str
    named: str = ""

    @property
    def remark(self) -> str:
        """A remark for readers, to stand in brackets; empty if it was given."""
        if self.source == FILE:
            return f"named in the file: {self.named}"
        if self.source == UNKNOWN:
            return f'not known; the file says "{self.named}"'
        return "assumed, not disclosed" if self.source == ASSUMED else ""


def disclosures(board: Board, given: Mapping[Side, str | None]) -> dict[Side, SideSystem]:
    """Return the systems that a board is read by.

    Args:
        board: the board; its tags name systems (`BidSystemNS`, `BidSystemEW`).
        given: what the user says of each side; None if nothing.
    """
    return {side: _of_side(board, side, given.get(side)) for side in Side}


def _of_side(board: Board, side: Side, given: str | None) -> SideSystem:
    named = next((board.tags[tag] for tag in _TAGS[side] if tag in board.tags), "")
    # The user's word goes before the file's: he may be a director who has the card.
    if given is not None:
        return SideSystem(given, GIVEN, named)
    # Assumed, and said so at every finding: a report must not accuse by a system nobody disclosed.
    if not named:
        return SideSystem(DEFAULT, ASSUMED)
    system = system_called(named)
    return (
        SideSystem(DEFAULT, UNKNOWN, named) if system is None else SideSystem(system, FILE, named)
    )


@cache
def system_called(name: str) -> str | None:
    """Return the shipped system that a name means, however it is written; None if none.

    Example:
        >>> system_called("Polish Club"), system_called("2/1 GF"), system_called("Blue Club")
        ('polish_club', 'two_over_one', None)
    """
    # Names come from files of many programs: only letters and digits are compared.
    bare = _bare(name)
    shipped = {_bare(system): system for system in available_systems()}
    return shipped.get(bare) or _OTHER_NAMES.get(bare)


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())
