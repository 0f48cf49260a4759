"""Kinds and limits of numbers and conditions, as far as the text shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from bidwright.kb.expressions.nodes import children, parts
from bidwright.kb.language import ast
from bidwright.kb.language.limits import MOST_DEPTH, MOST_WORDS
from bidwright.kb.language.vocabulary import (
    SUIT_WORDS,
    Param,
    Word,
    condition_words,
    public_number,
)
from bidwright.kb.logic.feature_table import LENGTH_MAX

Limits = tuple[Fraction | None, Fraction | None]
"""The least and the greatest value of a number; None for no limit."""

NO_LIMITS: Limits = (None, None)


class Sort(Enum):
    """The sort of a definition: a number or a condition."""

    NUMBER = "a number"
    CONDITION = "a condition"


class Extent(NamedTuple):
    """The size of a condition.

    Attributes:
        words: the number of its words; one more than `MOST_WORDS` stands for any larger number.
        depth: the depth of words inside each other; likewise with `MOST_DEPTH`.
    """

    words: int
    depth: int

    @property
    def is_too_large(self) -> bool:
        """True if such a condition is refused."""
        return self.words > MOST_WORDS or self.depth > MOST_DEPTH


_BEGUN = Extent(0, 0)
"""The extent of a definition that is being measured, for definitions that need themselves."""


def word_for(expr: ast.Expr) -> Word | None:
    """Return the word of the language that an expression is, with the right arguments or not."""
    match expr:
        case ast.Public(path=path):
            return public_number(path)
        case ast.Name(name=name):
            words = condition_words(name)
            # Some words are a number alone and a function with arguments, such as `controls`.
            return next((word for word in words if not word.params), words[0] if words else None)
        case ast.Apply(name=name, args=args):
            words = condition_words(name)
            fitting = (word for word in words if len(word.params) == len(args))
            return next(fitting, words[0] if words else None)
        case _:
            return None


@dataclass
class Definitions:
    """The definitions of a system, with their properties.

    Attributes:
        lets: the definitions by name.
    """

    lets: Mapping[str, ast.Let]
    _sorts: dict[str, Sort | None] = field(default_factory=dict)
    _limits: dict[str, Limits] = field(default_factory=dict)
    _suits: dict[str, frozenset[str]] = field(default_factory=dict)
    _uses: dict[str, list[str]] = field(default_factory=dict)
    _extents: dict[str, Extent] = field(default_factory=dict)

    def sort(self, name: str) -> Sort | None:
        """Return the sort of a definition; None if it cannot be determined."""
        if name not in self._sorts:
            # While it is worked out: a definition that needs itself has no sort.
            self._sorts[name] = None
            self._sorts[name] = self._sort_of(self.lets[name])
        return self._sorts[name]

    def _sort_of(self, let: ast.Let) -> Sort | None:
        body = let.body
        if isinstance(body, ast.Fact):
            body = body.expr
        match body:
            # A suit's name where a number may stand is its length.
            case ast.Name(name=name) if name in let.params or name in SUIT_WORDS:
                return Sort.NUMBER
            case ast.Name(name=name) | ast.Apply(name=name) if name in self.lets:
                return self.sort(name)
            case ast.Name() | ast.Apply():
                word = word_for(body)
                if word is None:
                    return None
                return Sort.NUMBER if word.kind.is_number else Sort.CONDITION
            case ast.Number() | ast.Binary() | ast.Public() | ast.Conditional():
                return Sort.NUMBER
            case _:
                return Sort.CONDITION

    # --------------------------------------------------------------- limits

    def limits(self, expr: ast.Expr, params: frozenset[str] = frozenset()) -> Limits:
        """Return the least and the greatest value that a number can have."""
        match expr:
            case ast.Number(value=value):
                return value, value
            case ast.Binary(op=op, left=left, right=right):
                return _combine(op, self.limits(left, params), self.limits(right, params))
            case ast.Conditional(then=then, otherwise=otherwise):
                then_limits, else_limits = self.limits(then, params), self.limits(otherwise, params)
                return _extreme(min, then_limits[0], else_limits[0]), _extreme(
                    max, then_limits[1], else_limits[1]
                )
            case ast.Apply(name="max" | "min" as name, args=args) if args:
                ends = [self.limits(each, params) for each in args]
                pick = max if name == "max" else min
                return _extreme(pick, *(low for low, _ in ends)), _extreme(
                    pick, *(high for _, high in ends)
                )
            case ast.Name(name=name) if name in params:
                return NO_LIMITS
            case ast.Name(name=name) if name in SUIT_WORDS:
                return Fraction(0), Fraction(LENGTH_MAX)
            case ast.Name(name=name) | ast.Apply(name=name) if name in self.lets:
                return self._limits_of(name)
            case _:
                word = word_for(expr)
                if word is None or not word.kind.is_number:
                    return NO_LIMITS
                return _fraction(word.low), _fraction(word.high)

    def _limits_of(self, name: str) -> Limits:
        if name not in self._limits:
            # While they are worked out: a definition that needs itself has no limits.
            self._limits[name] = NO_LIMITS
            let = self.lets[name]
            if isinstance(let.body, ast.Expr) and self.sort(name) is Sort.NUMBER:
                self._limits[name] = self.limits(let.body, frozenset(let.params))
        return self._limits[name]

    # ----------------------------------------------------------- parameters

    def suit_params(self, name: str) -> frozenset[str]:
        """Return the parameters of a definition that can only be suits."""
        if name not in self._suits:
            # While they are worked out: a definition that needs itself takes no suit for certain.
            self._suits[name] = frozenset()
            let = self.lets[name]
            suits = {word for node in parts(let.body) for word in self._suits_in(node)}
            self._suits[name] = frozenset(suits & set(let.params))
        return self._suits[name]

    def _suits_in(self, node: ast.Node) -> Iterator[str]:
        if isinstance(node, ast.Public):
            yield from node.path
        # `oM` is the other major than M: so M has to be a suit.
        if isinstance(node, ast.Name) and node.name in ("oM", "om"):
            yield node.name[1:]
        if not isinstance(node, ast.Apply):
            return
        match node:
            case ast.Apply(name="has", args=(ast.Name(name=card),)):
                yield card[:-1]
        if node.name in self.lets:
            wanted = self.suit_params(node.name)
            needs = [param in wanted for param in self.lets[node.name].params]
        else:
            word = word_for(node)
            suited = (Param.SUIT, Param.DENOMINATION)
            needs = [param in suited for param in word.params] if word else []
        for argument, need in zip(node.args, needs, strict=False):
            if need and isinstance(argument, ast.Name):
                yield argument.name

    # ----------------------------------------------------------------- size

    def extent(self, node: ast.Node) -> Extent:
        """Return the size of a condition with all definitions in it written out."""
        words, depth = 1, 0
        if isinstance(node, ast.Name | ast.Apply) and node.name in self.lets:
            words, depth = self.extent_of(node.name)
        for child in children(node):
            inner = self.extent(child)
            words, depth = words + inner.words, max(depth, inner.depth)
        # Bounded: definitions that use each other twice would count words by the million.
        return Extent(min(words, MOST_WORDS + 1), min(depth, MOST_DEPTH) + 1)

    def extent_of(self, name: str) -> Extent:
        """Return the size of a definition with all definitions in it written out."""
        return self._extents.get(name) or self._measured(name)

    def _measured(self, name: str) -> Extent:
        """Return the extent of a definition; those that it uses are measured before it."""
        # Not by recursion: a chain of definitions may be longer than Python's own.
        waiting = [name]
        while waiting:
            last = waiting[-1]
            new = [each for each in self.used_by(last) if each not in self._extents]
            if last not in self._extents and new:
                self._extents[last] = _BEGUN
                waiting += new
                continue
            waiting.pop()
            if self._extents.setdefault(last, _BEGUN) is _BEGUN:
                self._extents[last] = self.extent(self.lets[last].body)
        return self._extents[name]

    def cycles(self) -> list[list[str]]:
        """Return the definitions that need themselves, each cycle once, from its first name."""
        cycles: dict[frozenset[str], list[str]] = {}
        done: set[str] = set()

        def visit(name: str, trail: list[str]) -> None:
            if name in trail:
                cycle = trail[trail.index(name) :]
                # A cycle is met once from each of its names: as sets they are one.
                cycles.setdefault(frozenset(cycle), cycle)
                return
            if name in done:
                return
            for other in self.used_by(name):
                visit(other, [*trail, name])
            done.add(name)

        for name in self.lets:
            visit(name, [])
        return list(cycles.values())

    def used_by(self, name: str) -> list[str]:
        """Return the definitions that a definition uses, in order."""
        if name not in self._uses:
            let = self.lets[name]
            self._uses[name] = [
                node.name
                for node in parts(let.body)
                if isinstance(node, ast.Name | ast.Apply)
                and node.name in self.lets
                and node.name not in let.params
            ]
        return self._uses[name]


def _extreme(
    pick: Callable[[Iterable[Fraction]], Fraction], *ends: Fraction | None
) -> Fraction | None:
    """Return the largest or smallest of some limits, None where one is missing."""
    given = [end for end in ends if end is not None]
    # One open end opens the whole: the largest of 4 and anything is anything.
    return pick(given) if len(given) == len(ends) else None


def _fraction(value: int | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _combine(op: str, left: Limits, right: Limits) -> Limits:
    if op == "*":
        if None in left or None in right:
            return NO_LIMITS
        # With negative ends the least may come from any pair.
        products = [a * b for a in left for b in right if a is not None and b is not None]
        return min(products), max(products)
    low, high = right if op == "+" else (_negated(right[1]), _negated(right[0]))
    return _added(left[0], low), _added(left[1], high)


def _negated(value: Fraction | None) -> Fraction | None:
    return None if value is None else -value


def _added(left: Fraction | None, right: Fraction | None) -> Fraction | None:
    return None if left is None or right is None else left + right
