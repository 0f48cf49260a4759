"""The contract that declarer's side undertook to make."""

from dataclasses import dataclass

from bidwright.bridge.calls import Call, bid, parse_call
from bidwright.bridge.cards import Denomination, Seat
from bidwright.bridge.errors import InvalidError

BOOK = 6
"""Tricks that a contract needs besides its level."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract; `str` gives `4S by N`, `3NTX by W`.

    Example:
        >>> import bidwright
        >>> contract = bidwright.parse_auction("1S (P) 4S (X)").contract()
        >>> str(contract), contract.target
        ('4SX by N', 10)
    """

    level: int
    """1 to 7."""
    denomination: Denomination
    """The trump suit, or notrump."""
    doubled: int
    """0 undoubled, 1 doubled, 2 redoubled."""
    declarer: Seat
    """The seat that plays it."""

    @property
    def bid(self) -> Call:
        """The bid that named the contract."""
        return bid(self.level, self.denomination)

    @property
    def target(self) -> int:
        """Tricks that make the contract."""
        return BOOK + self.level

    @property
    def text(self) -> str:
        """The contract without its declarer, as in `3NTX`."""
        return f"{self.bid}{'X' * self.doubled}"

    def __str__(self) -> str:
        """Return contract and declarer."""
        return f"{self.text} by {self.declarer}"


def parse_contract(text: str, declarer: Seat) -> Contract:
    """Return the contract written as in `3NTX`, played by `declarer`.

    Raises:
        InvalidError: If the text is no contract.

    Example:
        >>> str(parse_contract("3nxx", Seat.WEST))
        '3NTXX by W'
    """
    bare = text.strip().upper()
    # Some PBN files write `3NT*` for `3NTX`.
    undoubled = bare.rstrip("X*")
    doubled = len(bare) - len(undoubled)
    try:
        call = parse_call(undoubled)
    except InvalidError:
        call = Call.PASS
    if not call.is_bid or doubled > 2:
        raise InvalidError(f"expected a contract such as 4S or 3NTX, got {text!r}")
    return Contract(call.level, call.denomination, doubled, declarer)
