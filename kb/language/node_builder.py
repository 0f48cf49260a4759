"""The common part of all builders of the tree: parts of the grammar, and their places."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from lark import Token, Transformer

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.limits import MOST_DIGITS

Part = Token | ast.Node
"""An argument of a builder's method: a token, or a node built before."""

_T = TypeVar("_T")


class Mistake(Exception):
    """Something that the grammar allows but the language does not.

    Attributes:
        diagnostic: the message about it.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the diagnostic."""
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def tokens(parts: Sequence[Part], kind: str) -> list[str]:
    """Return the texts of the tokens of a kind."""
    return [str(part) for part in parts if isinstance(part, Token) and part.type == kind]


def nodes(parts: Sequence[Part], kind: type[_T]) -> tuple[_T, ...]:
    """Return the nodes of a kind."""
    return tuple(part for part in parts if isinstance(part, kind))


def unquote(text: str) -> str:
    """Return a quoted text without its quotes."""
    # Quotes first: the other order would make one backslash of two that stand before a quote.
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def string(parts: Sequence[Part]) -> str | None:
    """Return the first quoted text, without its quotes; None if there is none."""
    strings = tokens(parts, "STRING")
    return unquote(strings[0]) if strings else None


class NodeBuilder(Transformer[Token, ast.Node]):
    """Knows the file, and the places of the parts in it."""

    def __init__(self) -> None:
        """Begin without a file."""
        # Tokens go as they are to the methods, which know the place by them.
        super().__init__(visit_tokens=False)
        self._file = ""
        self._offset = 0

    def begin(self, file: str, offset: int) -> None:
        """Prepare for a file, or for the part of it that begins `offset` lines down."""
        self._file = file
        self._offset = offset

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

    def _amount(self, token: Token) -> Fraction:
        """Return the value of a number.

        Raises:
            Mistake: It has too many digits.
        """
        # Numbers are added and multiplied exactly: a million digits would take minutes.
        if sum(map(str.isdigit, token)) > MOST_DIGITS:
            message = f"a number of more than {MOST_DIGITS} digits"
            raise Mistake(error("E121", message, self._place(token)))
        return Fraction(str(token))
