"""Numbers and conditions: the methods for their rules in `grammar.lark`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark import Token

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.node_builder import Mistake, NodeBuilder, Part, nodes, tokens
from bidwright.kb.language.vocabulary import SUIT_WORDS

_EXPR = (ast.Number, ast.Name, ast.Apply, ast.Public, ast.Binary, ast.Conditional)
_BARE = (ast.Name, ast.Apply, ast.Public)


def _flat(
    kind: type[ast.And] | type[ast.Or], parts: Sequence[ast.Condition]
) -> list[ast.Condition]:
    items: list[ast.Condition] = []
    for part in parts:
        # One level of `and`: the printer writes commas, and equal conditions have equal trees.
        items += part.items if isinstance(part, kind) else (part,)
    return items


@dataclass(frozen=True, slots=True)
class Usual(ast.Node):
    """A `usually` condition among the others of a rule, until the rule is built."""

    condition: ast.Condition


def misplaced_usual(place: ast.Span) -> Diagnostic:
    """Return the error about a `usually` that is not a condition of a rule by itself."""
    return error(
        "E119",
        "'usually' stands between the commas of a rule's own condition",
        place,
        expected="a rule such as 1NT hcp 15..17, usually balanced",
    )


_SHOWN_NUMBERS = frozenset({"hcp", "points"})


def _is_shown(part: ast.Node) -> bool:
    """Tell if a condition may stand after `shows`."""
    match part:
        case ast.Fact(expr=ast.Name(name=name)):
            return name == "balanced"
        case (
            ast.InRange(expr=ast.Name(name=name), ranges=(_,))
            | ast.InParameter(expr=ast.Name(name=name))
        ):
            # Claims are held to the reading by its bounds, which are of these numbers.
            return name in _SHOWN_NUMBERS or name in SUIT_WORDS
        case _:
            return False


def _joined(items: Sequence[ast.Condition]) -> ast.Condition | None:
    """Return the conjunction of items; None for no items."""
    if len(items) < 2:
        return items[0] if items else None
    first, last = items[0].span, items[-1].span
    span = ast.Span(first.file, first.line, first.column, last.end_line, last.end_column)
    return ast.And(tuple(_flat(ast.And, items)), span=span)


class ConditionBuilder(NodeBuilder):
    """Makes the nodes of numbers and conditions."""

    def number(self, parts: list[Token]) -> ast.Number:
        """Return a literal number."""
        return ast.Number(self._amount(parts[0]), span=self._span(parts))

    def name(self, parts: list[Token]) -> ast.Name:
        """Return a word."""
        return ast.Name(str(parts[0]), span=self._span(parts))

    def public(self, parts: list[Token]) -> ast.Public:
        """Return a dotted public number."""
        return ast.Public(tuple(str(parts[0]).split(".")), span=self._span(parts))

    def apply(self, parts: list[Part]) -> ast.Apply:
        """Return a function with its arguments."""
        args = tuple(self._expr(part) for part in nodes(parts, ast.Node))
        return ast.Apply(str(parts[0]), args, span=self._span(parts))

    def binary(self, parts: list[Part]) -> ast.Binary:
        """Return a sum, difference or product."""
        left, operator, right = parts
        span = self._span(parts)
        return ast.Binary(str(operator), self._expr(left), self._expr(right), span=span)

    def conditional(self, parts: list[Part]) -> ast.Conditional:
        """Return a number that depends on a condition."""
        then, condition, otherwise = nodes(parts, ast.Node)
        return ast.Conditional(
            self._condition(condition),
            self._expr(then),
            self._expr(otherwise),
            span=self._span(parts),
        )

    def same_suit(self, parts: list[Token]) -> ast.Condition:
        """Return the test of two words that stand for one suit, or for two."""
        first, second = (self.name([each]) for each in (parts[0], parts[-1]))
        span = self._span(parts)
        fact = ast.Fact(ast.Apply("is", (first, second), span=span), span=span)
        return fact if len(parts) == 2 else ast.Not(fact, span=span)

    def group(self, parts: list[Part]) -> Part:
        """Return the content of brackets."""
        inner = parts[1]
        # Brackets around alternatives change a meaning when a definition is put in their place;
        # around anything else the printer may drop them.
        return replace(inner, bracketed=True) if isinstance(inner, ast.Or) else inner

    def _expr(self, part: Part) -> ast.Expr:
        if isinstance(part, _EXPR):
            return part
        raise Mistake(
            error(
                "E205",
                "expected a number here, got a condition",
                self._place(part),
                expected="a number such as hcp, spades or support_points(M)",
            )
        )

    def _condition(self, part: Part) -> ast.Condition:
        if isinstance(part, _BARE):
            return ast.Fact(part, span=part.span)
        if isinstance(part, _EXPR):
            raise Mistake(
                error(
                    "E204",
                    "expected a condition here, got a number",
                    self._place(part),
                    expected="a range such as 5+, ..11 or 15..17 after the number",
                )
            )
        if isinstance(part, Usual):
            # Inside brackets or `or` it would be usual of one alternative alone, which has no
            # meaning in a reading.
            raise Mistake(misplaced_usual(part.span))
        if isinstance(part, ast.And) and any(isinstance(each, Usual) for each in part.items):
            raise Mistake(misplaced_usual(nodes(part.items, Usual)[0].span))
        assert isinstance(part, ast.Condition)
        return part

    def usual(self, parts: list[Part]) -> Usual:
        """Return a `usually` condition."""
        return Usual(self._condition(parts[1]), span=self._span(parts))

    def shows(self, parts: list[Part]) -> ast.Action:
        """Return the author's claims about a call, as an action."""
        span, part = self._span(parts), parts[1]
        items = part.items if isinstance(part, ast.And) else (part,)
        for item in items:
            if isinstance(item, Usual) or not _is_shown(self._condition(item)):
                raise Mistake(
                    error(
                        "E119",
                        "'shows' takes a range of hcp, points or a suit, or 'balanced'",
                        self._place(item),
                        expected="a rule such as 1H shows hearts 2..3, hcp 11..14",
                        help="write what decides who makes the call before 'shows'",
                    )
                )
        return ast.Action("shows", condition=self._condition(part), span=span)

    def _own_condition(self, part: Part) -> tuple[ast.Condition | None, tuple[ast.Action, ...]]:
        """Return the condition of a rule, and its `usually` conditions as an action."""
        items = part.items if isinstance(part, ast.And) else (part,)
        usual = nodes(items, Usual)
        # Nearly every rule: nothing is taken apart.
        if not usual:
            return self._condition(part), ()
        rest = [self._condition(each) for each in items if not isinstance(each, Usual)]
        usually = _joined([each.condition for each in usual])
        return _joined(rest), (ast.Action("usually", condition=usually, span=usual[0].span),)

    def conjunction(self, parts: list[Part]) -> Part:
        """Return the items joined by `,` or `and`; one item stays as it is."""
        if len(parts) == 1:
            return parts[0]
        conjuncts = [part if isinstance(part, Usual) else self._condition(part) for part in parts]
        items: list[ast.Condition] = _flat(ast.And, conjuncts)  # type: ignore[arg-type]
        return ast.And(tuple(items), span=self._span(parts))

    def disjunction(self, parts: list[Part]) -> Part:
        """Return the items joined by `or`; one item stays as it is."""
        if len(parts) == 1:
            return parts[0]
        items = _flat(ast.Or, [self._condition(part) for part in parts])
        return ast.Or(tuple(items), span=self._span(parts))

    def negation(self, parts: list[Part]) -> ast.Not:
        """Return the opposite of a condition."""
        return ast.Not(self._condition(parts[1]), span=self._span(parts))

    def range(self, parts: list[Token]) -> ast.Range:
        """Return numbers from low to high."""
        numbers = [self._amount(part) for part in parts if part.type == "NUMBER"]
        span = self._span(parts)
        # `..11`: only the end stands there.
        if parts[0].type == "RANGE_DOTS":
            return ast.Range(None, numbers[0], span=span)
        if parts[-1].type == "PLUS":
            return ast.Range(numbers[0], None, span=span)
        return ast.Range(numbers[0], numbers[-1], span=span)

    def in_range(self, parts: list[Part]) -> ast.InRange:
        """Return the test that a number lies in ranges."""
        ranges = nodes(parts, ast.Range)
        return ast.InRange(self._expr(parts[0]), ranges, span=self._span(parts))

    def in_parameter(self, parts: list[Part]) -> ast.InParameter:
        """Return the test that a number lies in a parameter."""
        return ast.InParameter(self._expr(parts[0]), str(parts[1]), span=self._span(parts))

    def comparison(self, parts: list[Part]) -> ast.Compare:
        """Return a comparison of two numbers."""
        left, operator, right = parts
        span = self._span(parts)
        return ast.Compare(str(operator), self._expr(left), self._expr(right), span=span)

    def shape(self, parts: list[Token]) -> ast.Shape:
        """Return the test of the hand's shape."""
        return ast.Shape(tuple(tokens(parts, "SHAPE_PATTERN")), span=self._span(parts))
