"""Arguments that callers pass as an auction, a board, a hand: the object itself, or text for it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.cards import Seat, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import IllegalError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.bridge.typed_auction import TypedAuction, read_typed

AuctionLike = Auction | Board | str
"""An auction, a board with one, or text: calls, PBN, LIN, a link to a hand viewer."""

HandLike = Hand | str
"""A hand, or text such as `KQ4.AQ8.K9873.K2`."""

DealLike = Deal | Board | str
"""A deal, a board with one, or text in the notation of PBN."""

_PACKAGE = str(Path(__file__).parent)


class BidwrightWarning(UserWarning):
    """Warn of an assumption or a contradiction that does not stop the work.

    It is given with Python's `warnings`, so `warnings.simplefilter("error", BidwrightWarning)`
    makes it an exception, and `"ignore"` silences it.

    Example:
        >>> import warnings
        >>> import bidwright
        >>> with warnings.catch_warnings(record=True) as given:
        ...     warnings.simplefilter("always")
        ...     auction = bidwright.parse_auction("1S-4S")
        >>> str(auction)
        '1S (P) 4S'
        >>> str(given[0].message)
        "'1S-4S' is read as '1S (P) 4S': two partners bid, their opponents pass"
    """


def warn(sentences: Iterable[str]) -> None:
    """Warn with some sentences, at the line outside this folder that led here."""
    depth = 2
    frame = sys._getframe(1)
    # The warning names the line of the caller, whatever calls within this folder led here.
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, depth = frame.f_back, depth + 1
    for sentence in sentences:
        warnings.warn(sentence, BidwrightWarning, stacklevel=depth)


def typed_auction(
    auction: AuctionLike, dealer: Seat | str, vulnerability: Vulnerability | str
) -> TypedAuction:
    """Return an auction with the board that it is from, if there is one; warn of assumptions.

    Args:
        auction: the calls; an `Auction` and a board have a dealer and a vulnerability of their own.
        dealer: the first caller of calls that are text.
        vulnerability: the vulnerability of calls that are text.

    Raises:
        InvalidError: The text cannot be read, or a board has no calls.
        IllegalCallError: A call is illegal where it stands.
    """
    # Objects of this package are checked when they are made, so only texts can be wrong here.
    if isinstance(auction, Auction):
        return TypedAuction(auction)
    if isinstance(auction, Board):
        # A board of a file may have hands alone.
        if auction.auction is None:
            raise InvalidError("expected a board with an auction, got one without")
        return TypedAuction(auction.auction, board=auction)
    if not isinstance(auction, str):
        raise InvalidError(f"expected an auction or text for one, got {auction!r}")
    typed = read_typed(auction, seat_of(dealer), vulnerability_of(vulnerability))
    warn(typed.remarks)
    return typed


def parse_auction(
    text: str,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
) -> Auction:
    """Return the auction that a person typed, or pasted as PBN, LIN or a link to a hand viewer.

    Brackets stand around the calls of the side that did not open, `1S (2H) 3S (P)`. Calls that are
    left out are filled in with a `BidwrightWarning`: passes between two calls of one side, and
    the opponents' passes where dashes join the calls, `1S-4S`.

    Args:
        text: the calls.
        dealer: the dealer, `N`, `E`, `S` or `W`, if the text names none.
        vulnerability: `none`, `ns`, `ew` or `both`, likewise.

    Raises:
        InvalidError: Something is no call, or a bracket has no partner.
        IllegalCallError: A call is illegal where it stands.

    Example:
        >>> import bidwright
        >>> auction = bidwright.parse_auction("1S (2H) 3S (P)", dealer="W")
        >>> auction.turn, auction.is_over, str(auction.contract())
        (Seat.WEST, False, '3S by W')
    """
    return typed_auction(text, dealer, vulnerability).auction


def in_progress(auction: Auction) -> Auction:
    """Return an auction that is not over.

    Raises:
        IllegalError: It is over.
    """
    if auction.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
    return auction


def hand_of(hand: HandLike) -> Hand:
    """Return a hand, or the one that a text stands for.

    Raises:
        InvalidError: The text is not four holdings of ranks.
        IllegalError: These are not thirteen different cards.
    """
    return hand if isinstance(hand, Hand) else parse_hand(_text(hand, "a hand"))


def seat_of(seat: Seat | str) -> Seat:
    """Return a seat, or the one that a letter or a word names.

    Raises:
        InvalidError: The text names no seat.
    """
    return seat if isinstance(seat, Seat) else parse_seat(_text(seat, "a seat"))


def vulnerability_of(vulnerability: Vulnerability | str) -> Vulnerability:
    """Return a vulnerability, or the one that a word names.

    Raises:
        InvalidError: The text names none.
    """
    if isinstance(vulnerability, Vulnerability):
        return vulnerability
    return parse_vulnerability(_text(vulnerability, "a vulnerability"))


def seen_hands(
    auction: Auction,
    hand: HandLike | None,
    seat: Seat | str | None,
    dummy: HandLike | None,
) -> tuple[tuple[Seat, Hand] | None, tuple[Seat, Hand] | None]:
    """Return the viewer with his hand, and dummy with hers, as far as they are given.

    Args:
        auction: the calls.
        hand: the viewer's hand.
        seat: the viewer's seat; the player in turn by default.
        dummy: dummy's hand; partner's where there is no contract yet.

    Raises:
        InvalidError: A hand or a seat cannot be read.
        IllegalError: Dummy or a seat is given without a hand.
    """
    # Without a hand there is nobody who looks, and a seat would say nothing.
    if hand is None:
        if dummy is not None or seat is not None:
            raise IllegalError("expected the hand of the player who looks, with seat and dummy")
        return None, None
    player = auction.turn if seat is None else seat_of(seat)
    contract = auction.contract()
    # Before there is a contract dummy is taken to be partner of the player in turn.
    table = contract.declarer.partner if contract else auction.turn.partner
    return (player, hand_of(hand)), None if dummy is None else (table, hand_of(dummy))


def board_of(deal: DealLike, dealer: Seat | str, vulnerability: Vulnerability | str) -> Board:
    """Return a board with four hands.

    Args:
        deal: the deal; a board has a dealer and a vulnerability of its own.
        dealer: the dealer of a deal.
        vulnerability: the vulnerability of a deal.

    Raises:
        InvalidError: The text is no deal, or a hand is not known.
        IllegalError: A card is held twice.
    """
    board = deal
    if not isinstance(board, Board):
        # Thirteen cards are left for the fourth hand, so a deal of three is complete.
        cards = board if isinstance(board, Deal) else Deal.from_pbn(_text(board, "a deal"))
        board = Board(None, cards.completed(), seat_of(dealer), vulnerability_of(vulnerability))
    if board.deal is None or not board.deal.is_complete:
        raise InvalidError(f"expected four hands, got {board.deal if board.deal else 'none'}")
    return board


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidError(f"expected {what} or text for it, got {value!r}")
    return value
