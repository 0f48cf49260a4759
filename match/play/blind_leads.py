"""Blind opening leads: the choice of a leader who knows his hand and the auction only."""

from __future__ import annotations

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Card
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.bridge.scoring import score
from bidwright.inference.sampling import (
    DealSampler,
    InfeasibleError,
    Knowledge,
    RareDealsError,
)
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.double_dummy.dd_solver import DoubleDummy

_EFFORT = 5_000_000
"""When to give up drawing deals that fit the auction; some seconds."""


def leader_deals(
    auction: Auction, contract: Contract, hand: Hand, view: Disclosure, n: int, seed: int
) -> list[Deal]:
    """Return deals that fit the leader's hand and the meanings of the others' calls.

    Where no deal fits, because somebody's call was not what it shows, only his hand counts.
    """
    leader = contract.declarer.lho
    rng = np.random.default_rng(seed)
    # A side that discloses nothing is no failure: the leader then goes by his cards alone.
    reading = view.reading(auction)
    if reading is not None:
        try:
            knowledge = Knowledge.of_reading(reading, leader, hand)
            # An auction against the meanings leaves no deals, or so few that drawing would never
            # end.
            return list(DealSampler(knowledge).draw(n, rng, effort=_EFFORT))
        except (InfeasibleError, RareDealsError):
            pass
    return list(DealSampler(Knowledge(leader, hand)).draw(n, rng))


def blind_lead(contract: Contract, vulnerable: bool, deals: list[Deal]) -> Card:
    """Return the lead that costs declarer most points on average over the deals.

    Args:
        contract: the contract.
        vulnerable: True if declarer is vulnerable.
        deals: deals with the same leader's hand.

    Returns:
        The card; of equally good ones that which takes more tricks, then the lowest by index.
    """
    points: dict[Card, int] = {}
    tricks: dict[Card, int] = {}
    # Without a file of known results: imagined deals never come again.
    service = DoubleDummy()
    for deal in deals:
        for card, taken in service.lead_tricks(deal, contract).items():
            points[card] = points.get(card, 0) + score(contract, vulnerable, taken)
            tricks[card] = tricks.get(card, 0) + taken
    return min(points, key=lambda card: (points[card], tricks[card], card))


def blind_result(
    auction: Auction, deal: Deal, view: Disclosure, n: int, seed: int
) -> tuple[Card, int] | None:
    """Return the leader's choice and declarer's tricks after it; `None` for a passed-out board.

    Args:
        auction: an auction that is over.
        deal: the cards as they lie.
        view: the systems as the leader's side knows them.
        n: the number of deals that the leader imagines.
        seed: the random seed of these deals.
    """
    contract = auction.contract()
    if contract is None:
        return None
    leader = contract.declarer.lho
    hand = deal[leader]
    assert hand is not None, "boards have four hands"
    vulnerable = auction.vulnerability.is_vulnerable(contract.declarer.side)
    imagined = leader_deals(auction, contract, hand, view, n, seed)
    lead = blind_lead(contract, vulnerable, imagined)
    return lead, DoubleDummy().lead_tricks(deal, contract)[lead]
