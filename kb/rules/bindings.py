"""Rules with their suits filled in, and the formulas of their conditions at a position, cached.

A condition is folded conjunct by conjunct. Conjuncts that read public facts alone are guards: if
one fails, the rule does not apply. What a conjunct folds to depends on the public facts it reads
and nothing else, so it is folded once for each combination of their values, and conjuncts that
are written alike in several rules are one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter

from bidwright.bridge.calls import Call, bid
from bidwright.bridge.cards import Denomination
from bidwright.kb.conditions.environment import (
    Environment,
    FoldedDefinitions,
    Recorder,
    with_opposites,
)
from bidwright.kb.conditions.fold import fold
from bidwright.kb.conditions.reads import reads_hand, words_of
from bidwright.kb.expressions.condition_nodes import Condition, Let
from bidwright.kb.logic.formula import FALSE, Formula, both
from bidwright.kb.logic.public_facts import Key, PublicFacts
from bidwright.kb.logic.public_state import Kind
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import (
    SUIT_VARIABLES,
    Binding,
    bindings,
    denomination_of,
    suit_of,
)
from bidwright.kb.rules.rule import CompiledRule

Names = tuple[tuple[str, int], ...]
"""Suits (0..3) by variable, sorted by variable."""


@cache
def values_of(keys: tuple[Key, ...]) -> Callable[[PublicFacts], Hashable]:
    """Return a function that reads some public facts, always in the same form."""
    # One fact comes by itself, several come as a tuple; either can be looked up.
    return itemgetter(*keys) if keys else nothing


def nothing(facts: PublicFacts) -> Hashable:
    """Read nothing: a condition that does not depend on public facts, or not known to."""
    return ()


class Conjunct:
    """A part of a condition under a binding, with its formula by the public facts it reads.

    Attributes:
        keys: the public facts that it reads; None before it is first folded.
    """

    __slots__ = (
        "_by_values",
        "_condition",
        "_folded",
        "_lets",
        "_made",
        "_names",
        "_values_of",
        "keys",
    )

    def __init__(
        self,
        condition: Condition,
        names: Names,
        lets: Mapping[str, Let],
        folded: FoldedDefinitions | None = None,
    ) -> None:
        """Prepare to fold a condition with these suits and definitions.

        Args:
            condition: the condition.
            names: what its suit words stand for.
            lets: the definitions that it may use.
            folded: what these were folded to before; None keeps nothing.
        """
        self._condition = condition
        self._names = names
        self._lets = lets
        self._folded = folded
        self.keys: tuple[Key, ...] | None = None
        self._values_of: Callable[[PublicFacts], Hashable] = nothing
        self._by_values: dict[Hashable, Formula] = {}
        # One object for whatever cannot hold, which is tested by identity.
        self._made: dict[Formula, Formula] = {FALSE: FALSE}

    @property
    def condition(self) -> Condition:
        """The condition as written."""
        return self._condition

    def formula(self, facts: PublicFacts) -> Formula:
        """Return the formula at a position; equal ones are one object, `FALSE` too."""
        cached = self._by_values.get(self._values_of(facts))
        if cached is not None:
            return cached
        recorder = Recorder(facts)
        env = Environment(dict(self._names), self._lets, recorder, {}, self._folded)
        formula = fold(self._condition, env)
        formula = self._made.setdefault(formula, formula)
        if self.keys is None:
            self.keys = tuple(recorder.keys)
            self._values_of = values_of(self.keys)
        self._by_values[self._values_of(facts)] = formula
        return formula


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A rule under one binding.

    Attributes:
        rule: the rule.
        binding: suits of its variables, without `oM` and `om`.
        names: suits of all its suit words.
        agrees: the suit that it agrees, if any.
        forcing_to: the bid that it is forcing to, if any.
        asks_in: the suit that it asks about, if any.
        kind: the named alternative that it is, with its suits, if any.
        guards: the conjuncts that read public facts alone.
        tests: the others.
        usually: those of what usually holds as well.
        instances: what the rule comes to at positions, by its call and by the objects that
            `tests` and `usually` have as formulas there.
    """

    rule: CompiledRule
    binding: Binding
    names: Names
    agrees: int | None
    forcing_to: Call | None
    asks_in: int | None
    kind: Kind
    guards: tuple[Conjunct, ...]
    tests: tuple[Conjunct, ...]
    usually: tuple[Conjunct, ...] = ()
    instances: dict[tuple[int, ...], Instance | None] = field(default_factory=dict)

    def at(self, call: Call, facts: PublicFacts) -> Instance | None:
        """Return the rule with a call where its guards hold; None if no hand could satisfy it."""
        formulas: list[Formula] = []
        for test in self.tests:
            formula = test.formula(facts)
            if formula is FALSE:
                return None
            formulas.append(formula)
        formulas += [each.formula(facts) for each in self.usually]
        # Equal formulas of a conjunct are one object, which lives as long as it, so identities are
        # keys.
        key = (call, *map(id, formulas))
        if key not in self.instances:
            self.instances[key] = self._instance(call, formulas)
        return self.instances[key]

    @property
    def keys(self) -> tuple[Key, ...] | None:
        """The public facts that `at` reads; None as long as that is not known."""
        keys: dict[Key, None] = {}
        for test in (*self.tests, *self.usually):
            if test.keys is None:
                return None
            keys.update(dict.fromkeys(test.keys))
        return tuple(keys)

    def _instance(self, call: Call, formulas: Sequence[Formula]) -> Instance | None:
        promised, usual = both(*formulas[: len(self.tests)]), formulas[len(self.tests) :]
        if promised == FALSE:
            return None
        effects = self.agrees, self.forcing_to, self.asks_in, self.kind
        if not usual:
            return Instance(self.rule, self.names, call, promised, *effects)
        return Instance(self.rule, self.names, call, both(promised, *usual), *effects, promised)


