"""Calls, patterns of calls, and rules: the methods for their rules in `grammar.lark`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark import Token

from bidwright.bridge.calls import parse_call
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language import ast
from bidwright.kb.language.condition_builder import ConditionBuilder
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.node_builder import Mistake, Part, nodes, string, tokens, unquote
from bidwright.kb.language.references import References

_TIERS = {tier.word: tier for tier in ast.Tier}
_LETTERS = frozenset("MmXYZW")


@dataclass(frozen=True, slots=True)
class _Heading(ast.Node):
    """The rules under the heading of a tier or a group; they stand in the tree in its place."""

    rules: tuple[ast.Rule, ...]


@dataclass(frozen=True, slots=True)
class _Questions(ast.Node):
    """The questions that a block of answers is for."""

    words: tuple[str, ...]


def _one_blank(word: Token) -> str:
    """Return a word of the language with one blank between its parts: `last resort`."""
    return " ".join(word.split())


def _entries(parts: Sequence[Part]) -> tuple[ast.Rule | ast.Branch, ...]:
    """Return rules and branches in file order, without the headings above rules."""
    entries: list[ast.Rule | ast.Branch] = []
    holding = References()
    for part in parts:
        if isinstance(part, ast.Reference):
            holding.see(part)
        elif isinstance(part, _Heading):
            entries += (holding.given_to(rule) for rule in part.rules)
        elif isinstance(part, ast.Rule | ast.Branch):
            entries.append(holding.given_to(part))
        if not isinstance(part, ast.Reference):
            holding.end_lines()
    return tuple(entries)


def _uses(parts: Sequence[Part]) -> tuple[ast.Use, ...]:
    """Return the `use` lines among rules and branches, each with its place."""
    entries = [part for part in parts if isinstance(part, ast.Node)]
    return tuple(
        # The builder sees a line where it stands; the tree holds it by the rules before it.
        replace(use, place=len(_entries(entries[:index])))
        for index, use in enumerate(entries)
        if isinstance(use, ast.Use)
    )


def _rules(parts: Sequence[Part]) -> tuple[ast.Rule, ...]:
    """Return the rules in file order, without the headings above them."""
    return tuple(entry for entry in _entries(parts) if isinstance(entry, ast.Rule))


def _second_tier(where: ast.Node, first: ast.Tier) -> Diagnostic:
    """Return the error about a rule that has a tier already."""
    return error(
        "E228",
        f"this rule is in the tier '{first.word}' already",
        where.span,
        help="name a tier once: in a heading above the rules, or among the actions of one rule",
    )


def _is_but(part: Part) -> bool:
    return isinstance(part, Token) and part.type == "BUT"


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
            case "LEVEL_CALL" if text.endswith(")"):
                word = text[2:-1].strip()
                return ast.LevelCall(int(text[0]), int(text[0]), word, span=span)
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
                highest = str(parse_call(cap)) if cap else None
                # `2C..3S` is every bid between the two.
                if kind[0].isdigit():
                    return ast.ClassCall("bid", highest, str(parse_call(kind)), span=span)
                return ast.ClassCall(kind, highest, span=span)
            case "STEPS":
                low, _, high = text.removeprefix("step(").rstrip("+) \t").partition("..")
                return ast.StepRange(int(low), int(high) if high else None, span=span)
            case _:
                return ast.ParameterCall(text, span=span)

    def element(self, parts: list[Part]) -> ast.Element:
        """Return one call of a pattern, with its alternatives."""
        theirs = isinstance(parts[0], Token) and parts[0].type == "LPAR"
        # What stands after `but` is excluded from what stands before it.
        but = next((i for i, each in enumerate(parts) if _is_but(each)), len(parts))
        calls, excluded = (
            tuple(part for part in some if isinstance(part, ast.CallPattern))
            for some in (parts[:but], parts[but:])
        )
        return ast.Element(theirs, calls, excluded, span=self._span(parts))

    def pattern(self, parts: list[Part]) -> ast.Pattern:
        """Return a run of calls."""
        # The only token among the parts of a pattern is `...`.
        dots = next((i for i, each in enumerate(parts) if isinstance(each, Token)), None)
        head, tail = nodes(parts[: dots or 0], ast.Element), nodes(parts[dots or 0 :], ast.Element)
        return ast.Pattern(tail, dots is not None, head, span=self._span(parts))

    def action(self, parts: list[Part]) -> ast.Action:
        """Return an action of a call."""
        word = parts[0]
        assert isinstance(word, Token)
        kind, span = _one_blank(word), self._span(parts)
        if len(parts) == 1:
            return ast.Action(kind, span=span)
        value = parts[1]
        if kind == "forcing":
            return self._forcing(value, span)
        assert isinstance(value, Token)
        suit = str(parts[2]) if len(parts) > 2 else None
        if value.type == "INTEGER":
            self._amount(value)
        text = unquote(value) if value.type == "STRING" else str(value)
        return ast.Action(kind, text, suit=suit, span=span)

    def _forcing(self, level: Part, span: ast.Span) -> ast.Action:
        """Return the action of a call that is forcing to game or to a bid."""
        assert isinstance(level, Token)
        if level.type == "GAME":
            return ast.Action("forcing_game", span=span)
        text = self._literal(level) if level.type == "CALL" else str(level)
        # A pass or a double forces to no level, and a range to no single one.
        if not text[0].isdigit() or ".." in text:
            raise Mistake(
                error(
                    "E113",
                    f"'forcing to' takes a bid or 'game', got '{level}'",
                    self._place(level),
                    expected="forcing to 2NT, forcing to 3M or forcing to game",
                )
            )
        return ast.Action("forcing_to", text, span=span)

    def rule_line(self, parts: list[Part]) -> ast.Rule:
        """Return a rule without its continuations."""
        labels = tokens(parts, "LABEL")
        patterns = [i for i, part in enumerate(parts) if isinstance(part, ast.CallPattern)]
        at = patterns[-1]
        calls = tuple(part for part in parts if isinstance(part, ast.CallExpr))
        ranged = (each for each in calls if isinstance(each, ast.LevelCall))
        # A range of levels is allowed in a pattern, and the parser shares the rule.
        call = next((each for each in ranged if each.low != each.high), calls[0])
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
        actions = nodes(rest, ast.Action)
        tiers = [action for action in actions if action.kind in _TIERS]
        if len(tiers) > 1:
            raise Mistake(_second_tier(tiers[1], _TIERS[tiers[0].kind]))
        condition, usually = self._own_condition(conditions[0]) if conditions else (None, ())
        return ast.Rule(
            calls[0],
            others=calls[1:],
            label=labels[0] if labels else None,
            optional=bool(tokens(parts, "MAY")),
            text=string(parts),
            condition=condition,
            actions=(*usually, *(action for action in actions if action not in tiers)),
            tier=_TIERS[tiers[0].kind] if tiers else None,
            span=self._span(parts),
        )

    def rule(self, parts: list[Part]) -> ast.Rule:
        """Return a rule with its continuations."""
        line, *children = parts
        assert isinstance(line, ast.Rule)
        if not children:
            return line
        alternatives = nodes(children, ast.NamedAlternative)
        if alternatives and line.label:
            message = "a rule with alternatives has their names"
            raise Mistake(error("E119", message, line.span, help=f"leave out '{line.label}:'"))
        return replace(
            line,
            children=_entries(children),
            uses=_uses(children),
            alternatives=alternatives,
        )

    def alternative(self, parts: list[Part]) -> ast.NamedAlternative:
        """Return one of several meanings of a call."""
        word, span = parts[1], self._span(parts)
        name, *letters = re.findall(r"\w+", str(word))
        wrong = next((each for each in letters if each not in _LETTERS), None)
        if wrong is not None:
            assert isinstance(word, Token)
            raise Mistake(
                error(
                    "E206",
                    f"'{wrong}' is no letter that stands for a suit",
                    self._place(word),
                    expected="letters such as M, m or X in brackets, or none",
                )
            )
        rest = [part for part in parts if isinstance(part, ast.Node)]
        conditions = [part for part in rest if not isinstance(part, ast.Action)]
        actions = nodes(rest, ast.Action)
        tier = next((action for action in actions if action.kind in _TIERS), None)
        if tier is not None:
            message = "an alternative is in the tier of its rule"
            help = f"write '{tier.kind}' after the call"
            raise Mistake(error("E119", message, tier.span, help=help))
        condition, usually = self._own_condition(conditions[0]) if conditions else (None, ())
        return ast.NamedAlternative(
            name, tuple(letters), string(parts), condition, (*usually, *actions), span=span
        )

    def use(self, parts: list[Token]) -> ast.Use:
        """Return a line that stands for the entries of a named block."""
        return ast.Use(str(parts[1]), 0, span=self._span(parts))

    def named_block(self, parts: list[Part]) -> ast.NamedBlock:
        """Return rules with a name."""
        name, place = str(parts[1]), self._span(parts[:2])
        return ast.NamedBlock(name, _entries(parts), string(parts), _uses(parts), span=place)

    def answer_block(self, parts: list[Part]) -> ast.AnswerBlock:
        """Return the answers to a question."""
        asked = next(part for part in parts if isinstance(part, _Questions))
        names = tokens(parts, "NAME")
        under = (ast.Rule, ast.Branch, ast.Use, ast.Reference, _Heading, _Questions)
        conditions = [p for p in parts if isinstance(p, ast.Node) and not isinstance(p, under)]
        return ast.AnswerBlock(
            asked.words,
            names[0] if names else None,
            _entries(parts),
            string(parts),
            self._condition(conditions[0]) if conditions else None,
            _uses(parts),
            span=self._span([part for part in parts if isinstance(part, Token | _Questions)]),
        )

    def questions(self, parts: list[Token]) -> _Questions:
        """Return the questions that a block of answers is for."""
        return _Questions(tuple(map(str, parts)), span=self._span(parts))

    def tier(self, parts: list[Part]) -> ast.Node:
        """Return the rules under the heading of a tier."""
        word = parts[0]
        assert isinstance(word, Token)
        tier = _TIERS[_one_blank(word)]
        rules = _rules(parts)
        for rule in rules:
            if rule.tier is not None:
                raise Mistake(_second_tier(rule, tier))
        return _Heading(tuple(replace(rule, tier=tier) for rule in rules), span=self._place(word))

    def in_group(self, parts: list[Part]) -> ast.Node:
        """Return the rules under the heading of a group."""
        name = tokens(parts, "NAME")[0]
        action = ast.Action("group", name, span=self._span(parts[:2]))
        rules = tuple(replace(rule, actions=(*rule.actions, action)) for rule in _rules(parts))
        return _Heading(rules, span=action.span)

    def branch(self, parts: list[Part]) -> ast.Branch:
        """Return the rules after an opponents' call."""
        element = parts[0]
        assert isinstance(element, ast.Element)
        return ast.Branch(element, _rules(parts), _uses(parts), span=element.span)

    def block_line(self, parts: list[Part]) -> ast.Block:
        """Return a block without its rules."""
        word = parts[0]
        assert isinstance(word, Token)
        patterns = nodes(parts, ast.Pattern)
        span = self._span(parts)
        # `opening` has no calls before it, and `anywhere` any.
        empty = ast.Pattern((), str(word) == "anywhere", span=self._place(word))
        last = parts[-1]
        # The condition after `when` is the only node that is no pattern.
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
        return replace(line, rules=_rules(rules), uses=_uses(rules))
