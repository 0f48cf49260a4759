"""Denominations, ranks, cards, seats, sides and vulnerability.

Index order is rank order everywhere: C < D < H < S < NT, 2 < ... < A, seats clockwise from
North. A card is the integer `13 * suit + rank`; sizes elsewhere are derived from these enums.
"""

from enum import Enum, IntEnum

from bidwright.bridge.errors import InvalidError


class NamedIndex(IntEnum):
    """An index with a name: `repr` is the expression that gives it, `str` its notation."""

    def __repr__(self) -> str:
        """Return class and member, as in `Seat.NORTH`."""
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        """Return the notation; the name where there is no shorter one."""
        return self.name

    def __format__(self, spec: str) -> str:
        """Format the notation, not the number."""
        # An IntEnum puts its number into a formatted text.
        return format(str(self), spec)


class Denomination(NamedIndex):
    """A suit or notrump, in the rank order of bids (Law 1).

    Example:
        >>> import bidwright
        >>> list(map(str, bidwright.Denomination)), bidwright.Denomination.HEARTS.is_major
        (['C', 'D', 'H', 'S', 'NT'], True)
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    @property
    def letter(self) -> str:
        """`C`, `D`, `H`, `S` or `NT`."""
        return _DENOMINATION_LETTERS[self]

    def __str__(self) -> str:
        """Return the letter."""
        return self.letter

    @property
    def symbol(self) -> str:
        """The suit's sign, or `NT`."""
        return _DENOMINATION_SYMBOLS[self]

    @property
    def is_suit(self) -> bool:
        """True for the four suits."""
        return self is not Denomination.NOTRUMP

    @property
    def is_major(self) -> bool:
        """True for hearts and spades."""
        return self in (Denomination.HEARTS, Denomination.SPADES)

    @property
    def is_minor(self) -> bool:
        """True for clubs and diamonds."""
        return self in (Denomination.CLUBS, Denomination.DIAMONDS)


_DENOMINATION_LETTERS = ("C", "D", "H", "S", "NT")
_DENOMINATION_SYMBOLS = ("\u2663", "\u2666", "\u2665", "\u2660", "NT")

SUITS = (Denomination.CLUBS, Denomination.DIAMONDS, Denomination.HEARTS, Denomination.SPADES)
"""The four suits in rank order."""

SUIT_WORDS = tuple(suit.name.lower() for suit in SUITS)
"""The suits in words, in rank order."""

WORD_OF_SUIT = {suit.letter: suit.name.lower() for suit in SUITS}
"""The suits in words, by their letters."""


class Rank(NamedIndex):
    """The rank of a card, from two to ace."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def letter(self) -> str:
        """One character: `2` to `9`, `T`, `J`, `Q`, `K` or `A`."""
        return RANK_LETTERS[self]

    def __str__(self) -> str:
        """Return the letter."""
        return self.letter


RANK_LETTERS = "23456789TJQKA"
"""The letter of each rank, by index."""

HONOUR_WORDS = {rank.letter: rank.name.lower() for rank in Rank if rank >= Rank.TEN}
"""The honours in words, by their letters."""

NUM_CARDS = len(SUITS) * len(Rank)
"""Cards in the deck."""

HAND_SIZE = len(Rank)
"""Cards in a hand."""

Card = int
"""A card's index, `13 * suit + rank`."""


class Side(NamedIndex):
    """A partnership.

    Example:
        >>> import bidwright
        >>> bidwright.Seat.WEST.side, bidwright.Side.NS.other
        (Side.EW, Side.EW)
    """

    NS = 0
    EW = 1

    @property
    def other(self) -> "Side":
        """The opposing side."""
        return Side(1 - self)


class Seat(NamedIndex):
    """A place at the table, clockwise.

    Example:
        >>> import bidwright
        >>> north = bidwright.Seat.NORTH
        >>> north.partner, north.lho, str(north.rho)
        (Seat.SOUTH, Seat.EAST, 'W')
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def letter(self) -> str:
        """`N`, `E`, `S` or `W`."""
        return "NESW"[self]

    def __str__(self) -> str:
        """Return the letter."""
        return self.letter

    @property
    def lho(self) -> "Seat":
        """The left-hand opponent, next to call."""
        # `+` binds before `&`.
        return _SEATS[self + 1 & 3]

    @property
    def partner(self) -> "Seat":
        """The seat opposite."""
        return _SEATS[self + 2 & 3]

    @property
    def rho(self) -> "Seat":
        """The right-hand opponent, who called before."""
        return _SEATS[self + 3 & 3]

    @property
    def side(self) -> Side:
        """The seat's partnership."""
        return _SIDES[self & 1]


