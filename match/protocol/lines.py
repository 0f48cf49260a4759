"""The lines of the table-manager protocol: what each says and how it is written.

A message is a small record; `str` writes it as the protocol has it. `line_parser` reads what the
programs in the field send.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Card, Seat, Vulnerability, card_name
from bidwright.bridge.hand import Hand

PORT = 2000
"""The port that programs expect a table manager at."""

VERSION = 18
"""The version that is spoken; 19 adds a scoring, a room and explanations."""


def seat_word(seat: Seat) -> str:
    """Return a seat as lines have it: `South`."""
    return seat.name.capitalize()


@dataclass(frozen=True, slots=True)
class Connecting:
    """A client introduces itself; without a seat it takes any."""

    team: str
    seat: Seat | None
    version: int = VERSION
    system: str = ""

    def __str__(self) -> str:
        """Return the line."""
        place = "ANYPL" if self.seat is None else seat_word(self.seat)
        tail = f" {self.system}" if self.system else ""
        return f'Connecting "{self.team}" as {place} using protocol version {self.version}{tail}'


@dataclass(frozen=True, slots=True)
class Seated:
    """The manager gives a client its seat."""

    seat: Seat
    team: str

    def __str__(self) -> str:
        """Return the line."""
        return f'{seat_word(self.seat)} ("{self.team}") seated'


@dataclass(frozen=True, slots=True)
class Teams:
    """The manager gives the names of the teams; version 19 adds the scoring, `IMP` or `MP`."""

    ns: str
    ew: str
    scoring: str = ""

    def __str__(self) -> str:
        """Return the line."""
        tail = f". Playing {self.scoring}" if self.scoring else ""
        return f'Teams : N/S : "{self.ns}". E/W : "{self.ew}"{tail}'


@dataclass(frozen=True, slots=True)
class Ready:
    """A client waits for something.

    Attributes:
        seat: the client's seat.
        what: `teams`, `start`, `deal`, `cards`, `bid`, `card` or `dummy`.
        about: the seat that bids or plays the card; `None` for dummy.
        trick: the number of the trick, from 1, that a card belongs to.
    """

    seat: Seat
    what: str
    about: Seat | None = None
    trick: int = 0

    def __str__(self) -> str:
        """Return the line."""
        who = seat_word(self.seat)
        if self.what == "start":
            return f"{who} ready to start"
        if self.what == "bid" and self.about is not None:
            return f"{who} ready for {seat_word(self.about)}'s bid"
        if self.what == "card":
            whose = "dummy" if self.about is None else seat_word(self.about)
            return f"{who} ready for {whose}'s card to trick {self.trick}"
        return f"{who} ready for {self.what}"


@dataclass(frozen=True, slots=True)
class StartOfBoard:
    """A board begins; in the middle of one, that one is dropped."""

    def __str__(self) -> str:
        """Return the line."""
        return "Start of board"


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """The board's number, dealer and vulnerability; version 19 adds the room."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    room: str = ""

    def __str__(self) -> str:
        """Return the line."""
        tail = f" {self.room.capitalize()} room." if self.room else ""
        return (
            f"Board number {self.number}. Dealer {seat_word(self.dealer)}. "
            f"{_VULNERABLE[self.vulnerability]} vulnerable.{tail}"
        )


@dataclass(frozen=True, slots=True)
class Cards:
    """A hand: the client's own, or dummy's where `owner` is `None`."""

    owner: Seat | None
    hand: Hand

    def __str__(self) -> str:
        """Return the line."""
        if self.owner is None:
            return f"Dummy's cards : {hand_text(self.hand)}"
        return f"{seat_word(self.owner)}'s cards : {hand_text(self.hand)}"


