"""Puts the values of a module's parameters in their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from operator import is_
from typing import Any, TypeVar

from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error
from bidwright.kb.language.named_ranges import PARAMETER_ENDS, folded, worked_out
from bidwright.kb.language.printer import number_text
from bidwright.kb.language.vocabulary import SUIT_NAMES
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.wording.ranges import spelled_range

Values = Mapping[str, ast.ArgumentValue]
NO_VALUES: Values = {}
_Node = TypeVar("_Node", bound=ast.Node)

_ANY = ast.ClassCall("any", None)
"""Stands where a call is wrong, so that no more is said about it."""

KINDS: dict[type, str] = {
    ast.Pattern: "a run of calls",
    ast.Range: "a range",
    ast.Number: "a number",
    ast.Name: "a suit",
}
"""Words for the value of a parameter in messages, by its type."""


_BRACES = re.compile(r"\{[ ]*(\w+)(?:\.(min|max))?[ ]*\}")


def value_in_words(value: ast.ArgumentValue) -> str:
    """Return the value of a parameter as it reads in a text: `15 to 17`."""
    match value:
        case ast.Range(low=low, high=high):
            ends = (None if end is None else number_text(end) for end in (low, high))
            return spelled_range(*ends)
        case ast.Number(value=number):
            return number_text(number)
        case ast.Name(name=name):
            return next((word for word, sign in SUIT_NAMES.items() if sign == name), name)
        case ast.Pattern():
            return pattern_text(value)
        case _:
            return ""


def _are_same(new: Sequence[ast.Node], old: Sequence[ast.Node]) -> bool:
    """Return True if nodes are the very same ones."""
    return len(new) == len(old) and all(map(is_, new, old))


def rewrite(node: _Node, change: Callable[[ast.Node], ast.Node | None]) -> _Node:
    """Return a copy of a tree with nodes replaced by `change`.

    Args:
        node: the root.
        change: returns the replacement of a node, or None to look at the node's parts.
    """
    replacement: Any = change(node)
    if replacement is not None:
        return replacement  # type: ignore[no-any-return]
    changes: dict[str, Any] = {}
    for part in fields(node):
        value: Any = getattr(node, part.name)
        if isinstance(value, ast.Node):
            changed: Any = rewrite(value, change)
        elif isinstance(value, tuple) and value and isinstance(value[0], ast.Node):
            changed = tuple(rewrite(item, change) for item in value)
            # The very same node where nothing changes: what others keep of it goes by its identity.
            if _are_same(changed, value):
                continue
        else:
            continue
        if changed is not value:
            changes[part.name] = changed
    return replace(node, **changes) if changes else node


def _only_word(pattern: ast.Pattern) -> str:
    """Return the word that is all of a pattern, as in `over = over`; empty if there is more."""
    match pattern:
        case ast.Pattern(
            elements=(ast.Element(theirs=False, alternatives=(ast.ParameterCall(name=name),)),),
            open=False,
        ):
            return name
        case _:
            return ""


class _Substitution:
    """The replacement of one module's parameters."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.problems: list[Diagnostic] = []

    def change(self, node: ast.Node) -> ast.Node | None:
        """Return the replacement of a node; None to look at its parts."""
        match node:
            # Parameters of a definition hide those of the module.
            case ast.Let(params=params) if set(params) & set(self.values):
                inner = {k: v for k, v in self.values.items() if k not in params}
                return rewrite(node, self._within(inner))
            case ast.Argument(value=ast.Pattern() as pattern) if inherited := self.values.get(
                _only_word(pattern)
            ):
                return replace(node, value=inherited)
            # A number or a range by itself says nothing of a hand.
            case ast.Fact(expr=ast.Name(name=name)) if self._is_no_fact(name):
                return self._alone(node, name)
            case ast.Name(name=name) if name in self.values:
                return self._number(node, name)
            case ast.Public(path=(name, end)) if name in self.values and end in PARAMETER_ENDS:
                return self._end(node, name, end)
            case ast.Public(path=path) if set(path) & set(self.values):
                return replace(node, path=tuple(self._suit(node, word) for word in path))
            case ast.Binary():
                left, right = self._part(node.left), self._part(node.right)
                same = left is node.left and right is node.right
                return folded(node if same else replace(node, left=left, right=right))
            case ast.ComputedRange(low=low, high=high):
                ends = tuple(None if each is None else self._part(each) for each in (low, high))
                same = ends[0] is low and ends[1] is high
                return worked_out(node if same else ast.ComputedRange(*ends, span=node.span))
            case ast.InParameter(name=name) if name in self.values:
                return self._ranges(node)
            case ast.RelativeCall(argument=name) if name in self.values:
                return replace(node, argument=self._denomination(node, name))
            case ast.LevelCall(low=level, suit=name) if name in self.values:
                return ast.LiteralCall(f"{level}{self._suit(node, name)}", span=node.span)
            case ast.Action(kind="agrees", argument=str(name)) if name in self.values:
                return replace(node, argument=self._suit(node, name))
            case ast.Rule(text=str(text)) if _BRACES.search(text):
                return self._part(replace(node, text=self._filled(text)))
            case ast.NamedAlternative(text=str(text)) if _BRACES.search(text):
                return self._part(replace(node, text=self._filled(text)))
            case ast.Block(text=str(text)) if _BRACES.search(text):
                return self._part(replace(node, text=self._filled(text)))
            case ast.Action(argument=str(text)) if "{" in text:
                return replace(node, argument=self._filled(text))
            case ast.Pattern():
                return self._pattern(node)
            case ast.Element():
                return self._element(node)
            case _:
                return None

    def _within(self, values: Values) -> Callable[[ast.Node], ast.Node | None]:
        inner = _Substitution(values)
        inner.problems = self.problems

        def change(node: ast.Node) -> ast.Node | None:
            return None if isinstance(node, ast.Let) else inner.change(node)

        return change

    def _wrong(self, node: ast.Node, name: str, expected: str, hint: str | None = None) -> None:
        kind = KINDS[type(self.values[name])]
        message = f"parameter '{name}' is {kind}, not {expected}"
        used = (Related("used here", node.span),)
        place = self.values[name].span
        self.problems.append(
            error("E306", message, place, expected=expected, help=hint, related=used)
        )

    def _filled(self, text: str) -> str:
        """Return a text with the values of parameters in words for their names in braces."""

        def words(found: re.Match[str]) -> str:
            value = self.values.get(found[1])
            if isinstance(value, ast.Range) and found[2]:
                end = value.low if found[2] == "min" else value.high
                return found[1] if end is None else number_text(end)
            return found[1] if value is None else value_in_words(value)

        return _BRACES.sub(words, text)

    def _part(self, node: _Node) -> _Node:
        return rewrite(node, self.change)

    def _number(self, node: ast.Name, name: str) -> ast.Expr:
        value = self.values[name]
        if isinstance(value, ast.Number):
            return ast.Number(value.value, span=node.span)
        if isinstance(value, ast.Name):
            return ast.Name(value.name, span=node.span)
        hint = f"write 'in {name}' after a number" if isinstance(value, ast.Range) else None
        self._wrong(node, name, "a number", hint)
        # Some number, so that the rest is looked at as well.
        return ast.Number(Fraction(0), span=node.span)

    def _is_no_fact(self, name: str) -> bool:
        return isinstance(self.values.get(name), ast.Number | ast.Range | ast.Pattern)

    def _alone(self, node: ast.Fact, name: str) -> ast.Condition:
        """Note a parameter that stands where a condition must be; return one for some hands."""
        kind = KINDS[type(self.values[name])]
        is_calls = isinstance(self.values[name], ast.Pattern)
        self.problems.append(
            error(
                "E204",
                f"parameter '{name}' is {kind}, not a condition",
                node.span,
                expected=None if is_calls else f"a number before it, such as hcp in {name}",
            )
        )
        # Some condition, so that the rest is looked at as well.
        return ast.Fact(ast.Name("balanced"), span=node.span)

    def _end(self, node: ast.Public, name: str, end: str) -> ast.Expr:
        """Return the low or the high end of a range; of a number, the number."""
        value = self.values[name]
        if isinstance(value, ast.Number):
            return ast.Number(value.value, span=node.span)
        if not isinstance(value, ast.Range):
            self._wrong(node, name, "a range")
            return ast.Number(Fraction(0), span=node.span)
        limit = value.low if end == "min" else value.high
        if limit is None:
            side, example = ("low", "15..17 or 15+") if end == "min" else ("high", "15..17 or ..7")
            self.problems.append(
                error(
                    "E306",
                    f"parameter '{name}' has no {side} end",
                    value.span,
                    expected=f"a range such as {example}",
                    related=(Related("used here", node.span),),
                )
            )
        return ast.Number(limit or Fraction(0), span=node.span)

    def _suit(self, node: ast.Node, name: str) -> str:
        """Return the letter of the suit that a word stands for; other words stay as they are."""
        if name not in self.values:
            return name
        value = self.values[name]
        if isinstance(value, ast.Name):
            return SUIT_NAMES.get(value.name, value.name)
        self._wrong(node, name, "a suit")
        return "S"

    def _ranges(self, node: ast.InParameter) -> ast.InRange:
        value = self.values[node.name]
        expr = rewrite(node.expr, self.change)
        if isinstance(value, ast.Number):
            value = ast.Range(value.value, value.value)
        if not isinstance(value, ast.Range):
            self._wrong(node, node.name, "a range")
            value = ast.Range(None, None)
        return ast.InRange(expr, (replace(value, span=node.span),), span=node.span)

    def _denomination(self, node: ast.RelativeCall, name: str) -> str:
        value = self.values[name]
        if isinstance(value, ast.Number):
            return str(value.value)
        return "1" if node.kind == "step" else self._suit(node, name)

    def _spliced(self, call: ast.CallPattern) -> ast.Pattern | None:
        if not isinstance(call, ast.ParameterCall) or call.name not in self.values:
            return None
        value = self.values[call.name]
        if isinstance(value, ast.Pattern):
            return value
        self._wrong(call, call.name, "a run of calls")
        return ast.Pattern((ast.Element(False, (_ANY,)),))

    def _pattern(self, node: ast.Pattern) -> ast.Pattern:
        elements: list[ast.Element] = []
        opened = node.open
        # A run of calls in place of a word becomes several elements.
        for index, element in enumerate(node.elements):
            value = self._spliced(element.alternatives[0])
            # As one of several calls it can only stand for a single one.
            if value is None or element.theirs or len(element.alternatives) > 1:
                elements.append(self._element(element))
                continue
            if value.open and index == 0:
                opened = True
            elements += [replace(each, span=element.span) for each in value.elements]
        if _are_same(elements, node.elements):
            return node
        return replace(node, elements=tuple(elements), open=opened)

    def _element(self, node: ast.Element) -> ast.Element:
        calls = self._alternatives(node)
        return node if _are_same(calls, node.alternatives) else replace(node, alternatives=calls)

    def _alternatives(self, element: ast.Element) -> tuple[ast.CallPattern, ...]:
        calls: list[ast.CallPattern] = []
        for call in element.alternatives:
            value = self._spliced(call)
            if value is None:
                calls.append(rewrite(call, self.change))
            elif len(value.elements) == 1:
                calls += [replace(each, span=call.span) for each in value.elements[0].alternatives]
            elif value.elements:
                assert isinstance(call, ast.ParameterCall)
                self._wrong(call, call.name, "a single call")
                calls.append(_ANY)
        return tuple(calls)


