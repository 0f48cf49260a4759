"""Files of BBOalert, a line for each call: .bss and .bboalert, written and read.

A record of .bss, the text form of Full Disclosure cards, has the opening side, seat, vulnerability,
calls, flags, lengths and words.

A record of .bboalert has context, call and explanation; BBOalert shows the explanation of the
record that fits the auction. A context is the calls from the first bid on, two characters for a
call: `1N--2C--`. What holds in some seats or at some vulnerability stands in a block that begins
with `Option`, which players switch on and off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bidwright.authoring.exchange.call_tables import (
    ALL_VULNERABLE,
    ANY_LENGTH,
    ANY_SEAT,
    CallRow,
    CallTable,
    Sheet,
    length_of,
)
from bidwright.authoring.exchange.records import (
    CREATOR,
    BadFileError,
    Entry,
    Loss,
    NoteLine,
    ParsedNotes,
    calls_at,
    read_lines,
)
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS
from bidwright.kb.language import ast
from bidwright.kb.logic.public_state import Forcing

# -------------------------------------------------------------------------- .bss

SEATS = {(1, 2, 3, 4): "0", (1,): "1", (2,): "2", (3,): "3", (4,): "4", (1, 2): "5", (3, 4): "6"}
"""The seat of the first bid, as a digit."""

_N, _WE, _THEY, _BOTH = (False, False), (True, False), (False, True), (True, True)
VULNERABLE = {
    ALL_VULNERABLE: "0",
    (_N,): "1",
    (_WE,): "2",
    (_THEY,): "3",
    (_BOTH,): "4",
    (_N, _THEY): "5",
    (_WE, _BOTH): "6",
    (_N, _WE): "7",
    (_THEY, _BOTH): "8",
}
"""The vulnerability of us and of them, as a digit."""


BSS_LOSSES = (
    Loss("flags", "", "the strains still possible after a call", "every flag is Y"),
    Loss(
        "length", "", "lengths that follow from calls not made", "only tested lengths are written"
    ),
)
"""The losses of records of this program besides those of tables."""


def to_bss(sheet: Sheet) -> str:
    """Return a system as .bss."""
    summary = "; ".join((CREATOR, *sheet.sources))
    lines = [f"*00{{{sheet.title or sheet.name}}}=NYYYYYY {summary}"]
    for table in sheet.tables:
        lines += _bss_records(table)
    return "\n".join(lines) + "\n"


def _bss_records(table: CallTable) -> Iterator[str]:
    they_opened = "*" if len(table.calls) % 2 else ""
    context = SEATS[table.seats] + VULNERABLE[table.vulnerable]
    before = "".join(map(call_code, table.calls))
    for row in table.rows:
        artificial = "Y" if row.rule.artificial else "N"
        yield (
            f"{they_opened}{context}{before}{call_code(row.call)}={artificial}YYYYYY"
            f"{_disposition(row)}{_lengths(row)}{row.words}"
        )


def call_code(call: Call) -> str:
    """Return a call in one or two characters: `P`, `D`, `R`, `1N`, `2H`."""
    codes = {Call.PASS: "P", Call.DOUBLE: "D", Call.REDOUBLE: "R"}
    return codes.get(call) or str(call)[:2]


def _disposition(row: CallRow) -> str:
    rule = row.rule
    for holds, code in (
        (rule.asks, "D"),
        (rule.answers, "E"),
        (rule.forcing is Forcing.GAME, "6"),
        (rule.forcing is not Forcing.NO, "5"),
        (rule.invitational, "4"),
        (rule.signoff, "1"),
    ):
        if holds:
            return code
    return "0"


def _lengths(row: CallRow) -> str:
    """Return the least and the largest length of the suit that is bid, as digits."""
    if not row.call.is_bid or not row.call.denomination.is_suit:
        return ""
    suit = SUIT_WORDS[row.call.denomination]
    low, high = length_of(row.condition, suit)
    return f"{min(low, ANY_LENGTH)}{min(high, ANY_LENGTH)}"


_BSS_RECORD = re.compile(
    r"(?P<they>\*?)(?P<seat>[0-6])(?P<vul>[0-8])"
    r"(?P<calls>(?:(?:[1-7][CDHSN]|[PDR])(?:\{[^}]*\})?)+)"
    r"=(?P<art>[YN])(?P<flags>[YN]{6})(?P<disposition>[0-9A-E])(?P<rest>.*)\Z"
)
_BSS_HEADER = re.compile(r"[*?]00\{(?P<name>[^}]*)\}=[YN]+ ?(?P<summary>.*)\Z")
_BSS_CALL = re.compile(r"([1-7][CDHSN]|[PDR])(\{[^}]*\})?")
_DISPOSITIONS = {
    "1": (ast.Action("signoff"),),
    "2": (ast.Action("nonforcing"),),
    "4": (ast.Action("invitational"),),
    "5": (ast.Action("forcing"),),
    "6": (ast.Action("forcing_game"),),
    "A": (ast.Action("artificial"),),
    "B": (ast.Action("artificial"),),
    "C": (ast.Action("artificial"),),
}
_BSS_SEATS = {digit: seats for seats, digit in SEATS.items()}
_VULNERABLE = {digit: states for states, digit in VULNERABLE.items()}


def read_bss(path: Path) -> ParsedNotes:
    """Return a .bss file.

    Raises:
        BadFileError: it cannot be read, or holds no record at all. A line that is none stays text.
    """
    reading = ParsedNotes(sources=read_lines(path))
    for source in reading.sources:
        text = source.text.strip()
        header, record = _BSS_HEADER.match(text), _BSS_RECORD.match(text)
        if header is not None:
            reading.title = reading.title or header["name"]
            reading.context.add(source.place)
            reading.exported = reading.exported or header["summary"].startswith(CREATOR)
            if header["summary"]:
                reading.prose.append((len(reading.entries), source))
        elif record is not None and (entry := _bss_entry(source, record)) is not None:
            reading.entries.append(entry)
        elif text:
            reading.prose.append((len(reading.entries), source))
    if reading.sources and not reading.entries and not reading.context:
        first = next((each for each in reading.sources if each.text.strip()), reading.sources[0])
        raise BadFileError(
            f"{first.place[0]}:{first.place[1]}: expected a record such as "
            f"001N=NYYYYYY215-17 balanced, got {first.text.strip()[:60]!r}"
        )
    return reading


def _bss_entry(source: NoteLine, record: re.Match[str]) -> Entry | None:
    """Return the call of a record; None if the two digits of a suit's length are missing."""
    theirs = bool(record["they"])
    elements: list[ast.Element] = []
    qualified = []
    for match in _BSS_CALL.finditer(record["calls"]):
        elements.append(ast.Element(theirs, calls_at(match[1])))
        theirs = not theirs
        if match[2]:
            qualified.append(match[2].strip("{}"))
    last = elements.pop()
    (call,) = last.alternatives
    assert isinstance(call, ast.LiteralCall)
    rest, length = record["rest"], None
    if call.call[0].isdigit() and not call.call.endswith("NT"):
        if not re.match(r"[0-8][0-8]", rest):
            return None
        length, rest = (int(rest[0]), int(rest[1])), rest[2:]
    actions = _DISPOSITIONS.get(record["disposition"], ())
    if record["art"] == "Y" and ast.Action("artificial") not in actions:
        # Both say that the call is artificial; an action of a kind is written once.
        actions = (ast.Action("artificial"), *actions)
    text = rest.strip()
    if qualified:
        # What a call before it was qualified by, in words that nothing reads.
        text = f"{text}, after {' and '.join(qualified)}"
    states = _VULNERABLE[record["vul"]]
    sides = [{state[side] for state in states} for side in (0, 1)]
    we, they = (side.pop() if len(side) == 1 else None for side in sides)
    seats = _BSS_SEATS[record["seat"]]
    return Entry(
        (source.place,),
        tuple(elements),
        last.theirs,
        (call,),
        text,
        () if len(seats) == 4 else seats,
        (we, they),
        actions,
        length,
    )


