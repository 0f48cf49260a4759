"""The faults of an auction by itself, whatever others would have bid: to be none at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Denomination, Rank, Seat
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.inference.reading.selfplay import inconsistencies
from bidwright.kb.logic.public_state import Forcing, game_level

KINDS = (
    "no rule",
    "artificial contract",
    "forcing call passed",
    "short fit",
    "contradiction",
    "outside shown",
    "slam off aces",
    "game missed",
)
"""The kinds of faults: no rule for a hand in a live auction; an artificial bid as the contract,
without a fit by chance; a forcing bid as the contract, or a game force given up; a contract at the
three level or higher with fewer than seven trumps where a longer fit was shown; a call that
contradicts the earlier ones of its seat; a hand outside what it has shown; a slam bid freely with
aces missing that can be cashed; no game on 27 high-card points together."""

UNSOUND = ("contradiction", "outside shown")
"""The kinds of auctions where hands differ from their meanings."""

FIT = 7
"""Fewest cards together that count as a fit."""

GAME_POINTS = 27
"""High-card points of a side that has to be in game."""

_SLAM = 6
_CONTESTED = 4
"""The lowest level of an opposing bid that makes our slam a save, perhaps."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in an auction."""

    kind: str
    """One of `KINDS`."""
    place: int
    """The place in the auction of the call it is about, from 0."""


def faults(reading: Reading, deal: Deal) -> list[Fault]:
    """Return the faults of an auction that is over.

    Args:
        reading: the auction, read by the systems that bid it.
        deal: all four hands.
    """
    faults = [
        Fault("no rule" if each.kind == "uncovered" else "outside shown", each.place)
        for each in inconsistencies(reading, deal)
    ]
    faults += [
        Fault("contradiction", place)
        for place, meaning in enumerate(reading.meanings)
        if meaning.relaxed
    ]
    contract = reading.auction.contract()
    if contract is not None:
        faults += _contract_faults(reading, contract, deal)
    faults += _missed_games(reading.auction, contract, deal)
    return sorted(faults, key=lambda fault: (fault.place, KINDS.index(fault.kind)))


def _pair(deal: Deal, seat: Seat) -> tuple[Hand, Hand]:
    hand, other = deal[seat], deal[seat.partner]
    assert hand is not None
    assert other is not None
    return hand, other


def _together(pair: tuple[Hand, Hand], suit: Denomination) -> int:
    return sum(hand.length(suit) for hand in pair)


def _contract_faults(reading: Reading, contract: Contract, deal: Deal) -> Iterator[Fault]:
    calls = reading.auction.calls
    place = max(at for at, call in enumerate(calls) if call.is_bid)
    pair = _pair(deal, contract.declarer)
    trumps = _together(pair, contract.denomination) if contract.denomination.is_suit else 0
    record = reading.meanings[place].record
    if record.artificial and trumps < FIT:
        yield Fault("artificial contract", place)
    elif not contract.doubled and _forced(reading, contract, place):
        yield Fault("forcing call passed", place)
    if contract.denomination.is_suit and contract.level >= 3 and trumps < FIT:
        shown = reading.state.shown
        seats = (contract.declarer, contract.declarer.partner)
        best = max(sum(shown[seat].lengths[suit][0] for seat in seats) for suit in SUITS)
        if best >= FIT:
            yield Fault("short fit", place)
    if contract.level >= _SLAM and not _contested(reading.auction, contract):
        allowed = 7 - contract.level
        if _cashing_aces(pair) > allowed:
            yield Fault("slam off aces", place)


def _forced(reading: Reading, contract: Contract, place: int) -> bool:
    """Return True if the contract's bid is forcing, or below game in a game force."""
    below = contract.level < game_level(contract.denomination)
    side = contract.declarer.side
    if reading.meanings[place].record.forcing is Forcing.ONE_ROUND:
        return True
    return below and any(
        meaning.record.seat.side is side and meaning.record.forcing is Forcing.GAME
        for meaning in reading.meanings
    )


def _contested(auction: Auction, contract: Contract) -> bool:
    return any(
        call.is_bid
        and call.level >= _CONTESTED
        and auction.seat_of(at).side is not contract.declarer.side
        for at, call in enumerate(auction.calls)
    )


def _cashing_aces(pair: tuple[Hand, Hand]) -> int:
    """Return the number of the others' aces in suits that both hands of a pair have cards of."""
    return sum(
        all(hand.length(suit) and not hand.has(suit, Rank.ACE) for hand in pair) for suit in SUITS
    )


def _missed_games(auction: Auction, contract: Contract | None, deal: Deal) -> Iterator[Fault]:
    """Yield a fault where a side has the points of a game and neither bids one nor doubles."""
    for seat in (Seat.NORTH, Seat.EAST):
        if sum(hand.hcp for hand in _pair(deal, seat)) < GAME_POINTS:
            continue
        if contract is not None and contract.doubled:
            continue
        ours = contract is not None and contract.declarer.side is seat.side
        if contract is not None and ours and contract.level >= game_level(contract.denomination):
            continue
        places = [
            at
            for at, call in enumerate(auction.calls)
            if call is Call.PASS and auction.seat_of(at).side is seat.side
        ]
        yield Fault("game missed", places[-1])