def substitute(statement: _Node, values: Values) -> tuple[_Node, list[Diagnostic]]:
    """Return a statement with parameters replaced by their values, and what does not fit."""
    if not values:
        return statement, []
    substitution = _Substitution(values)
    changed = rewrite(statement, substitution.change)
    return changed, [*substitution.problems, *_named_as_parameters(statement, values)]


def _named_as_parameters(statement: ast.Node, values: Values) -> Iterator[Diagnostic]:
    """Report definitions and named alternatives that have the name of a parameter."""
    for node in parts(statement):
        if isinstance(node, ast.Definition | ast.NamedAlternative) and node.name in values:
            yield error(
                "E218",
                f"'{node.name}' is a parameter already",
                node.span,
                help="choose another name",
                related=(Related("its value", values[node.name].span),),
            )


def renamed(statement: _Node, names: Mapping[str, str]) -> _Node:
    """Return a statement with other names of definitions; parameters keep theirs."""

    def change(node: ast.Node) -> ast.Node | None:
        match node:
            case ast.Let(name=name, params=params, body=body):
                inner = {old: new for old, new in names.items() if old not in params}
                return replace(node, name=names.get(name, name), body=renamed(body, inner))
            case ast.LetRange(name=name) if name in names:
                return replace(node, name=names[name])
            case ast.NamedAlternative(name=name) if name in names:
                parts = tuple(renamed(each, names) for each in node.actions)
                condition = node.condition and renamed(node.condition, names)
                return replace(node, name=names[name], condition=condition, actions=parts)
            case ast.Apply(name=name) if name in names:
                args = tuple(rewrite(arg, change) for arg in node.args)
                return replace(node, name=names[name], args=args)
            case ast.Name(name=name) if name in names:
                return replace(node, name=names[name])
            case ast.InParameter(expr=expr, name=name) if name in names:
                return replace(node, expr=rewrite(expr, change), name=names[name])
            case _:
                return None

    return rewrite(statement, change) if names else statement
