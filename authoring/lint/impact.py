"""What a change of some rules can touch: which auctions have to be looked at again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from bidwright.authoring.hands.positions import auction_from
from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.walk import pattern_text, walk
from bidwright.kb.rules.pattern_calls import may_be_same, run_of
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.kb.rules.rule_fingerprints import RuleFingerprints
from bidwright.kb.rules.rulebase import RuleBase

Json = dict[str, Any]


def block_list(statements: Iterable[tuple[str, ast.Statement]]) -> list[list[str]]:
    """Return the ids of the rules of each block or branch."""
    blocks: dict[object, list[str]] = {}
    for each in walk(statements):
        blocks.setdefault(each.path[:-1], []).append(each.id)
    return list(blocks.values())


def basis(rules: RuleBase, marks: RuleFingerprints, blocks: list[list[str]]) -> Json:
    """Return what has to be kept of a system to tell later what changed.

    Args:
        rules: the system.
        marks: its fingerprints.
        blocks: the rules of each block, by id.
    """
    return {
        "rules": marks.placed,
        "patterns": {rule.id: pattern_text(rule.pattern) for rule in rules.rules},
        "order": list(marks.order),
        "rest": marks.rest,
        "blocks": blocks,
    }


class Touched:
    """The rules that changed, and the auctions with a decision that they may take part in.

    Attributes:
        rules: ids of the rules that are new or mean something else.
        patterns: texts of the patterns that a changed, new or removed rule stands under.
    """

    def __init__(self, rules: RuleBase, changed: frozenset[str], patterns: frozenset[str]) -> None:
        """Take the changed rules and their patterns."""
        self._base = rules
        self.rules = changed
        self.patterns = patterns
        self._known = {pattern_text(rule.pattern): rule.pattern for rule in rules.rules}
        self._patterns = [self._pattern(text) for text in sorted(patterns)]
        self._starts = [run_of(pattern) for pattern in self._patterns]
        self._hit = lru_cache(maxsize=None)(self._is_hit)

    @classmethod
    def between(
        cls, kept: Json, rules: RuleBase, marks: RuleFingerprints, blocks: list[list[str]]
    ) -> Touched | None:
        """Return what changed since a `basis` was kept; None if it is too much to tell.

        That is so where a `rebase` changed, or rules that are the same came into another order
        or into other blocks.
        """
        if kept["rest"] != marks.rest:
            return None
        old: Mapping[str, str] = kept["rules"]
        new = marks.placed
        changed = {rule for rule in (*old, *new) if old.get(rule) != new.get(rule)}
        if _blocks(kept["blocks"], changed) != _blocks(blocks, changed):
            return None
        same_before = [rule for rule in kept["order"] if rule not in changed]
        if same_before != [rule for rule in marks.order if rule not in changed]:
            return None
        patterns = {kept["patterns"][rule] for rule in changed if rule in old}
        patterns |= {pattern_text(each.pattern) for each in rules.rules if each.id in changed}
        return cls(rules, frozenset(changed), frozenset(patterns))

    def position(self, words: str) -> bool:
        """Tell whether some decision up to a position, this one included, may have changed."""
        auction = auction_from(words)
        calls = _from_first_bid(auction.calls)
        return any(self._hit(calls[:length]) for length in range(len(calls) + 1))

    def auction(self, words: str) -> bool:
        """Tell whether some decision of an auction may have changed."""
        auction = auction_from(words)
        calls = _from_first_bid(auction.calls)
        return any(self._hit(calls[:length]) for length in range(len(calls)))

    def after(self, words: str) -> bool:
        """Tell whether a position, or one that one or two calls lead to, may have changed."""
        if self.position(words):
            return True
        calls = _from_first_bid(auction_from(words).calls)
        return any(
            match(replace(pattern, elements=pattern.elements[:-more]), view, last_bids(view))
            is not None
            for view in self._base.views(calls)
            for pattern in self._patterns
            for more in (1, 2)
            if pattern.open or len(pattern.elements) >= more
        )

    def leads(self, text: str) -> bool:
        """Tell whether a changed rule may make one of the calls of a pattern."""
        run = run_of(self._pattern(text))
        return any(
            len(start) < len(run)
            and any(
                may_be_same(start, run[at:])
                for at in (range(len(run) - len(start)) if pattern.open else (0,))
            )
            for pattern, start in zip(self._patterns, self._starts, strict=True)
        )

    def _pattern(self, text: str) -> ast.Pattern:
        """Return the pattern that `pattern_text` wrote."""
        return self._known.get(text) or _read(text)

    def _is_hit(self, calls: tuple[Call, ...]) -> bool:
        return any(
            match(pattern, view, last_bids(view)) is not None
            for view in self._base.views(calls)
            for pattern in self._patterns
        )


def _blocks(blocks: list[list[str]], without: set[str]) -> set[frozenset[str]]:
    return {frozenset(block) - without for block in blocks} - {frozenset()}


def _from_first_bid(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    first = next((i for i, call in enumerate(calls) if call != Call.PASS), len(calls))
    return calls[first:]


@cache
def _read(text: str) -> ast.Pattern:
    """Return the pattern that `pattern_text` wrote."""
    head = text if text in ("opening", "anywhere") else f"after {text}"
    file, _ = parse(f"{head}\n  pass\n", "pattern")
    assert file is not None
    (block,) = file.statements
    assert isinstance(block, ast.Block)
    return block.pattern
