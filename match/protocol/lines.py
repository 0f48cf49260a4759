"""The lines of the table-manager protocol: what each says, how it is written, how it is read.

A message is a small record; `str` writes it as the protocol has it. `parse_line` reads what the
programs in the field really send: any letter case, double blanks, dots that are too many or
missing, cards suit first or rank first, suits in any order. What was only tolerated can be told
by `habit`, which compares a line with the message's own writing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import SUITS, Card, Seat, Vulnerability, card_name, parse_card
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.hand import Hand, parse_hand

PORT = 2000
"""The port that programs expect a table manager at."""

VERSION = 18
"""The version that is spoken; 19 adds a scoring, a room and explanations."""


class LineError(BidwrightError, ValueError):
    """A line that is not the protocol's, or not what it should be at this point."""


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
    """The manager says who plays; version 19 adds the scoring, `IMP` or `MP`."""

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
        seat: whose client.
        what: `teams`, `start`, `deal`, `cards`, `bid`, `card` or `dummy`.
        about: whose bid or card; `None` for dummy's.
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
    """A call, with what its maker tells the opponents.

    Attributes:
        seat: who calls.
        call: the call.
        alert: the word before the text, `Alert` or `Infos`; empty if nothing is told.
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
    """The manager of version 19 asks a client what a call means, before the client hears it.

    One line of free text answers it.
    """

    seat: Seat
    call: Call

    def __str__(self) -> str:
        """Return the line."""
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


# --------------------------------------------------------------------- reading

_SEAT = "(north|east|south|west)"
_SEATS = {seat.name.lower(): seat for seat in Seat}
_VULNERABILITIES = {
    "neither": Vulnerability.NONE,
    "none": Vulnerability.NONE,
    "n/s": Vulnerability.NS,
    "ns": Vulnerability.NS,
    "e/w": Vulnerability.EW,
    "ew": Vulnerability.EW,
    "both": Vulnerability.BOTH,
    "all": Vulnerability.BOTH,
}
_CALLS = {"pass": Call.PASS, "double": Call.DOUBLE, "redouble": Call.REDOUBLE}
_MOST_SHOWN = 80


def squeezed(text: str) -> str:
    """Return a line with single blanks."""
    return " ".join(text.split())


def parse_line(text: str) -> Message:
    """Return what a line says.

    Raises:
        LineError: The line is not the protocol's; the text says what was expected of it.

    Example:
        >>> print(parse_line("SOUTH  BIDS 1nt."))
        South bids 1NT
    """
    plain = squeezed(text)
    for pattern, read in _READERS:
        found = pattern.match(plain)
        if found is not None:
            try:
                return read(found)
            except LineError:
                raise
            except BidwrightError as error:
                raise LineError(f"{error} in line {shown(plain)}") from None
    raise LineError(_unknown(plain))


def habit(text: str, message: Message) -> str | None:
    """Return how a line differs from the protocol's writing of it; `None` if it does not.

    Example:
        >>> habit("South bids 1NT.", parse_line("South bids 1NT."))
        "other wording than 'South bids 1NT'"
    """
    written = str(message)
    if text == written:
        return None
    if squeezed(text) == squeezed(written):
        return "blanks"
    if squeezed(text).lower() == squeezed(written).lower():
        return "letter case"
    return f"other wording than {shown(written)}"


def shown(text: str) -> str:
    """Return a line as messages quote it, cut if it is long."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...")


def _seat(text: str) -> Seat:
    return _SEATS[text.lower()]


def _connecting(found: re.Match[str]) -> Connecting:
    place = found["seat"].lower()
    if place not in _SEATS and place not in ("anypl", "any"):
        raise LineError(f"expected a seat or ANYPL, got {shown(found[0])}")
    return Connecting(
        found["team"],
        _SEATS.get(place),
        int(found["version"]),
        found["system"].strip(" .,-"),
    )


def _teams(found: re.Match[str]) -> Teams:
    scoring = (found["scoring"] or "").upper().removesuffix("S")
    return Teams(found["ns"], found["ew"], scoring)


def _ready(found: re.Match[str]) -> Ready:
    return Ready(_seat(found[1]), found[2].lower())


def _ready_bid(found: re.Match[str]) -> Ready:
    return Ready(_seat(found[1]), "bid", _seat(found[2]))


def _ready_card(found: re.Match[str]) -> Ready:
    about = _SEATS.get(found[2].lower())
    return Ready(_seat(found[1]), "card", about, int(found[3]))


def _board(found: re.Match[str]) -> BoardInfo:
    return BoardInfo(
        int(found["number"]),
        _seat(found["dealer"]),
        _VULNERABILITIES[found["vul"].lower()],
        (found["room"] or "").lower(),
    )


def _cards(found: re.Match[str]) -> Cards:
    return Cards(_SEATS.get(found[1].lower()), parse_hand(found[2]))


def _called(found: re.Match[str]) -> Called:
    if found["bid"]:
        try:
            call = parse_call(found["bid"].replace(" ", ""))
        except InvalidError:
            raise LineError(f"expected a bid (1C to 7NT), got {shown(found[0])}") from None
        if not call.is_bid:
            raise LineError(f"expected a bid (1C to 7NT), got {shown(found[0])}")
    else:
        call = _CALLS[found["other"].lower()]
    word = (found["alert"] or "").lower()
    kind = "" if not word else "Infos" if word.startswith("info") else "Alert"
    return Called(_seat(found["seat"]), call, kind, (found["text"] or "").strip())


