"""Trials by a hand at a position: of rules, their tests, and their thresholds.

A hand reaches the rules of a decision one after the other, up to the one it is bid by. It tries
a change of a test (`condition_changes`) if the rule would decide otherwise with
the change: the rule that took the hand would not have, or one that the hand failed would have taken
it. So a threshold is tried from just inside by a hand that a narrower one would lose, and from just
outside by one that a wider one would gain; a test is tried by hands that pass the rule because of
it, and by hands that fail the rule for nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bidwright.authoring.condition_changes import Change, Changes
from bidwright.inference.reading.reader import Reading
from bidwright.kb.conditions.reads import reads_hand
from bidwright.kb.language import ast
from bidwright.kb.loading.substitute import rewrite
from bidwright.kb.logic.formula import holds
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.bindings import Conjunct, Names
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase


@dataclass(frozen=True)
class ProbedTest:
    """A test in the files, with its changes.

    Attributes:
        test: the test.
        switches: numbers of the changes to always and to never.
        moves: numbers of the changes of its thresholds.
    """

    test: ast.Condition
    switches: tuple[int, ...]
    moves: tuple[int, ...]


@dataclass
class Trials:
    """The numbers of trials.

    Attributes:
        decisions: decisions of hands.
        chosen: by rule id, hands that were bid by the rule.
        reached: by rule id, hands that no rule before it took.
        changes: by number of a change, hands that try it.
    """

    decisions: int
    chosen: Counter[str]
    reached: Counter[str]
    changes: Counter[int]

    @classmethod
    def none(cls) -> Trials:
        """Return the record of no trials."""
        return cls(0, Counter(), Counter(), Counter())

    def add(self, other: Trials) -> None:
        """Take in the record of other trials."""
        self.decisions += other.decisions
        self.chosen.update(other.chosen)
        self.reached.update(other.reached)
        self.changes.update(other.changes)


@dataclass(frozen=True, slots=True)
class _Part:
    """A conjunct of a rule under a binding, and the same with each of its changes."""

    whole: Conjunct
    narrower: tuple[tuple[int, Conjunct], ...]
    wider: tuple[tuple[int, Conjunct], ...]


class Probes:
    """The tests and thresholds of a system, and the machinery that counts their trials."""

    def __init__(self, rules: RuleBase) -> None:
        """Number the changes of a system's tests, in the order of the text."""
        self.rules = rules
        self._finder = Changes(rules)
        self._numbers: dict[tuple[ast.Span, Change], int] = {}
        self.changes: list[Change] = []
        for rule in rules.rules:
            for part in rule.conjuncts:
                if reads_hand(part, rules.lets):
                    self._number(part)
        self._in_lets = {
            name: self._number(let.body, let.params)
            for name, let in rules.lets.items()
            if reads_hand(let.body, rules.lets)
        }
        self._parts: dict[tuple[str, Names], tuple[_Part, ...]] = {}

    def _number(self, node: ast.Node, params: Sequence[str] = ()) -> list[int]:
        numbers = []
        for change in (*self._finder.switches(node), *self._finder.of(node, params)):
            key = (change.span, change)
            # A definition is used by many rules, and its tests are numbered once.
            if key not in self._numbers:
                self._numbers[key] = len(self.changes)
                self.changes.append(change)
            numbers.append(self._numbers[key])
        return list(dict.fromkeys(numbers))

    def places(self) -> list[ProbedTest]:
        """Return the tests of the files in the order of their text."""
        switches: dict[tuple[ast.Span, ast.Condition], list[int]] = {}
        moves: dict[tuple[ast.Span, ast.Condition], list[int]] = {}
        for number, change in enumerate(self.changes):
            # Always and never are written as a fact and its negation; thresholds move by one.
            is_switch = isinstance(change.to, ast.Fact | ast.Not)
            kind = switches if is_switch else moves
            kind.setdefault((change.span, change.test), []).append(number)
        return [
            ProbedTest(test, tuple(switches[span, test]), tuple(moves.get((span, test), ())))
            for span, test in sorted(switches, key=lambda key: key[0])
        ]

    # ---------------------------------------------------------------------- trials

    def watch(self, reading: Reading, row: tuple[int, ...], trials: Trials) -> Instance | None:
        """Count the trials by a hand (its features); return the instance it is bid by."""
        facts = PublicFacts(reading.state)
        trials.decisions += 1
        for instance in reading.decision.instances:
            rule = instance.rule
            trials.reached[rule.id] += 1
            taken = holds(instance.formula, row)
            if taken:
                trials.chosen[rule.id] += 1
            self._try(rule, instance.binding, facts, row, trials, taken=taken)
            if taken:
                return instance
        return None

    def _try(
        self,
        rule: CompiledRule,
        binding: Names,
        facts: PublicFacts,
        row: tuple[int, ...],
        trials: Trials,
        *,
        taken: bool,
    ) -> None:
        conjuncts = self._of(rule, binding)
        if not taken:
            conjuncts = tuple(
                part for part in conjuncts if not holds(part.whole.formula(facts), row)
            )
            if len(conjuncts) > 1:
                return  # no change of one of them lets the hand in
        # The narrower ones can lose a hand that is in, the wider ones let one in.
        for part in conjuncts:
            for number, changed in part.narrower if taken else part.wider:
                if holds(changed.formula(facts), row) is not taken:
                    trials.changes[number] += 1

    def _of(self, rule: CompiledRule, binding: Names) -> tuple[_Part, ...]:
        key = (rule.id, binding)
        if key not in self._parts:
            self._parts[key] = tuple(
                self._part(part, binding)
                for part in rule.conjuncts
                if reads_hand(part, self.rules.lets)
            )
        return self._parts[key]

    def _part(self, part: ast.Condition, binding: Names) -> _Part:
        lets = self.rules.lets
        sides: tuple[list[tuple[int, Conjunct]], list[tuple[int, Conjunct]]] = ([], [])
        for number in self._number(part):
            change = self.changes[number]
            sides[change.wider].append((number, Conjunct(change.applied(part), binding, lets)))
        for name in self._finder.definitions_in(part):
            for number in self._in_lets.get(name, ()):
                change = self.changes[number]
                changed = {**lets, name: rewrite(lets[name], change.applied_to)}
                sides[change.wider].append((number, Conjunct(part, binding, changed)))
        return _Part(Conjunct(part, binding, lets), tuple(sides[0]), tuple(sides[1]))