@dataclass(frozen=True, slots=True)
class Called:
    """A call, with its maker's explanation for the opponents.

    Attributes:
        seat: the seat that calls.
        call: the call.
        alert: the word before the text, `Alert` or `Infos`; empty if nothing is explained.
        text: the explanation.
    """

    seat: Seat
    call: Call
    alert: str = ""
    text: str = ""

    def __str__(self) -> str:
        """Return the line."""
        words = _CALL_WORDS.get(self.call) or f"bids {self.call}"
        tail = f" {self.alert}. {self.text}".rstrip() if self.alert else ""
        return f"{seat_word(self.seat)} {words}{tail}"

    # Law 20: partner must not profit from the explanation of a call, so he hears it without.
    def bare(self) -> Called:
        """Return the call without its explanation, as partner hears it."""
        return replace(self, alert="", text="")


@dataclass(frozen=True, slots=True)
class ToLead:
    """The manager asks for the first card of a trick; `None` asks declarer for dummy's."""

    seat: Seat | None

    def __str__(self) -> str:
        """Return the line."""
        return f"{'Dummy' if self.seat is None else seat_word(self.seat)} to lead"


@dataclass(frozen=True, slots=True)
class Played:
    """A card; version 19 lets a signal's meaning follow, for the opponents.

    Some say `Dummy` for a card of dummy's: then `seat` is `None`.
    """

    seat: Seat | None
    card: Card
    text: str = ""

    def __str__(self) -> str:
        """Return the line, rank before suit."""
        name = card_name(self.card)
        who = "Dummy" if self.seat is None else seat_word(self.seat)
        # The protocol writes the rank first, unlike the rest of the package.
        return f"{who} plays {name[1]}{name[0]}" + (f". {self.text}" if self.text else "")

    def bare(self) -> Played:
        """Return the card without a signal's meaning."""
        return replace(self, text="")


@dataclass(frozen=True, slots=True)
class Timing:
    """The end of a board, with the seconds that each side has thought."""

    ns_board: int
    ns_total: int
    ew_board: int
    ew_total: int

    def __str__(self) -> str:
        """Return the line."""
        ns = f"this board  {_minutes(self.ns_board)},  total  {_hours(self.ns_total)}"
        ew = f"this board  {_minutes(self.ew_board)},  total  {_hours(self.ew_total)}"
        return f"Timing - N/S : {ns}.  E/W : {ew}."


@dataclass(frozen=True, slots=True)
class EndOfSession:
    """There are no more boards."""

    def __str__(self) -> str:
        """Return the line."""
        return "End of session"


@dataclass(frozen=True, slots=True)
class Explain:
    """The manager of version 19 asks a client for a call's meaning, before the client hears it.

    One line of free text answers it.
    """

    seat: Seat
    call: Call

    def __str__(self) -> str:
        """Return the line."""
        # The seat is cut off the call's line, since `Explain` has the possessive of it.
        called = str(Called(self.seat, self.call)).partition(" ")[2]
        return f"Explain {seat_word(self.seat)}'s {called}"


NO_EXPLANATION = "no explanation"
"""The answer of a client that knows nothing of a call."""


@dataclass(frozen=True, slots=True)
class DummyReceived:
    """Some clients say that they have dummy's cards; nobody waits for it."""

    seat: Seat

    def __str__(self) -> str:
        """Return the line."""
        return f"{seat_word(self.seat)} received dummy"


Message = (
    Connecting
    | Seated
    | Teams
    | Ready
    | StartOfBoard
    | BoardInfo
    | Cards
    | Called
    | ToLead
    | Played
    | Timing
    | EndOfSession
    | Explain
    | DummyReceived
)
"""Whatever a line says."""

_VULNERABLE = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.BOTH: "Both",
}
_CALL_WORDS = {Call.PASS: "passes", Call.DOUBLE: "doubles", Call.REDOUBLE: "redoubles"}


def _minutes(seconds: int) -> str:
    return f"{seconds // 60:02}:{seconds % 60:02}"


def _hours(seconds: int) -> str:
    return f"{seconds // 3600}:{_minutes(seconds % 3600)}"


def hand_text(hand: Hand) -> str:
    """Return a hand as lines have it.

    Example:
        >>> hand_text(Hand.from_pbn("AK3.QT92..J87654"))
        'S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4.'
    """
    return " ".join(
        f"{suit.letter} {' '.join(hand.holding(suit)) or '-'}." for suit in reversed(SUITS)
    )
