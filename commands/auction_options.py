"""Options that several verbs share: an auction, two systems, cards that are seen."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bidwright.bridge.errors import InvalidError

if TYPE_CHECKING:
    from bidwright.bridge.auction import Auction
    from bidwright.bridge.cards import Seat
    from bidwright.bridge.hand import Hand
    from bidwright.bridge.typed_auction import TypedAuction
    from bidwright.inference.reading.reader import Reader

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--system", default="sayc", metavar="NAME", help="What both sides play (default sayc)."
    ),
    click.option("--ns", metavar="NAME", help="What North-South play, if not --system."),
    click.option("--ew", metavar="NAME", help="What East-West play, if not --system."),
    click.option("--dealer", default="N", metavar="SEAT", help="Who calls first (default N)."),
    click.option(
        "--vul", default="none", metavar="WHO", help="none, ns, ew or both; white, red, love, all."
    ),
)


def auction_options(command: Command) -> Command:
    """Give a command the options `system`, `ns`, `ew`, `dealer` and `vul`."""
    # Options are added from the last to the first, so that the help has them in this order.
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def open_reader(ns: str, ew: str) -> Reader:
    """Return a reader for two systems, given by their names or files."""
    from bidwright.bridge.cards import Side
    from bidwright.inference.reading.reader import Reader
    from bidwright.kb.loading.compiled import open_system

    north_south = open_system(ns)
    east_west = north_south if ew == ns else open_system(ew)
    return Reader({Side.NS: north_south, Side.EW: east_west})


def auction_of(text: str, dealer: str, vul: str) -> Auction:
    """Return an auction as it is typed; assumptions about it are printed as remarks."""
    return typed_auction(text, dealer, vul).auction


def typed_auction(text: str, dealer: str, vul: str) -> TypedAuction:
    """Return an auction or a board as it is typed or pasted; assumptions are printed as remarks."""
    from bidwright.bridge.cards import parse_seat, parse_vulnerability
    from bidwright.bridge.typed_auction import read_typed

    typed = read_typed(text, parse_seat(dealer), parse_vulnerability(vul))
    for sentence in typed.remarks:
        print(f"bidwright: {sentence}", file=sys.stderr)
    return typed


def seated(text: str, seat: Seat) -> tuple[Seat, Hand]:
    """Return the seat and hand written as `SEAT:HAND`, or as a hand of a seat."""
    from bidwright.bridge.cards import parse_seat
    from bidwright.bridge.hand import parse_hand

    head, colon, tail = text.partition(":")
    if not colon:
        return seat, parse_hand(text)
    try:
        return parse_seat(head), parse_hand(tail)
    except InvalidError as error:
        with suppress(InvalidError):  # the suits have colons: S:KQ4 H:AQ8 D:K9873 C:K2
            return seat, parse_hand(text)
        raise error from None


def seen_cards(
    auction: Auction, hand: str | None, dummy: str | None
) -> tuple[tuple[Seat, Hand] | None, tuple[Seat, Hand] | None]:
    """Return the player and his hand, and dummy and hers, as far as they are given.

    Raises:
        UsageError: If dummy is given without the hand of a player.
    """
    if hand is None:
        if dummy is not None:
            raise click.UsageError("--dummy needs --hand: what is known depends on who looks")
        return None, None
    contract = auction.contract()
    # Dummy is declarer's partner; before there is a contract, the partner of the player to call.
    table = contract.declarer.partner if contract else auction.turn.partner
    down = None if dummy is None else seated(dummy, table)
    return seated(hand, auction.turn), down
