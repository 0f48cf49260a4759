"""Calls that two conventions of a system both claim, with different meanings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from bidwright.inference.reading.reader import Reading
from bidwright.kb.expressions.nodes import Span
from bidwright.kb.language.diagnostics import Diagnostic, Related, warning
from bidwright.kb.language.printer import target_text
from bidwright.kb.language.system import System
from bidwright.kb.rules.book import meaning_of
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

Claims = Mapping[str, Sequence[str]]
"""The calls of a position with several firm rules, each with the ids of these rules."""


def claims(reading: Reading) -> Claims:
    """Return the calls that several firm rules make after an auction, with the ids of the rules.

    A rule counts if some hand of the player to call may use it.
    """
    firm: defaultdict[str, list[str]] = defaultdict(list)
    for instance in reading.decision.instances:
        # General rules come after the book, and optional ones leave the choice.
        if not instance.rule.pattern.open and not instance.rule.optional:
            firm[str(instance.call)].append(instance.rule.id)
    return {call: ids for call, ids in firm.items() if len(set(ids)) > 1}


def claimed_twice(
    system: System, rules: RuleBase, positions: Iterable[tuple[str, Claims]]
) -> list[Diagnostic]:
    """Return a warning for each pair of conventions that claim a call in one of some positions.

    Args:
        system: the system that includes them.
        rules: the compiled system.
        positions: auctions, each with the calls that are claimed after it.
    """
    conventions = TwoConventions(system, rules)
    return [each for before, claimed in positions for each in conventions.at(before, claimed)]


class TwoConventions:
    """Finds calls that mean one thing in one convention and another thing in another one.

    Where a system includes both, neither displaces the other: hands bid the call by either, and
    partner reads it as either. What a system itself says of a call displaces what is said in
    those that it includes (`kb/rules/book.py`), so only conventions included side by side count.
    """

    def __init__(self, system: System, rules: RuleBase) -> None:
        """Keep the system and its compiled rules; a pair of conventions is reported once."""
        self._system = system
        self._rules = rules
        self._conventions = {found for _, found in system.conventions}
        self._reported: set[frozenset[str]] = set()

    def at(self, before: str, claimed: Claims) -> Iterator[Diagnostic]:
        """Yield a warning for each pair of conventions that claim a call after an auction.

        Args:
            before: the auction.
            claimed: the calls that are claimed after it.
        """
        for call, ids in claimed.items():
            rules = [self._rules.by_id[each] for each in ids]
            of_conventions = [each for each in rules if each.span.file in self._conventions]
            for first, second in combinations(of_conventions, 2):
                files = frozenset({first.span.file, second.span.file})
                if (
                    len(files) == 1
                    or files in self._reported
                    # Layers decide between a system and those it includes; only equal ones clash.
                    or first.rank.layer != second.rank.layer
                ):
                    continue
                if meaning_of(first) != meaning_of(second):
                    self._reported.add(files)
                    yield self._report(before, call, first, second)

    def _report(self, before: str, call: str, one: CompiledRule, other: CompiledRule) -> Diagnostic:
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

    def _line(self, rule: CompiledRule) -> Span:
        """Return the author's line that brings a rule, or the rule's own in a file of his."""
        return self._system.brought.get(rule.span.file, rule.span)