_SEATS = tuple(Seat)
_SIDES = tuple(Side)


class Vulnerability(Enum):
    """The vulnerability of both sides; the value is the name that PBN uses.

    Example:
        >>> import bidwright
        >>> both = bidwright.Vulnerability.BOTH
        >>> both.word, both.is_vulnerable(bidwright.Side.NS)
        ('both', True)
    """

    NONE = "None"
    NS = "NS"
    EW = "EW"
    BOTH = "All"

    def __repr__(self) -> str:
        """Return the expression, as in `Vulnerability.NS`."""
        return f"Vulnerability.{self.name}"

    @classmethod
    def of(cls, north_south: bool, east_west: bool) -> "Vulnerability":
        """Return the vulnerability from that of each side.

        >>> Vulnerability.of(True, False)
        Vulnerability.NS
        """
        pairs = {(True, False): cls.NS, (False, True): cls.EW, (True, True): cls.BOTH}
        return pairs.get((bool(north_south), bool(east_west)), cls.NONE)

    @property
    def turned(self) -> "Vulnerability":
        """The vulnerability with the sides exchanged, as when all players move on by one seat."""
        return Vulnerability.of(self.is_vulnerable(Side.EW), self.is_vulnerable(Side.NS))

    @property
    def word(self) -> str:
        """The word of the convention language, the command line and JSON: none, ns, ew or both."""
        return self.name.lower()

    def is_vulnerable(self, side: Side) -> bool:
        """Return True if `side` is vulnerable."""
        return self is Vulnerability.BOTH or self.name == side.name


def card_index(suit: Denomination, rank: Rank) -> Card:
    """Return the index of a card."""
    return len(Rank) * suit + rank


def card_name(card: Card) -> str:
    """Return suit letter and rank letter.

    >>> card_name(51)
    'SA'
    """
    suit, rank = divmod(card, len(Rank))
    return SUITS[suit].letter + RANK_LETTERS[rank]


_SEAT_NAMES = {name: seat for seat in Seat for name in (seat.letter, seat.name)}
# The single letters are those of LIN and of links to viewers.
_VULNERABILITY_NAMES = {
    name: vulnerability
    for vulnerability, names in (
        (Vulnerability.NONE, ("NONE", "LOVE", "WHITE", "NEITHER", "NIL", "-", "O", "0", "")),
        (Vulnerability.NS, ("NS", "N-S", "N/S", "N")),
        (Vulnerability.EW, ("EW", "E-W", "E/W", "E")),
        (Vulnerability.BOTH, ("ALL", "BOTH", "GAME", "RED", "B")),
    )
    for name in names
}


def parse_seat(text: str) -> Seat:
    """Return the seat named by a letter or a word, in either case.

    Raises:
        InvalidError: If the text names no seat.

    Example:
        >>> parse_seat("w")
        Seat.WEST
    """
    seat = _SEAT_NAMES.get(text.strip().upper())
    if seat is None:
        raise InvalidError(f"expected a seat (N, E, S or W), got {text!r}")
    return seat


def parse_vulnerability(text: str) -> Vulnerability:
    """Return the vulnerability named in any of the usual ways.

    Accepts None, Love, White, `-`, `o`; NS, N-S, `n`; EW, E-W, `e`; All, Both, Game, Red, `b`;
    in either case.

    Raises:
        InvalidError: If the text names no vulnerability.

    Example:
        >>> parse_vulnerability("n-s")
        Vulnerability.NS
    """
    vulnerability = _VULNERABILITY_NAMES.get(text.strip().upper())
    if vulnerability is None:
        raise InvalidError(f"expected a vulnerability (None, NS, EW or Both), got {text!r}")
    return vulnerability


_SUIT_LETTERS = "".join(suit.letter for suit in SUITS)


def parse_card(text: str) -> Card:
    """Return the card written suit first, as in `SA`, `h10` or `DT`.

    Raises:
        InvalidError: If the text is no card.
    """
    plain = text.strip().upper().replace("10", "T")
    if len(plain) == 2:
        suit, rank = _SUIT_LETTERS.find(plain[0]), RANK_LETTERS.find(plain[1])
        if suit >= 0 and rank >= 0:
            return len(Rank) * suit + rank
    raise InvalidError(f"expected a card such as SA or HT, got {text!r}")
