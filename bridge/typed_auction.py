"""Auctions as people type them, with a remark wherever more was read than was written.

Three ways of writing leave calls out, and each is completed:

- `1S (2H) X`, brackets around one side: two calls of one side in a row have a pass of the other
  between them, as in `1NT 3NT (X)`. A pass without brackets may be anybody's: `1S (2H) P P X`.
- `1S-4S`, dashes and no pass: two partners bid, their opponents pass.
- A pass too many at the end, or passes at the end all in brackets: the auction is over anyhow.

Without brackets, dashes or a pass the calls may be anybody's: they are read as the calls of all
four players, and a remark gives the player of the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.errors import IllegalCallError, InvalidError
from bidwright.bridge.pasted_text import recorded_boards
from bidwright.bridge.written_calls import WrittenCall, written_calls


@dataclass(frozen=True, slots=True)
class TypedAuction:
    """An auction as it was typed.

    Attributes:
        auction: the auction.
        remarks: sentences about what was not written and is assumed.
        board: the board of a link, or of LIN or PBN text; None for calls alone.
    """

    auction: Auction
    remarks: tuple[str, ...] = ()
    board: Board | None = None


_DASH = re.compile(r"[\u2013\u2014-]")


def read_typed(
    text: str, dealer: Seat = Seat.NORTH, vulnerability: Vulnerability = Vulnerability.NONE
) -> TypedAuction:
    """Return the auction that somebody typed, or pasted as a link, LIN or PBN.

    Args:
        text: the text.
        dealer: the dealer, if the text names none.
        vulnerability: the vulnerability, likewise.

    Raises:
        InvalidError: If something is no call, or a bracket has no partner.
        IllegalCallError: If a call is illegal where it stands.

    Example:
        >>> str(read_typed("1S-4S").auction), str(read_typed("1s (2h) x p").auction)
        ('1S (P) 4S', '1S (2H) X (P)')
    """
    boards = recorded_boards(text)
    if boards:
        board = boards[0]
        if board.auction is None or not board.auction.calls:
            raise InvalidError(f"expected a board with calls, got {text[:60]!r}")
        return TypedAuction(board.auction, board.errors, board)
    written = written_calls(text)
    start = Auction(dealer, (), vulnerability)
    body, passes = _without_last_passes(written)
    if body and any(each.bracketed for each in written):
        return _by_brackets(start, body, passes, text)
    if len(body) > 1 and not any(each.call == Call.PASS for each in body):
        return _undelimited(start, body, passes, text)
    return TypedAuction(_ended(_played(start, _calls(body)), passes))


def _calls(written: Iterable[WrittenCall]) -> list[Call]:
    return [each.call for each in written if each.call is not None]


def _without_last_passes(
    written: Sequence[WrittenCall],
) -> tuple[list[WrittenCall], list[WrittenCall]]:
    """Return the calls up to the last that is no pass, and the passes after it."""
    body = list(written)
    while body and body[-1].call in (Call.PASS, None):
        body.pop()
    return body, list(written[len(body) :])


def _by_brackets(
    start: Auction, body: Sequence[WrittenCall], passes: Sequence[WrittenCall], text: str
) -> TypedAuction:
    """Return an auction with a pass between two calls of one side."""
    # Three passes, or "all pass", end the auction whatever their brackets; fewer take their turns.
    whole = len(passes) == len(_TO_END) or any(each.call is None for each in passes)
    alternating = [*body] if whole else [*body, *passes]
    # A pass without brackets may be either side's, so it does not tell whose calls are in brackets.
    firm = (place for place, each in enumerate(body) if each.bracketed or each.call != Call.PASS)
    first = next(firm)
    # From the first call that tells its side, back to the player who calls first.
    bracketed = body[first].bracketed is (first % 2 == 0)
    calls: list[Call] = []
    for word in alternating:
        if word.bracketed is not bracketed and (word.bracketed or word.call != Call.PASS):
            calls.append(Call.PASS)
            bracketed = not bracketed
        calls += _calls([word])
        bracketed = not bracketed
    auction = _played(start, calls)
    if whole:
        auction = _ended(auction, passes)
    if len(calls) == len(alternating):
        return TypedAuction(auction)
    remark = f"{text!r} is read as {str(auction)!r}: the other side passes in between"
    return TypedAuction(auction, (remark,))


def _undelimited(
    start: Auction, body: Sequence[WrittenCall], passes: Sequence[WrittenCall], text: str
) -> TypedAuction:
    """Return an auction of calls that nothing separates by side."""
    everybody = _calls(body)
    # The pass after the last bid is not written, nor meant.
    partners = [call for each in everybody for call in (each, Call.PASS)][:-1]
    dashed = len(_DASH.findall(text)) >= len(body) - 1
    legal = {
        name: _is_legal(start, calls) for name, calls in (("all", everybody), ("us", partners))
    }
    if legal["us"] and (dashed or not legal["all"]):
        auction = _ended(_played(start, partners), passes)
        remark = f"{text!r} is read as {str(auction)!r}: two partners bid, their opponents pass"
        return TypedAuction(auction, (remark,))
    auction = _ended(_played(start, everybody), passes)
    last = auction.seat_of(len(everybody) - 1).name.capitalize()
    remark = f"{text!r} is read as the calls of all four players, so {body[-1].text} is {last}'s"
    if legal["us"]:
        remark += f"; if the opponents passed, write {str(_played(start, partners))!r}"
    return TypedAuction(auction, (remark,))


def _is_legal(auction: Auction, calls: Iterable[Call]) -> bool:
    try:
        _played(auction, calls)
    except IllegalCallError:
        return False
    return True


def _played(auction: Auction, calls: Iterable[Call]) -> Auction:
    for call in calls:
        auction = auction.with_call(call)
    return auction


_TO_END = (Call.PASS,) * 3
"""The passes that end an auction with a bid."""


def _ended(auction: Auction, passes: Sequence[WrittenCall]) -> Auction:
    """Return an auction with the passes written after it: no more than end it."""
    everybody = any(each.call is None for each in passes)
    count = 0
    while not auction.is_over and (everybody or count < len(passes)):
        auction = auction.with_call(Call.PASS)
        count += 1
    return auction
