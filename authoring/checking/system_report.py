"""Checks systems and files: what is wrong with them, their examples included."""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.authoring.checking.stated import stated
from bidwright.inference.reading.examples import diagnostic, open_suites
from bidwright.kb.checks.allow import Allowance, as_known
from bidwright.kb.language.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class SystemReport:
    """What is wrong with a system.

    Attributes:
        problems: errors and warnings in its files, then examples that fail, then what is known to
            be open, as informations.
        texts: the text of each file, by the name that spans use.
        summary: one line.
        suppressed: what comments suppress, each with its comment.
    """

    problems: list[Diagnostic]
    texts: dict[str, str]
    summary: str
    suppressed: tuple[tuple[Diagnostic, Allowance], ...] = ()


def check_system(name: str) -> SystemReport:
    """Return what is wrong with a system or file, its examples included.

    Raises:
        UnknownSystemError: There is no such system or file.
    """
    (suite,) = open_suites([name])
    found = stated(suite)
    failed = [diagnostic(outcome, suite.system) for outcome in found.failed]
    sifted = suite.sifted([*suite.problems, *suite.own(found.doubled)])
    problems = [*sifted.kept, *sifted.about]
    line = summary(name, len(problems), len(failed), found.count, len(suite.aside))
    told = remarks_text(len(sifted.suppressed), len(sifted.known))
    return SystemReport(
        [*problems, *failed, *map(as_known, sifted.known)],
        suite.system.texts,
        f"{line}; {told}" if told else line,
        tuple(sifted.suppressed),
    )


def remarks_text(suppressed: int, known: int) -> str:
    """Return how many findings comments suppress, and call known; empty if there are none."""
    counts = ((suppressed, "suppressed"), (known, "known"))
    return ", ".join(f"{count} {word}" for count, word in counts if count)


def summary(name: str, problems: int, failed: int, examples: int, aside: int = 0) -> str:
    """Return one line for so many problems, and failed ones among so many examples.

    Args:
        name: the system.
        problems: how many problems there are, examples apart.
        failed: how many examples are not bid as stated.
        examples: how many examples count.
        aside: how many others hold for other values of parameters.
    """
    found = [f"{problems} problem{'s' * (problems != 1)}"] if problems else []
    if not problems and not failed:
        found.append("no problems")
    if examples or not problems:
        found.append(f"{examples - failed} of {examples} examples bid as stated")
    if aside:
        found.append(f"{aside} put aside that hold{'s' * (aside == 1)} for other values")
    return f"{name}: {', '.join(found)}"
