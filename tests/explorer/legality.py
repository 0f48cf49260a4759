"""Random auctions with their legal calls by bridge, and a script that asks the page's Laws."""

from __future__ import annotations

import random

from bidwright import Auction, Seat

ASKED = (
    "(laws, auctions) => auctions.map(calls => [[...laws.legalCalls(calls)], laws.isOver(calls)])"
)
"""JavaScript: what the page holds to be legal after each auction, and whether it is over."""


def random_auctions(number: int, seed: int) -> list[tuple[list[str], list[str], bool]]:
    """Return auctions of all lengths with their legal calls in rank order, and whether they end.

    Passes, doubles and low bids are likelier than by chance, so that most auctions are long.
    """
    rng = random.Random(seed)
    auctions: list[tuple[list[str], list[str], bool]] = []
    while len(auctions) < number:
        auction = Auction(Seat.NORTH)
        while True:
            legal = [] if auction.is_over else list(auction.legal_calls())
            auctions.append(
                ([str(call) for call in auction.calls], [str(call) for call in legal], not legal)
            )
            if not legal:
                break
            auction = auction.with_call(rng.choice([*legal[:6], rng.choice(legal)]))
    return auctions[:number]
