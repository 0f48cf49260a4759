"""Comments about findings: reasons why one is meant, or notes that it is known and open.

    2C "relay" ; artificial, forcing     # allow W422: they never come in over it
    # allow W421, W422: general rules, read from top to bottom
    anywhere "Slam"
    # allow-file W422 under 0.002%: interference so rare is left to general rules
    # open W422: over a double nobody shows his aces yet

At the end of a line a suppression covers that line; on a line of its own, the next line and all
that is indented under it; with `allow-file`, the whole file. `under` sets a ceiling: a finding that
comes up as often, or that was not weighed, is reported in spite of it. `open` and `open-file` hide
nothing: the finding becomes an information, with the text of the comment.

A comment means the same wherever a system is checked. Warnings and findings of proofs can be
suppressed. Errors of a file cannot, nor an example that is not bid as stated: that is retired.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, Severity, warning

_MARK = re.compile(
    r"#\s*(?P<mark>allow|open)(?P<file>-file)?\s+(?P<codes>[EWI][0-9]{3}(?:\s*,\s*[EWI][0-9]{3})*)"
    r"(?:\s+under\s+(?P<ceiling>[0-9]+(?:\.[0-9]+)?)\s*%)?"
    r"\s*(?::\s*(?P<reason>.*\S))?\s*$"
)
_ABOUT = ("W431", "W432")
"""The codes of diagnostics about comments."""
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def is_suppressible(code: str) -> bool:
    """Return True if a comment can suppress findings of a code."""
    # E401 and below are mistakes of files and examples, which are mended or retired; above are
    # findings of proofs.
    return code not in _ABOUT and (not code.startswith("E") or code > "E401")


def codes_of_files(allowed: Iterable[Allowance]) -> frozenset[str]:
    """Return the codes in suppressions of findings in the files, those of proofs apart."""
    # Codes that begin with 4 are of proofs, which look for theirs.
    return frozenset(code for one in allowed for code in one.codes if code[1] != "4")


@dataclass(frozen=True, slots=True)
class Allowance:
    """A suppression.

    Attributes:
        span: the place of the comment.
        codes: the codes that it suppresses.
        reason: its reason; empty if it gives none.
        first: the first line that it covers.
        last: the last line that it covers.
        ceiling: the frequency, per deal, from which on a finding is not covered; None if any is.
        is_open: True if it says that a fault is known, and not that it is meant.
    """

    span: Span
    codes: tuple[str, ...]
    reason: str
    first: int
    last: int
    ceiling: float | None = None
    is_open: bool = False

    def _is_at(self, span: Span | None) -> bool:
        return (
            span is not None
            and span.file == self.span.file
            and self.first <= span.line <= self.last
        )

    def covers(self, diagnostic: Diagnostic, weight: float | None = None) -> bool:
        """Return True if a finding is suppressed, at its place or at that of its symptom.

        Args:
            diagnostic: the finding.
            weight: its frequency, per deal; None if it was not weighed.
        """
        places = (diagnostic.span, diagnostic.origin)
        return (
            any(map(self._is_at, places))
            and diagnostic.code in self.codes
            and is_suppressible(diagnostic.code)
            and (self.ceiling is None or (weight is not None and weight < self.ceiling))
        )


def allowances(texts: Mapping[str, str]) -> list[Allowance]:
    """Return the suppressions in files, by name and text."""
    return [each for file, text in texts.items() for each in _in_file(file, text)]


def _in_file(file: str, text: str) -> Iterator[Allowance]:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        # A mark inside a text in quotes is no comment.
        match = _MARK.search(_TEXT.sub(lambda quoted: "_" * len(quoted[0]), line))
        if match is None:
            continue
        column = match.start() + 1
        span = Span(file, number, column, number, len(line.rstrip()) + 1)
        codes = tuple(code.strip() for code in match["codes"].split(","))
        first = last = number
        if match["file"]:
            first, last = 1, len(lines)
        elif not line[: match.start()].strip():
            first, last = _below(lines, number)
        ceiling = float(match["ceiling"]) / 100 if match["ceiling"] else None
        is_open = match["mark"] == "open"
        yield Allowance(span, codes, match["reason"] or "", first, last, ceiling, is_open)


def _below(lines: list[str], number: int) -> tuple[int, int]:
    """Return the next line that says something, and the last one indented under it."""
    first = number
    while first < len(lines) and _is_silent(lines[first]):
        first += 1
    # At the end of a file there is nothing below that it could cover.
    if first == len(lines):
        return number, number
    indent = _indent(lines[first])
    last = first + 1
    for index in range(first + 1, len(lines)):
        if _is_silent(lines[index]):
            continue
        if _indent(lines[index]) <= indent:
            break
        last = index + 1
    return first + 1, last


def _is_silent(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@dataclass(frozen=True)
class Sifted:
    """Findings after the suppressions.

    Attributes:
        kept: the findings to show.
        suppressed: the suppressed ones, each with the suppression.
        about: diagnostics about the suppressions themselves.
        known: the findings to show as known, each with its comment.
    """

    kept: list[Diagnostic]
    suppressed: list[tuple[Diagnostic, Allowance]]
    about: list[Diagnostic]
    known: list[tuple[Diagnostic, Allowance]] = field(default_factory=list)

    @property
    def shown(self) -> list[Diagnostic]:
        """The findings to show, those that are known as informations."""
        return [*self.kept, *map(as_known, self.known)]


def as_known(pair: tuple[Diagnostic, Allowance]) -> Diagnostic:
    """Return a finding that is known as an information, with the text of the comment."""
    diagnostic, allowance = pair
    return replace(diagnostic, severity=Severity.INFO, help=f"known: {allowance.reason}")


def sift(
    diagnostics: Iterable[Diagnostic],
    allowed: list[Allowance],
    looked_for: frozenset[str],
    weights: Mapping[Diagnostic, float | None] | None = None,
) -> Sifted:
    """Return diagnostics without the suppressed ones.

    Args:
        diagnostics: the findings.
        allowed: the suppressions.
        looked_for: the codes that were looked for: a suppression of another one may be needed.
        weights: the frequency of each finding, per deal, if it is known.
    """
    weighed = weights or {}
    shown: list[Diagnostic] = []
    suppressed: list[tuple[Diagnostic, Allowance]] = []
    known_ones: list[tuple[Diagnostic, Allowance]] = []
    used: set[tuple[Span, str]] = set()
    for diagnostic in diagnostics:
        # Every suppression that fits is used, so that none of them is reported as without effect.
        covering = [one for one in allowed if one.covers(diagnostic, weighed.get(diagnostic))]
        used |= {(one.span, diagnostic.code) for one in covering}
        hiding = [one for one in covering if not one.is_open]
        if hiding:
            suppressed.append((diagnostic, hiding[0]))
        elif covering:
            known_ones.append((diagnostic, covering[0]))
        else:
            shown.append(diagnostic)
    about: list[Diagnostic] = []
    for allowance in allowed:
        for code in allowance.codes:
            if not is_suppressible(code):
                about.append(
                    warning(
                        "W431",
                        f"{code} cannot be suppressed",
                        allowance.span,
                        help="remove the comment, and mend what is wrong",
                    )
                )
            elif code in looked_for and (allowance.span, code) not in used:
                about.append(
                    warning(
                        "W431",
                        f"there is no {code}{_ceiling_text(allowance)} here to suppress",
                        allowance.span,
                        help="remove it",
                    )
                )
        if not allowance.reason:
            about.append(
                warning(
                    "W432",
                    "this suppression gives no reason",
                    allowance.span,
                    expected="a reason, such as "
                    f"'# allow {allowance.codes[0]}: they cannot bid here'",
                )
            )
    return Sifted(shown, suppressed, about, known_ones)


def _ceiling_text(allowance: Allowance) -> str:
    return "" if allowance.ceiling is None else f" under {100 * allowance.ceiling:.10g}%"
