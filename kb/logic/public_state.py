"""The public state before a call, with the facts that conditions may read.

A `PublicState` is the auction so far, the bounds that each seat has shown (by the inference
engine) and the effects of each call (forcing, agreeing a suit, asking). Every player can compute it
from the calls and the disclosed systems, so a rule that reads it stays readable by the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Denomination, Seat
from bidwright.kb.logic.bounds import ANYTHING, Bounds

Kind = tuple[str | int, ...]
"""A named alternative of a call: its name and the suits (0..3) of its letters; () for none."""

Kinds = frozenset[Kind]

NO_KINDS: Kinds = frozenset()

SHOWN_LENGTH = 4
"""A suit is somebody's suit once he has shown this many cards in it, whatever he bid."""

_GAME_LEVEL = {
    Denomination.CLUBS: 5,
    Denomination.DIAMONDS: 5,
    Denomination.HEARTS: 4,
    Denomination.SPADES: 4,
    Denomination.NOTRUMP: 3,
}


class Forcing(IntEnum):
    """The obligation of partner to keep the auction open."""

    NO = 0
    ONE_ROUND = 1
    LEVEL = 2
    GAME = 3


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A call that was made and its public effects.

    Attributes:
        seat: its maker.
        call: the call.
        known: True if a rule of his system covers it.
        artificial: True if its denomination says nothing about that suit.
        forcing: the obligation of partner.
        forcing_to: the bid below which our side must not stop, if it is forcing to a level.
        invitational: True if it invites game.
        signoff: True if it asks partner to pass.
        agrees: the trump suit it agrees (0..3), if it does.
        asks: the question it puts, such as `aces`.
        asks_in: the suit (0..3) that it asks about, if it is about one.
        answers: the question it answers.
    """

    seat: Seat
    call: Call
    known: bool = True
    artificial: bool = False
    forcing: Forcing = Forcing.NO
    forcing_to: Call | None = None
    invitational: bool = False
    signoff: bool = False
    agrees: int | None = None
    asks: str | None = None
    asks_in: int | None = None
    answers: str | None = None

    @property
    def natural_suit(self) -> int | None:
        """The suit (0..3) that the call bids naturally, if any."""
        # Notrump is natural and of no suit.
        if self.artificial or not self.call.is_bid or not self.call.denomination.is_suit:
            return None
        return int(self.call.denomination)

    @property
    def forcing_words(self) -> str | None:
        """The force of the call: `forcing`, `forcing to 2NT`, `forcing to game`, or None."""
        return forcing_words(self.forcing, self.forcing_to)


def forcing_words(forcing: Forcing, level: object) -> str | None:
    """Return the force of a call in words, None if it has none; the level is printed as it is."""
    match forcing:
        case Forcing.NO:
            return None
        case Forcing.ONE_ROUND:
            return "forcing"
        case Forcing.LEVEL:
            return f"forcing to {level}"
        case Forcing.GAME:
            return "forcing to game"


def game_level(denomination: Denomination) -> int:
    """Return the lowest level of game in a denomination."""
    return _GAME_LEVEL[denomination]


def cheapest_level(last_bid: Call | None, denomination: int) -> int:
    """Return the lowest level of a legal bid in a denomination; 8 if there is none."""
    if last_bid is None:
        return 1
    # Denominations are in rank order, so that a lower or equal one takes another level.
    return last_bid.level + (denomination <= last_bid.denomination)


def steps_to(last_bid: Call | None, denomination: int) -> int:
    """Return the number of steps (1..5) from the last bid to the cheapest in a denomination."""
    # Before the first bid one club is the first step.
    below = -1 if last_bid is None else int(last_bid.denomination)
    return (denomination - below - 1) % len(Denomination) + 1


@dataclass(frozen=True)
class PublicState:
    """The auction as everybody understands it, before the next call.

    Attributes:
        auction: the calls so far.
        shown: bounds of each seat's hand, in seat order.
        records: one record per call.
        kinds: the named alternatives that each seat has shown, in seat order: those to which all
            hands belong that it can have.
    """

    auction: Auction
    shown: tuple[Bounds, Bounds, Bounds, Bounds] = (ANYTHING, ANYTHING, ANYTHING, ANYTHING)
    records: tuple[CallRecord, ...] = ()
    kinds: tuple[Kinds, Kinds, Kinds, Kinds] = (NO_KINDS, NO_KINDS, NO_KINDS, NO_KINDS)

    def after(self, record: CallRecord, bounds: Bounds, kinds: Kinds | None = None) -> PublicState:
        """Return the state once a call is made.

        Args:
            record: the call.
            bounds: the bounds of its maker's hand.
            kinds: the named alternatives that its maker has shown; None for those before.
        """
        seat = record.seat
        shown, alternatives = list(self.shown), list(self.kinds)
        shown[seat] = bounds
        if kinds is not None:
            alternatives[seat] = kinds
        (n, e, s, w), (in_n, in_e, in_s, in_w) = shown, alternatives
        return PublicState(
            self.auction.with_call(record.call),
            (n, e, s, w),
            (*self.records, record),
            (in_n, in_e, in_s, in_w),
        )

    # ------------------------------------------------------------ who did what

    @cached_property
    def me(self) -> Seat:
        """The seat to call."""
        return self.auction.turn

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls after the passes that came before the first bid."""
        calls = self.auction.calls
        # Patterns begin with the first bid: an opening in third seat is the same opening.
        first = next((i for i, call in enumerate(calls) if call != Call.PASS), len(calls))
        return calls[first:]

    @cached_property
    def last_bid(self) -> CallRecord | None:
        """The last bid, with its maker."""
        return next((r for r in reversed(self.records) if r.call.is_bid), None)

    @cached_property
    def last_bid_call(self) -> Call | None:
        """The last bid."""
        return self.last_bid.call if self.last_bid else None

    def last_call(self, seat: Seat) -> CallRecord | None:
        """Return the last call of a seat, if it has called."""
        # The player to call called last four calls ago, not none.
        back = (self.me - seat) & 3 or len(Seat)
        return self.records[-back] if back <= len(self.records) else None

    @cached_property
    def _natural_suits(self) -> tuple[frozenset[int], ...]:
        """The suits that each seat has bid naturally, in seat order."""
        bid: tuple[set[int], ...] = (set(), set(), set(), set())
        for record in self.records:
            suit = record.natural_suit
            if suit is not None:
                bid[record.seat].add(suit)
        return tuple(map(frozenset, bid))

    @cached_property
    def _suits(self) -> tuple[frozenset[int], ...]:
        """The suits that each seat has bid naturally or shown four cards in, in seat order."""
        return tuple(
            natural.union(
                suit for suit, (least, _) in enumerate(shown.lengths) if least >= SHOWN_LENGTH
            )
            for natural, shown in zip(self._natural_suits, self.shown, strict=True)
        )

    def suits_of(self, seat: Seat) -> frozenset[int]:
        """Return the suits that a seat has bid naturally or shown four cards in."""
        return self._suits[seat]

    def is_suit_of(self, seat: Seat, suit: int) -> bool:
        """Return True if a seat has bid the suit naturally or shown four cards in it."""
        return suit in self._suits[seat]

    def is_suit_of_side(self, seat: Seat, suit: int) -> bool:
        """Return True if the seat or its partner has the suit."""
        return suit in self._suits[seat] or suit in self._suits[seat.partner]

    @cached_property
    def _agreed_suits(self) -> frozenset[int]:
        """The suits that the side to call has agreed by a call, or that both have bid naturally."""
        pair = (self.me, self.me.partner)
        by_call = {r.agrees for r in self.records if r.agrees is not None and r.seat in pair}
        # Four cards shown are no agreement: both have to have bid the suit.
        mine, partners = (self._natural_suits[seat] for seat in pair)
        return (mine & partners) | by_call

    def is_agreed(self, suit: int) -> bool:
        """Return True if the suit is agreed as trumps by the side to call."""
        # Eight trumps are a fit though nobody has said so.
        return suit in self._agreed_suits or self.known_fit(suit) >= 8

    def known_fit(self, suit: int) -> int:
        """Return the cards that the side to call has surely shown in a suit together."""
        me = self.me
        return self.shown[me].lengths[suit][0] + self.shown[me.partner].lengths[suit][0]

    # ------------------------------------------------------------------- state

    @cached_property
    def is_below_game(self) -> bool:
        """True if the last bid is less than game in its denomination."""
        bid = self.last_bid_call
        return bid is None or bid.level < game_level(bid.denomination)

    @cached_property
    def is_forced(self) -> bool:
        """True if partner's last call was forcing and right-hand opponent passed.

        A call that is forcing to a level is not forcing once that level is reached.
        """
        if len(self.records) < 2 or self.records[-1].call != Call.PASS:
            return False
        # Partner's call is the last but one where right-hand opponent has passed.
        forcing = self.records[-2].forcing
        return forcing is not Forcing.NO and (forcing is not Forcing.LEVEL or self.is_level_forced)

    @cached_property
    def forced_level(self) -> Call | None:
        """The highest bid that our side's calls are forcing to, None if they are to none."""
        pair = (self.me, self.me.partner)
        levels = [r.forcing_to for r in self.records if r.seat in pair and r.forcing_to is not None]
        return max(levels, default=None)

    @cached_property
    def is_level_forced(self) -> bool:
        """True if our side is forced to a level that the bidding has not reached."""
        level, last = self.forced_level, self.last_bid_call
        return level is not None and (last is None or last < level)

    @cached_property
    def is_pass_excluded(self) -> bool:
        """True if a pass could end the auction below game or a level that our side is forced to.

        It could where the opponent on the right passed, unless they would play doubled.
        """
        if not (self.is_level_forced or self.is_game_forced):
            return False
        if self.records[-1].call != Call.PASS:
            return False
        # Leaving them in a doubled contract is no way to stop below game.
        return self.is_ours or self.doubling == 0

    @cached_property
    def is_game_forced(self) -> bool:
        """True if our side is in a game force and has not reached game."""
        pair = (self.me, self.me.partner)
        return self.is_below_game and any(
            r.seat in pair and r.forcing is Forcing.GAME for r in self.records
        )

    @cached_property
    def is_ours(self) -> bool:
        """True if the last bid is our side's."""
        return self.last_bid is not None and self.last_bid.seat.side == self.me.side

    @cached_property
    def doubling(self) -> int:
        """0 if the last bid is not doubled, 1 if doubled, 2 if redoubled."""
        for record in reversed(self.records):
            if record.call == Call.REDOUBLE:
                return 2
            if record.call == Call.DOUBLE:
                return 1
            if record.call.is_bid:
                return 0
        return 0
