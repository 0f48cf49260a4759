"""A hand: the thirteen cards of a player."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from bidwright.bridge.cards import (
    HAND_SIZE,
    NUM_CARDS,
    RANK_LETTERS,
    SUITS,
    Card,
    Denomination,
    Rank,
    card_index,
    card_name,
)
from bidwright.bridge.errors import IllegalError, InvalidError

HCP = {Rank.ACE: 4, Rank.KING: 3, Rank.QUEEN: 2, Rank.JACK: 1}
"""High-card points of the honours (A 4, K 3, Q 2, J 1)."""


# Without slots, which cached properties cannot use.
@dataclass(frozen=True, repr=False)
class Hand:
    """Thirteen different cards.

    Raises:
        IllegalError: If there are not thirteen cards of the deck.

    Example:
        >>> import bidwright
        >>> hand = bidwright.parse_hand("KQ4 AQ8 K9873 K2")
        >>> hand, hand.hcp, hand.lengths
        (Hand.from_pbn('KQ4.AQ8.K9873.K2'), 17, (2, 5, 3, 3))
    """

    cards: frozenset[Card]
    """The cards, each `13 * suit + rank`."""

    def __post_init__(self) -> None:
        """Check the number and range of the cards."""
        if len(self.cards) != HAND_SIZE:
            raise IllegalError(f"expected {HAND_SIZE} cards, got {len(self.cards)}")
        if not all(0 <= card < NUM_CARDS for card in self.cards):
            raise IllegalError(f"expected cards from 0 to 51, got {sorted(self.cards)}")

    @classmethod
    def from_pbn(cls, text: str) -> "Hand":
        """Return the hand written in the notation of PBN, spades first: `KQ4.AQ8.K9873.K2`.

        Raises:
            InvalidError: If the text is not four holdings of ranks.
            IllegalError: If these are not thirteen different cards.
        """
        return cls(_read_holdings(text, text.strip().split(".")))

    @cached_property
    def mask(self) -> int:
        """The cards as a number of 52 bits, bit `13 * suit + rank` for each card."""
        return sum(1 << card for card in self.cards)

    @cached_property
    def lengths(self) -> tuple[int, int, int, int]:
        """Cards in clubs, diamonds, hearts and spades."""
        clubs, diamonds, hearts, spades = (
            (self.mask >> len(Rank) * suit & _SUIT_MASK).bit_count() for suit in SUITS
        )
        return clubs, diamonds, hearts, spades

    @cached_property
    def hcp(self) -> int:
        """High-card points: ace 4, king 3, queen 2, jack 1."""
        return sum(
            points * (self.mask & _RANK_MASKS[rank]).bit_count() for rank, points in HCP.items()
        )

    def length(self, suit: Denomination) -> int:
        """Return the number of cards in a suit."""
        return self.lengths[suit]

    def has(self, suit: Denomination, rank: Rank) -> bool:
        """Return True if the hand holds a card."""
        return card_index(suit, rank) in self.cards

    def holding(self, suit: Denomination) -> str:
        """Return the ranks held in a suit, from high to low; empty for a void."""
        return "".join(rank.letter for rank in reversed(Rank) if self.has(suit, rank))

    def to_pbn(self) -> str:
        """Return the notation of PBN, `KQ4.AQ8.K9873.K2`; a void is empty."""
        return ".".join(self.holding(suit) for suit in reversed(SUITS))

    def __str__(self) -> str:
        """Return the notation of PBN."""
        return self.to_pbn()

    def __repr__(self) -> str:
        """Return the expression that re-creates the hand."""
        return f"Hand.from_pbn({self.to_pbn()!r})"


_SUIT_MASK = (1 << len(Rank)) - 1
_RANK_MASKS = {rank: sum(1 << card_index(suit, rank) for suit in SUITS) for rank in Rank}
_VOIDS = ("-", "--", "\u2013", "\u2014", "void")
_SIGNS = {
    sign: suit.letter
    for suit, signs in zip(
        SUITS, ("\u2663\u2667", "\u2666\u2662", "\u2665\u2661", "\u2660\u2664"), strict=True
    )
    for sign in signs
}
_LABELLED = re.compile(r"([SHDC])\s*[:=]?")


def parse_hand(text: str) -> Hand:
    """Return the hand written in any of the usual ways.

    The four holdings are spades first, separated by dots, blanks, commas or slashes
    (`KQ4 AQ8 K9873 K2`), or each is named by its suit, in any order (`SKQ4 HAQ8 DK9873 CK2`,
    or with the suits' signs). Tens may be `T` or `10`, a void empty (between dots) or `-`,
    letters of either case.

    Raises:
        InvalidError: If the text is not four holdings of ranks.
        IllegalError: If these are not thirteen different cards.

    Example:
        >>> parse_hand("SKQ4 HAQ8 DK9873 CK2") == parse_hand("kq4 aq8 k9873 k2")
        True
    """
    plain = "".join(_SIGNS.get(sign, sign) for sign in text.replace("\ufe0f", "")).strip()
    if re.match(r"[SHDC]", plain, re.IGNORECASE):
        return Hand(_read_holdings(text, _split_labelled(text, plain.upper())))
    # Between dots a void is nothing at all, so blanks cannot separate as well.
    if "." in plain:
        holdings = [part.replace(" ", "") for part in plain.split(".")]
    else:
        holdings = re.split(r"\s*[,/|]\s*|\s+", plain)
    return Hand(_read_holdings(text, holdings))


def _split_labelled(text: str, plain: str) -> list[str]:
    """Return the holdings of a hand with named suits, spades first; voids may be missing."""
    parts = _LABELLED.split(plain)
    holdings: dict[str, str] = {}
    for letter, ranks in zip(parts[1::2], parts[2::2], strict=True):
        if letter in holdings:
            raise InvalidError(f"expected each suit once, got {letter} twice in hand {text!r}")
        holdings[letter] = re.sub(r"[\s.,/|]", "", ranks)
    return [holdings.get(suit.letter, "") for suit in reversed(SUITS)]


def _read_holdings(text: str, holdings: list[str]) -> frozenset[Card]:
    """Return the thirteen cards of four holdings, spades first."""
    if len(holdings) != len(SUITS):
        raise InvalidError(
            f"expected four holdings such as KQ4.AQ8.K9873.K2, got {len(holdings)} in hand {text!r}"
        )
    cards: set[Card] = set()
    for suit, holding in zip(reversed(SUITS), holdings, strict=True):
        for card in read_holding(suit, holding, f"hand {text!r}"):
            if card in cards:
                raise IllegalError(
                    f"expected each card once, got {card_name(card)} twice in hand {text!r}"
                )
            cards.add(card)
    if len(cards) != HAND_SIZE:
        raise IllegalError(f"expected {HAND_SIZE} cards, got {len(cards)} in hand {text!r}")
    return frozenset(cards)


def read_holding(suit: Denomination, holding: str, where: str) -> Iterable[Card]:
    """Yield the cards of a suit written as ranks; `where` ends the message of an error.

    Raises:
        InvalidError: If a character is no rank.
    """
    if holding.lower() in _VOIDS:
        return
    for letter in holding.upper().replace("10", "T"):
        rank = RANK_LETTERS.find(letter)
        if rank < 0:
            raise InvalidError(f"expected a rank (A K Q J T 9 ... 2), got {letter!r} in {where}")
        yield card_index(suit, Rank(rank))
