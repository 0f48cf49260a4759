"""Small changes of a condition: every threshold moved by one, every test taken out or made false.

A threshold is an end of a range (`hcp 15..17` has two, `hearts 4` has two that coincide) or a
comparison. Moved by one it takes in more hands or fewer; by a half where halves count
(`quick_tricks`). A range that would be empty, and an end beyond what a hand can have, are no
changes. A threshold in a definition is one threshold, wherever the definition is used, and so is
one in a module that is included several times with the same values.

A test taken out always holds, and one made false never does: that shows whether it matters at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from bidwright.kb.conditions.reads import reads_hand
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text
from bidwright.kb.language.scope import NO_LIMITS, Definitions, Limits
from bidwright.kb.loading.substitute import rewrite
from bidwright.kb.logic.hand_numbers import HAND_NUMBERS
from bidwright.kb.logic.linear import Linear
from bidwright.kb.rules.rulebase import RuleBase

# `otherwise` is the one test of the language that every hand passes.
ALWAYS = ast.Fact(ast.Name("otherwise"))
NEVER = ast.Not(ALWAYS)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one test.

    Attributes:
        test: the test as it is written.
        to: the changed test.
        wider: True if more hands pass the changed test.
        end: the threshold that is moved: the range's index, and 0 for its low end or 1 for its high
            end.
    """

    test: ast.Condition
    to: ast.Condition
    wider: bool
    end: tuple[int, int] = (0, 0)

    @property
    def span(self) -> ast.Span:
        """The place of the test."""
        return self.test.span

    def __str__(self) -> str:
        """Return the old and the new test: `hcp 15..17 -> hcp 14..17`."""
        return f"{condition_text(self.test)} -> {condition_text(self.to)}"

    def applied(self, condition: ast.Condition) -> ast.Condition:
        """Return a condition with the test changed where it stands in it."""
        return rewrite(condition, self.applied_to)

    def applied_to(self, node: ast.Node) -> ast.Node | None:
        """Return the replacement of a node, None if it stays."""
        return self.to if self.is_at(node) else None

    def is_at(self, node: ast.Node) -> bool:
        """Return True if a node is the test, by text and place."""
        return node.span == self.test.span and node == self.test


def _step(expr: ast.Expr, lets: dict[str, ast.Let]) -> Fraction:
    """Return the least difference between two values of a number."""
    denominator = 1
    for node in parts(expr):
        if isinstance(node, ast.Name | ast.Apply) and node.name in lets:
            # A definition has the fractions of the numbers it is made of.
            body = lets[node.name].body
            if isinstance(body, ast.Expr):
                denominator = lcm(denominator, _step(body, lets).denominator)
        elif isinstance(node, ast.Name) and node.name in HAND_NUMBERS:
            form = HAND_NUMBERS[node.name]
            if isinstance(form, Linear):
                denominator = lcm(denominator, *(weight.denominator for _, weight in form.terms))
    return Fraction(1, denominator)


class Changes:
    """Finds the changes of a system's conditions."""

    def __init__(self, rules: RuleBase) -> None:
        """Take a system."""
        self._lets = dict(rules.lets)
        self._definitions = Definitions(self._lets)

    def tests(self, node: ast.Node) -> Iterator[ast.Condition]:
        """Yield the single tests of a hand in a condition; those in definitions stand there."""
        for part in parts(node):
            match part:
                case ast.Fact(expr=ast.Name(name=name) | ast.Apply(name=name)) if (
                    name in self._lets or name == "otherwise"
                ):
                    continue
                case ast.InRange() | ast.Compare() | ast.Shape() | ast.Fact():
                    if reads_hand(part, self._lets):
                        yield part

    def of(self, node: ast.Node, params: Iterable[str] = ()) -> Iterator[Change]:
        """Yield the changes of all tests in a condition or definition, in the order of the text."""
        names = frozenset(params)
        for part in parts(node):
            if isinstance(part, ast.InRange):
                yield from self._of_range(part, self._definitions.limits(part.expr, names))
            elif isinstance(part, ast.Compare):
                yield from self._of_comparison(part)

    def definitions_in(self, node: ast.Node) -> Iterator[str]:
        """Yield the definitions that a condition rests on, each once."""
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            for part in parts(waiting.pop()):
                if not isinstance(part, ast.Name | ast.Apply) or part.name in seen:
                    continue
                if part.name in self._lets:
                    seen.add(part.name)
                    yield part.name
                    waiting.append(self._lets[part.name].body)

    def switches(self, node: ast.Node) -> Iterator[Change]:
        """Yield for each single test of a hand the change to always, and the one to never."""
        for test in self.tests(node):
            yield Change(test, ALWAYS, wider=True)
            yield Change(test, NEVER, wider=False)

    def _of_range(self, test: ast.InRange, limits: Limits = NO_LIMITS) -> Iterator[Change]:
        step = _step(test.expr, self._lets)
        least, most = limits
        for index, limits_of_range in enumerate(test.ranges):
            for end, value in enumerate((limits_of_range.low, limits_of_range.high)):
                if value is None:
                    continue
                for moved in (value - step, value + step):
                    to = (
                        replace(limits_of_range, low=moved)
                        if end == 0
                        else replace(limits_of_range, high=moved)
                    )
                    outside = (least is not None and moved < least) or (
                        most is not None and moved > most
                    )
                    if outside or (to.low is not None and to.high is not None and to.low > to.high):
                        continue
                    ranges = (*test.ranges[:index], to, *test.ranges[index + 1 :])
                    wider = (moved < value) is (end == 0)
                    yield Change(test, replace(test, ranges=ranges), wider, (index, end))

    def _of_comparison(self, test: ast.Compare) -> Iterator[Change]:
        # An equation moved by one takes in other hands, neither more nor fewer.
        if test.op in ("=", "!="):
            return
        step = lcm(
            _step(test.left, self._lets).denominator, _step(test.right, self._lets).denominator
        )
        for sign in (-1, 1):
            right = _plus(test.right, Fraction(sign, step))
            # The right side moves: lower lets in more hands where the left one has to be above it.
            wider = (sign < 0) is test.op.startswith(">")
            yield Change(test, replace(test, right=right), wider)


