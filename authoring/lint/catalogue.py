"""Every code that `bidwright check` may print about the meaning of a system, with its severity.

`authoring/meanings/lints.md` has a section for each code: the fault, why it matters, an example
that triggers it and one that passes.
"""

from __future__ import annotations

from dataclasses import dataclass

from bidwright.kb.language.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class Lint:
    """A kind of fault.

    Attributes:
        code: `E411`.
        title: the fault in few words.
        severity: its severity.
    """

    code: str
    title: str
    severity: Severity


LINTS = {
    code: Lint(code, title, severity)
    for code, title, severity in (
        ("E411", "a rule that is never used", Severity.ERROR),
        ("E412", "a hand without a call", Severity.ERROR),
        ("E413", "a rule that an earlier call denies", Severity.ERROR),
        ("E414", "a condition that no hand satisfies", Severity.ERROR),
        ("E415", "a forcing call that is passed", Severity.ERROR),
        ("E416", "a call that does not show what it is said to show", Severity.ERROR),
        ("W420", "a rule that no auction leads to", Severity.WARNING),
        ("W421", "an order that is an accident", Severity.WARNING),
        ("W422", "no answer after interference", Severity.WARNING),
        ("W423", "a call that nobody answers", Severity.WARNING),
        ("W424", "two equal answers", Severity.WARNING),
        ("W425", "a game force that is given up", Severity.WARNING),
        ("W426", "a text that says more or less than the condition", Severity.WARNING),
        ("W428", "a hand that the book has no call for", Severity.WARNING),
        ("W429", "an artificial call that is passed", Severity.WARNING),
        ("W430", "an ask that any hand may make", Severity.WARNING),
        ("W433", "a pass that shows strength by accident", Severity.WARNING),
        ("W434", "a natural bid without its suit", Severity.WARNING),
        ("I427", "a threshold that no hand tests", Severity.INFO),
        ("W431", "a suppression that suppresses nothing", Severity.WARNING),
        ("W432", "a suppression without a reason", Severity.WARNING),
    )
}
"""The lints by code."""
