"""The records of .bss files: who opened, seat, vulnerability, calls, flags, lengths and words."""

from __future__ import annotations

import re
from pathlib import Path

from bidwright.authoring.exchange.bss_write import SEATS, VULNERABLE
from bidwright.authoring.exchange.entries import (
    CREATOR,
    BadFileError,
    Entry,
    NoteLine,
    ParsedNotes,
    calls_at,
    read_lines,
)
from bidwright.kb.language import ast

_RECORD = re.compile(
    r"(?P<they>\*?)(?P<seat>[0-6])(?P<vul>[0-8])"
    r"(?P<calls>(?:(?:[1-7][CDHSN]|[PDR])(?:\{[^}]*\})?)+)"
    r"=(?P<art>[YN])(?P<flags>[YN]{6})(?P<disposition>[0-9A-E])(?P<rest>.*)\Z"
)
_HEADER = re.compile(r"[*?]00\{(?P<name>[^}]*)\}=[YN]+ ?(?P<summary>.*)\Z")
_CALL = re.compile(r"([1-7][CDHSN]|[PDR])(\{[^}]*\})?")
_OTHER = ("$", "+", "%")
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
        BadFileError: it cannot be read, or a line is no record.
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
        elif record is not None:
            reading.entries.append(_entry(source, record))
        elif text.startswith(_OTHER) or (text and text[0] in "*?" and "{" in text):
            reading.prose.append((len(reading.entries), source))
        elif text:
            raise BadFileError(
                f"{source.place[0]}:{source.place[1]}: expected a record such as "
                f"001N=NYYYYYY215-17 balanced, got {text[:60]!r}"
            )
    return reading


def _entry(source: NoteLine, record: re.Match[str]) -> Entry:
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
            raise BadFileError(
                f"{source.place[0]}:{source.place[1]}: expected the least and the largest length "
                f"of the suit, two digits, got {rest[:20]!r}"
            )
        length, rest = (int(rest[0]), int(rest[1])), rest[2:]
    actions = _DISPOSITIONS.get(record["disposition"], ())
    if record["art"] == "Y" and ast.Action("artificial") not in actions:
        actions = (ast.Action("artificial"), *actions)
    text = rest.strip()
    if qualified:
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
