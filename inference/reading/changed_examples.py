"""The changes of a variant that make an example of the system it varies fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from bidwright.bridge.calls import Call
from bidwright.kb.expressions.call_nodes import Element, Pattern
from bidwright.kb.expressions.condition_nodes import Apply, Name, parts_with_definitions, plain_name
from bidwright.kb.expressions.nodes import Span
from bidwright.kb.language.rule_changes import RuleChange
from bidwright.kb.language.system import System
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.kb.rules.rulebase import RuleBase


def changes_behind(
    changes: Sequence[RuleChange],
    calls: Sequence[Call],
    possible: Sequence[Call],
    considered: Sequence[Instance],
    rules: RuleBase,
) -> list[RuleChange]:
    """Return the changes that concern an example, in the order of its auction, one of a statement.

    They are changes of rules that would make one of the auction's calls or one of the calls in
    question, and of definitions that the rules considered rest on.

    Args:
        changes: what became of rules and definitions.
        calls: the example's auction from its first bid on.
        possible: what the example asks for, and what the hand bids.
        considered: the rules that have a say in it.
        rules: the system.
    """
    changes_by_rule: dict[RuleChange, None] = {}
    for length in range(len(calls)):
        changes_by_rule |= dict.fromkeys(_making(changes, calls[: length + 1]))
    for call in possible:
        changes_by_rule |= dict.fromkeys(_making(changes, (*calls, call)))
    used = {
        plain_name(part.name)
        for each in considered
        if each.rule.condition is not None
        for part in parts_with_definitions(each.rule.condition, rules.lets)
        if isinstance(part, Name | Apply)
    }
    changes_by_rule |= dict.fromkeys(
        each for each in changes if each.call is None and each.name in used
    )
    # Reversed twice: of several changes of one statement the first counts.
    return list({each.span: each for each in reversed(changes_by_rule)}.values())[::-1]


def authors_line(causes: Sequence[Span], file: str, system: System) -> Span | None:
    """Return the line of the author that makes an example of an included file wrong, if one does.

    It is a line of his own files, or the `include` of a module that changes the example's system.

    Args:
        causes: the changes behind the failure, and the rules that have a say in it or made a call
            of its auction.
        file: the example's file.
        system: the system.
    """
    # A line of his own files comes before an `include`: it is nearer to what he wrote.
    own_lines = (span for span in causes if span.file in system.own_files)
    brought = (system.brought[span.file] for span in causes if span.file in system.brought)
    # The `include` that brought the example's own file changes nothing about it.
    others = (each for each in brought if each != system.brought.get(file))
    return next(chain(own_lines, others), None)


def _making(changes: Sequence[RuleChange], calls: Sequence[Call]) -> Iterator[RuleChange]:
    """Yield the changes of rules that made the last one of some calls after the others."""
    before = last_bids(calls)
    for change in changes:
        if change.pattern is None or change.call is None:
            continue
        # What the rule says after its pattern: the call is one more element of ours.
        last = Element(theirs=False, alternatives=(change.call,))
        whole = Pattern((*change.pattern.elements, last), change.pattern.open)
        if match(whole, calls, before) is not None:
            yield change
