""".bss files, the text form of Full Disclosure cards that BBOalert reads: written and read.

A record has the opening side, seat, vulnerability, calls, flags, lengths and words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, CallRow, CallTable, Sheet
from bidwright.authoring.exchange.entries import (
    CREATOR,
    BadFileError,
    Entry,
    NoteLine,
    ParsedNotes,
    calls_at,
    read_lines,
)
from bidwright.authoring.exchange.losses import Loss
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS
from bidwright.kb.language import ast
from bidwright.kb.logic.public_state import Forcing

ANY_LENGTH = 8
"""A largest length of this or more says nothing."""

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


LOSSES = (
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
        lines += _records(table)
    return "\n".join(lines) + "\n"


def _records(table: CallTable) -> Iterator[str]:
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


def length_of(condition: ast.Condition, suit: str) -> tuple[int, int]:
    """Return the least and the largest length that the tests of a suit's length leave."""
    match condition:
        case ast.InRange(expr=ast.Name(name=name), ranges=ranges) if name == suit:
            lows = [0 if one.low is None else int(one.low) for one in ranges]
            highs = [13 if one.high is None else int(one.high) for one in ranges]
            return min(lows), max(highs)
        case ast.And(items=items) if items:
            # Alternatives of a condition leave the widest range, conditions together the narrowest.
            ends = [length_of(item, suit) for item in items]
            return max(low for low, _ in ends), min(high for _, high in ends)
        case ast.Or(items=items) if items:
            ends = [length_of(item, suit) for item in items]
            return min(low for low, _ in ends), max(high for _, high in ends)
        case _:
            return 0, 13


_RECORD = re.compile(
    r"(?P<they>\*?)(?P<seat>[0-6])(?P<vul>[0-8])"
    r"(?P<calls>(?:(?:[1-7][CDHSN]|[PDR])(?:\{[^}]*\})?)+)"
    r"=(?P<art>[YN])(?P<flags>[YN]{6})(?P<disposition>[0-9A-E])(?P<rest>.*)\Z"
)
_HEADER = re.compile(r"[*?]00\{(?P<name>[^}]*)\}=[YN]+ ?(?P<summary>.*)\Z")
_CALL = re.compile(r"([1-7][CDHSN]|[PDR])(\{[^}]*\})?")
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
_SEATS = {digit: seats for seats, digit in SEATS.items()}
_VULNERABLE = {digit: states for states, digit in VULNERABLE.items()}


def read_bss(path: Path) -> ParsedNotes:
    """Return a .bss file.

    Raises:
        BadFileError: it cannot be read, or holds no record at all. A line that is none stays text.
    """
    reading = ParsedNotes(sources=read_lines(path))
    for source in reading.sources:
        text = source.text.strip()
        header, record = _HEADER.match(text), _RECORD.match(text)
        if header is not None:
            reading.title = reading.title or header["name"]
            reading.context.add(source.place)
            reading.exported = reading.exported or header["summary"].startswith(CREATOR)
            if header["summary"]:
                reading.prose.append((len(reading.entries), source))
        elif record is not None and (entry := _entry(source, record)) is not None:
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


def _entry(source: NoteLine, record: re.Match[str]) -> Entry | None:
    """Return the call of a record; None if the two digits of a suit's length are missing."""
    theirs = bool(record["they"])
    elements: list[ast.Element] = []
    qualified = []
    for match in _CALL.finditer(record["calls"]):
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
    seats = _SEATS[record["seat"]]
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
