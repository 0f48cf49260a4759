"""Rules with their suits filled in, and their conditions folded for a position, remembered.

A condition is folded conjunct by conjunct. Conjuncts that read public facts alone are guards: one
that fails ends the matter, and is looked at once for all rules of a position. What a conjunct
folds to depends on the public facts it reads and nothing else, so it is folded once for each
combination of their values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bidwright.kb.language import ast
from bidwright.kb.logic.conditions import Environment, fold, reads_hand, words_of
from bidwright.kb.logic.formula import FALSE, Formula, both
from bidwright.kb.logic.public_facts import Key, PublicFacts
from bidwright.kb.rules.patterns import Binding, bindings, suit_of, with_opposites
from bidwright.kb.rules.rule import CompiledRule

Names = tuple[tuple[str, int], ...]
"""Suits (0..3) by variable, sorted by variable."""


class _Recorder:
    """Public facts that remembers which of them were read."""

    def __init__(self, facts: PublicFacts) -> None:
        self.facts = facts
        self.keys: dict[Key, None] = {}

    def __getitem__(self, key: Key) -> int:
        self.keys[key] = None
        return self.facts[key]


class Conjunct:
    """A part of a condition under a binding, with what it folds to by the facts it reads."""

    __slots__ = ("_by_values", "_condition", "_keys", "_lets", "_names")

    def __init__(self, condition: ast.Condition, names: Names, lets: Mapping[str, ast.Let]) -> None:
        """Prepare to fold a condition with these suits and definitions."""
        self._condition = condition
        self._names = names
        self._lets = lets
        self._keys: tuple[Key, ...] | None = None
        self._by_values: dict[tuple[int, ...], Formula] = {}

    def formula(self, facts: PublicFacts) -> Formula:
        """Return the formula at a position."""
        if self._keys is not None:
            known = self._by_values.get(tuple([facts[key] for key in self._keys]))
            if known is not None:
                return known
        recorder = _Recorder(facts)
        formula = fold(self._condition, Environment(dict(self._names), self._lets, recorder, {}))
        self._keys = tuple(recorder.keys)
        self._by_values[tuple(facts[key] for key in self._keys)] = formula
        return formula


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A rule under one binding.

    Attributes:
        rule: the rule.
        binding: suits of its variables, without `oM` and `om`.
        names: suits of all its suit words.
        agrees: the suit that it agrees, if any.
        guards: the conjuncts that read public facts alone.
        tests: the others.
    """

    rule: CompiledRule
    binding: Binding
    names: Names
    agrees: int | None
    guards: tuple[Conjunct, ...]
    tests: tuple[Conjunct, ...]


class PublicPosition:
    """The public facts of a position, and the formulas of conjuncts looked at there."""

    __slots__ = ("_facts", "_seen")

    def __init__(self, facts: PublicFacts) -> None:
        """Start with nothing looked at."""
        self._facts = facts
        self._seen: dict[Conjunct, Formula] = {}

    def _formula(self, conjunct: Conjunct) -> Formula:
        formula = self._seen.get(conjunct)
        if formula is None:
            formula = self._seen[conjunct] = conjunct.formula(self._facts)
        return formula

    def formula(self, variant: Variant) -> Formula:
        """Return what the hand has to satisfy for a rule to apply; false if a guard fails."""
        for guard in variant.guards:
            if self._formula(guard) == FALSE:
                return FALSE
        return both(*[self._formula(test) for test in variant.tests])


class Variants:
    """The variants of a system's rules, made when they are first needed."""

    def __init__(self, lets: Mapping[str, ast.Let]) -> None:
        """Use a system's definitions."""
        self._lets = lets
        self._variants: dict[tuple[int, Names], tuple[Variant, ...]] = {}
        self._conjuncts: dict[tuple[int, Names], Conjunct] = {}
        self._public: dict[int, bool] = {}

    def of(self, rule: CompiledRule, fixed: Binding) -> tuple[Variant, ...]:
        """Return a rule under every binding of its variables, some of them fixed by a pattern."""
        key = (id(rule), tuple(sorted(fixed.items())))
        variants = self._variants.get(key)
        if variants is None:
            variants = self._variants[key] = tuple(
                self.under(rule, binding) for binding in bindings(rule.variables, fixed)
            )
        return variants

    def under(self, rule: CompiledRule, binding: Binding) -> Variant:
        """Return a rule under one binding of its variables."""
        names = tuple(sorted(with_opposites(binding).items()))
        guards: list[Conjunct] = []
        tests: list[Conjunct] = []
        for part in rule.conjuncts:
            if id(part) not in self._public:
                self._public[id(part)] = not reads_hand(part, self._lets)
            kind = guards if self._public[id(part)] else tests
            kind.append(self._conjunct(part, names))
        agrees = suit_of(rule.agrees, binding) if rule.agrees else None
        return Variant(rule, binding, names, agrees, tuple(guards), tuple(tests))

    def _conjunct(self, part: ast.Condition, names: Names) -> Conjunct:
        words = set(words_of(part))
        own = tuple(pair for pair in names if pair[0] in words)
        conjunct = self._conjuncts.get((id(part), own))
        if conjunct is None:
            conjunct = self._conjuncts[id(part), own] = Conjunct(part, own, self._lets)
        return conjunct