# ---------------------------------------------------------------------- .bboalert

LONGEST = 69
"""Characters of an alert on the site; the words after a `#` are sent as further messages."""

_AND = " & "
"""Stands for the comma in explanations, where a comma would end the field."""

BBOALERT_LOSSES = (
    Loss("option", "", "what depends on seat or vulnerability", "players switch options by hand"),
    Loss("text", "", "commas and # in the author's text", "commas end a field, # a message"),
)
"""The losses of records besides those of tables."""

_NO_YES = ("not vulnerable", "vulnerable")


def to_bboalert(sheet: Sheet) -> str:
    """Return a system as .bboalert, what holds everywhere first."""
    summary = "; ".join((CREATOR, *sheet.sources))
    lines = [f"BBOalert,{(sheet.title or sheet.name).replace(',', ';')},{summary}"]
    # Sorting is stable, so tables stay in the order of their auctions otherwise.
    tables = sorted(sheet.tables, key=lambda table: not table.is_general)
    last = ""
    for table in tables:
        option = _option(table)
        # Tables follow each other in runs of one option, which is then begun once.
        if option != last:
            lines.append(f"Option,{option}")
        last = option
        lines += _bboalert_records(table)
    return "\n".join(lines) + "\n"


def _option(table: CallTable) -> str:
    """Return the name of the option that a table belongs to; empty for none."""
    names = []
    if table.seats != ANY_SEAT:
        names.append(f"seat {' '.join(map(str, table.seats))}")
    sides = zip(*table.vulnerable, strict=True) if table.vulnerable != ALL_VULNERABLE else ()
    for side, states in zip(("we", "they"), sides, strict=False):
        if len(set(states)) == 1:
            names.append(f"{side} {_NO_YES[states[0]]}")
    return " / ".join(names)


