"""The conformity of a policy's openings to the file that it discloses."""

from __future__ import annotations

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.inference.reading.conformity import Openings, conforms
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.neural.env.lanes import Lanes


def opening_conformity(lanes: Lanes, rules: RuleBase) -> dict[Call, Openings]:
    """Count the openings at some tables, and those that conform to a system, by bid.

    Args:
        lanes: tables whose auctions are over.
        rules: the system of all players.
    """
    reader = Reader(dict.fromkeys(Side, rules))
    openings: dict[Call, Openings] = {}
    for lane in range(len(lanes)):
        auction = lanes.auction(lane)
        # Auctions that were passed out have no opening.
        passes = next((at for at, call in enumerate(auction.calls) if call.is_bid), None)
        if passes is None:
            continue
        call = auction.calls[passes]
        before = Auction(auction.dealer, auction.calls[:passes], auction.vulnerability)
        # Lanes of a board share its deal.
        hand = deal_from_owner(lanes.boards.owner[lane // lanes.tables])[before.turn]
        assert hand is not None, "lanes have whole deals"
        entry = openings.setdefault(call, Openings())
        entry.made += 1
        entry.conforming += conforms(reader.read(before).decision, hand, call)
    return openings
