"""The place of a call in an auction, in terms of the table: opener, suits of the sides, jumps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.meaning import Meaning
from bidwright.kb.logic.public_state import CallRecord, Forcing, cheapest_level

_NATURAL = 4
"""A suit is somebody's once he has shown as many cards in it."""


@dataclass(frozen=True)
class TablePosition:
    """The auction before a call, as its maker sees it.

    Attributes:
        earlier: what the calls before it mean.
        me: the seat of its maker.
    """

    earlier: Sequence[Meaning]
    me: Seat

    @cached_property
    def records(self) -> list[CallRecord]:
        """The effects of the calls before it."""
        return [meaning.record for meaning in self.earlier]

    @cached_property
    def last_bid(self) -> CallRecord | None:
        """The last bid."""
        return next((r for r in reversed(self.records) if r.call.is_bid), None)

    @cached_property
    def last_action(self) -> CallRecord | None:
        """The last call that is no pass."""
        return next((r for r in reversed(self.records) if r.call != Call.PASS), None)

    @cached_property
    def opener(self) -> Seat | None:
        """The seat that opened the bidding; None before that."""
        return next((r.seat for r in self.records if r.call.is_bid), None)

    @cached_property
    def opened(self) -> int:
        """The place of the opening bid; before it, the place of the next call."""
        bids = (place for place, record in enumerate(self.records) if record.call.is_bid)
        return next(bids, len(self.records))

    @property
    def is_opening_side(self) -> bool:
        """True if the maker's side opened, and for an opening bid itself."""
        return self.opener is None or self.opener.side == self.me.side

    @cached_property
    def is_asked(self) -> bool:
        """True if partner's last call asks a question."""
        partner = (record for record in reversed(self.records) if record.seat == self.me.partner)
        return next((record.asks is not None for record in partner), False)

    @cached_property
    def has_asked(self) -> bool:
        """True if the maker's own last call asked a question."""
        own_records = (record for record in reversed(self.records) if record.seat == self.me)
        return next((record.asks is not None for record in own_records), False)

    @cached_property
    def is_relayed(self) -> bool:
        """True if partner's last call is an artificial bid that forces, but is no question."""
        partner = (record for record in reversed(self.records) if record.seat == self.me.partner)
        last = next(partner, None)
        if last is None or not last.call.is_bid or last is not self.last_bid:
            return False
        return last.artificial and last.asks is None and last.forcing is not Forcing.NO

    @cached_property
    def agreed_suit(self) -> int | None:
        """The suit that the maker's side has agreed last, by a call or by bidding it both."""
        pair = (self.me, self.me.partner)
        bid: dict[Seat, set[int]] = {seat: set() for seat in pair}
        agreed = None
        for record in self.records:
            if record.seat not in pair:
                continue
            if record.agrees is not None:
                agreed = record.agrees
            # A suit that both have bid is agreed without a raise by name: 1H - 2H, or a preference.
            suit = record.natural_suit
            if suit is not None:
                bid[record.seat].add(suit)
                agreed = suit if suit in bid[record.seat.partner] else agreed
        return agreed

    @cached_property
    def leader(self) -> Seat | None:
        """The seat that leads if the last bid becomes the contract; None before a bid."""
        last = self.last_bid
        if last is None:
            return None
        # Declarer is the player of the side who first bid the denomination (Laws,
        # Definitions); the player on his left leads (Law 41).
        first = next(
            record
            for record in self.records
            if record.seat.side == last.seat.side
            and record.call.is_bid
            and record.call.denomination is last.call.denomination
        )
        return first.seat.lho

    @cached_property
    def answers_double(self) -> bool:
        """True if partner's last call is a double that asks for a bid, and nobody bid over it."""
        action = self.last_action
        if action is None or action.seat != self.me.partner or action.call != Call.DOUBLE:
            return False
        return action.forcing is not Forcing.NO

    @property
    def is_balancing(self) -> bool:
        """True if two passes follow the only call that is no pass: a third ends the auction."""
        last = self.last_action
        if last is None or self.opener != last.seat or len(self.records) - self.opened != 3:
            return False
        return last is self.last_bid

    def has_acted(self, *seats: Seat) -> bool:
        """Return True if any of the seats has made a call other than a pass."""
        return any(r.seat in seats and r.call != Call.PASS for r in self.records)

    def is_suit_of(self, seat: Seat, suit: int) -> bool:
        """Return True if a player has bid a suit naturally, or shown `_NATURAL` cards in it."""
        # All that was shown so far counts, not the last call: a transfer to spades makes spades his
        # suit without a natural bid of them.
        own_meanings = [meaning for meaning in self.earlier if meaning.record.seat == seat]
        # Length in a suit that the opponents bid is for defence: an overcall of one notrump on four
        # spades over one spade makes spades nobody's trumps.
        theirs = any(r.natural_suit == suit for r in self.records if r.seat.side != seat.side)
        if own_meanings and not theirs and own_meanings[-1].bounds.lengths[suit][0] >= _NATURAL:
            return True
        return any(meaning.record.natural_suit == suit for meaning in own_meanings)

    def jump(self, call: Call) -> int:
        """Return the levels of a bid above the cheapest legal bid of its denomination."""
        last = self.last_bid.call if self.last_bid else None
        return call.level - cheapest_level(last, call.denomination)
