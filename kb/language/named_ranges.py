"""Ranges that have names: their ends are numbers, and the parameters of a module."""

from __future__ import annotations

from fractions import Fraction

from bidwright.kb.language import ast

PARAMETER_ENDS = ("min", "max")
"""The words after a parameter and a dot: `notrump.min` is the low end of its range."""


_NOTHING = ast.Number(Fraction(0))


def folded(expr: ast.Expr) -> ast.Expr:
    """Return a number with its constant parts computed: `25 - 12` is 13, `hcp + 0` is `hcp`."""
    if not isinstance(expr, ast.Binary):
        return expr
    left, right = folded(expr.left), folded(expr.right)
    # A definition that values reduce to another name, as `hcp + 0`, stands for that name then.
    if right == _NOTHING and expr.op in "+-":
        return left
    if left == _NOTHING and expr.op == "+":
        return right
    # The very node where nothing was folded: what is remembered by identity stays.
    if not isinstance(left, ast.Number) or not isinstance(right, ast.Number):
        same = left is expr.left and right is expr.right
        return expr if same else ast.Binary(expr.op, left, right, span=expr.span)
    values = {
        "+": left.value + right.value,
        "-": left.value - right.value,
        "*": left.value * right.value,
    }
    return ast.Number(values[expr.op], span=expr.span)


def _is_known(expr: ast.Expr) -> bool:
    """Return True if a number does not depend on a hand, as far as its words show."""
    match expr:
        case ast.Number():
            return True
        case ast.Public(path=(_, end)):
            # `notrump.min` is a number once the module has its values.
            return end in PARAMETER_ENDS
        case ast.Binary(left=left, right=right):
            return _is_known(left) and _is_known(right)
        case _:
            return False


def range_after_let(body: ast.Node) -> ast.Range | ast.ComputedRange | None:
    """Return the range that stands after `let`, None if a number or a condition does.

    `5..10` reads like a test of the number 5, as `hcp ..10` is one of `hcp`: it is a range if its
    low end says nothing of a hand.
    """
    match body:
        case ast.InRange(expr=low, ranges=(ast.Range(low=None, high=Fraction() as high),)):
            if not _is_known(low):
                return None
            return worked_out(ast.ComputedRange(low, ast.Number(high), span=body.span))
        case ast.ComputedRange():
            return worked_out(body)
        case _:
            return None


def worked_out(body: ast.ComputedRange) -> ast.Range | ast.ComputedRange:
    """Return a range with its ends worked out, as far as they are known."""
    low, high = (None if each is None else folded(each) for each in (body.low, body.high))
    open_ends = (None, *(each for each in (low, high) if isinstance(each, ast.Number)))
    if low not in open_ends or high not in open_ends:
        same = low is body.low and high is body.high
        return body if same else ast.ComputedRange(low, high, span=body.span)
    least = low.value if isinstance(low, ast.Number) else None
    most = high.value if isinstance(high, ast.Number) else None
    return ast.Range(least, most, span=body.span)
