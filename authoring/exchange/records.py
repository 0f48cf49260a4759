"""Records of conversions: entries that are read, the fate of every line, the losses of an export.

Readers of other notations hand entries to the importer: calls, places and words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from bidwright.bridge.errors import InvalidError, shortened
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


# ---------------------------------------------------------------------- accounts

_MOST = 1_000
"""Characters of a line of a report."""


@dataclass(frozen=True, slots=True, order=True)
class Loss:
    """Something that an export could not carry.

    Attributes:
        kind: what sort of thing it is, such as `general rule`.
        place: where it stands, `file:line`; empty for what has no place.
        what: the rule or statement.
        why: what the other notation lacks.
    """

    kind: str
    place: str
    what: str
    why: str

    def __str__(self) -> str:
        """`file:line: kind: what (why)`."""
        place = f"{self.place}: " if self.place else ""
        return f"{place}{self.kind}: {self.what} ({self.why})"


@dataclass(frozen=True, slots=True)
class LossReport:
    """Counts of the rules that an export carried, and its losses.

    Attributes:
        rules: the rules of the system.
        carried: those of them that are in the export, at every position or at some.
        losses: the rest, and all else that is not in it.
    """

    rules: int
    carried: int
    losses: tuple[Loss, ...]

    def with_more(self, losses: Iterable[Loss]) -> LossReport:
        """Return the report with more losses."""
        return replace(self, losses=(*self.losses, *losses))

    def summary(self) -> str:
        """Return the counts as text."""
        share = f" ({self.carried / self.rules:.1%})" if self.rules else ""
        lines = [f"{self.carried} of {self.rules} rules carried{share}"]
        counts = Counter(loss.kind for loss in self.losses)
        lines += [f"{count:6}  {kind} lost" for kind, count in sorted(counts.items())]
        return "\n".join(lines) + "\n"

    def text(self) -> str:
        """Return the report: a line for each loss, then the counts."""
        return "".join(f"{loss}\n" for loss in self.losses) + "\n" + self.summary()


class Fate(Enum):
    """The outcome for a line of an import; the value says it to the author."""

    RULE = "became a rule"
    MODULE = "became a module or a value"
    CONTEXT = "says where the rules stand"
    OFF = "is switched off"
    TEXT = "stayed text"
    CONTRADICTION = "contradicts"
    BLANK = "is empty"


@dataclass(frozen=True, slots=True)
class ImportedLine:
    """A line of an import.

    Attributes:
        file: the file that it stands in.
        number: its number there, from 1.
        text: the line.
        fate: what became of it.
        notes: what was read into it, what stayed text, or what it contradicts.
        hands: some hands that fit the rule it became.
    """

    file: str
    number: int
    text: str
    fate: Fate
    notes: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()

    @property
    def is_text(self) -> bool:
        """True if it stayed text."""
        return self.fate is Fate.TEXT

    def __str__(self) -> str:
        """`file:line: fate: notes`, and the line, both of readable length."""
        notes = f": {'; '.join(self.notes)}" if self.notes else ""
        account = shortened(f"{self.file}:{self.number}: {self.fate.value}{notes}", _MOST)
        return f"{account}\n    {shortened(self.text.strip(), _MOST)}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The account of an import, line by line.

    Attributes:
        lines: in order.
        limits: what was not looked at.
    """

    lines: tuple[ImportedLine, ...]
    limits: tuple[str, ...] = ()

    def counts(self) -> dict[Fate, int]:
        """Return the number of lines by their fate."""
        numbers = Counter(line.fate for line in self.lines)
        return {fate: numbers[fate] for fate in Fate}

    def summary(self) -> str:
        """Return the counts as text: lines by their fate, those that stayed text by the reason."""
        lines = [f"{len(self.lines)} lines"]
        for fate, count in self.counts().items():
            lines += [f"{count:6}  {fate.value}"] if count else []
            if fate is Fate.TEXT:
                lines += [f"{number:12}  {why}" for why, number in self._reasons().most_common()]
        lines += self.limits
        return "\n".join(lines) + "\n"

    def _reasons(self) -> Counter[str]:
        """Return why lines stayed text, with their numbers."""
        first = (line.notes[0] if line.notes else "prose" for line in self.lines if line.is_text)
        return Counter(
            # Reasons that differ in the number of a line are one reason.
            re.sub(r"line \d+", "another line", note.partition(":")[0])
            for note in first
        )

    def text(self) -> str:
        """Return every line that is not empty with its fate, then the counts."""
        filled: Iterable[ImportedLine] = (
            line for line in self.lines if line.fate is not Fate.BLANK
        )
        return "".join(f"{line}\n{_fitting(line)}" for line in filled) + "\n" + self.summary()


def _fitting(line: ImportedLine) -> str:
    return f"    fits {', '.join(line.hands)}\n" if line.hands else ""
