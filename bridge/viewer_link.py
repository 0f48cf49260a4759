"""Links to a hand viewer: a board in the address, as LIN or as parameters of its own.

    ...handviewer.html?lin=pn%7C...%7Cmd%7C3S...
    ...handviewer.html?n=sakqhj52d...&s=...&d=n&v=b&b=7&a=1sp4s(weak)ppp

Of the second form: `n e s w` are hands, `nn en sn wn` names, `d` the dealer, `v` the vulnerability,
`b` the board's number, `a` the calls one after the other, each followed by `!` or an explanation in
brackets where it was alerted, `p` the cards played.
"""

import re
from urllib.parse import parse_qsl

from bidwright.bridge._lin_write import BARE_ALERT
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability, parse_card, parse_seat, parse_vulnerability
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.lin import read_lin
from bidwright.bridge.text_files import without_controls
from bidwright.bridge.written_calls import written_calls

_CALL_WITH_NOTE = re.compile(r"([^()]+)|\(([^()]*)\)")
# Bounded, since Python refuses to read a number of thousands of digits.
_NUMBER = re.compile(r"[0-9]{1,4}")


def is_link(text: str) -> bool:
    """Return True if a text is the address of a board rather than notation."""
    return "://" in text or "lin=" in text or "handviewer" in text


def read_link(text: str) -> Board:
    """Return the board that a link shows.

    Raises:
        InvalidError: The link holds no board, or a part of it cannot be read.
        IllegalError: Its deal or its auction is against the Laws.
    """
    if "lin=" in text:
        return read_lin(text.strip())[0]
    _, question, query = text.strip().partition("?")
    values = {key.lower(): without_controls(value) for key, value in parse_qsl(query)}
    if not question or not values.keys() & {"a", *"nesw"}:
        raise InvalidError(
            f"expected a link with lin=... or a=... (the calls), got {text.strip()!r}; "
            "copy the address of the board, not of the page around it"
        )
    number = _number(values.get("b", ""))
    dealer = board_dealer(number) if number else Seat.NORTH
    vulnerability = board_vulnerability(number) if number else Vulnerability.NONE
    if "d" in values:
        dealer = parse_seat(values["d"])
    if "v" in values:
        vulnerability = parse_vulnerability(values["v"])
    hands = {seat: hand for seat in Seat if (hand := _hand(values.get(str(seat).lower(), "")))}
    auction, notes = _auction(Auction(dealer, (), vulnerability), values.get("a", ""))
    contract = auction.contract() if auction.is_over else None
    return Board(
        number=number,
        deal=Deal.from_hands(hands) if hands else None,
        dealer=dealer,
        vulnerability=vulnerability,
        auction=auction,
        notes=notes,
        contract=contract,
        passed_out=auction.is_over and contract is None,
        play=tuple(parse_card(card) for card in re.findall(r"..", values.get("p", ""))),
        players={seat: name for seat in Seat if (name := values.get(f"{str(seat).lower()}n", ""))},
    )


def _number(text: str) -> int | None:
    return (int(text) or None) if _NUMBER.fullmatch(text) else None


def _hand(text: str) -> Hand | None:
    """Return a hand; `None` for one that is not shown in full."""
    try:
        return parse_hand(text) if text else None
    except BidwrightError:
        return None


def _auction(auction: Auction, text: str) -> tuple[Auction, dict[int, str]]:
    """Return the calls of a link, and the explanations of those that were alerted."""
    notes: dict[int, str] = {}
    for part in _CALL_WITH_NOTE.finditer(text):
        last = len(auction.calls) - 1
        if part[2] is not None:
            if part[2].strip():
                notes[last] = part[2].strip()
            continue
        for word in re.findall(r"[^!]+|!", part[1]):
            if word == "!":
                notes[len(auction.calls) - 1] = BARE_ALERT
                continue
            for typed in written_calls(word):
                while not auction.is_over:
                    auction = auction.with_call(Call.PASS if typed.call is None else typed.call)
                    if typed.call is not None:
                        break
    return auction, notes