class PublicPosition:
    """The public facts of a position, and the formulas of its conjuncts as far as computed."""

    __slots__ = ("_facts", "_formulas")

    def __init__(self, facts: PublicFacts) -> None:
        """Start without formulas."""
        self._facts = facts
        self._formulas: dict[Conjunct, Formula] = {}

    def formula(self, conjunct: Conjunct) -> Formula:
        """Return the formula of the hands that satisfy a conjunct."""
        formula = self._formulas.get(conjunct)
        if formula is None:
            formula = self._formulas[conjunct] = conjunct.formula(self._facts)
        return formula

    def holds(self, guard: Conjunct) -> bool:
        """Return True if a conjunct of public facts alone holds."""
        return self.formula(guard) is not FALSE

    def formula_of(self, variant: Variant) -> Formula:
        """Return the formula of the hands that a rule applies to; false if a guard fails."""
        if not all(map(self.holds, variant.guards)):
            return FALSE
        return both(*map(self.formula, variant.tests))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A conjunct as written.

    Attributes:
        condition: the condition; equal conditions of several rules share one object.
        words: its words that may be suits.
        is_public: whether it reads public facts alone.
        conjuncts: it under suits of its words.
    """

    condition: Condition
    words: frozenset[str]
    is_public: bool
    conjuncts: dict[Names, Conjunct] = field(default_factory=dict)


class Variants:
    """The variants of a system's rules, made when they are first needed."""

    def __init__(self, lets: Mapping[str, Let]) -> None:
        """Use a system's definitions."""
        self._lets = lets
        self._folded = FoldedDefinitions()
        self._variants: dict[tuple[int, Names], tuple[Variant, ...]] = {}
        self._parts: dict[Condition, _Part] = {}
        self._parts_by_id: dict[int, tuple[Condition, _Part]] = {}
        self._of_rules: dict[int, tuple[CompiledRule, tuple[_Part, ...], tuple[_Part, ...]]] = {}

    def of(self, rule: CompiledRule, fixed: Binding) -> tuple[Variant, ...]:
        """Return a rule under every binding of its variables, some of them fixed by a pattern."""
        key = (id(rule), tuple(sorted(fixed.items())))
        # The variants hold the rule, so its identity stays in use.
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
        parts, usual = self._parts_of(rule)
        for part in parts:
            (guards if part.is_public else tests).append(self._conjunct(part, names))
        agrees = suit_of(rule.agrees, binding) if rule.agrees else None
        level = rule.forcing_to
        suit = denomination_of(level[1:], binding) if level else None
        forcing_to = bid(int(level[0]), Denomination(suit)) if level and suit is not None else None
        asks_in = suit_of(rule.asks_in, binding) if rule.asks_in else None
        kind: Kind = (*rule.kind[:1], *(binding[letter] for letter in rule.kind[1:]))
        effects = agrees, forcing_to, asks_in
        usually = tuple(self._conjunct(part, names) for part in usual)
        return Variant(rule, binding, names, *effects, kind, tuple(guards), tuple(tests), usually)

    def _parts_of(self, rule: CompiledRule) -> tuple[tuple[_Part, ...], tuple[_Part, ...]]:
        """Return the conjuncts of a rule, and those of what usually holds as well."""
        if id(rule) not in self._of_rules:  # kept with the rule, so its id stays in use
            usual = () if rule.usually is None else (self._part(rule.usually),)
            self._of_rules[id(rule)] = rule, tuple(map(self._part, rule.conjuncts)), usual
        return self._of_rules[id(rule)][1:]

    def _part(self, condition: Condition) -> _Part:
        # The rules of a block share the object of its `when`, which is large to be hashed. It is
        # kept with the part, so that its id stays in use.
        shared = self._parts_by_id.get(id(condition))
        if shared is not None:
            return shared[1]
        part = self._parts.get(condition)
        if part is None:
            words = SUIT_VARIABLES.intersection(words_of(condition))
            part = self._parts[condition] = _Part(
                condition, words, not reads_hand(condition, self._lets)
            )
        self._parts_by_id[id(condition)] = condition, part
        return part

    def _conjunct(self, part: _Part, names: Names) -> Conjunct:
        # Only suits that it mentions: rules that differ in others share it.
        words = part.words
        suits = tuple([pair for pair in names if pair[0] in words]) if words else ()
        conjunct = part.conjuncts.get(suits)
        if conjunct is None:
            conjunct = part.conjuncts[suits] = Conjunct(
                part.condition, suits, self._lets, self._folded
            )
        return conjunct
