"""Questions to the explorer, read from the values of a request and checked.

Systems are named as the page names them: one of the package's, one of the files that the explorer
was started with, or `own:` with the digits of a text of the page. Nothing here is a path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidwright import (
    Auction,
    Call,
    Hand,
    IllegalError,
    InvalidError,
    Seat,
    parse_call,
    parse_hand,
    parse_seat,
    parse_vulnerability,
)
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.typed_auction import read_typed
from bidwright.explorer.request_limits import MOST_AUCTION

Query = UncheckedObject
"""The values of a question, as a browser sends them."""

OWN = re.compile(r"own:[0-9a-f]{16}")
_SHORT = 80
"""Characters of a name, a seat, a hand."""


def words_of_query(query: Query, name: str, default: str = "", most: int = _SHORT) -> str:
    """Return a text of a query.

    Raises:
        InvalidError: It is no text, or longer than `most` characters.
    """
    value = query.get(name, default)
    if not isinstance(value, str):
        # Messages quote the beginning alone: a value may have megabytes.
        raise InvalidError(f"expected text as {name!r}, got {str(value)[:_SHORT]!r}")
    if len(value) > most:
        raise InvalidError(f"expected at most {most:,} characters as {name!r}, got {len(value):,}")
    return value


def number_of_query(query: Query, name: str, default: int, least: int, most: int) -> int:
    """Return a whole number of a query.

    Raises:
        InvalidError: It is none from `least` to `most`.
    """
    value = query.get(name, default)
    text = str(value)[:_SHORT]
    # Digits of other scripts are digits for Python; `true` is a number.
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,10}", text):
        raise InvalidError(f"expected a number from {least} to {most} as {name!r}, got {text!r}")
    if not least <= int(text) <= most:
        raise InvalidError(f"expected a number from {least} to {most} as {name!r}, got {text}")
    return int(text)


@dataclass(frozen=True, slots=True)
class Setting:
    """An auction between two systems.

    Attributes:
        auction: the calls, with dealer and vulnerability.
        ns: the system of North-South.
        ew: the system of East-West.
    """

    auction: Auction
    ns: str
    ew: str

    @classmethod
    def of(cls, query: Query) -> Setting:
        """Return the setting of a query.

        Raises:
            InvalidError: Something cannot be read.
            IllegalCallError: A call is illegal.
        """
        dealer = parse_seat(words_of_query(query, "dealer", "N"))
        vulnerability = parse_vulnerability(words_of_query(query, "vul", "none"))
        text = words_of_query(query, "auction", "", MOST_AUCTION)
        auction = read_typed(text, dealer, vulnerability).auction
        return cls(auction, system_of(query, "ns"), system_of(query, "ew"))

    def at(self, place: int) -> Auction:
        """Return the auction up to the call at a place, that call included."""
        auction = self.auction
        return Auction(auction.dealer, auction.calls[: place + 1], auction.vulnerability)


def system_of(query: Query, name: str) -> str:
    """Return the name of a system in a query; it is looked up when it is opened."""
    return words_of_query(query, name, "sayc").strip() or "sayc"


def place_of_query(query: Query, auction: Auction) -> int:
    """Return the place of a call that was made.

    Raises:
        InvalidError: There is no such call.
    """
    if not auction.calls:
        raise InvalidError("expected an auction with a call in it, got none")
    return number_of_query(query, "place", len(auction.calls) - 1, 0, len(auction.calls) - 1)


def in_progress(auction: Auction) -> Auction:
    """Return an auction that is not over.

    Raises:
        IllegalError: It is over.
    """
    if auction.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
    return auction


def hand_of_query(query: Query, name: str = "hand") -> Hand | None:
    """Return the hand of a query, None if there is none.

    Raises:
        InvalidError: It cannot be read.
        IllegalError: It has not thirteen different cards.
    """
    text = words_of_query(query, name)
    return parse_hand(text) if text.strip() else None


def seat_of_query(query: Query, name: str, default: Seat) -> Seat:
    """Return a seat of a query.

    Raises:
        InvalidError: There is no such seat.
    """
    text = words_of_query(query, name)
    return parse_seat(text) if text.strip() else default


def call_of_query(query: Query, name: str = "call") -> Call:
    """Return a call of a query.

    Raises:
        InvalidError: It is no call.
    """
    return parse_call(words_of_query(query, name))
