"""Checks of systems and files: mistakes in them, and examples that fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from bidwright.authoring.checking.stated import stated
from bidwright.inference.reading.examples import diagnostic, open_suites
from bidwright.kb.checks.allow import Allowance, as_known
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.runtime.sentences import noun_for


@dataclass(frozen=True, slots=True)
class SystemReport:
    """The problems of a system.

    Attributes:
        problems: errors and warnings in its files, then examples that fail, then findings that
            comments call known, as informations.
        texts: the text of each file, by the name that spans use.
        summary: one line.
        suppressed: the diagnostics that comments suppress, each with its comment.
        known: those of the problems that comments call known.
    """

    problems: list[Diagnostic]
    texts: dict[str, str]
    summary: str
    suppressed: tuple[tuple[Diagnostic, Allowance], ...] = ()
    known: frozenset[Diagnostic] = frozenset()


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
    of_comments = list(map(as_known, sifted.known))
    authors = suite.system.own_files - suite.system.shared
    return SystemReport(
        [*authors_first(problems, authors), *failed, *of_comments],
        suite.system.texts,
        f"{line}; {remarks}" if remarks else line,
        tuple(sifted.suppressed),
        frozenset(of_comments),
    )


def authors_first(
    problems: Iterable[Diagnostic],
    own: Collection[str],
    weights: Mapping[Diagnostic, float | None] | None = None,
) -> list[Diagnostic]:
    """Return problems in the order to show them in.

    Those in the author's own files come before those of included ones. Mistakes come first, then
    findings, the most frequent first; of those that are not weighed the errors are before them,
    the warnings behind.

    Args:
        problems: what is wrong.
        own: the author's files.
        weights: how often findings come up, per deal; mistakes have none.
    """
    weighed = weights or {}

    def order(problem: Diagnostic) -> tuple[object, ...]:
        weight = weighed.get(problem)
        if weight is None:
            # Mistakes are certain, whatever their frequency; a finding that was not weighed may be
            # rare.
            weight = 1.0 if problem not in weighed or problem.is_error else 0.0
        return problem.span.file not in own, problem in weighed, -weight, problem.span, problem.code

    return sorted(problems, key=order)


def known_text(known: Iterable[Diagnostic]) -> str:
    """Return one line for the known findings: `24 known: W422 20, E415 4`."""
    counts = Counter(each.code for each in known)
    codes = ", ".join(f"{code} {count}" for code, count in counts.most_common())
    return f"{counts.total()} known: {codes} (--known lists them)" if counts else ""


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
    parts = [f"{problems} {noun_for(problems, 'problem')}"] if problems else []
    if not problems and not failed:
        parts.append("no problems")
    if examples or not problems:
        parts.append(f"{examples - failed} of {examples} examples bid as stated")
    if aside:
        parts.append(f"{aside} left out that {'holds' if aside == 1 else 'hold'} for other values")
    return f"{name}: {', '.join(parts)}"
