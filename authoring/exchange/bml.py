"""BML, a tree of calls by indentation: read from notes and written from tables.

Read are rows (`2C  Stayman`), calls of theirs in brackets (`(2H)`), several calls with one meaning
(`2H/2S`), lines with the calls before (`1NT-2C;`), suit letters, colours and steps, descriptions
that go on in an indented line, and the directives SEAT, VUL, COPY, CUT, PASTE, INCLUDE and HIDE.
Of two tables for the same calls the first one counts.

Auctions that hold in every seat are written under the call that leads to them; the others, and
those that no call of ours leads to, stand under a line with the calls before (`1NT-(2H)-`).
"""

from __future__ import annotations

import os
import re
import stat
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bidwright.authoring.exchange.call_tables import ANY_SEAT, Calls, CallTable, Sheet, Vulnerable
from bidwright.authoring.exchange.records import (
    CREATOR,
    MOST_LINES,
    BadFileError,
    Entry,
    NoteLine,
    ParsedNotes,
    Place,
    calls_at,
    continued,
    read_lines,
)
from bidwright.bridge.calls import Call
from bidwright.kb.language import ast

_WORD = r"\(?[A-Za-z0-9♠♥♦♣]+(?:[/;|][A-Za-z0-9♠♥♦♣]+)*\)?"
_ROW = re.compile(rf"(?P<indent>[ ]*)(?P<calls>{_WORD}(?:-+{_WORD})*)(?P<open>[-;]*)(?P<rest>.*)\Z")
_DIRECTIVE = re.compile(r"\s*#(?P<name>\+?[A-Za-z]+):?(?:\s+(?P<text>.*))?\Z")
_TAB = 4
_YES = {"Y": True, "N": False, "0": None}
_MOST_NESTED = 20
_MOST_INCLUDED = 1_000
_MOST_PASTED = 10_000
"""Files that are included, characters of a line with replacements."""


def read_bml(path: Path) -> ParsedNotes:
    """Return a BML file with the files it includes, which lie in its folder or below.

    Raises:
        BadFileError: a file cannot be read, a directive is wrong, or there are too many lines.
    """
    reader = _Reader()
    for count, source in enumerate(_Preprocessor(reader.reading, path.parent).lines(path)):
        if count == MOST_LINES:
            raise _wrong(source, f"expected at most {MOST_LINES:,} lines, with all that is pasted")
        reader.line(source)
    return reader.reading


class _Preprocessor:
    """Puts included files and pasted lines in their places."""

    def __init__(self, reading: ParsedNotes, folder: Path) -> None:
        self._reading = reading
        self._folder = folder
        self._included = 0
        self._copies: dict[str, list[NoteLine]] = {}

    def lines(
        self, path: Path, asked_by: Place | None = None, depth: int = 0
    ) -> Iterator[NoteLine]:
        if depth > _MOST_NESTED and asked_by:
            raise BadFileError(
                f"{asked_by[0]}:{asked_by[1]}: expected files that include one another at most "
                f"{_MOST_NESTED} deep, {path} is deeper"
            )
        sources = read_lines(path, asked_by)
        self._reading.sources += sources
        taken: list[NoteLine] | None = None
        cutting, began = False, ("", 0)
        for source in sources:
            name, text = _directive(source.text)
            if taken is not None and name in ("ENDCOPY", "ENDCUT"):
                self._reading.context.add(source.place)
                taken = None
            elif name in ("COPY", "CUT"):
                if not text:
                    raise _wrong(source, f"expected a name after #{name}")
                self._reading.context.add(source.place)
                taken = self._copies[text.split()[0]] = []
                cutting, began = name == "CUT", source.place
            elif name == "PASTE":
                self._reading.context.add(source.place)
                yield from self._pasted(source, text)
            elif name == "INCLUDE":
                self._reading.context.add(source.place)
                other = self._other(source, path.parent / text)
                yield from self.lines(other, source.place, depth + 1)
            else:
                if taken is not None:
                    taken.append(source)
                if not (taken is not None and cutting):
                    yield source
        if taken is not None:
            raise BadFileError(
                f"{began[0]}:{began[1]}: expected #ENDCOPY or #ENDCUT after this line"
            )

    def _other(self, source: NoteLine, path: Path) -> Path:
        """Return a file to include: notes may come from anybody, and read no files but their own.

        Raises:
            BadFileError: It lies elsewhere, it is no file that ends, or there are too many.
        """
        self._included += 1
        if self._included > _MOST_INCLUDED:
            raise _wrong(source, f"expected at most {_MOST_INCLUDED:,} files to include")
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._folder)):
            raise _wrong(source, f"expected a file in the folder of the notes or below, got {path}")
        # What cannot be read is reported with its reason where it is read.
        with suppress(OSError):  # what cannot be read is reported when it is read
            if not stat.S_ISREG(path.stat().st_mode):
                raise _wrong(source, f"expected a file at {path}, got something else")
        return path

    def _pasted(self, source: NoteLine, text: str) -> Iterator[NoteLine]:
        words = text.split()
        if not words or words[0] not in self._copies:
            names = ", ".join(self._copies) or "none"
            raise _wrong(source, f"expected a name that was copied ({names}), got {text!r}")
        pairs = [word.partition("=") for word in words[1:]]
        for old, equals, _ in pairs:
            if not old or not equals:
                raise _wrong(source, f"expected replacements such as a=b, got {text!r}")
        margin = source.text[: len(source.text) - len(source.text.lstrip())]
        copied = self._copies[words[0]]
        # The lines take the margin of the line that pastes them.
        flush = textwrap.dedent("\n".join(line.text for line in copied)).split("\n")
        for line, pasted in zip(copied, flush, strict=True) if copied else ():
            for old, _, new in pairs:
                pasted = pasted.replace(old, new)
                # Replacements may double a line each time.
                if len(pasted) > _MOST_PASTED:
                    raise _wrong(source, f"expected replacements of {_MOST_PASTED:,} characters")
            yield replace(line, text=margin + pasted)


