"""Diagnostics of convention files, as values: collected, sorted, and shown together.

Errors E1xx are about syntax, E2xx about names and meaning, E3xx about files that belong
together; W2xx are warnings. `docs/language.md` explains every code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import NotRequired, TypedDict, cast

from bidwright.bridge.text_files import without_controls
from bidwright.kb.expressions.nodes import Span
from bidwright.kb.language.limits import MOST_SHOWN


class Severity(Enum):
    """The severity of a diagnostic; the value is the word that is printed."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that belongs to a diagnostic, such as the first definition of a name."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A mistake, with advice.

    Attributes:
        code: `E104`; one code for one cause.
        severity: error, warning or info.
        message: one line, lower case, the offending text in quotes.
        span: the place.
        expected: the right forms there, in the author's words.
        help: advice on a correction.
        related: other places that explain it.
        note: evidence, such as a hand and its frequency.
        origin: the place of the symptom, if `span` is the line of another file that causes it.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    expected: str | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    note: str | None = None
    origin: Span | None = None

    @property
    def is_error(self) -> bool:
        """True if the file cannot be used as it is."""
        return self.severity is Severity.ERROR


def error(
    code: str,
    message: str,
    span: Span,
    *,
    expected: str | None = None,
    help: str | None = None,
    related: tuple[Related, ...] = (),
) -> Diagnostic:
    """Return a diagnostic of severity error."""
    return Diagnostic(code, Severity.ERROR, message, span, expected, help, related)


def warning(
    code: str,
    message: str,
    span: Span,
    *,
    expected: str | None = None,
    help: str | None = None,
    related: tuple[Related, ...] = (),
) -> Diagnostic:
    """Return a diagnostic of severity warning."""
    return Diagnostic(code, Severity.WARNING, message, span, expected, help, related)


def caused_at(problem: Diagnostic, cause: Span) -> Diagnostic:
    """Return a problem in an included file, placed at the author's line that causes it.

    Args:
        problem: the problem, where it shows.
        cause: the line of the author's file.
    """
    shows = problem.span
    return replace(
        problem,
        message=f"because of this, at {shows.file}:{shows.line}: {problem.message}",
        span=cause,
        # The author cannot mend an included file: his own line comes first, the symptom below.
        related=(Related("this is where it shows", shows), *problem.related),
        origin=shows,
    )


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics by place, each once.

    The file of the first diagnostic comes first, and so on: files keep the order in which they
    were found.
    """
    # A mistake in a file that is included twice is reported twice.
    unique = list(dict.fromkeys(diagnostics))
    files = {file: index for index, file in enumerate(dict.fromkeys(d.span.file for d in unique))}
    return sorted(unique, key=lambda d: (files[d.span.file], d.span.line, d.span.column, d.code))


_WIDEST = 160
"""Characters of a line of the file that are quoted; of a longer one, those around the place."""
_LONGEST = 400
"""Characters of a message that are shown."""

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}


def _paint(text: str, style: str, *, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour and text else text


def _source_line(span: Span, sources: Mapping[str, str]) -> str | None:
    lines = sources.get(span.file, "").splitlines()
    if 1 <= span.line <= len(lines):
        return lines[span.line - 1]
    # A mistake at the end of a file is on the line after its last.
    return "" if span.line == len(lines) + 1 and span.file in sources else None


def _excerpt(
    span: Span, sources: Mapping[str, str], severity: Severity, *, colour: bool
) -> list[str]:
    """Return the source line and the caret line under it."""
    line = _source_line(span, sources)
    if line is None:
        return []
    # A file may have escape sequences in it: printed as they are, they steer the reader's terminal.
    line = without_controls(line.rstrip("\r"))
    margin = f"{span.line} | "
    gutter = " " * len(str(span.line)) + " | "
    start = span.column - 1
    # Of a place over several lines the first one is quoted.
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    line, start, end = _window(line, start, end)
    # A tab stays one, so that carets stand below the place however wide a terminal shows it.
    before = "".join("\t" if c == "\t" else " " for c in line[:start].ljust(start))
    carets = _paint("^" * max(1, end - start), _COLOURS[severity], colour=colour)
    return [f"{margin}{line}".rstrip(), f"{gutter}{before}{carets}"]


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the quoted part of a line, with the start and the end of a stretch in it."""
    if len(line) <= _WIDEST:
        return line, start, end
    first = max(0, min(start - _WIDEST // 2, len(line) - _WIDEST))
    before, after = "..." * (first > 0), "..." * (first + _WIDEST < len(line))
    start, end = start - first + len(before), min(end, first + _WIDEST) - first + len(before)
    return f"{before}{line[first : first + _WIDEST]}{after}", start, end


def _shortened(text: str) -> str:
    """Return a text that steers no terminal, its middle left out if it is long."""
    # Beginning and end say most: a name of 10,000 letters is quoted in a message, too.
    text, half = without_controls(text), _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}...{text[-half:]}"


def render_one(diagnostic: Diagnostic, sources: Mapping[str, str], *, colour: bool = False) -> str:
    """Return a diagnostic as lines of text, without a line break at the end."""
    span = diagnostic.span
    style = f"1;{_COLOURS[diagnostic.severity]}"
    code = _paint(diagnostic.code, style, colour=colour)
    lines = [
        f"{without_controls(span.file)}:{span.line}:{span.column}: {code} "
        f"{_shortened(diagnostic.message)}"
    ]
    lines += _excerpt(span, sources, diagnostic.severity, colour=colour)
    margin = " " * len(str(span.line))
    if diagnostic.expected:
        lines.append(f"{margin} = expected: {_shortened(diagnostic.expected)}")
    if diagnostic.note:
        lines.append(f"{margin} = note: {_shortened(diagnostic.note)}")
    if diagnostic.help:
        lines.append(f"{margin} = help: {_shortened(diagnostic.help)}")
    lines += [
        f"{margin} = {_shortened(related.message)}: {related.span.file}:{related.span.line}:"
        f"{related.span.column}"
        for related in diagnostic.related
    ]
    return "\n".join(lines)


def render(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], colour: bool = False
) -> str:
    """Return diagnostics as text for a terminal, an empty line between two of them.

    Of very many the first are shown, and the number of the others.

    Args:
        diagnostics: the diagnostics to show, in this order.
        sources: the text of each file, by the name that spans use.
        colour: use the terminal's colours.
    """
    every = list(diagnostics)
    shown = [render_one(each, sources, colour=colour) for each in every[:MOST_SHOWN]]
    return "\n\n".join([*shown, *more_than_shown(len(every))])