def _card(text: str) -> Card:
    plain = text.upper().replace("10", "T")
    try:
        return parse_card(plain[::-1] if plain[-1] in "CDHS" else plain)
    except InvalidError:
        raise InvalidError(f"expected a card such as TS, got {text!r}") from None


def _played(found: re.Match[str]) -> Played:
    return Played(_SEATS.get(found[1].lower()), _card(found[2]), found[3].strip(" ."))


def _explain(found: re.Match[str]) -> Explain:
    try:
        words: Message | None = parse_line(f"{found[1]} {found[2]}")
    except LineError:
        words = None
    if not isinstance(words, Called):
        raise LineError(f"expected a call to explain, got {shown(found[0])}")
    return Explain(words.seat, words.call)


def _seconds(text: str) -> int:
    total = 0
    for part in text.split(":"):
        total = 60 * total + int(part)
    return total


def _timing(found: re.Match[str]) -> Timing:
    return Timing(*(_seconds(found[place]) for place in (1, 2, 3, 4)))


def _line(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_CLOCK = r"\[?([\d:]+)\]?"
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Message]], ...] = (
    (
        _line(
            r'^connecting "(?P<team>[^"]*)" as (?P<seat>\w+) using protocol version '
            r"(?P<version>\d+)(?P<system>.*)$"
        ),
        _connecting,
    ),
    (
        _line(rf'^{_SEAT} \(? ?"(?P<team>[^"]*)" ?\)? seated\.?$'),
        lambda found: Seated(_seat(found[1]), found["team"]),
    ),
    (
        _line(
            r'^teams ?:? ?n/?s ?:? ?"(?P<ns>[^"]*)" ?[.,]? ?e/?w ?:? ?"(?P<ew>[^"]*)" ?\.?'
            r"(?: ?playing (?P<scoring>imps?|mps?)\.?)?$"
        ),
        _teams,
    ),
    (_line(rf"^{_SEAT} ready to (start)\.?$"), _ready),
    (_line(rf"^{_SEAT} ready for (teams|deal|cards|dummy)\.?$"), _ready),
    (_line(rf"^{_SEAT} ready for {_SEAT}(?:'?s)? (?:bid|call)\.?$"), _ready_bid),
    (
        _line(rf"^{_SEAT} ready for (north|east|south|west|dummy)(?:'?s)? card to trick (\d+)\.?$"),
        _ready_card,
    ),
    (_line(r"^start of board\.?$"), lambda found: StartOfBoard()),
    (
        _line(
            rf"^board (?:number )?(?P<number>\d+)[.,] ?dealer (?P<dealer>{_SEAT})[.,] ?"
            r"(?P<vul>neither|none|n/?s|e/?w|both|all) vul(?:nerable)?\.?"
            r"(?: ?(?P<room>open|closed) room\.?)?$"
        ),
        _board,
    ),
    (_line(r"^(north|east|south|west|dummy)(?:'?s)? cards ?:? ?(.*)$"), _cards),
    (
        _line(
            rf"^(?P<seat>{_SEAT}) (?:(?P<other>pass|double|redouble)(?:es|s)?"
            r"|bids? (?P<bid>[^ .]+(?: ?(?:nt|[cdhsn])\b)?))\.?"
            r"(?:[ ;,]*(?P<alert>alert(?:ed|s)?|infos?)\b[.:]? ?(?P<text>.*))?$"
        ),
        _called,
    ),
    (
        _line(r"^(north|east|south|west|dummy) to lead\.?$"),
        lambda found: ToLead(_SEATS.get(found[1].lower())),
    ),
    (_line(r"^(north|east|south|west|dummy) plays? ([^ .]+)\.?(.*)$"), _played),
    (
        _line(
            rf"^timing ?-? ?n/?s ?: ?this board {_CLOCK}, ?total {_CLOCK}\. ?"
            rf"e/?w ?: ?this board {_CLOCK}, ?total {_CLOCK} ?\.?$"
        ),
        _timing,
    ),
    (_line(r"^end of (?:session|match)\.?$"), lambda found: EndOfSession()),
    (_line(rf"^explain {_SEAT}'s (.*)$"), _explain),
    (_line(rf"^{_SEAT} (?:has )?received dummy\.?$"), lambda found: DummyReceived(_seat(found[1]))),
)

_SHAPES = (
    (
        r"^connecting\b",
        'Connecting "TEAM" as SEAT using protocol version 18',
    ),
    (r"^teams\b", 'Teams : N/S : "TEAM". E/W : "TEAM"'),
    (r"^board\b", "Board number 7. Dealer East. N/S vulnerable."),
    (
        r"\bready\b",
        "SEAT ready for teams, deal, cards, dummy, SEAT's bid or SEAT's card to trick 1",
    ),
    (r"\bbids?\b", "SEAT bids 1NT, and perhaps Alert. TEXT"),
    (r"\bplays?\b", "SEAT plays TS"),
    (r"\bcards\b", "SEAT's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4."),
    (r"\bseated\b", 'SEAT ("TEAM") seated'),
)
"""Words by which a broken line can be recognised, and what it should have been."""


def _unknown(text: str) -> str:
    for pattern, shape in _SHAPES:
        if re.search(pattern, text, re.IGNORECASE):
            return f"expected a line such as '{shape}', got {shown(text)}"
    return f"expected a line of the table-manager protocol, got {shown(text)}"