def _directive(text: str) -> tuple[str, str]:
    match = _DIRECTIVE.match(text)
    return (match["name"].upper(), (match["text"] or "").strip()) if match else ("", "")


def _wrong(source: NoteLine, message: str) -> BadFileError:
    return BadFileError(f"{source.place[0]}:{source.place[1]}: {message}")


@dataclass(frozen=True, slots=True)
class _Level:
    """A line that others may stand under: its indentation, and the calls up to its own."""

    indent: int
    path: tuple[ast.Element, ...]
    history: bool = False
    refused: str = ""


_MOST_CALLS = 60
"""Calls before a row, with the passes; no auction of notes is as long, and each costs time."""

_TOO_LONG = f"no auction of more than {_MOST_CALLS} calls is read"
_NOTHING_ABOVE = "it is indented, and no call stands above it"
_UNREAD_ABOVE = "the line above its table is not understood"
_UNREAD_HEADING = "the heading may name the auction of its table"
_HEADING = re.compile(r"(?P<stars>\*+)\s+(?P<text>.*)\Z")
_NAMED_CALLS = re.compile(
    r"(?<![\w(])(?P<calls>\(?[1-7P][A-Za-z♠♥♦♣]*\)?(?:\s*[-\u2013\u2014]+\s*\(?[1-7PXRD][A-Za-z♠♥♦♣]*\)?)*)"
    r"(?!\w)"
)
_AFTER = re.compile(
    r"\b(?:responses?|respond(?:ing|s)?|after|over|answers?|following)\b", re.IGNORECASE
)
_OPTION = re.compile(r"(?:[-•*]|\(?[a-e1-6][.)]|or\b)\s+(?P<text>\S.*)", re.IGNORECASE)
"""An indented line that is one of several alternatives."""


