"""Checks of systems and files: mistakes in them, and examples that fail."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.authoring.checking.stated import stated
from bidwright.inference.reading.examples import diagnostic, open_suites
from bidwright.kb.checks.allow import Allowance, as_known
from bidwright.kb.language.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class SystemReport:
    """The problems of a system.

    Attributes:
        problems: errors and warnings in its files, then examples that fail, then findings that
            comments call known, as informations.
        texts: the text of each file, by the name that spans use.
        summary: one line.
        suppressed: the diagnostics that comments suppress, each with its comment.
    """

    problems: list[Diagnostic]
    texts: dict[str, str]
    summary: str
    suppressed: tuple[tuple[Diagnostic, Allowance], ...] = ()


def check_system(name: str) -> SystemReport:
    """Return the problems of a system or file, its examples included.

    Raises:
        UnknownSystemError: There is no such system or file.
    """
    (suite,) = open_suites([name])
    examples = stated(suite)
    failed = [diagnostic(outcome, suite.system) for outcome in examples.failed]
    sifted = suite.sifted([*suite.problems, *suite.own(examples.doubled)])
    problems = [*sifted.kept, *sifted.about]
    line = summary(name, len(problems), len(failed), examples.count, len(suite.aside))
    remarks = remarks_text(len(sifted.suppressed), len(sifted.known))
    return SystemReport(
        [*problems, *failed, *map(as_known, sifted.known)],
        suite.system.texts,
        f"{line}; {remarks}" if remarks else line,
        tuple(sifted.suppressed),
    )


def remarks_text(suppressed: int, known: int) -> str:
    """Return the numbers of findings that comments suppress and call known; empty without any."""
    counts = ((suppressed, "suppressed"), (known, "known"))
    return ", ".join(f"{count} {word}" for count, word in counts if count)


def summary(name: str, problems: int, failed: int, examples: int, aside: int = 0) -> str:
    """Return one line for so many problems, and failed ones among so many examples.

    Args:
        name: the system.
        problems: the number of problems, examples apart.
        failed: the number of examples that are not bid as stated.
        examples: the number of examples that count.
        aside: the number of others, which hold for other values of parameters.
    """
    parts = [f"{problems} problem{'s' * (problems != 1)}"] if problems else []
    if not problems and not failed:
        parts.append("no problems")
    if examples or not problems:
        parts.append(f"{examples - failed} of {examples} examples bid as stated")
    if aside:
        parts.append(f"{aside} put aside that hold{'s' * (aside == 1)} for other values")
    return f"{name}: {', '.join(parts)}"
