"""Checks of arguments in the brackets after a word: their number, and bids among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bidwright.bridge.calls import parse_call
from bidwright.bridge.errors import InvalidError
from bidwright.kb.conditions.environment import OPPOSITES
from bidwright.kb.conditions.reads import words_of
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.printer import expr_text
from bidwright.runtime.sentences import count_of

_OF_A_KIND = {
    "M": frozenset({"M", "oM", "hearts", "spades", "H", "S"}),
    "m": frozenset({"m", "om", "clubs", "diamonds", "C", "D"}),
}


def takes(count: int) -> str:
    """Return the number of arguments that a word takes, in words."""
    if count == 0:
        return "takes nothing in brackets"
    return f"takes {count_of(count, 'argument')} in brackets"


def is_bid(text: str) -> bool:
    """Return True if a text is a bid such as `2C`."""
    try:
        return parse_call(text).is_bid and text[0].isdigit()
    except InvalidError:
        return False


def other_suit_of(let: ast.Let, args: Sequence[ast.Expr], usage: str) -> Iterator[Diagnostic]:
    """Yield arguments that are no majors where a definition speaks of the other major.

    Args:
        let: the definition.
        args: its arguments, as many as it takes.
        usage: its form.
    """
    bases = {OPPOSITES[word] for word in words_of(let.body) if word in OPPOSITES}
    for param, argument in zip(let.params, args, strict=True):
        fits = isinstance(argument, ast.Name) and argument.name in _OF_A_KIND.get(param, ())
        if param in bases and not fits:
            kind = "major" if param == "M" else "minor"
            yield error(
                "E203",
                f"'{expr_text(argument)}' is not surely a {kind}",
                argument.span,
                expected=f"{param}, o{param} or a {kind}, as in {usage}",
            )
