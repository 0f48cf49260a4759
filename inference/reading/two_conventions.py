"""Calls that two conventions of a system both claim, with different meanings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reading
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, warning
from bidwright.kb.language.printer import target_text
from bidwright.kb.language.system import System
from bidwright.kb.rules.book import meaning_of
from bidwright.kb.rules.rule import CompiledRule


def claimed_twice(system: System, readings: Iterable[Reading]) -> list[Diagnostic]:
    """Return a warning for each pair of conventions that claim a call after one of some auctions.

    Args:
        system: the system that includes them.
        readings: the auctions; none is read if the system has fewer than two conventions.
    """
    if len({found for _, found in system.conventions}) < 2:
        return []
    conventions = TwoConventions(system)
    return [each for reading in readings for each in conventions.at(reading)]


class TwoConventions:
    """Finds calls that mean one thing in one convention and another thing in another one.

    Where a system includes both, neither displaces the other: hands bid the call by either, and
    partner reads it as either. What a system itself says of a call displaces what is said in
    those that it includes (`kb/rules/book.py`), so only conventions included side by side count.
    """

    def __init__(self, system: System) -> None:
        """Keep the system; a pair of conventions is reported once."""
        self._system = system
        self._conventions = {found for _, found in system.conventions}
        self._told: set[frozenset[str]] = set()

    def at(self, reading: Reading) -> Iterator[Diagnostic]:
        """Yield a warning for each pair of conventions that claim a call after an auction.

        Args:
            reading: the auction. A rule counts if it is firm and some hand of the player to call
                may use it.
        """
        firm: defaultdict[Call, list[CompiledRule]] = defaultdict(list)
        for each in reading.decision.instances:
            rule = each.rule
            if rule.pattern.open or rule.optional or rule.span.file not in self._conventions:
                continue
            firm[each.call].append(rule)
        for call, rules in firm.items():
            for one, other in combinations(rules, 2):
                files = frozenset({one.span.file, other.span.file})
                if len(files) == 1 or files in self._told or one.rank.layer != other.rank.layer:
                    continue
                if meaning_of(one) != meaning_of(other):
                    self._told.add(files)
                    yield self._told_of(reading, call, one, other)

    def _told_of(
        self, reading: Reading, call: Call, one: CompiledRule, other: CompiledRule
    ) -> Diagnostic:
        before = str(reading.auction)
        where = f"after {before}" if before else "as an opening bid"
        first, second = sorted((one, other), key=lambda rule: self._line(rule).line)
        return warning(
            "W222",
            f"{call} {where} means one thing in '{first.module}' and another in '{second.module}'",
            self._line(second),
            help="give one of them values that keep them apart, remove one of the two rules "
            f"('remove {target_text(second.id)}'), or leave one convention out",
            related=(
                Related(f"as in '{first.module}'", first.span),
                Related(f"as in '{second.module}'", second.span),
            ),
        )

    def _line(self, rule: CompiledRule) -> ast.Span:
        """Return the author's line that brings a rule, or the rule's own in a file of his."""
        return self._system.brought.get(rule.span.file, rule.span)
