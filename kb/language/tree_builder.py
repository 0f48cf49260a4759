"""From what the grammar recognises to the tree: one method for each rule of `grammar.lark`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from lark import Token, Transformer

from bidwright.bridge.calls import parse_call
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.limits import MOST_DIGITS

Part = Token | ast.Node
_T = TypeVar("_T")

_EXPR = (ast.Number, ast.Name, ast.Apply, ast.Public, ast.Binary)
_BARE = (ast.Name, ast.Apply, ast.Public)


class Mistake(Exception):
    """Something that the grammar allows but the language does not.

    Attributes:
        diagnostic: what to tell the author.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the diagnostic."""
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def misplaced_header(header: ast.Header) -> Diagnostic:
    """Return what is wrong with a header that is not at the beginning of its file."""
    return error(
        "E103",
        f"'{header.kind}' must be the first statement of a file",
        header.span,
        help="one file describes one system or one convention",
    )


def _tokens(parts: Sequence[Part], kind: str) -> list[str]:
    return [str(part) for part in parts if isinstance(part, Token) and part.type == kind]


def _nodes(parts: Sequence[Part], kind: type[_T]) -> tuple[_T, ...]:
    return tuple(part for part in parts if isinstance(part, kind))


def _unquote(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def _string(parts: Sequence[Part]) -> str | None:
    found = _tokens(parts, "STRING")
    return _unquote(found[0]) if found else None


def _flat(
    kind: type[ast.And] | type[ast.Or], parts: Sequence[ast.Condition]
) -> list[ast.Condition]:
    items: list[ast.Condition] = []
    for part in parts:
        items += part.items if isinstance(part, kind) else (part,)
    return items


class Builder(Transformer[Token, ast.Node]):
    """Makes nodes; one builder serves all files, one after the other."""

    def __init__(self) -> None:
        """Begin without a file."""
        super().__init__(visit_tokens=False)
        self._file = ""
        self._offset = 0

    def begin(self, file: str, offset: int) -> None:
        """Prepare for a file, or for the part of it that begins `offset` lines down."""
        self._file = file
        self._offset = offset

    # ------------------------------------------------------------- places

    def _span(self, parts: Sequence[Part]) -> ast.Span:
        first, last = parts[0], parts[-1]
        if isinstance(first, Token):
            line, column = (first.line or 1) + self._offset, first.column or 1
        else:
            line, column = first.span.line, first.span.column
        if isinstance(last, Token):
            end_line, end_column = (last.end_line or 1) + self._offset, last.end_column or 1
        else:
            end_line, end_column = last.span.end_line, last.span.end_column
        return ast.Span(self._file, line, column, end_line, end_column)

    def _place(self, part: Part) -> ast.Span:
        return self._span((part,))

    # -------------------------------------------------------- expressions

    def number(self, parts: list[Token]) -> ast.Number:
        """Return a literal number."""
        return ast.Number(self._amount(parts[0]), span=self._span(parts))

    def _amount(self, token: Token) -> Fraction:
        """Return the value of a number.

        Raises:
            Mistake: It has too many digits.
        """
        if sum(map(str.isdigit, token)) > MOST_DIGITS:
            message = f"a number of more than {MOST_DIGITS} digits"
            raise Mistake(error("E121", message, self._place(token)))
        return Fraction(str(token))

    def name(self, parts: list[Token]) -> ast.Name:
        """Return a word."""
        return ast.Name(str(parts[0]), span=self._span(parts))

    def public(self, parts: list[Token]) -> ast.Public:
        """Return a dotted public number."""
        return ast.Public(tuple(str(parts[0]).split(".")), span=self._span(parts))

    def apply(self, parts: list[Part]) -> ast.Apply:
        """Return a function with its arguments."""
        args = tuple(self._expr(part) for part in _nodes(parts, ast.Node))
        return ast.Apply(str(parts[0]), args, span=self._span(parts))

    def binary(self, parts: list[Part]) -> ast.Binary:
        """Return a sum, difference or product."""
        left, operator, right = parts
        span = self._span(parts)
        return ast.Binary(str(operator), self._expr(left), self._expr(right), span=span)

    def group(self, parts: list[Part]) -> Part:
        """Return what stands in brackets."""
        return parts[1]

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

    # --------------------------------------------------------- conditions

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
        assert isinstance(part, ast.Condition)
        return part

    def conjunction(self, parts: list[Part]) -> Part:
        """Return the items joined by `,` or `and`; one item stays as it is."""
        if len(parts) == 1:
            return parts[0]
        items = _flat(ast.And, [self._condition(part) for part in parts])
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
        if parts[0].type == "RANGE_DOTS":
            return ast.Range(None, numbers[0], span=span)
        if parts[-1].type == "PLUS":
            return ast.Range(numbers[0], None, span=span)
        return ast.Range(numbers[0], numbers[-1], span=span)

    def in_range(self, parts: list[Part]) -> ast.InRange:
        """Return the test that a number lies in ranges."""
        ranges = _nodes(parts, ast.Range)
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
        return ast.Shape(tuple(_tokens(parts, "SHAPE_PATTERN")), span=self._span(parts))

    # ----------------------------------------------------- calls, patterns

    def _literal(self, token: Token) -> str:
        try:
            return str(parse_call(str(token)))
        except InvalidError:  # pragma: no cover - the grammar lets only calls through
            message = f"'{token}' is not a call"
            raise Mistake(error("E109", message, self._place(token))) from None

    def call_pattern(self, parts: list[Token]) -> ast.CallPattern:
        """Return a call, or a set of calls."""
        token, span = parts[0], self._span(parts)
        text = str(token)
        match token.type:
            case "CALL":
                return ast.LiteralCall(self._literal(token), span=span)
            case "LEVEL_CALL":
                low, dots, rest = text.partition("..")
                levels = (int(low), int(rest[0])) if dots else (int(text[0]), int(text[0]))
                suit = rest[1:] if dots else text[1:]
                return ast.LevelCall(*levels, suit, span=span)
            case "RELATIVE_CALL":
                kind, _, argument = text.rstrip(")").partition("(")
                return ast.RelativeCall(kind, argument.strip(), span=span)
            case "CALL_CLASS":
                kind, _, cap = text.partition("..")
                return ast.ClassCall(kind, str(parse_call(cap)) if cap else None, span=span)
            case _:
                return ast.ParameterCall(text, span=span)

    def element(self, parts: list[Part]) -> ast.Element:
        """Return one call of a pattern, with its alternatives."""
        theirs = isinstance(parts[0], Token)
        calls = tuple(part for part in parts if isinstance(part, ast.CallPattern))
        return ast.Element(theirs, calls, span=self._span(parts))

    def pattern(self, parts: list[Part]) -> ast.Pattern:
        """Return a run of calls."""
        opened = isinstance(parts[0], Token)
        return ast.Pattern(_nodes(parts, ast.Element), opened, span=self._span(parts))

    # -------------------------------------------------------------- rules

    def action(self, parts: list[Part]) -> ast.Action:
        """Return what a call does besides being made."""
        word = parts[0]
        assert isinstance(word, Token)
        kind, span = str(word), self._span(parts)
        if len(parts) == 1:
            return ast.Action(kind, span=span)
        value = parts[1]
        if kind == "usually":
            return ast.Action(kind, condition=self._condition(value), span=span)
        if kind == "forcing":
            return ast.Action("forcing_game", span=span)
        assert isinstance(value, Token)
        if value.type == "INTEGER":
            self._amount(value)
        text = _unquote(value) if value.type == "STRING" else str(value)
        return ast.Action(kind, text, span=span)

    def rule_line(self, parts: list[Part]) -> ast.Rule:
        """Return a rule without what follows it."""
        labels = _tokens(parts, "LABEL")
        at = next(i for i, part in enumerate(parts) if isinstance(part, ast.CallPattern))
        call = parts[at]
        if isinstance(call, ast.LevelCall) and call.low != call.high:
            raise Mistake(
                error(
                    "E110",
                    "a rule makes one call, not a range of levels",
                    call.span,
                    expected=f"a call such as {call.low}{call.suit}",
                    help="write one rule for each level",
                )
            )
        assert isinstance(call, ast.CallExpr)
        rest = [part for part in parts[at + 1 :] if isinstance(part, ast.Node)]
        conditions = [part for part in rest if not isinstance(part, ast.Action)]
        return ast.Rule(
            call,
            label=labels[0] if labels else None,
            optional=bool(_tokens(parts, "MAY")),
            text=_string(parts),
            condition=self._condition(conditions[0]) if conditions else None,
            actions=_nodes(rest, ast.Action),
            span=self._span(parts),
        )

    def rule(self, parts: list[Part]) -> ast.Rule:
        """Return a rule with what follows it."""
        line, *children = parts
        assert isinstance(line, ast.Rule)
        if not children:
            return line
        return ast.Rule(
            line.call,
            line.label,
            line.optional,
            line.text,
            line.condition,
            line.actions,
            tuple(child for child in children if isinstance(child, ast.Rule | ast.Branch)),
            span=line.span,
        )

    def branch(self, parts: list[Part]) -> ast.Branch:
        """Return the rules after an opponents' call."""
        element = parts[0]
        assert isinstance(element, ast.Element)
        return ast.Branch(element, _nodes(parts, ast.Rule), span=element.span)

    def block_line(self, parts: list[Part]) -> ast.Block:
        """Return a block without its rules."""
        word = parts[0]
        assert isinstance(word, Token)
        patterns = _nodes(parts, ast.Pattern)
        span = self._span(parts)
        empty = ast.Pattern((), str(word) == "anywhere", span=self._place(word))
        last = parts[-1]
        is_when = isinstance(last, ast.Node) and not isinstance(last, ast.Pattern)
        return ast.Block(
            str(word),
            patterns[0] if patterns else empty,
            (),
            text=_string(parts),
            when=self._condition(last) if is_when else None,
            span=span,
        )

    def block(self, parts: list[Part]) -> ast.Block:
        """Return a block with its rules."""
        line, *rules = parts
        assert isinstance(line, ast.Block)
        return ast.Block(
            line.kind, line.pattern, _nodes(rules, ast.Rule), line.text, line.when, span=line.span
        )

    # --------------------------------------------------------- statements

    def let(self, parts: list[Part]) -> ast.Let:
        """Return a definition."""
        names = _tokens(parts, "NAME")
        replaces = bool(_tokens(parts, "OVERRIDE"))
        body = parts[-1]
        assert isinstance(body, ast.Expr | ast.Condition)
        return ast.Let(names[0], tuple(names[1:]), body, replaces, span=self._span(parts))

    def _value(self, part: Part) -> ast.ArgumentValue:
        if isinstance(part, ast.Range) and part.low is not None and part.low == part.high:
            return ast.Number(part.low, span=part.span)
        assert isinstance(part, ast.Pattern | ast.Range)
        return part

    def parameter(self, parts: list[Part]) -> ast.Argument:
        """Return a parameter, with its value if it has one."""
        value = self._value(parts[1]) if len(parts) > 1 else None
        return ast.Argument(str(parts[0]), value, span=self._span(parts))

    argument = parameter

    def include(self, parts: list[Part]) -> ast.Include:
        """Return an inclusion."""
        arguments = _nodes(parts, ast.Argument)
        return ast.Include(str(parts[1]), arguments, span=self._span(parts))

    def auction(self, parts: list[Token]) -> ast.Pattern:
        """Return the auction of an example as a pattern, for `example` to take apart."""
        elements = []
        for index, token in enumerate(parts):
            if token.type == "CALL":
                theirs = index > 0 and parts[index - 1].type == "LPAR"
                call = ast.LiteralCall(self._literal(token), span=self._place(token))
                elements.append(ast.Element(theirs, (call,), span=call.span))
        return ast.Pattern(tuple(elements), span=self._span(parts))

    def vulnerability(self, parts: list[Token]) -> Token:
        """Return the vulnerability of an example."""
        return parts[0].update(type="VULNERABILITY")

    def dealer(self, parts: list[Token]) -> Token:
        """Return the dealer of an example."""
        return parts[0].update(type="DEALER")

    def example(self, parts: list[Part]) -> ast.Example:
        """Return an example."""
        auctions = _nodes(parts, ast.Pattern)
        elements = auctions[0].elements if auctions else ()
        self._check_brackets(elements)
        call = parts[-1]
        assert isinstance(call, Token)
        vulnerability = _tokens(parts, "VULNERABILITY")
        dealer = _tokens(parts, "DEALER")
        return ast.Example(
            _tokens(parts, "HAND")[0],
            tuple(
                alternative.call
                for element in elements
                for alternative in element.alternatives
                if isinstance(alternative, ast.LiteralCall)
            ),
            self._literal(call),
            vulnerability[0] if vulnerability else None,
            dealer[0] if dealer else None,
            span=self._span(parts),
        )

    def _check_brackets(self, elements: Sequence[ast.Element]) -> None:
        """Raise unless brackets, where used, hold every second call and the last."""
        if not any(element.theirs for element in elements):
            return
        theirs = True
        for element in reversed(elements):
            if element.theirs is not theirs:
                raise Mistake(
                    error(
                        "E116",
                        "the calls of the two sides must alternate",
                        element.span,
                        expected="brackets around every second call; the last call is theirs",
                        help="write every call, passes too: 1NT (P)",
                    )
                )
            theirs = not theirs

    def _target(self, token: Part) -> str:
        assert isinstance(token, Token)
        return _unquote(token) if token.type == "STRING" else str(token)

    def override(self, parts: list[Part]) -> ast.Override:
        """Return the replacement of a rule."""
        rule = _nodes(parts, ast.Rule)[0]
        return ast.Override(self._target(parts[1]), rule, span=self._span(parts[:2]))

    def remove(self, parts: list[Part]) -> ast.Remove:
        """Return the removal of a rule."""
        return ast.Remove(self._target(parts[1]), span=self._span(parts))

    def rebase(self, parts: list[Part]) -> ast.Rebase:
        """Return a continuation that is the same as another."""
        source, target = _nodes(parts, ast.Pattern)
        stolen = bool(_tokens(parts, "STOLEN"))
        return ast.Rebase(source, target, stolen, span=self._span(parts))

    def header_item(self, parts: list[Token]) -> Token:
        """Return a source or a gap."""
        return Token(parts[0].type, _unquote(parts[1]))

    def header_line(self, parts: list[Part]) -> ast.Header:
        """Return a header without sources and gaps."""
        return ast.Header(
            str(parts[0]),
            str(parts[1]),
            _string(parts) or "",
            _nodes(parts, ast.Argument),
            span=self._span(parts),
        )

    def header(self, parts: list[Part]) -> ast.Header:
        """Return a header."""
        line, *items = parts
        assert isinstance(line, ast.Header)
        return ast.Header(
            line.kind,
            line.name,
            line.title,
            line.parameters,
            tuple(_tokens(items, "SOURCE")),
            tuple(_tokens(items, "GAPS")),
            span=line.span,
        )

    def file(self, parts: list[Part]) -> ast.File:
        """Return the whole file."""
        headers = _nodes(parts, ast.Header)
        if headers and (len(headers) > 1 or parts[0] is not headers[0]):
            raise Mistake(misplaced_header(headers[-1]))
        statements = tuple(part for part in parts if isinstance(part, ast.Statement))
        span = self._span(parts) if parts else ast.Span(self._file, 1, 1, 1, 1)
        return ast.File(headers[0] if headers else None, statements, span=span)
