"""Mistakes in convention files, with their text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bidwright.authoring.checking.system_report import check_system
from bidwright.kb.language.diagnostics import Diagnostic, render_one


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A mistake in a convention file, as `check` returns it.

    `str` of it is the text that `bidwright check` prints, with the line of the file.

    Attributes:
        code: the kind of mistake, such as `E201`; `bidwright explain E201` says more.
        severity: `error`, `warning` or `info`; a system with errors cannot be opened.
        message: the mistake in one line.
        file: the file, as messages name it.
        line: its line, from 1.
        column: its column, from 1.
        expected: the right forms at this place; None if they cannot be listed.
        help: advice on a correction; None if there is none.
        text: all of it as lines of text.

    Example:
        >>> import bidwright
        >>> bidwright.check("sayc")
        ()
    """

    code: str
    severity: str
    message: str
    file: str
    line: int
    column: int
    expected: str | None
    help: str | None
    text: str

    @classmethod
    def of(cls, diagnostic: Diagnostic, texts: dict[str, str]) -> FileProblem:
        """Return the mistake of a diagnostic, with the line of its file."""
        return cls(
            diagnostic.code,
            diagnostic.severity.value,
            diagnostic.message,
            diagnostic.span.file,
            diagnostic.span.line,
            diagnostic.span.column,
            diagnostic.expected,
            diagnostic.help,
            # Now, while the texts of the files are at hand.
            render_one(diagnostic, texts),
        )

    @property
    def is_error(self) -> bool:
        """True if the file cannot be used as it is."""
        return self.severity == "error"

    def __str__(self) -> str:
        """Return the text that `bidwright check` prints."""
        return self.text


def problems_of(name: str | Path) -> tuple[FileProblem, ...]:
    """Return the mistakes in a system or a file, its examples included, in the files' order.

    Raises:
        UnknownSystemError: There is no such system or file.
    """
    # The report of the command, so that both give the same mistakes in the same order.
    report = check_system(str(name))
    return tuple(FileProblem.of(each, report.texts) for each in report.problems)