def _plus(expr: ast.Expr, amount: Fraction) -> ast.Expr:
    """Return a number with something added: `15` becomes `16`, `hearts` becomes `hearts + 1`."""
    if isinstance(expr, ast.Number):
        return replace(expr, value=expr.value + amount)
    op = "+" if amount > 0 else "-"
    return ast.Binary(op, expr, ast.Number(abs(amount), span=expr.span), span=expr.span)


# -------------------------------------------------------------------- in a system


@dataclass(frozen=True)
class SystemChange:
    """A change and everything in a system that it concerns.

    Attributes:
        change: what is changed.
        rules: ids of the rules with the test in their own conditions.
        lets: names of the definitions with the test.
        users: ids of all the rules that mean something else by it.
    """

    change: Change
    rules: tuple[str, ...]
    lets: tuple[str, ...]
    users: frozenset[str]

    @property
    def key(self) -> str:
        """A key of the change in its system: the place, the old and the new test."""
        span = self.change.span
        # Line and column make it unique; the text makes an old entry useless once the test was
        # edited.
        return f"{span.file}:{span.line}:{span.column} {self.change}"

    def applied(self, rules: RuleBase) -> RuleBase:
        """Return the system with the change made."""
        conditions = {
            name: self.change.applied(condition)
            for name in self.rules
            if (condition := rules.by_id[name].condition) is not None
        }
        lets = {name: rewrite(rules.lets[name], self.change.applied_to) for name in self.lets}
        return rules.with_conditions(conditions, lets)


def changes_of_rule(rules: RuleBase, name: str) -> list[SystemChange]:
    """Return the changes of one rule's tests, those in definitions it rests on included."""
    finder = Changes(rules)
    condition = rules.by_id[name].condition
    if condition is None:
        return []
    changes = [
        SystemChange(change, (name,), (), frozenset((name,))) for change in finder.of(condition)
    ]
    for used in finder.definitions_in(condition):
        let = rules.lets[used]
        users = frozenset(rules.users_of([used]))
        changes += [
            SystemChange(change, (), (used,), users) for change in finder.of(let.body, let.params)
        ]
    return changes


def changes_of(rules: RuleBase) -> list[SystemChange]:
    """Return every change of a system's conditions, in the order of the files' text."""
    finder = Changes(rules)
    in_rules: dict[tuple[ast.Span, Change], dict[str, None]] = {}
    in_lets: dict[tuple[ast.Span, Change], dict[str, None]] = {}
    for rule in rules.rules:
        if rule.condition is not None:
            for change in finder.of(rule.condition):
                in_rules.setdefault((change.span, change), {})[rule.id] = None
    for name, let in rules.lets.items():
        for change in finder.of(let.body, let.params):
            in_lets.setdefault((change.span, change), {})[name] = None
    users = {name: rules.users_of([name]) for name in rules.lets}
    changes = []
    for place, change in sorted({**in_rules, **in_lets}, key=lambda pair: pair[0]):
        of_rules, lets = in_rules.get((place, change), {}), in_lets.get((place, change), {})
        # A test in a definition concerns every rule that uses it, directly or through others.
        concerned = {*of_rules, *(user for name in lets for user in users[name])}
        changes.append(SystemChange(change, tuple(of_rules), tuple(lets), frozenset(concerned)))
    return changes
