"""Calls, patterns of calls, and rules: the methods for their rules in `grammar.lark`."""

from __future__ import annotations

from lark import Token

from bidwright.bridge.calls import parse_call
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language import ast
from bidwright.kb.language.condition_builder import ConditionBuilder
from bidwright.kb.language.diagnostics import error
from bidwright.kb.language.node_builder import Mistake, Part, nodes, string, tokens, unquote


class RuleBuilder(ConditionBuilder):
    """Makes the nodes of calls, patterns, rules and blocks."""

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
        return ast.Pattern(nodes(parts, ast.Element), opened, span=self._span(parts))

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
        text = unquote(value) if value.type == "STRING" else str(value)
        return ast.Action(kind, text, span=span)

    def rule_line(self, parts: list[Part]) -> ast.Rule:
        """Return a rule without what follows it."""
        labels = tokens(parts, "LABEL")
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
            optional=bool(tokens(parts, "MAY")),
            text=string(parts),
            condition=self._condition(conditions[0]) if conditions else None,
            actions=nodes(rest, ast.Action),
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
        return ast.Branch(element, nodes(parts, ast.Rule), span=element.span)

    def block_line(self, parts: list[Part]) -> ast.Block:
        """Return a block without its rules."""
        word = parts[0]
        assert isinstance(word, Token)
        patterns = nodes(parts, ast.Pattern)
        span = self._span(parts)
        empty = ast.Pattern((), str(word) == "anywhere", span=self._place(word))
        last = parts[-1]
        is_when = isinstance(last, ast.Node) and not isinstance(last, ast.Pattern)
        return ast.Block(
            str(word),
            patterns[0] if patterns else empty,
            (),
            text=string(parts),
            when=self._condition(last) if is_when else None,
            span=span,
        )

    def block(self, parts: list[Part]) -> ast.Block:
        """Return a block with its rules."""
        line, *rules = parts
        assert isinstance(line, ast.Block)
        return ast.Block(
            line.kind, line.pattern, nodes(rules, ast.Rule), line.text, line.when, span=line.span
        )
