"""Checks of the words of a condition and of their arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bidwright.kb.checks.argument_checks import is_bid, other_suit_of, takes
from bidwright.kb.checks.range_checks import (
    compared_suits,
    comparison_problems,
    exclusive_ranges,
    range_problems,
    shape_problems,
)
from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error
from bidwright.kb.language.printer import expr_text
from bidwright.kb.language.scope import Definitions, Sort, word_for
from bidwright.kb.language.syntax_errors import nearest
from bidwright.kb.language.vocabulary import (
    ACTION_NAMES,
    DENOMINATION_WORDS,
    LAST_CALL_CLASSES,
    SAID_OTHERWISE,
    SUIT_NAMES,
    SUIT_VARIABLES,
    SUIT_WORD,
    SUIT_WORDS,
    WORDS,
    Kind,
    Param,
    Word,
    names,
)

_HONOURS = frozenset("AKQJT")
_SPELLED_OUT = {"pass": "P", "double": "X", "redouble": "XX", "notrump": "NT"}
_RESERVED = {word.name for word in WORDS} | SUIT_WORDS | {"NT"}
_NUMBER_EXAMPLE = "a number such as hcp, spades or losers"
_FACT_EXAMPLE = "a range after a number, or a fact such as balanced"


def is_reserved(name: str) -> bool:
    """Return True if a name has a meaning of its own, so that no definition may take it."""
    return name in _RESERVED


@dataclass
class ConditionChecker:
    """Checks conditions and definitions.

    Attributes:
        definitions: the definitions of the system.
        complete: True if all files could be read; otherwise unknown names are not reported.
        broken: names of definitions that could not be read.
        parameters: the parameters of each file; one without a value is reported at the place that
            should give it.
        varied: the files of modules that are given other values than their own.
        problems: the diagnostics so far.
        cyclic: names of definitions that need themselves, as `check_cycles` found them.
    """

    definitions: Definitions
    complete: bool = True
    broken: frozenset[str] = frozenset()
    parameters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    varied: frozenset[str] = frozenset()
    problems: list[Diagnostic] = field(default_factory=list)
    cyclic: frozenset[str] = frozenset()
    _params: frozenset[str] = frozenset()
    _let: str | None = None

    # ---------------------------------------------------------- definitions

    def check_let(self, let: ast.Let) -> None:
        """Check a definition."""
        self._check_let_names(let)
        self._params, self._let = frozenset(let.params), plain_name(let.name)
        if not isinstance(let.body, ast.Expr):
            self.check(let.body)
        elif isinstance(let.body, ast.Name | ast.Apply) and self._is_fact(let.body):
            self._check_fact(let.body)
        else:
            self._check_number(let.body)
        self._params, self._let = frozenset(), None

    def _is_fact(self, expr: ast.Name | ast.Apply) -> bool:
        """Return True if a definition's body is a fact, as far as is known."""
        # A parameter stands for a suit or a number.
        if expr.name in self._params or expr.name in SUIT_WORDS:
            return False
        if expr.name in self.definitions.lets:
            return self.definitions.sort(expr.name) is Sort.CONDITION
        word = word_for(expr)
        return word is None or word.kind.is_fact

    def _check_let_names(self, let: ast.Let) -> None:
        if is_reserved(plain_name(let.name)):
            self._error("E219", f"'{plain_name(let.name)}' is a word of the language", let)
        for index, param in enumerate(let.params):
            if param in let.params[:index]:
                self._error("E226", f"parameter '{param}' is named twice", let)
            # Letters of suits are what parameters are mostly called.
            if is_reserved(param) and param not in SUIT_WORDS - set(SUIT_NAMES):
                self._error("E219", f"'{param}' is a word of the language", let)

    def check_cycles(self) -> None:
        """Report definitions that need themselves."""
        cycles = self.definitions.cycles()
        self.cyclic = frozenset(name for cycle in cycles for name in cycle)
        for cycle in cycles:
            first = self.definitions.lets[cycle[0]]
            trail = " -> ".join(plain_name(name) for name in [*cycle, cycle[0]])
            related = tuple(
                Related(f"'{plain_name(name)}' is defined here", self.definitions.lets[name].span)
                for name in cycle[1:]
            )
            message = f"'{plain_name(cycle[0])}' is defined by itself: {trail}"
            self.problems.append(error("E207", message, first.span, related=related))

    # ----------------------------------------------------------- conditions

    def check(self, condition: ast.Condition) -> None:
        """Check a condition."""
        match condition:
            case ast.And(items=items):
                for item in items:
                    self.check(item)
                self.problems += exclusive_ranges(items)
            case ast.Or(items=items):
                for item in items:
                    self.check(item)
            case ast.Not(item=item):
                self.check(item)
            case ast.InRange(expr=expr):
                if self._check_number(expr):
                    limits = self.definitions.limits(expr, self._params)
                    self.problems += range_problems(condition, limits)
            case ast.InParameter(expr=expr, name=name):
                self._check_number(expr)
                if name in self.parameters.get(condition.span.file, ()):
                    return
                self._error(
                    "E227",
                    f"'{name}' is neither a parameter nor a range that has a name",
                    condition,
                    expected="a parameter in the header, such as convention c(values = 8..9)",
                    help=f"write 'let {plain_name(name)} = 8..9', or the range itself",
                )
            case ast.Compare():
                self.problems += compared_suits(condition)
                left = self._check_number(condition.left)
                if self._check_number(condition.right) and left:
                    limits_of = self.definitions.limits
                    self.problems += comparison_problems(
                        condition,
                        limits_of(condition.left, self._params),
                        limits_of(condition.right, self._params),
                    )
            case ast.Shape():
                self.problems += shape_problems(condition)
            case ast.Fact(expr=expr):
                self._check_fact(expr)

    def _error(
        self,
        code: str,
        message: str,
        node: ast.Node,
        *,
        expected: str | None = None,
        help: str | None = None,
    ) -> None:
        self.problems.append(error(code, message, node.span, expected=expected, help=help))

    # ---------------------------------------------------------------- names

    def _unknown(self, node: ast.Name | ast.Apply | ast.Public, sort: Sort) -> None:
        name = expr_text(node).partition("(")[0]
        parameters = self.parameters.get(node.span.file, ())
        # What could not be read, or has no value, is reported at its own place.
        if not self.complete or name in self.broken or name in parameters:
            return
        if name in {action.split()[0] for action in ACTION_NAMES}:
            hint: str | None = "actions stand after ';'"
        else:
            choice = SAID_OTHERWISE.get(name) or nearest(name, self._candidates(node, sort))
            hint = f"did you mean '{choice}'?" if choice else None
        number = sort is Sort.NUMBER
        self._error(
            "E201",
            f"unknown {'number' if number else 'condition'} '{name}'",
            node,
            expected=_NUMBER_EXAMPLE if number else _FACT_EXAMPLE,
            help=hint,
        )

    def _candidates(self, node: ast.Expr, sort: Sort) -> list[str]:
        """Return the names that a misspelt one may mean, the fitting sort first."""
        if isinstance(node, ast.Public):
            suit = next((part for part in node.path if part in SUIT_WORDS), SUIT_WORD)
            dotted = [name for name in names([Kind.PUBLIC_NUMBER]) if "." in name]
            return [name.replace(f".{SUIT_WORD}.", f".{suit}.") for name in dotted]
        numbers = names([Kind.HAND_NUMBER, Kind.PUBLIC_NUMBER])
        facts = names([Kind.HAND_FACT, Kind.PUBLIC_FACT])
        lets = self.definitions
        for name in lets.lets:
            (numbers if lets.sort(name) is Sort.NUMBER else facts).append(plain_name(name))
        fitting, other = (numbers, facts) if sort is Sort.NUMBER else (facts, numbers)
        return [*fitting, *other, *self._params]

    def _check_number(self, expr: ast.Expr) -> bool:
        """Check an expression that must be a number; return True if it is one."""
        match expr:
            case ast.Number():
                return True
            case ast.Binary(left=left, right=right):
                # In a list, so that both sides are checked.
                return all([self._check_number(left), self._check_number(right)])
            case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
                self.check(condition)
                return all([self._check_number(then), self._check_number(otherwise)])
            case ast.Name(name=name) if name in self._params:
                return True
            case ast.Name(name=name) if name in SUIT_WORDS:
                return self._check_suit_word(expr, name)
            case ast.Name(name=name) | ast.Apply(name=name) if name in self.definitions.lets:
                fits = self._check_let_arguments(expr)
                return self._check_sort(expr, self.definitions.sort(name), Sort.NUMBER) and fits
            case _:
                return self._check_word(expr, Sort.NUMBER)

    def _check_fact(self, expr: ast.Name | ast.Apply | ast.Public) -> bool:
        """Check an expression that stands alone as a condition; return True if it may."""
        name = "" if isinstance(expr, ast.Public) else expr.name
        if isinstance(expr, ast.Name) and (name in self._params or name in SUIT_WORDS):
            return self._check_sort(expr, Sort.NUMBER, Sort.CONDITION)
        if not isinstance(expr, ast.Public) and name in self.definitions.lets:
            fits = self._check_let_arguments(expr)
            return self._check_sort(expr, self.definitions.sort(name), Sort.CONDITION) and fits
        return self._check_word(expr, Sort.CONDITION)

    def _check_sort(self, expr: ast.Expr, sort: Sort | None, wanted: Sort) -> bool:
        if sort is None or sort is wanted:
            return True
        text = expr_text(expr)
        if wanted is Sort.CONDITION:
            self._error(
                "E204",
                f"'{text}' is a number; a condition needs a range after it",
                expr,
                expected="a range such as 5+, ..11 or 15..17",
            )
        else:
            self._error(
                "E205",
                f"'{text}' is a condition, not a number",
                expr,
                expected=_NUMBER_EXAMPLE,
                help=f"write '{text}' alone, or 'not {text}'",
            )
        return False

    def _check_word(self, expr: ast.Expr, wanted: Sort) -> bool:
        assert isinstance(expr, ast.Name | ast.Apply | ast.Public)
        if isinstance(expr, ast.Public):
            return self._check_public(expr, wanted)
        word = word_for(expr)
        if word is None:
            self._unknown(expr, wanted)
            return False
        args = expr.args if isinstance(expr, ast.Apply) else ()
        several = word.params == (Param.NUMBERS,)
        if len(args) != len(word.params) and not (several and len(args) > 1):
            self._wrong_count(expr, word)
            return False
        sort = Sort.NUMBER if word.kind.is_number else Sort.CONDITION
        if not self._check_sort(expr, sort, wanted):
            return False
        if several:
            return all([self._check_number(argument) for argument in args])
        checks = [self._check_argument(a, p, word) for a, p in zip(args, word.params, strict=True)]
        return all(checks)

    def _wrong_count(self, expr: ast.Name | ast.Apply, word: Word) -> None:
        message = f"'{word.name}' {takes(len(word.params))}"
        if isinstance(expr, ast.Apply):
            message += f", got {len(expr.args)}"
        self._error("E202", message, expr, expected=f"{word.usage}")

    def _check_public(self, expr: ast.Public, wanted: Sort) -> bool:
        # A parameter of a definition stands for a suit here.
        path = tuple(SUIT_WORD if part in self._params else part for part in expr.path)
        if word_for(ast.Public(path)) is None:
            self._unknown(expr, Sort.NUMBER)
            return False
        suits = [part for part in expr.path if part in SUIT_WORDS and part not in self._params]
        if not all([self._check_suit_word(expr, suit) for suit in suits]):
            return False
        return self._check_sort(expr, Sort.NUMBER, wanted)

    # ------------------------------------------------------------ arguments

    def _check_let_arguments(self, expr: ast.Name | ast.Apply) -> bool:
        let = self.definitions.lets[expr.name]
        args = expr.args if isinstance(expr, ast.Apply) else ()
        usage = plain_name(let.name) + (f"({', '.join(let.params)})" if let.params else "")
        if len(args) != len(let.params):
            message = f"'{plain_name(let.name)}' {takes(len(let.params))}"
            if isinstance(expr, ast.Apply):
                message += f", got {len(args)}"
            self.problems.append(
                error(
                    "E202",
                    message,
                    expr.span,
                    expected=usage,
                    related=(Related("defined here", let.span),),
                )
            )
            return False
        suits = self.definitions.suit_params(expr.name)
        problems = list(other_suit_of(let, args, usage))
        self.problems += problems
        return not problems and all(
            [
                self._check_suit(argument, usage)
                if param in suits
                else self._check_number(argument)
                for argument, param in zip(args, let.params, strict=True)
            ]
        )

    def _check_suit_word(self, node: ast.Node, name: str) -> bool:
        """Check a word that stands for a suit; in a definition it must be a parameter."""
        if self._let is None or name not in SUIT_VARIABLES:
            return True
        if name[:1] == "o" and name[1:] in self._params:
            return True
        self._error(
            "E206",
            f"'{name}' stands for no suit in the definition of '{self._let}'",
            node,
            expected="a parameter of the definition, or a suit such as spades",
            help=f"make '{name}' a parameter of '{self._let}'",
        )
        return False

    def _check_suit(self, argument: ast.Expr, usage: str) -> bool:
        if isinstance(argument, ast.Name):
            if argument.name in self._params:
                return True
            if argument.name in SUIT_WORDS:
                return self._check_suit_word(argument, argument.name)
        return self._wrong_argument(argument, Param.SUIT, usage, SUIT_WORDS)

    def _wrong_argument(
        self, argument: ast.Expr, param: Param, usage: str, choices: Iterable[str]
    ) -> bool:
        text = expr_text(argument)
        choice = _SPELLED_OUT.get(text) if param is Param.CALL_CLASS else None
        choice = choice or nearest(text, sorted(choices))
        self._error(
            "E203",
            f"'{text}' is not {param.value}",
            argument,
            expected=f"{param.value}, as in {usage}",
            help=f"did you mean '{choice}'?" if choice else None,
        )
        return False

    def _check_argument(self, argument: ast.Expr, param: Param, word: Word) -> bool:
        text = expr_text(argument)
        choices: Iterable[str] = ()
        match param:
            case Param.SUIT:
                return self._check_suit(argument, word.usage)
            case Param.DENOMINATION:
                choices = DENOMINATION_WORDS
                if text in self._params:
                    return True
                if text in SUIT_WORDS:
                    return self._check_suit_word(argument, text)
                fits = text == "NT"
            case Param.CARD:
                fits = text[-1:].upper() in _HONOURS
                if fits and text[:-1] in SUIT_VARIABLES:
                    return text[:-1] in self._params or self._check_suit_word(argument, text[:-1])
                fits &= text[:-1] in self._params or text[:-1] in SUIT_WORDS
            case Param.STRENGTH:
                choices = ("hcp", "points")
                fits = text in choices
            case Param.CALL_CLASS:
                choices = LAST_CALL_CLASSES
                fits = text in LAST_CALL_CLASSES or is_bid(text)
            case _:
                fits = isinstance(argument, ast.Name)
        return fits or self._wrong_argument(argument, param, word.usage, choices)