def _bboalert_records(table: CallTable) -> Iterator[str]:
    context = "".join(map(_code, table.calls))
    for place, row in enumerate(table.rows):
        # A `#` in the author's words would be sent as a further message, a comma would end the
        # field.
        words = _folded(row.words.replace("#", " ").replace(", ", _AND).replace(",", _AND))
        yield f"{'+' if place and context else context},{_code(row.call)},{words}"


def _folded(words: str) -> str:
    """Return words with a `#` for the last space before every limit of an alert."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if len(longer) <= LONGEST:
            lines[-1] = longer
        else:
            lines.append(word)
    return "#".join(line for line in lines if line)


_CODES = {Call.PASS: "--", Call.DOUBLE: "Db", Call.REDOUBLE: "Rd"}


def _code(call: Call) -> str:
    return _CODES.get(call) or str(call)[:2]


_HEADER = "BBOALERT"
_CALL = re.compile(
    r"(?P<special>--|Db|Rd)"
    r"|(?P<level>[1-7_]|\[[1-7]+\])(?P<strain>[CDHSN_]|\[[CDHSN]+\])",
    re.IGNORECASE,
)
_SPECIAL = {"--": "P", "DB": "X", "RD": "XX"}
_SEATS = re.compile(r"seat ([1-4](?: [1-4])*)\Z")
_STATE = re.compile(r"(we|they) (not )?vulnerable\Z")
_WILD = "its context stands for more auctions than can be listed"
_LIKE_CALLS = re.compile(r"[-_*\[\]\w/.()|+^$\\?]*\Z", re.ASCII)


def read_bboalert(path: Path) -> ParsedNotes:
    """Return a .bboalert file.

    Raises:
        BadFileError: it cannot be read, or holds neither a header nor a record. A line that is
            none stays text.
    """
    reader = _Reader(read_lines(path))
    for source in reader.reading.sources:
        reader.line(source)
    reading = reader.reading
    if reading.sources and not reading.entries and not reader.has_header:
        first = next((each for each in reading.sources if each.text.strip()), reading.sources[0])
        raise BadFileError(
            f"{first.place[0]}:{first.place[1]}: expected a record such as 1N--,2C,Stayman, "
            f"got {first.text.strip()[:60]!r}"
        )
    # Another program's file does not say which of two records for one call counts.
    if not reading.exported:
        reading.entries = list(_without_doubt(reading.entries))
    return reading


class _Reader:
    """Reads lines one after the other."""

    def __init__(self, sources: list[NoteLine]) -> None:
        self.reading = ParsedNotes(sources=sources)
        self.has_header = False
        self._context = ""
        self._seats: tuple[int, ...] = ()
        self._vulnerable: tuple[bool | None, bool | None] = (None, None)
        self._refused = ""

    def line(self, source: NoteLine) -> None:
        fields = [field.strip() for field in source.text.strip().split(",", 2)]
        keyword = fields[0].upper()
        if keyword == _HEADER:
            self.has_header = True
            self.reading.context.add(source.place)
            self.reading.title = self.reading.title or "".join(fields[1:2])
            self.reading.exported = "".join(fields[2:]).startswith(CREATOR)
        elif keyword == "OPTION":
            self.reading.context.add(source.place)
            self._option(", ".join(filter(None, fields[1:])))
        elif len(fields) == 3 and (entry := self._entry(source, *fields)) is not None:
            self.reading.entries.append(entry)
        elif source.text.strip():
            self.reading.prose.append((len(self.reading.entries), source))

    def _option(self, name: str) -> None:
        """Begin an option; one without a name ends the one before it."""
        self._seats, self._vulnerable, self._refused = (), (None, None), ""
        states: dict[str, bool] = {}
        for part in filter(None, name.split(" / ")):
            seats, state = _SEATS.match(part), _STATE.match(part)
            if seats:
                self._seats = tuple(sorted({int(digit) for digit in seats[1].split()}))
            elif state:
                states[state[1]] = not state[2]
            else:
                self._refused = f"it belongs to the option {name[:60]!r}, which may be off"
        self._vulnerable = (states.get("we"), states.get("they"))

    def _entry(self, source: NoteLine, context: str, call: str, words: str) -> Entry | None:
        """Return the call of a record; None if the line is none."""
        calls_of_record = _calls(call)
        if calls_of_record is None or len(calls_of_record) != 1:
            # The mark `+` repeats the context of the record before.
            return None
        if context == "+":
            context = self._context
        elif not _LIKE_CALLS.match(context):
            return None
        self._context = context
        before = _calls(context)
        refused = self._refused or ("" if before is not None else _WILD)
        # This program's own words come back as they were; in other files a `#` only breaks a line.
        if self.reading.exported:
            text = words.replace("#", " ").replace(_AND, ", ")
        else:
            text = words.replace("#", ", ")
        path = tuple(
            ast.Element((len(before or ()) - place) % 2 == 1, calls)
            for place, calls in enumerate(before or ())
        )
        # Passes before the first bid are the seat of whoever makes it.
        begun = next((k for k, each in enumerate(path) if not _is_pass(each)), len(path))
        seats = (begun + 1,) if begun and not self._seats else self._seats
        if begun > 3:
            refused = refused or "its context has four passes or more before the first bid"
        return Entry(
            (source.place,),
            path[begun:],
            theirs=False,
            calls=calls_of_record[0],
            text=text.strip(),
            seats=seats if begun < 4 else (),
            vulnerable=self._vulnerable,
            refused=refused,
        )


def _is_pass(element: ast.Element) -> bool:
    return element.alternatives == (ast.LiteralCall("P"),)


def _calls(text: str) -> list[tuple[ast.CallExpr, ...]] | None:
    """Return the calls of a context, each with its alternatives; None if it is none.

    `_` stands for any level or strain, and so does a list such as `[HS]` for each in it.
    """
    places: list[tuple[ast.CallExpr, ...]] = []
    place = 0
    while place < len(text):
        match = _CALL.match(text, place)
        # A wildcard for any call at all leaves even the side open.
        if match is None or match[0] == "__":
            return None
        place = match.end()
        if match["special"]:
            places.append((ast.LiteralCall(_SPECIAL[match["special"].upper()]),))
            continue
        levels = match["level"].strip("[]").replace("_", "1234567")
        strains = match["strain"].strip("[]").upper().replace("_", "CDHSN")
        places.append(
            tuple(
                ast.LiteralCall(level + ("NT" if strain == "N" else strain))
                for level in dict.fromkeys(levels)
                for strain in dict.fromkeys(strains)
            )
        )
    return places


def _without_doubt(entries: list[Entry]) -> Iterator[Entry]:
    """Yield entries; of several for one call nobody can tell which counts, and all are text."""
    lines: dict[object, list[int]] = {}
    for entry in entries:
        for call in () if entry.refused else entry.calls:
            key = (entry.path, call, entry.seats, entry.vulnerable)
            lines.setdefault(key, []).append(entry.places[0][1])
    for entry in entries:
        keys = [(entry.path, call, entry.seats, entry.vulnerable) for call in entry.calls]
        others = {line for key in keys for line in lines.get(key, ())} - {entry.places[0][1]}
        if others and not entry.refused:
            yield replace(entry, refused=f"line {min(others)} says what it shows, too")
        else:
            yield entry
