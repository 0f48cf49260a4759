"""Reads the lines of the table-manager protocol as programs in the field really send them.

Any letter case, double blanks, dots that are too many or missing, cards suit first or rank first,
suits in any order. `habit` reports a line that was only tolerated: it compares a line with the
protocol's writing of its message.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Card, Seat, Vulnerability, parse_card
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.hand import parse_hand
from bidwright.match.protocol.lines import (
    BoardInfo,
    Called,
    Cards,
    Connecting,
    DummyReceived,
    EndOfSession,
    Explain,
    Message,
    Played,
    Ready,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)


class LineError(BidwrightError, ValueError):
    """A line that is not the protocol's, or not what it should be at this point."""


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
# A hostile line may be 4,096 characters long; a message repeats the beginning only.
_MOST_SHOWN = 80


def squeezed(text: str) -> str:
    """Return a line with single blanks."""
    return " ".join(text.split())


def parse_line(text: str) -> Message:
    """Return the message of a line.

    Raises:
        LineError: The line is not the protocol's; the text says what was expected of it.

    Example:
        >>> print(parse_line("SOUTH  BIDS 1nt."))
        South bids 1NT
    """
    plain = squeezed(text)
    # The first pattern that matches decides, so patterns of longer lines come before looser ones.
    for pattern, read in _READERS:
        match = pattern.match(plain)
        if match is not None:
            try:
                return read(match)
            # A LineError has the line in its text already.
            except LineError:
                raise
            except BidwrightError as error:
                raise LineError(f"{error} in line {shown(plain)}") from None
    raise LineError(_unknown(plain))


def habit(text: str, message: Message) -> str | None:
    """Return the difference of a line from the protocol's writing of it; `None` without one.

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
            # `1 NT` with a blank is one bid.
            call = parse_call(found["bid"].replace(" ", ""))
        except InvalidError:
            raise LineError(f"expected a bid (1C to 7NT), got {shown(found[0])}") from None
        # `bids pass` and `bids X` would be read as calls, too.
        if not call.is_bid:
            raise LineError(f"expected a bid (1C to 7NT), got {shown(found[0])}")
    else:
        call = _CALLS[found["other"].lower()]
    word = (found["alert"] or "").lower()
    kind = "" if not word else "Infos" if word.startswith("info") else "Alert"
    return Called(_seat(found["seat"]), call, kind, (found["text"] or "").strip())


def _card(text: str) -> Card:
    # Some programs write ten as `10`.
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


# No more than nine digits: longer numbers have no meaning here, and converting them could take long
# or fail.
_NUMBER = r"[0-9]{1,9}"
# One to three groups with digits in each: a clock of colons alone once broke the conversion.
_CLOCK = rf"\[?({_NUMBER}(?::{_NUMBER}){{0,2}})\]?"
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Message]], ...] = (
    (
        _line(
            r'^connecting "(?P<team>[^"]*)" as (?P<seat>\w+) using protocol version '
            # Digits after the nine are refused by the look-ahead rather than read as the system's
            # name.
            rf"(?P<version>{_NUMBER})(?![0-9])(?P<system>.*)$"
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
        _line(
            rf"^{_SEAT} ready for (north|east|south|west|dummy)(?:'?s)? "
            rf"card to trick ({_NUMBER})\.?$"
        ),
        _ready_card,
    ),
    (_line(r"^start of board\.?$"), lambda found: StartOfBoard()),
    (
        _line(
            rf"^board (?:number )?(?P<number>{_NUMBER})[.,] ?dealer (?P<dealer>{_SEAT})[.,] ?"
            r"(?P<vul>neither|none|n/?s|e/?w|both|all) vul(?:nerable)?\.?"
            r"(?: ?(?P<room>open|closed) room\.?)?$"
        ),
        _board,
    ),
    (_line(r"^(north|east|south|west|dummy)(?:'?s)? cards ?:? ?(.*)$"), _cards),
    (
        _line(
            rf"^(?P<seat>{_SEAT}) (?:(?P<other>pass|double|redouble)(?:es|s)?"
            # The denomination may stand apart from the level, `1 NT`, so one more word is allowed
            # where it is one.
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
"""Patterns that recognise a broken line, with the right form of such a line."""


def _unknown(text: str) -> str:
    for pattern, shape in _SHAPES:
        if re.search(pattern, text, re.IGNORECASE):
            return f"expected a line such as '{shape}', got {shown(text)}"
    return f"expected a line of the table-manager protocol, got {shown(text)}"
