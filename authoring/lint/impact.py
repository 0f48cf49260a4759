"""The auctions that a change of some rules can touch, which have to be examined again."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import TypedDict, TypeVar

from bidwright.authoring.hands.positions import auction_from
from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.walk import pattern_text, walk
from bidwright.kb.rules.fingerprints import RuleFingerprints
from bidwright.kb.rules.patterns import last_bids, match, may_be_same, run_of
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.rules.superseded import SupersededAuctions

Rebased = tuple[str, str]
"""A `rebase` statement: its fingerprint, and the text of the calls that it sees as others."""

_T = TypeVar("_T")


class Basis(TypedDict):
    """The record of a system that later changes are found by.

    Attributes:
        rules: the fingerprint of each rule at its place, by id.
        patterns: the text of the pattern of each rule, by id.
        order: the fingerprints of the rules in their order.
        written: the ids of the rules as written.
        rebases: the `rebase` statements.
        superseded: overrides: fingerprint, pattern, and how many rules and rebases stand before.
        latitude: the limits of judgement.
        blocks: the rules of each block, by id.
    """

    rules: Mapping[str, str]
    patterns: dict[str, str]
    order: list[str]
    written: list[str]
    rebases: list[Rebased]
    superseded: list[tuple[str, str, int, int]]
    latitude: object
    blocks: list[list[str]]


def block_list(statements: Iterable[tuple[str, ast.Statement]]) -> list[list[str]]:
    """Return the ids of the rules of each block or branch."""
    blocks: dict[object, list[str]] = {}
    # A rule's place in its block is the end of the path; the block is the rest.
    for placed in walk(statements):
        blocks.setdefault(placed.path[:-1], []).append(placed.id)
    return list(blocks.values())


def basis(rules: RuleBase, marks: RuleFingerprints, blocks: list[list[str]]) -> Basis:
    """Return the record of a system that later changes are found by.

    Args:
        rules: the system.
        marks: its fingerprints.
        blocks: the rules of each block, by id.
    """
    return {
        "rules": marks.placed,
        "patterns": {rule.id: pattern_text(rule.pattern) for rule in rules.rules},
        "order": list(marks.order),
        "written": [rule.id for rule in rules.rules],
        "rebases": [
            (mark, pattern_text(rebase.source))
            for mark, rebase in zip(marks.rebases, rules.rebases, strict=True)
        ],
        "superseded": [
            (mark, pattern_text(_from_where(auctions)), auctions.rules, auctions.rebases)
            for mark, auctions in zip(marks.superseded, rules.superseded, strict=True)
        ],
        # Part of the record, since a change of it changes what any call may show.
        "latitude": rules.latitude,
        "blocks": blocks,
    }


class Touched:
    """The rules that changed, and the auctions with a decision that they may take part in.

    Attributes:
        rules: ids of the rules that are new or mean something else.
        patterns: texts of the patterns that a changed, new or removed rule stands under, of those
            that a changed `rebase` sees as others, and of those that begin an override.
    """

    def __init__(
        self,
        rules: RuleBase,
        changed: frozenset[str],
        patterns: frozenset[str],
        onwards: frozenset[str] = frozenset(),
    ) -> None:
        """Take the changed rules and their patterns, and those that an override begins at."""
        self._base = rules
        self.rules = changed
        self.patterns = patterns | onwards
        self._known = {pattern_text(rule.pattern): rule.pattern for rule in rules.rules}
        self._patterns = [self._pattern(text) for text in sorted(self.patterns)]
        self._starts = [run_of(pattern) for pattern in self._patterns]
        self._superseded = [
            SupersededAuctions(self._pattern(text), 0, 0) for text in sorted(onwards)
        ]
        self._hit = lru_cache(maxsize=None)(self._is_hit)

    @classmethod
    def between(
        cls, kept: Basis, rules: RuleBase, marks: RuleFingerprints, blocks: list[list[str]]
    ) -> Touched | None:
        """Return the changes since a `basis` was kept, of this system or another one.

        It is None if all may have changed: where the latitude changed, or rules or `rebase`
        statements that are the same came into another order, or rules into other blocks.
        """
        now = basis(rules, marks, blocks)
        old = kept["rules"]
        new = marks.placed
        # Fingerprints at their place: a rule that moved is changed.
        changed = {rule for rule in (*old, *new) if old.get(rule) != new.get(rule)}
        rebased = {*kept["rebases"]} ^ {*now["rebases"]}
        # Rules and rebases that are the same have to keep their order, or everything may differ.
        same = (
            kept["latitude"] == now["latitude"]
            and _blocks(kept["blocks"], changed) == _blocks(blocks, changed)
            and _left(kept["order"], changed) == _left(now["order"], changed)
            and _left(kept["rebases"], rebased) == _left(now["rebases"], rebased)
        )
        if not same:
            return None
        patterns = {kept["patterns"][rule] for rule in changed if rule in old}
        patterns |= {now["patterns"][rule] for rule in changed if rule in new}
        patterns |= {source for _, source in rebased}
        # An override of other auctions touches what begins there, and nothing else.
        overridden = _overridden(kept, changed, rebased) ^ _overridden(now, changed, rebased)
        onwards = {pattern for _, pattern, *_ in overridden}
        return cls(rules, frozenset(changed), frozenset(patterns), frozenset(onwards))

    def position(self, words: str) -> bool:
        """Return True if some decision up to a position, this one included, may have changed."""
        auction = auction_from(words)
        calls = _from_first_bid(auction.calls)
        # Every decision up to the position: an earlier call may now be another one.
        return any(self._hit(calls[:length]) for length in range(len(calls) + 1))

    def auction(self, words: str) -> bool:
        """Return True if some decision of an auction may have changed."""
        auction = auction_from(words)
        calls = _from_first_bid(auction.calls)
        return any(self._hit(calls[:length]) for length in range(len(calls)))

    def after(self, words: str) -> bool:
        """Return True if a position, or one that is one or two calls later, may have changed."""
        if self.position(words):
            return True
        calls = _from_first_bid(auction_from(words).calls)
        return any(
            match(replace(pattern, elements=pattern.elements[:-more]), view, last_bids(view))
            is not None
            for view in self._base.views(calls)
            for pattern in self._patterns
            # Answers look two calls ahead, at the opponents' action and partner's answer.
            for more in (1, 2)
            if pattern.open or len(pattern.elements) >= more
        )

    def leads(self, text: str) -> bool:
        """Return True if a changed rule may make one of the calls of a pattern."""
        run = run_of(self._pattern(text))
        return any(
            len(start) < len(run)
            and any(
                may_be_same(start, run[at:])
                # An open pattern may begin anywhere in another one.
                for at in (range(len(run) - len(start)) if pattern.open else (0,))
            )
            for pattern, start in zip(self._patterns, self._starts, strict=True)
        )

    def _pattern(self, text: str) -> ast.Pattern:
        """Return the pattern that `pattern_text` wrote."""
        # Most texts are those of a rule that is still there; parsing takes much longer.
        return self._known.get(text) or _read(text)

    def _is_hit(self, calls: tuple[Call, ...]) -> bool:
        return any(
            # As every rule sees the auction: a `rebase` shows it as another one.
            any(match(pattern, view, last_bids(view)) is not None for pattern in self._patterns)
            or any(each.covers(view) for each in self._superseded)
            for view in self._base.views(calls)
        )


def _from_where(auctions: SupersededAuctions) -> ast.Pattern:
    """Return the calls that an override begins at; of `undiscussed`, those up to its call."""
    pattern = auctions.pattern
    return replace(pattern, elements=pattern.elements[:-1]) if auctions.undiscussed else pattern


def _overridden(
    kept: Basis, changed: set[str], rebased: set[Rebased]
) -> set[tuple[str, str, frozenset[str], frozenset[Rebased]]]:
    """Return the overridden ones of the rules and `rebase` statements that are the same."""
    return {
        (
            mark,
            pattern,
            frozenset(kept["written"][:rules]) - changed,
            frozenset(kept["rebases"][:rebases]) - rebased,
        )
        for mark, pattern, rules, rebases in kept["superseded"]
    }


def _left(items: Iterable[_T], without: Container[_T]) -> list[_T]:
    return [each for each in items if each not in without]


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
