"""Deals as text for other programs: PBN, LIN, or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.deal import Deal
from bidwright.bridge.lin import write_lin
from bidwright.bridge.pbn import write_pbn

Lines = Callable[[Iterable[Deal], Auction], Iterator[str]]


def as_pbn(deals: Iterable[Deal], auction: Auction) -> Iterator[str]:
    """Yield a PBN file, a game at a time: boards from 1, each with the auction."""
    head = write_pbn(())
    yield head
    for board in _boards(deals, auction):
        # The head comes once, whatever the number of boards.
        yield write_pbn([board]).removeprefix(head)


def as_lin(deals: Iterable[Deal], auction: Auction) -> Iterator[str]:
    """Yield a LIN file, a board a line: boards from 1, each with the auction."""
    for board in _boards(deals, auction):
        yield write_lin([board])


def _boards(deals: Iterable[Deal], auction: Auction) -> Iterator[Board]:
    for number, deal in enumerate(deals, start=1):
        yield Board(
            number,
            deal,
            auction.dealer,
            auction.vulnerability,
            auction if auction.calls else None,
            contract=auction.contract() if auction.is_over else None,
            passed_out=auction.is_over and auction.contract() is None,
        )


def as_jsonl(deals: Iterable[Deal], auction: Auction) -> Iterator[str]:
    """Yield a JSON object a line: the deal from North, its number, dealer and vulnerability."""
    for number, deal in enumerate(deals, start=1):
        content = {
            "board": number,
            "dealer": auction.dealer.letter,
            "vul": auction.vulnerability.word,
            "deal": str(deal),
        }
        yield json.dumps(content) + "\n"


FORMATS: dict[str, Lines] = {"pbn": as_pbn, "lin": as_lin, "jsonl": as_jsonl}
