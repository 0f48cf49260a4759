"""A board: number, deal, dealer and vulnerability, with its auction and result at a table."""

from dataclasses import dataclass, field

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Card, Seat, Side, Vulnerability
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import IllegalError
from bidwright.bridge.scoring import score

_VULNERABILITIES = (Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.BOTH)


def board_dealer(number: int) -> Seat:
    """Return the dealer of a board (Law 2): North on 1, East on 2, and so on.

    Raises:
        IllegalError: If the number is below 1.
    """
    return Seat(_checked(number) % len(Seat))


def board_vulnerability(number: int) -> Vulnerability:
    """Return the vulnerability of a board (Law 2); it repeats after sixteen boards.

    Raises:
        IllegalError: If the number is below 1.
    """
    index = _checked(number)
    # The vulnerability moves on by one place after each round of four dealers.
    return _VULNERABILITIES[(index + index // len(_VULNERABILITIES)) % len(_VULNERABILITIES)]


def _checked(number: int) -> int:
    if number < 1:
        raise IllegalError(f"expected a board number from 1, got {number}")
    return number - 1


@dataclass(frozen=True, slots=True)
class Board:
    """A board as one table records it; fields without a record are `None` or empty.

    Example:
        >>> import bidwright
        >>> board = bidwright.Board(7, auction=bidwright.parse_auction("1NT (P) 3NT"))
        >>> str(board.dealer), board.vulnerability.word, str(board.auction.contract())
        ('N', 'none', '3NT by N')
    """

    number: int | None = None
    """The board's number, from 1."""
    deal: Deal | None = None
    """The four hands."""
    dealer: Seat = Seat.NORTH
    """The seat that calls first."""
    vulnerability: Vulnerability = Vulnerability.NONE
    """The vulnerability."""
    auction: Auction | None = None
    """The calls, as far as they are recorded."""
    notes: dict[int, str] = field(default_factory=dict)
    """Explanations of calls, by the call's index in the auction."""
    marks: dict[int, str] = field(default_factory=dict)
    """Quality marks of calls, by the call's index: `!` `?` `!!` `??` `!?` `?!`."""
    contract: Contract | None = None
    """The contract that was played; see `passed_out` for boards without one."""
    passed_out: bool = False
    """True if nobody bid."""
    result: int | None = None
    """Tricks that declarer took, 0 to 13."""
    play: tuple[Card, ...] = ()
    """The cards in the order played."""
    play_notes: dict[int, str] = field(default_factory=dict)
    """Explanations of cards, by the card's index in the play."""
    players: dict[Seat, str] = field(default_factory=dict)
    """The players' names."""
    tags: dict[str, str] = field(default_factory=dict)
    """Further records, by the name of the PBN tag (`Event`, `Room`, ...)."""
    sections: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Lines of the tables that belong to a tag (`OptimumResultTable`, ...)."""
    comments: tuple[str, ...] = ()
    """Commentary."""
    passes_put_back: int = 0
    """Passes before the first bid that the file leaves out: the only number that leads to its
    contract. They stand in `auction`."""
    errors: tuple[str, ...] = ()
    """Errors about unreadable parts, each with the place in the file."""

    @property
    def declarer(self) -> Seat | None:
        """The seat that played the contract."""
        return self.contract.declarer if self.contract else None

    @property
    def name(self) -> str:
        """The board's number, or its name where that is none; empty if it has neither."""
        return self.tags.get("Board", "") if self.number is None else str(self.number)

    @property
    def leads_elsewhere(self) -> bool:
        """True if the auction ends in another contract than the one recorded."""
        if self.auction is None or not self.auction.is_over:
            return False
        reached = self.auction.contract()
        return reached != self.contract if self.contract else self.passed_out != (reached is None)

    @property
    def score_ns(self) -> int | None:
        """North-South's points; `None` while the result is unknown."""
        if self.passed_out:
            return 0
        if self.contract is None or self.result is None:
            return None
        side = self.contract.declarer.side
        points = score(self.contract, self.vulnerability.is_vulnerable(side), self.result)
        return points if side is Side.NS else -points
