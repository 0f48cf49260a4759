"""How often the openings of a policy conform to the file that it discloses."""

from __future__ import annotations

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS, FIRST_BID, Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.inference.reading.conformity import Openings, conforms
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.neural.env.lanes import Lanes

_VULNERABILITIES = (
    (Vulnerability.NONE, Vulnerability.EW),
    (Vulnerability.NS, Vulnerability.BOTH),
)


def opening_conformity(lanes: Lanes, rules: RuleBase) -> dict[Call, Openings]:
    """Return how often each opening bid was made at some tables, and conformed to a system.

    Args:
        lanes: tables whose auctions are over.
        rules: the system of everybody there.
    """
    reader = Reader(dict.fromkeys(Side, rules))
    found: dict[Call, Openings] = {}
    for lane, length in enumerate(lanes.lengths.tolist()):
        calls = lanes.calls[lane, :length].tolist()
        passes = next((at for at, call in enumerate(calls) if call >= FIRST_BID), None)
        if passes is None:
            continue
        board = lane // lanes.tables
        own, other = lanes.boards.vulnerable[board].tolist()
        before = Auction(Seat.NORTH, (Call.PASS,) * passes, _VULNERABILITIES[own][other])
        hand = deal_from_owner(lanes.boards.owner[board]).hands[passes]
        assert hand is not None, "lanes have whole deals"
        entry = found.setdefault(CALLS[calls[passes]], Openings())
        entry.made += 1
        entry.conforming += conforms(reader.read(before).decision, hand, CALLS[calls[passes]])
    return found
