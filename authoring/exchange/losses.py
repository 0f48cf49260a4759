"""Accounts of conversions: the losses of an export, the lines of an import."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from bidwright.bridge.errors import shortened

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
