"""Changes of rules, definitions and examples by later statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Related
from bidwright.kb.language.walk import PlacedRule


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule or definition that a later statement changed.

    Attributes:
        name: the id of the rule, or the name of the definition.
        became: the kind of the change: `overridden`, `displaced` (a `may` rule that goes with the
            rule that an override replaces), `removed`, `put aside`, `redefined`.
        span: the place of the statement that changed it.
        pattern: the calls before the rule; None for a definition.
        call: the rule's call; None for a definition.
    """

    name: str
    became: str
    span: ast.Span
    pattern: ast.Pattern | None = None
    call: ast.CallExpr | None = None

    @property
    def related(self) -> Related:
        """The change as a second place of a message."""
        return Related(f"'{self.name}' is {self.became} here", self.span)


@dataclass
class ChangesMade:
    """The changes made to a system so far."""

    changes: list[RuleChange] = field(default_factory=list)

    def of_rule(self, placed: PlacedRule, became: str, span: ast.Span) -> None:
        """Record a change of a rule."""
        self.changes.append(RuleChange(placed.id, became, span, placed.pattern, placed.rule.call))

    def of(self, name: str) -> Iterator[RuleChange]:
        """Yield the changes of a rule or definition, the last one first."""
        # A rule may be overridden and then removed: the last change explains its absence.
        yield from (each for each in reversed(self.changes) if each.name == name)