class _Reader:
    """Reads lines one after the other."""

    def __init__(self) -> None:
        self.reading = ParsedNotes()
        self._stack: list[_Level] = []
        self._seats: tuple[int, ...] = ()
        self._vulnerable: tuple[bool | None, bool | None] = (None, None)
        self._row_indent: int | None = None
        self._paragraph = 0
        self._headings: list[_Heading] = []
        self._unread_table = False
        self._first_line = True
        self._rows_so_far: dict[object, tuple[object, Place]] = {}

    def line(self, source: NoteLine) -> None:
        text = source.text.replace("\t", " " * _TAB)
        if not text.strip():
            # An empty line ends what stands beside the calls before; what is indented under a row
            # goes on.
            self._stack = [level for level in self._stack if not level.history]
            self._row_indent = None
            self._paragraph += 1
            self._unread_table, self._first_line = False, True
            # After a heading that was not understood, rows of its table could stand anywhere.
            return
        if text.lstrip().startswith("#"):
            self._directive_line(source, *_directive(text))
        elif heading := _HEADING.match(text):
            self._heading(source, len(heading["stars"]), heading["text"])
        elif not self._row(source, text) and not self._more(source, text):
            self._unread_table = self._unread_table or (self._first_line and _names_calls(text))
            self._prose(source)
        self._first_line = False

    def _heading(self, source: NoteLine, depth: int, text: str) -> None:
        """Read a heading: the auction that it names is the one of the tables below it."""
        self._stack = []
        self._headings = [each for each in self._headings if each.depth < depth]
        self._headings.append(_Heading(depth, *_auction_named(text)))
        self._prose(source)
        self._first_line = True

    def _heading_path(
        self, words: list[tuple[bool, tuple[ast.CallExpr, ...]]]
    ) -> tuple[tuple[ast.Element, ...], str]:
        """Return the calls that the heading puts before a table, and why it may not be read.

        A table that begins with the heading's first call begins the auction anew.
        """
        # Files of this program name each table's auction in the table.
        if self.reading.exported:
            return (), ""
        heading = next((each for each in self._headings[::-1] if each.path or each.unsure), None)
        if heading is None:
            return (), ""
        if heading.unsure:
            if words[0] != heading.unsure[0]:
                return (), _UNREAD_HEADING
            place = self._headings.index(heading)
            self._headings[place] = _Heading(heading.depth)  # it is the subject of its table
            return (), ""
        if words[0] == (heading.path[0].theirs, heading.path[0].alternatives):
            # The table begins the auction anew, so the heading only named its subject.
            return (), ""
        path = heading.path
        if words[0][0] == path[-1].theirs:
            path = continued(path, words[0][0])
        if not _is_above(words[0][1], path):
            return (), _UNREAD_HEADING
        return path, ""

    def _prose(self, source: NoteLine) -> None:
        self._row_indent = None
        self.reading.prose.append((len(self.reading.entries), source))

    def _directive_line(self, source: NoteLine, name: str, text: str) -> None:
        """Obey a directive; one that is not known is text."""
        match name:
            case "SEAT":
                if not text or set(text) - set("01234"):
                    raise _wrong(source, f"expected seats such as 12 after #SEAT, got {text!r}")
                self._seats = () if "0" in text else tuple(sorted(map(int, set(text))))
            case "VUL":
                if len(text) != 2 or set(text.upper()) - set(_YES):
                    raise _wrong(source, f"expected two of Y, N and 0 after #VUL, got {text!r}")
                self._vulnerable = (_YES[text[0].upper()], _YES[text[1].upper()])
            case "HIDE":
                pass
            case "+TITLE":
                self.reading.title = text
            case "+CREATOR":
                self.reading.exported = text == CREATOR
            case _:
                self._prose(source)
                return
        self._stack = [level for level in self._stack if not level.history]
        self.reading.context.add(source.place)

    def _row(self, source: NoteLine, text: str) -> bool:
        """Read a line that begins with calls; tell whether it is one."""
        match = _ROW.match(text)
        words = _calls_of(match)
        if match is None or not words:
            # `1C-1D; 1H`: the calls after the stop are those of the row.
            return False
        is_open, rest = bool(match["open"]), match["rest"].strip().lstrip("=:").strip()
        if is_open and rest:  # `1C-1D; 1H  4+!H`
            inner = _ROW.match(rest)
            after = _calls_of(inner)
            if inner is None or not after or inner["open"] or ";" not in match["open"]:
                return False
            words += after
            is_open, rest = False, inner["rest"].strip().lstrip("=:").strip()
        indent = len(match["indent"])
        if is_open:  # it begins anew beside another one
            # Lines of calls before, in the same column, begin anew beside each other.
            self._stack = [level for level in self._stack if level.indent < indent]
        path = self._before(indent)
        above = self._stack[-1] if path and self._stack else None
        lost = bool(indent and not path and len(words) == 1)
        refused = _NOTHING_ABOVE if lost else above.refused if above else ""
        if not path and not refused:
            if self._unread_table:
                refused = _UNREAD_ABOVE
            else:
                path, refused = self._heading_path(words)
        for theirs, calls in words[:-1]:
            path = (*continued(path, theirs), ast.Element(theirs, calls))
        theirs, calls = words[-1]
        path = continued(path, theirs)
        if len(path) >= _MOST_CALLS:
            path, refused = path[:_MOST_CALLS], _TOO_LONG
        through = (*path, ast.Element(theirs, calls))
        # A call of theirs without words leads to the rows below it.
        if is_open or (theirs and not rest):
            self.reading.context.add(source.place)
        else:
            self._add(source, path, theirs, calls, rest, refused)
        self._stack.append(_Level(indent, through, is_open, refused))
        self._row_indent = None if is_open else indent
        return True

    def _before(self, indent: int) -> tuple[ast.Element, ...]:
        """Return the calls that a line of some indentation stands under."""
        while self._stack:
            level = self._stack[-1]
            if level.indent < indent:
                # What stands deeper shows that lines beside the history are not under it.
                self._stack[-1] = replace(level, history=False)
                return level.path
            if level.history and level.indent == indent:
                return level.path
            self._stack.pop()
        return ()

    def _add(
        self,
        source: NoteLine,
        path: tuple[ast.Element, ...],
        theirs: bool,
        calls: tuple[ast.CallExpr, ...],
        text: str,
        refused: str,
    ) -> None:
        hidden = text.removesuffix("#HIDE").rstrip()
        entry = Entry((source.place,), path, theirs, calls, hidden, self._seats, self._vulnerable)
        entry = replace(entry, refused=refused or self._said_before(entry))
        self.reading.entries.append(entry)

    def _said_before(self, entry: Entry) -> str:
        """Return the place of an earlier table with the call; empty if there is none."""
        # Two rows in one table may say the same call; a second table is a repetition.
        table = (self._paragraph, self._stack[-1] if self._stack else None)
        place = entry.places[0]
        for call in entry.calls if not self.reading.exported else ():
            key = (entry.path, entry.theirs, call, entry.seats, entry.vulnerable)
            first = self._rows_so_far.setdefault(key, (table, place))
            # Lines that follow each other may belong to one row, whose place they share.
            if first[0] != table and first[1] != place:
                return f"line {first[1][1]} says what it shows"
        return ""

    def _more(self, source: NoteLine, text: str) -> bool:
        """Read a line that continues the description above; tell whether it is one."""
        indent = len(text) - len(text.lstrip())
        # Only what is indented more than the row can belong to it.
        if self._row_indent is None or indent <= self._row_indent or not self.reading.entries:
            return False
        last = self.reading.entries[-1]
        option = None if self.reading.exported else _OPTION.match(text.strip())
        if option is not None:
            options = (*last.options, option["text"].rstrip(" .;"))
            places = (*last.places, source.place)
            self.reading.entries[-1] = replace(last, options=options, places=places)
            return True
        longer = f"{last.text}, {text.strip()}" if last.text else text.strip()
        self.reading.entries[-1] = replace(last, text=longer, places=(*last.places, source.place))
        return True


