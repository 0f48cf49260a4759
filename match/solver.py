"""Double-dummy tricks of one deal, where no file of known results is at hand."""

from __future__ import annotations

from functools import cache

from bidwright.bridge.cards import Card, Denomination, Seat
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal
from bidwright.match.double_dummy import DoubleDummy


@cache
def _service() -> DoubleDummy:
    return DoubleDummy()


def contract_tricks(deal: Deal, denomination: Denomination, declarer: Seat) -> int:
    """Return declarer's tricks with best play by all."""
    return _service().contract_tricks(deal, denomination, declarer)


def lead_tricks(deal: Deal, contract: Contract) -> dict[Card, int]:
    """Return declarer's tricks after each card that may be led."""
    return _service().lead_tricks(deal, contract)
