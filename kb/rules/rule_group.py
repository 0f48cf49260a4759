"""The rules of a system that stand under one pattern."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence

from bidwright.kb.language import ast
from bidwright.kb.rules.rule import CompiledRule


class RuleGroup:
    """The rules that stand under one pattern.

    Loaded from a cache file it decodes them when they are first asked for: an auction needs few
    of a system's rules, and decoding all of them takes longer than explaining it.
    """

    __slots__ = ("_packed", "_rules", "pattern")

    def __init__(self, pattern: ast.Pattern, rules: Sequence[CompiledRule]) -> None:
        """Keep rules, in file order, with their pattern."""
        self.pattern = pattern
        self._rules = tuple(rules)
        self._packed: bytes | None = None

    @property
    def rules(self) -> tuple[CompiledRule, ...]:
        """The rules, in file order."""
        if self._packed is not None:
            self._rules, self._packed = pickle.loads(self._packed), None
        return self._rules

    def with_rules(self, changed: Mapping[int, CompiledRule]) -> RuleGroup:
        """Return the group with rules in the places of others, which are named by identity."""
        if not any(id(rule) in changed for rule in self.rules):
            return self
        return RuleGroup(self.pattern, [changed.get(id(rule), rule) for rule in self.rules])

    def __getstate__(self) -> tuple[ast.Pattern, bytes]:
        """Encode the rules apart from the pattern."""
        return self.pattern, pickle.dumps(self.rules, protocol=pickle.HIGHEST_PROTOCOL)

    def __setstate__(self, state: tuple[ast.Pattern, bytes]) -> None:
        """Leave the rules encoded."""
        self.pattern, self._packed = state


def by_pattern(rules: Iterable[CompiledRule]) -> tuple[RuleGroup, ...]:
    """Return rules by the pattern that they stand under, the first one's pattern first."""
    groups: dict[ast.Pattern, list[CompiledRule]] = {}
    for rule in rules:
        groups.setdefault(rule.pattern, []).append(rule)
    return tuple(RuleGroup(pattern, members) for pattern, members in groups.items())