_Word = tuple[bool, tuple[ast.CallExpr, ...]]


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading: its depth, the auction that it names, and calls that may be one or not."""

    depth: int
    path: tuple[ast.Element, ...] = ()
    unsure: tuple[_Word, ...] = ()


# In a heading a word such as "responses" says that calls are an auction.
def _auction_named(text: str) -> tuple[tuple[ast.Element, ...], tuple[_Word, ...]]:
    """Return the auction that a heading names, and calls of which that is not sure.

    Two calls or more are an auction, and so is one after a word such as "after"; one alone may be
    the subject of the table or its first calls.
    """
    for match in _NAMED_CALLS.finditer(text):
        texts = re.split(r"\s*[-\u2013\u2014]+\s*", match["calls"])
        words = [(word.startswith("("), _alternatives(word.strip("()"))) for word in texts]
        if not all(calls for _, calls in words):
            continue
        if len(words) > 1 or _AFTER.search(text):
            path: tuple[ast.Element, ...] = ()
            for theirs, calls in words:
                path = (*continued(path, theirs), ast.Element(theirs, calls))
            return path, ()
        return (), tuple(words)
    return (), ()


def _names_calls(text: str) -> bool:
    """Return True if a line that is no row names an auction."""
    path, _ = _auction_named(text)
    return bool(path)


_ORDER = ("C", "D", "H", "S", "NT")


def _height(call: ast.CallPattern) -> int | None:
    """Return the rank of a bid among all bids; None for what is no bid of one suit."""
    if isinstance(call, ast.LiteralCall) and call.call[0].isdigit():
        return int(call.call[0]) * 5 + _ORDER.index(call.call[1:])
    if isinstance(call, ast.LevelCall):
        # At its lowest, a letter of a suit is hearts for a major and diamonds for a minor.
        return call.low * 5 + (3 if call.suit in ("M", "oM") else 1)
    return None


def _is_above(calls: tuple[ast.CallExpr, ...], path: tuple[ast.Element, ...]) -> bool:
    """Return True if calls can be made after a path: bids are higher than the last one."""
    last = [_height(each) for element in path for each in element.alternatives]
    highest = max((each for each in last if each is not None), default=0)
    return all(_height(call) is None or (_height(call) or 0) > highest for call in calls)


def _calls_of(match: re.Match[str] | None) -> list[tuple[bool, tuple[ast.CallExpr, ...]]]:
    # With `15-17` after it a number is no level of a bid.
    """Return the calls that a line begins with, each with whose it is; none if it does not."""
    # A word that goes on is no call: `2C` in `2Clubs`.
    if match is None or (match["rest"] and match["rest"][0] not in " :="):
        return []
    words = [
        (word.startswith("("), _alternatives(word.strip("()")))
        for word in re.split(r"-+", match["calls"])
    ]
    return words if all(calls for _, calls in words) else []


def _alternatives(word: str) -> tuple[ast.CallExpr, ...]:
    alternatives: list[ast.CallExpr] = []
    for part in re.split(r"[/;|]", word):
        calls = calls_at(part)
        if not calls:
            return ()
        alternatives += calls
    return tuple(alternatives)


INDENT = "  "

_YES_NO = {True: "Y", False: "N"}


def to_bml(sheet: Sheet) -> str:
    """Return a system as BML."""
    lines = [f"#+TITLE: {sheet.title or sheet.name}", f"#+CREATOR: {CREATOR}"]
    lines += [f"#+SOURCE: {source}" for source in sheet.sources]
    lines += [""]
    for title, blocks in _Tree(sheet).sections():
        lines += [f"* {title}", ""]
        for block in blocks:
            lines += [*block, ""]
    return "\n".join(lines)


class _Tree:
    """The tables of a sheet, by the calls that lead to them."""

    def __init__(self, sheet: Sheet) -> None:
        self._tables = sheet.tables
        self._general = {table.calls: table for table in sheet.tables if table.is_general}

    def sections(self) -> Iterator[tuple[str, Iterator[list[str]]]]:
        roots = [table for table in self._tables if not self._is_nested(table)]
        ours = [table for table in roots if len(table.calls) % 2 == 0]
        theirs = [table for table in roots if len(table.calls) % 2]
        for title, tables in (("We open", ours), ("They open", theirs)):
            if tables:
                yield title, map(self._block, tables)

    def _is_nested(self, table: CallTable) -> bool:
        """Return True if a table stands under a call of another one."""
        if not table.is_general or len(table.calls) < 2:
            return False
        parent = self._general.get(table.calls[:-2])
        return parent is not None and any(row.call == table.calls[-2] for row in parent.rows)

    def _block(self, table: CallTable) -> list[str]:
        lines: list[str] = []
        if table.seats != ANY_SEAT:
            lines.append(f"#SEAT {''.join(map(str, table.seats))}")
        if (signs := _signs(table.vulnerable)) != "00":
            lines.append(f"#VUL {signs}")
        # Settings stay until they are set back, so each table sets back what it set.
        ends = [f"{line.split()[0]} {'0' * (1 + line.startswith('#VUL'))}" for line in lines]
        history = history_text(table.calls)
        if history:
            lines.append(history)
        lines += self._rows(table, 1 if history else 0)
        return lines + ends

    def _rows(self, table: CallTable, depth: int) -> Iterator[str]:
        seen: set[Call] = set()
        for row in table.rows:
            yield f"{INDENT * depth}{row.call}  {row.words}"
            # Of several rows for one call the first has what follows.
            if table.is_general and row.call not in seen:
                seen.add(row.call)
                yield from self._under((*table.calls, row.call), depth + 1)

    def _under(self, calls: Calls, depth: int) -> Iterator[str]:
        quiet = self._general.get((*calls, Call.PASS))
        if quiet is not None:
            yield from self._rows(quiet, depth)
        for after in self._general:
            if after[:-1] == calls and after[-1] != Call.PASS:
                yield f"{INDENT * depth}({after[-1]})"
                yield from self._rows(self._general[after], depth + 1)


def _signs(vulnerable: tuple[Vulnerable, ...]) -> str:
    """Return `YN` for us and them; 0 is either."""
    sides = zip(*vulnerable, strict=True)
    return "".join(_YES_NO[side[0]] if len(set(side)) == 1 else "0" for side in sides)


def history_text(calls: Calls) -> str:
    """Return the calls before as a line: `1NT-(2H)-`; their passes between are left out."""
    words = [
        f"({call})" if (len(calls) - place) % 2 else str(call)
        for place, call in enumerate(calls)
        if not ((len(calls) - place) % 2 and call == Call.PASS)
    ]
    return "".join(f"{word}-" for word in words)
