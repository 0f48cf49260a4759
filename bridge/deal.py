"""A deal: the cards of each player."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Card, Seat, card_name, parse_seat
from bidwright.bridge.errors import BidwrightError, IllegalError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand

NOBODY = 255
"""In `Deal.owner`, a card that is in none of the known hands."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands in seat order; `None` stands for a hand that is not known.

    Raises:
        IllegalError: If two hands hold the same card.

    Example:
        >>> import bidwright
        >>> deal = bidwright.Deal.from_pbn("N:AQ8.K75.KQ84.J32 - KT75.AJ62.A7.964 -")
        >>> deal.north.hcp, deal[bidwright.Seat.SOUTH].holding(bidwright.Denomination.SPADES)
        (15, 'KT75')
    """

    north: Hand | None
    """North's hand."""
    east: Hand | None
    """East's hand."""
    south: Hand | None
    """South's hand."""
    west: Hand | None
    """West's hand."""

    def __post_init__(self) -> None:
        """Check that no card is held twice."""
        seen: dict[Card, Seat] = {}
        for seat, hand in zip(Seat, self.hands, strict=True):
            # Sorted, so that the same one of several doubled cards is named in every run.
            for card in sorted(hand.cards) if hand else ():
                if card in seen:
                    raise IllegalError(
                        f"expected each card once, got {card_name(card)} "
                        f"in the hands of {seen[card]} and {seat}"
                    )
                seen[card] = seat

    @classmethod
    def from_hands(cls, hands: dict[Seat, Hand]) -> "Deal":
        """Return the deal of the hands that are known; three hands give the fourth.

        Raises:
            IllegalError: If two hands hold the same card.
        """
        deal = cls(*(hands.get(seat) for seat in Seat))
        return deal.completed() if len(hands) == len(Seat) - 1 else deal

    @classmethod
    def from_pbn(cls, text: str) -> "Deal":
        """Return the deal written as in PBN: a seat, a colon, its hand and the next clockwise.

        `-` stands for an unknown hand; hands left out at the end are unknown as well. Suits may be
        named as some programs do: `SA7.HKQJ864.DQJ3.CA2`.

        Raises:
            InvalidError: If the text is not a deal.
            IllegalError: If a hand has not thirteen cards, or a card is held twice.

        Example:
            >>> deal = Deal.from_pbn("E:KQ4.AQ8.K9873.K2 - - -")
            >>> deal.east, deal.north
            (Hand.from_pbn('KQ4.AQ8.K9873.K2'), None)
        """
        first_text, colon, rest = text.strip().partition(":")
        parts = rest.split()
        if not colon or not 1 <= len(parts) <= len(Seat):
            raise InvalidError(f"expected a deal such as 'N:hand hand hand hand', got {text!r}")
        first = parse_seat(first_text)
        hands: list[Hand | None] = [None] * len(Seat)
        for offset, part in enumerate(parts):
            seat = Seat((first + offset) % len(Seat))
            try:
                # Some programs write an unknown hand as three dots, four empty holdings.
                hands[seat] = None if part in ("-", "...") else _parse_pbn_hand(part)
            except BidwrightError as error:
                raise type(error)(f"{error} of {seat.name.lower()}") from None
        return cls(*hands)

    @property
    def hands(self) -> tuple[Hand | None, Hand | None, Hand | None, Hand | None]:
        """The hands of N, E, S and W."""
        return self.north, self.east, self.south, self.west

    @property
    def owner(self) -> NDArray[np.uint8]:
        """The seat of each card: uint8 `[52]`, `NOBODY` where it is not known."""
        owner = np.full(NUM_CARDS, NOBODY, dtype=np.uint8)
        for seat, hand in zip(Seat, self.hands, strict=True):
            if hand:
                owner[list(hand.cards)] = seat
        return owner

    @property
    def is_complete(self) -> bool:
        """True if all four hands are known."""
        return None not in self.hands

    def __getitem__(self, seat: Seat) -> Hand | None:
        """Return the hand of a seat, `None` where it is not known."""
        return self.hands[seat]

    def __iter__(self) -> Iterator[Hand | None]:
        """Yield the hands of N, E, S and W."""
        return iter(self.hands)

    def completed(self) -> "Deal":
        """Return the deal with the one hand that is missing, if exactly one is."""
        hands = list(self.hands)
        if hands.count(None) != 1:
            return self
        rest = frozenset(np.flatnonzero(self.owner == NOBODY).tolist())
        hands[hands.index(None)] = Hand(rest)
        return Deal(*hands)

    def to_pbn(self, first: Seat = Seat.NORTH) -> str:
        """Return the notation of PBN, beginning with the hand of `first`."""
        hands = [self.hands[(first + offset) % len(Seat)] for offset in range(len(Seat))]
        return f"{first}:" + " ".join(hand.to_pbn() if hand else "-" for hand in hands)

    def __str__(self) -> str:
        """Return the notation of PBN, North first."""
        return self.to_pbn()


def deal_from_owner(owner: NDArray[np.uint8]) -> Deal:
    """Return the deal of an array of owners; `NOBODY` marks cards of unknown hands.

    Args:
        owner: uint8 `[52]`, the seat of each card.

    Raises:
        IllegalError: If a hand has neither thirteen cards nor none.
    """
    held = [frozenset(np.flatnonzero(owner == seat).tolist()) for seat in Seat]
    return Deal(*(Hand(cards) if cards else None for cards in held))


def random_deal(rng: np.random.Generator) -> Deal:
    """Return a deal drawn from all deals with equal chances; `rng` is consumed."""
    owner = np.repeat(np.arange(len(Seat), dtype=np.uint8), HAND_SIZE)
    return deal_from_owner(rng.permutation(owner))


def _parse_pbn_hand(text: str) -> Hand:
    named = text[:1].upper() in tuple("SHDC")  # no rank is written with these letters
    return parse_hand(text) if named else Hand.from_pbn(text)
