"""Entries that readers of other notations hand to the importer: calls, places and words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular
from bidwright.bridge.text_files import MOST_BYTES, without_controls
from bidwright.kb.language import ast
from bidwright.kb.language.walk import THEY_PASS

OUR_PASS = ast.Element(theirs=False, alternatives=(ast.LiteralCall("P"),))

Place = tuple[str, int]
"""A file, and a line in it from 1."""


class BadFileError(InvalidError):
    """The error of a file of another form; the message begins with `file:line`."""


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line of a file.

    Attributes:
        place: where it stands.
        text: what it says, substitutions made.
    """

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A call with its meaning.

    Attributes:
        places: the lines that it was read from.
        path: the calls before, with all passes.
        theirs: whether it is a call of theirs.
        calls: the call, or several with the same meaning.
        text: the description.
        options: alternatives that stand in indented lines under it.
        seats: the seats of whoever bids first; empty for any.
        vulnerable: whether we are vulnerable, and whether they are; None for either.
        actions: what is said beside the description of what the call does.
        length: the least and the largest length of the suit bid, where that is said beside it.
        refused: why it cannot be a rule whatever it says; empty if it can.
        rule: the rule, where the file says it in a language of its own.
        notes: what was read into that.
        when: the condition that the rules of its place share.
    """

    places: tuple[Place, ...]
    path: tuple[ast.Element, ...]
    theirs: bool
    calls: tuple[ast.CallExpr, ...]
    text: str
    seats: tuple[int, ...] = ()
    vulnerable: tuple[bool | None, bool | None] = (None, None)
    actions: tuple[ast.Action, ...] = ()
    length: tuple[int, int] | None = None
    refused: str = ""
    rule: ast.Rule | None = None
    notes: tuple[str, ...] = ()
    when: ast.Condition | None = None
    options: tuple[str, ...] = ()


@dataclass
class ParsedNotes:
    """A file as it was read.

    Attributes:
        title: its title; empty if it has none.
        sources: every line of it and of the files it includes, in order.
        entries: the calls.
        context: lines that say where others stand.
        prose: lines that are text, each with the place in the entries where it stands.
        exported: whether this program wrote it: rows stand in the order of choice, and their
            words are those of `english`.
        header: the header that the convention file gets, if the file has one of its own.
    """

    title: str = ""
    sources: list[NoteLine] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    context: set[Place] = field(default_factory=set)
    prose: list[tuple[int, NoteLine]] = field(default_factory=list)
    exported: bool = False
    header: ast.Header | None = None


CREATOR = "bidwright, rows in the order of choice"
"""The mark of a file that this program wrote."""


MOST_LINES = 100_000
"""Lines of a file of notes, with those that it includes."""

_MOST_IN_LINE = 10_000
"""Characters of a line; what is read of one takes time by their square."""


def read_lines(path: Path, asked_by: Place | None = None) -> list[NoteLine]:
    """Return the lines of a file.

    Raises:
        BadFileError: it cannot be read, or is no text.
    """
    # The fault is in the file that asks for another one, so that place comes first.
    where = f"{asked_by[0]}:{asked_by[1]}: " if asked_by else ""
    try:
        data = read_regular(path, MOST_BYTES)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise BadFileError(f"{where}expected a file at {path}, got: {reason.lower()}") from None
    if b"\0" in data:
        number = data[: data.index(b"\0")].count(b"\n") + 1
        raise BadFileError(
            f"{path}:{number}: expected text, got binary data; save it as plain text"
        )
    try:
        text = data.decode("utf-8-sig")
    # What no program writes as UTF-8 nowadays is mostly from Windows.
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    if text.count("\n") >= MOST_LINES:
        raise BadFileError(f"{where}expected at most {MOST_LINES:,} lines, got more in {path}")
    lines = without_controls(text).split("\n") if text else []
    for number, line in enumerate(lines, 1):
        if len(line) > _MOST_IN_LINE:
            raise BadFileError(
                f"{path}:{number}: expected a line of at most {_MOST_IN_LINE:,} characters, got "
                f"{len(line):,}"
            )
    return [NoteLine((str(path), number), line) for number, line in enumerate(lines, 1)]


def continued(path: Iterable[ast.Element], theirs: bool) -> tuple[ast.Element, ...]:
    """Return a path that the given side can continue: the other side passes if need be."""
    elements = tuple(path)
    if elements and elements[-1].theirs is theirs:
        return (*elements, OUR_PASS if theirs else THEY_PASS)
    return elements


# ------------------------------------------------------------------------- calls

_SPECIAL = {
    **dict.fromkeys(("p", "pass", "--"), "P"),
    **dict.fromkeys(("d", "x", "dbl", "dbl.", "double", "db"), "X"),
    **dict.fromkeys(("r", "xx", "rdbl", "redbl", "redouble", "rd"), "XX"),
}
_COLOURS = {"red": ("D", "H"), "black": ("C", "S")}
_BID = re.compile(r"([1-7])(NT?|[CDHScdhs]|nt?|N\b|oM|om|[MmXYZ]|red|black|[♠♥♦♣])\Z")
_STEPS = re.compile(r"([0-9]{1,2})steps?\Z", re.IGNORECASE)


def calls_at(text: str) -> tuple[ast.CallExpr, ...]:
    """Return the calls that a word stands for; none if it is no call."""
    special = _SPECIAL.get(text.lower())
    if special is not None:
        return (ast.LiteralCall(special),)
    if steps := _STEPS.match(text):
        return (ast.RelativeCall("step", steps[1]),)
    bid = _BID.match(text)
    if bid is None:
        return ()
    level, word = int(bid[1]), bid[2]
    if word in _COLOURS:
        return tuple(ast.LiteralCall(f"{level}{suit}") for suit in _COLOURS[word])
    word = dict(zip("♠♥♦♣", "SHDC", strict=True)).get(word, word)
    if word.upper() in ("N", "NT"):
        return (ast.LiteralCall(f"{level}NT"),)
    if word in "CDHScdhs":
        return (ast.LiteralCall(f"{level}{word.upper()}"),)
    return (ast.LevelCall(level, level, word),)
