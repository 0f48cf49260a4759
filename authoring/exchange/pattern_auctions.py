"""The auctions that a pattern stands for, written out call by call."""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, Call
from bidwright.bridge.cards import Seat
from bidwright.kb.language import ast
from bidwright.kb.rules.patterns import element_calls, last_bids, match

Calls = tuple[Call, ...]
"""Calls from the first bid on."""


def auctions_of(pattern: ast.Pattern, calls: Calls = ()) -> Iterator[Calls]:
    """Yield the legal auctions of a closed pattern that begin with some calls, cheapest first.

    Args:
        pattern: the pattern, parameters filled in and not open.
        calls: the calls that are fixed.
    """
    place = len(calls)
    if place == len(pattern.elements):
        yield calls
        return
    auction = Auction(Seat.NORTH, calls)
    if auction.is_over:
        return
    wanted = element_calls(pattern.elements[place])
    head = ast.Pattern(pattern.elements[: place + 1])
    for index in sorted(wanted & set(map(int, auction.legal_calls()))):
        longer = (*calls, CALLS[index])
        if longer != (Call.PASS,) and match(head, longer, last_bids(longer)) is not None:
            yield from auctions_of(pattern, longer)
