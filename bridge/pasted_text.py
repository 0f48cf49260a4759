"""Boards as people paste them: a link to the hand viewer, PBN or LIN.

The hand viewer of Bridge Base Online is given a board in one of two ways: `lin=` with LIN, or a
value for each part: `n`, `e`, `s`, `w` with hands such as `sakq2h53...`, `d` the dealer, `v` the
vulnerability (`o` or `-` nobody, `n`, `e`, `b`), `b` the number and `a` the calls, `1n-p-3np` or
without dashes, `d` and `r` for double and redouble, `(...)` behind a call that is explained.
"""

import re
from collections.abc import Mapping
from urllib.parse import parse_qs

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, Vulnerability, parse_seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.lin import read_lin
from bidwright.bridge.pbn import read_pbn

_LINK = re.compile(r"https?://\S+\?\S+", re.IGNORECASE)
_TAG = re.compile(r'^\s*\[\w+\s+"', re.MULTILINE)
_CALL = re.compile(r"\s*(?P<call>[1-7](?:nt|[cdhsn])|p|d|x|r)(?P<mark>[!?]*)", re.IGNORECASE)
_MOST_VALUES = 60
_VULNERABILITIES = {
    "o": Vulnerability.NONE,
    "-": Vulnerability.NONE,
    "n": Vulnerability.NS,
    "e": Vulnerability.EW,
    "b": Vulnerability.BOTH,
}


def read_pasted(text: str) -> list[Board]:
    """Return the boards of a text that somebody pasted.

    Raises:
        InvalidError: It is no link to the hand viewer, no PBN and no LIN.
        IllegalError: A hand or a deal in a link is against the Laws.
    """
    link = _LINK.search(text)
    if link is not None and not _TAG.search(text):
        given = _values(link[0])
        return read_lin(given["lin"]) if "lin" in given else [_viewed(given)]
    if _TAG.search(text):
        return read_pbn(text)
    if "|" in text:
        return read_lin(text)
    raise InvalidError(
        'expected PBN (tags such as [Board "1"]), LIN (pairs such as md|1S...|) or a link to the '
        f"hand viewer, got {text.strip()[:40]!r}"
    )


def _values(link: str) -> dict[str, str]:
    """Return the values in a link by their names."""
    query = link.partition("?")[2].partition("#")[0]
    try:
        found = parse_qs(query, keep_blank_values=True, max_num_fields=_MOST_VALUES)
    except ValueError:
        raise InvalidError(f"expected at most {_MOST_VALUES} values in the link") from None
    return {name.lower(): values[0] for name, values in found.items()}


def _viewed(given: Mapping[str, str]) -> Board:
    """Return the board of a link with a value for each part."""
    hands = {seat: _hand(seat, given[str(seat).lower()]) for seat in Seat if _has(given, seat)}
    if not hands and "a" not in given:
        raise InvalidError("expected hands (n=, e=, s=, w=), calls (a=) or lin= in the link")
    number = int(given["b"]) if re.fullmatch(r"[1-9][0-9]{0,3}", given.get("b", "")) else None
    dealer = Seat.NORTH if number is None else board_dealer(number)
    vulnerability = Vulnerability.NONE if number is None else board_vulnerability(number)
    if given.get("d"):
        dealer = parse_seat(given["d"][:20])
    if given.get("v"):
        try:
            vulnerability = _VULNERABILITIES[given["v"].lower()]
        except KeyError:
            raise InvalidError(f"expected o, n, e or b as v, got {given['v'][:20]!r}") from None
    auction, notes, errors = _calls(given.get("a", ""), Auction(dealer, (), vulnerability))
    return Board(
        number=number,
        deal=Deal.from_hands(hands) if hands else None,
        dealer=dealer,
        vulnerability=vulnerability,
        auction=auction,
        notes=notes,
        errors=errors,
    )


def _has(given: Mapping[str, str], seat: Seat) -> bool:
    return bool(given.get(str(seat).lower(), "").strip())


def _hand(seat: Seat, text: str) -> Hand:
    try:
        return parse_hand(text)
    except BidwrightError as error:
        raise type(error)(f"{error} of {seat.name.lower()}") from None


def _calls(text: str, auction: Auction) -> tuple[Auction, dict[int, str], tuple[str, ...]]:
    """Return the auction, explanations of calls, and what could not be read."""
    notes: dict[int, str] = {}
    place = 0
    while place < len(text):
        if text[place] in "- ,":
            place += 1
            continue
        if text[place] == "(" and ")" in text[place:]:
            end = text.index(")", place)
            if auction.calls:
                notes[len(auction.calls) - 1] = text[place + 1 : end]
            place = end + 1
            continue
        found = _CALL.match(text, place)
        if found is None:
            return auction, notes, (f"expected a call in a=, got {text[place : place + 12]!r}",)
        try:
            auction = auction.with_call(parse_call(found["call"]))
        except BidwrightError as error:
            return auction, notes, (str(error),)
        place = found.end()
    return auction, notes, ()
