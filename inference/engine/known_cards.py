"""Known cards, as bounds and as the atoms that the deal program is given to assume."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from bidwright.bridge.cards import HAND_SIZE, Card, Seat
from bidwright.bridge.hand import Hand
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.feature_table import STRENGTH_MAX
from bidwright.kb.logic.features import HONOUR_LETTERS, SUIT_LETTERS

Atom = tuple[str, bool]
"""An atom's text, and its truth value."""

Key = tuple[frozenset[tuple[Seat, Hand]], frozenset[tuple[Seat, frozenset[Card]]]]
"""Known cards as a key."""

PLAYERS = {seat: seat.letter.lower() for seat in Seat}
"""The name of each seat in the deal program."""

_ACE = HAND_SIZE - 1
_LOWEST_HONOUR = HAND_SIZE - len(HONOUR_LETTERS)
_SUITS = range(len(SUIT_LETTERS))
HONOURS = frozenset(
    HAND_SIZE * suit + rank for suit in _SUITS for rank in range(_LOWEST_HONOUR, HAND_SIZE)
)
"""The aces, kings, queens, jacks and tens."""


@dataclass(frozen=True, slots=True)
class Known:
    """Cards that are known.

    Attributes:
        hands: whole hands.
        cards: single cards of seats, each a set.
    """

    hands: Mapping[Seat, Hand]
    cards: Mapping[Seat, frozenset[Card]]

    @classmethod
    def of(
        cls, hands: Mapping[Seat, Hand] | None, cards: Mapping[Seat, Iterable[Card]] | None
    ) -> Known:
        """Return known cards from arguments that may be left out."""
        return cls(hands or {}, {seat: frozenset(held) for seat, held in (cards or {}).items()})

    @property
    def key(self) -> Key:
        """The hashable form of the known cards, equal for equal sets."""
        return frozenset(self.hands.items()), frozenset(self.cards.items())

    @property
    def hidden(self) -> list[Seat]:
        """The seats without a known hand."""
        return [seat for seat in Seat if seat not in self.hands]

    def held(self, seat: Seat) -> frozenset[Card]:
        """Return the cards known to be in a hand."""
        hand = self.hands.get(seat)
        return self.cards.get(seat, frozenset()) if hand is None else hand.cards

    def elsewhere(self, seat: Seat) -> frozenset[Card]:
        """Return the cards known to be in the other hands."""
        return frozenset(card for other in Seat if other != seat for card in self.held(other))

    def atoms(self) -> list[Atom]:
        """Return the atoms of the deal program that follow from the known cards."""
        atoms: list[Atom] = []
        # A known hand is given to the program as bounds that meet.
        for seat, hand in self.hands.items():
            atoms += atoms_within(PLAYERS[seat], bounds_of(hand))
        for seat, held in self.cards.items():
            atoms += atoms_of_cards(PLAYERS[seat], held)
        return atoms


def _honour(card: Card) -> str:
    suit, rank = divmod(card, HAND_SIZE)
    return f"card({SUIT_LETTERS[suit]},{HONOUR_LETTERS[_ACE - rank]})"


def bounds_of(hand: Hand) -> Bounds:
    """Return the bounds of a hand that is known."""
    clubs, diamonds, hearts, spades = hand.lengths
    shape = sorted(hand.lengths)
    points = hand.hcp + sum(max(length - 4, 0) for length in hand.lengths)
    aces = sum(HAND_SIZE * suit + _ACE in hand.cards for suit in _SUITS)
    kings = sum(HAND_SIZE * suit + _ACE - 1 in hand.cards for suit in _SUITS)
    controls = 2 * aces + kings
    return Bounds(
        hcp=(hand.hcp, hand.hcp),
        points=(points, points),
        lengths=((clubs, clubs), (diamonds, diamonds), (hearts, hearts), (spades, spades)),
        controls=(controls, controls),
        aces=(aces, aces),
        balanced=shape[0] >= 2 and shape[1] >= 3,
        sure=HONOURS & hand.cards,
        impossible=HONOURS - hand.cards,
    )


def atoms_of_cards(player: str, cards: Iterable[Card]) -> Iterator[Atom]:
    """Yield the atoms of a player with some known cards."""
    spots = [0] * len(SUIT_LETTERS)
    for card in set(cards):
        if card in HONOURS:
            yield f"ge({player},{_honour(card)},1)", True
        else:
            spots[card // HAND_SIZE] += 1
    # Spot cards are no atoms of their own: a number of them is lacking or not.
    for suit, number in zip(SUIT_LETTERS, spots, strict=True):
        if number:
            yield f"lacks_spots({player},{suit},{number})", False


def atoms_within(player: str, bounds: Bounds) -> Iterator[Atom]:
    """Yield the atoms of a player with a hand within bounds."""
    named = [
        ("hcp", bounds.hcp, STRENGTH_MAX),
        ("points", bounds.points, STRENGTH_MAX),
        *(
            (f"len({suit})", interval, HAND_SIZE)
            for suit, interval in zip(SUIT_LETTERS, bounds.lengths, strict=True)
        ),
    ]
    # Only ends that say something: the program knows the others.
    for name, (low, high), top in named:
        if low:
            yield f"ge({player},{name},{low})", True
        if high < top:
            yield f"ge({player},{name},{high + 1})", False
    for card in bounds.sure:
        yield f"ge({player},{_honour(card)},1)", True
    for card in bounds.impossible:
        yield f"ge({player},{_honour(card)},1)", False


def atoms_of_shape(player: str) -> Iterator[str]:
    """Yield the atoms that tell a player's lengths and honours, as `hand_of` reads them."""
    for suit in SUIT_LETTERS:
        for number in range(1, HAND_SIZE + 1):
            yield f"ge({player},len({suit}),{number})"
    for card in sorted(HONOURS):
        yield f"ge({player},{_honour(card)},1)"


def hand_of(true_atoms: Iterable[str]) -> Hand:
    """Return the hand with the lengths and honours of the atoms, and the highest spot cards."""
    true = {atom.partition(",")[2] for atom in true_atoms}
    cards = {card for card in HONOURS if f"{_honour(card)},1)" in true}
    for suit, letter in enumerate(SUIT_LETTERS):
        length = sum(f"len({letter}),{number})" in true for number in range(1, HAND_SIZE + 1))
        spots = length - sum(card // HAND_SIZE == suit for card in cards)
        top = HAND_SIZE * suit + _LOWEST_HONOUR
        # The highest spot cards, as a hand that is shown to people.
        cards.update(range(top - spots, top))
    return Hand(frozenset(cards))


def with_cards(bounds: Bounds, own: Iterable[Card], others: Iterable[Card]) -> Bounds:
    """Return bounds of one hand, given some cards in it and some that are not.

    These are outer bounds: only what a single card shows is drawn from them.
    """
    held, gone = set(own), set(others)
    clubs, diamonds, hearts, spades = (
        (
            max(low, sum(card // HAND_SIZE == suit for card in held)),
            # Cards known to be elsewhere are not in this hand's suit.
            min(high, HAND_SIZE - sum(card // HAND_SIZE == suit for card in gone)),
        )
        for suit, (low, high) in zip(_SUITS, bounds.lengths, strict=True)
    )
    return replace(
        bounds,
        lengths=(clubs, diamonds, hearts, spades),
        sure=bounds.sure | (HONOURS & held),
        impossible=bounds.impossible | (HONOURS & gone),
    )