def more_than_shown(count: int) -> list[str]:
    """Return a line with the number of diagnostics that are not shown; none if all are."""
    return [f"and {count - MOST_SHOWN:,} more"] if count > MOST_SHOWN else []


class SpanValues(TypedDict):
    """A place in a file: the fields of `Span`."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class RelatedValues(TypedDict):
    """A second place, with a sentence about it."""

    message: str
    span: SpanValues


class DiagnosticValues(TypedDict):
    """The fields of a `Diagnostic`."""

    code: str
    severity: str
    message: str
    span: SpanValues
    expected: str | None
    help: str | None
    related: list[RelatedValues]
    note: NotRequired[str | None]
    origin: SpanValues | None


def to_json(diagnostics: Iterable[Diagnostic]) -> list[DiagnosticValues]:
    """Return diagnostics as plain lists and dictionaries, ready for `json.dump`."""
    return [
        {
            "code": each.code,
            "severity": each.severity.value,
            "message": each.message,
            "span": _span_json(each.span),
            "expected": each.expected,
            "help": each.help,
            "related": [
                {"message": other.message, "span": _span_json(other.span)} for other in each.related
            ],
            "note": each.note,
            "origin": _span_json(each.origin) if each.origin else None,
        }
        for each in diagnostics
    ]


def _span_json(span: Span) -> SpanValues:
    return cast("SpanValues", span._asdict())


def from_json(value: DiagnosticValues) -> Diagnostic:
    """Return the diagnostic that `to_json` made a dictionary of."""
    return Diagnostic(
        value["code"],
        Severity(value["severity"]),
        value["message"],
        Span(**value["span"]),
        value["expected"],
        value["help"],
        tuple(Related(each["message"], Span(**each["span"])) for each in value["related"]),
        value.get("note"),
        Span(**value["origin"]) if value["origin"] else None,
    )
