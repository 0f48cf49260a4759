"""Places findings in included files at the author's line that causes them.

The cause is looked for in this order: a rule of his that belongs to the finding, such as the one
that takes all hands; a change that he makes to a rule or definition that has a say in the auction
which shows the fault; a rule of his that makes a call of that auction, or that applies where it
ends; the `include` that brings together rules which were not written for each other. A fault that
one included file or system has by itself stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bidwright.authoring.hands.positions import Explorer
from bidwright.authoring.lint.findings import Finding
from bidwright.inference.reading.changed_examples import changes_behind
from bidwright.inference.reading.reader import Reading
from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import caused_at
from bidwright.kb.language.rule_changes import RuleChange
from bidwright.kb.language.system import System
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_TAKES_WHAT_IS_LEFT = ("E412", "W428")
"""The codes of gaps: what takes the hands that are left does not cause the gap."""

_IDLE = ("E411", "E413", "E414", "W420")
"""The codes of rules that no hand uses."""


class Causes:
    """Finds the lines of an author behind findings in files that he includes."""

    def __init__(self, system: System, rules: RuleBase, vs: RuleBase | None = None) -> None:
        """Take a system.

        Args:
            system: the system as it was loaded.
            rules: the same, compiled.
            vs: the opponents' system, if not the system itself.
        """
        self._own = system.own_files
        self._brought = system.brought
        self._conventions = {file for _, file in system.conventions}
        self._changes = [each for each in system.changes if each.span.file in self._own]
        self._rules = rules
        self._explorer = Explorer(rules, vs=vs)

    def placed(self, finding: Finding) -> Finding:
        """Return a finding in another file at the author's line that causes it."""
        if finding.diagnostic.span.file in self._own:
            return finding
        cause = next(self._lines(finding), None)
        if cause is None:
            return finding
        return replace(finding, diagnostic=caused_at(finding.diagnostic, cause))

    def is_idle_part(self, finding: Finding) -> bool:
        """Return True if a finding is an unused rule in a part for many systems.

        A part without a header, such as `common/competition`, has rules for all openings of any
        system. That an author's limited openings leave some of them without a hand is no fault.
        A rule that loses its hands to one of his or of another `include` is reported, and so are
        those of conventions, each of which he has chosen.
        """
        file = finding.diagnostic.span.file
        if finding.code not in _IDLE or file in self._own or file in self._conventions:
            return False
        # Only an unused rule names who takes its hands; of the others nobody is known.
        takers = finding.diagnostic.related if finding.code == "E411" else ()
        brought = self._brought.get(file)
        return all(self._brought.get(each.span.file) == brought for each in takers)

    def _lines(self, finding: Finding) -> Iterator[Span]:
        """Yield the author's lines that cause a finding, the likeliest first."""
        others = [] if finding.code in _TAKES_WHAT_IS_LEFT else finding.diagnostic.related
        yield from (each.span for each in others if each.span.file in self._own)
        rules: list[CompiledRule] = []
        if finding.witness is not None:
            reading = self._explorer.read(finding.witness.auction)
            yield from (each.span for each in self._behind(reading))
            # The last calls are likelier causes than the first ones.
            makers = [each for meaning in reversed(reading.meanings) for each in meaning.instances]
            here = [each for each in reading.decision.instances if each.rule.pattern.elements]
            rules = [each.rule for each in (*makers, *here)]
            yield from (each.span for each in rules if each.span.file in self._own)
        shows = self._brought.get(finding.diagnostic.span.file)
        for span in (*(each.span for each in others), *(rule.span for rule in rules)):
            # Two includes meet: the later line brought the rules together.
            other = self._brought.get(span.file)
            if shows is not None and other is not None and other != shows:
                yield max(shows, other)

    def _behind(self, reading: Reading) -> Iterator[RuleChange]:
        """Yield the author's changes that have a say in an auction, or where it ends."""
        calls = reading.state.calls
        before = last_bids(calls)
        for change in self._changes:
            # Changes that stand for this very auction come before those of rules that have a say.
            if change.pattern is not None and match(change.pattern, calls, before) is not None:
                yield change
        considered: list[Instance] = list(reading.decision.instances)
        considered += [each for meaning in reading.meanings for each in meaning.instances]
        yield from changes_behind(self._changes, calls, (), considered, self._rules)


def placed_at_causes(
    found: list[Finding], system: System, rules: RuleBase, vs: RuleBase | None = None
) -> list[Finding]:
    """Return findings at the author's lines that cause them, by place.

    Args:
        found: findings of proofs.
        system: the system they are about.
        rules: the same, compiled.
        vs: the opponents' system, if not the system itself.
    """
    if not system.brought:
        return found
    causes = Causes(system, rules, vs)
    placed = (causes.placed(each) for each in found if not causes.is_idle_part(each))
    return sorted(placed, key=lambda one: (one.diagnostic.span, one.code))
