"""What is wrong with a convention file, as values: collected, sorted, and shown together.

Errors E1xx are about syntax, E2xx about names and meaning, E3xx about files that belong
together; W2xx are warnings. `docs/language.md` explains every code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from bidwright.kb.language.ast import Span


class Severity(Enum):
    """How bad it is; the value is the word that is printed."""

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
    """One thing that is wrong, and what to do about it.

    Attributes:
        code: `E104`; one code for one cause.
        severity: error, warning or info.
        message: one line, lower case, the offending text in quotes.
        span: where.
        expected: what would be right there, in the author's words.
        help: what to write instead.
        related: other places that explain it.
        note: what shows it, such as a hand and how often it comes up.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    expected: str | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    note: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether the file cannot be used as it is."""
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


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics by place, each once.

    The file of the first diagnostic comes first, and so on: files keep the order in which they
    were found.
    """
    unique = list(dict.fromkeys(diagnostics))
    files = {file: index for index, file in enumerate(dict.fromkeys(d.span.file for d in unique))}
    return sorted(unique, key=lambda d: (files[d.span.file], d.span.line, d.span.column, d.code))


_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}


def _paint(text: str, style: str, *, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour and text else text


def _source_line(span: Span, sources: Mapping[str, str]) -> str | None:
    lines = sources.get(span.file, "").splitlines()
    if 1 <= span.line <= len(lines):
        return lines[span.line - 1]
    return "" if span.line == len(lines) + 1 and span.file in sources else None


def _excerpt(
    span: Span, sources: Mapping[str, str], severity: Severity, *, colour: bool
) -> list[str]:
    """Return the source line and the caret line under it."""
    line = _source_line(span, sources)
    if line is None:
        return []
    margin = f"{span.line} | "
    gutter = " " * len(str(span.line)) + " | "
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    before = "".join("\t" if c == "\t" else " " for c in line[:start].ljust(start))
    carets = _paint("^" * max(1, end - start), _COLOURS[severity], colour=colour)
    return [f"{margin}{line}".rstrip(), f"{gutter}{before}{carets}"]


def render_one(diagnostic: Diagnostic, sources: Mapping[str, str], *, colour: bool = False) -> str:
    """Return a diagnostic as lines of text, without a line break at the end."""
    span = diagnostic.span
    style = f"1;{_COLOURS[diagnostic.severity]}"
    code = _paint(diagnostic.code, style, colour=colour)
    lines = [f"{span.file}:{span.line}:{span.column}: {code} {diagnostic.message}"]
    lines += _excerpt(span, sources, diagnostic.severity, colour=colour)
    margin = " " * len(str(span.line))
    if diagnostic.expected:
        lines.append(f"{margin} = expected: {diagnostic.expected}")
    if diagnostic.note:
        lines.append(f"{margin} = note: {diagnostic.note}")
    if diagnostic.help:
        lines.append(f"{margin} = help: {diagnostic.help}")
    lines += [
        f"{margin} = {related.message}: {related.span.file}:{related.span.line}:"
        f"{related.span.column}"
        for related in diagnostic.related
    ]
    return "\n".join(lines)


def render(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], colour: bool = False
) -> str:
    """Return diagnostics as text for a terminal, an empty line between two of them.

    Args:
        diagnostics: what to show, in the order to show it.
        sources: the text of each file, by the name that spans use.
        colour: whether to use the terminal's colours.
    """
    return "\n\n".join(render_one(each, sources, colour=colour) for each in diagnostics)


def to_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return diagnostics as plain lists and dictionaries, ready for `json.dump`."""
    return [{**asdict(each), "severity": each.severity.value} for each in diagnostics]


def from_json(value: Mapping[str, Any]) -> Diagnostic:
    """Return the diagnostic that `to_json` made a dictionary of."""
    related = tuple(Related(each["message"], Span(**each["span"])) for each in value["related"])
    severity, span = Severity(value["severity"]), Span(**value["span"])
    return Diagnostic(**{**value, "severity": severity, "span": span, "related": related})
