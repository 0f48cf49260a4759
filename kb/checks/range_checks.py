"""Checks of ranges, comparisons and shapes, for those that hold for no hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from bidwright.bridge.cards import HAND_SIZE
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error, warning
from bidwright.kb.language.printer import condition_text, expr_text, number_text, range_text
from bidwright.kb.language.scope import Limits
from bidwright.kb.language.vocabulary import SUIT_NAMES, SUIT_VARIABLES

_SHAPE = re.compile(r"[0-9x]{4}|[0-9x](?:=[0-9x]){3}")


def range_problems(node: ast.InRange, limits: Limits) -> Iterator[Diagnostic]:
    """Yield the ranges that are empty, or that a number within limits never reaches."""
    # `balanced, 15..17`: the range has no number before it.
    if isinstance(node.expr, ast.Number):
        text = condition_text(node).replace(" ", "")
        yield error(
            "E114",
            f"nothing says what {text} counts",
            node.span,
            expected="a number such as hcp or spades before the range",
            # Only points are counted beyond thirteen.
            help=f"write 'hcp {text}'" if node.expr.value > HAND_SIZE else None,
        )
        return
    low, high = limits
    for numeric_range in node.ranges:
        if (
            numeric_range.low is not None
            and numeric_range.high is not None
            and numeric_range.low > numeric_range.high
        ):
            turned = f"{number_text(numeric_range.high)}..{number_text(numeric_range.low)}"
            yield error(
                "E208",
                f"the range {range_text(numeric_range)} is empty",
                numeric_range.span,
                expected="the smaller number first",
                help=f"write {turned}",
            )
        elif _above(numeric_range.low, high) or _above(low, numeric_range.high):
            yield error(
                "E209",
                f"{expr_text(node.expr)} is never {range_text(numeric_range)}",
                numeric_range.span,
                expected=_between(low, high),
            )


def comparison_problems(node: ast.Compare, left: Limits, right: Limits) -> Iterator[Diagnostic]:
    """Yield the comparison if it fails for all values within the limits of its sides."""
    if _never(node.op, left, right):
        yield error(
            "E209",
            f"{condition_text(node)} never holds",
            node.span,
            expected=f"on the left {_between(*left)}, on the right {_between(*right)}",
        )


def exclusive_ranges(items: Sequence[ast.Condition]) -> Iterator[Diagnostic]:
    """Yield a warning of each range that excludes an earlier one for the same number."""
    seen: dict[ast.Expr, ast.InRange] = {}
    for item in items:
        if not isinstance(item, ast.InRange):
            continue
        first = seen.setdefault(item.expr, item)
        if first is not item and not _overlap(first.ranges, item.ranges):
            text = f"{condition_text(first)} and {condition_text(item)} exclude each other"
            related = (Related("the other range", first.span),)
            yield warning("W205", text, item.span, related=related)


def shape_problems(node: ast.Shape) -> Iterator[Diagnostic]:
    """Yield the patterns that no hand has."""
    for pattern in node.patterns:
        digits = [int(digit) for digit in pattern if digit.isdigit()]
        total, free = sum(digits), pattern.count("x")
        if not _SHAPE.fullmatch(pattern):
            reason = "a shape has four digits or x"
        elif total > HAND_SIZE or (total < HAND_SIZE and not free):
            reason = f"the suit lengths of a hand add up to {HAND_SIZE}"
        else:
            continue
        yield error(
            "E220",
            f"'{pattern}' is not a shape: {reason}",
            node.span,
            expected="a shape such as 5431, 4=4=3=2 or 55xx",
        )


def _above(low: Fraction | None, high: Fraction | None) -> bool:
    return low is not None and high is not None and low > high


def _between(low: Fraction | None, high: Fraction | None) -> str:
    if low is not None and high is not None:
        if low == high:
            return number_text(low)
        return f"numbers from {number_text(low)} to {number_text(high)}"
    if low is not None:
        return f"numbers from {number_text(low)} up"
    return "any number" if high is None else f"numbers up to {number_text(high)}"


def _never(op: str, left: Limits, right: Limits) -> bool:
    """Return True if a comparison fails for all values within the limits."""
    match op:
        case ">=":
            return _above(right[0], left[1])
        case ">":
            return _above(right[0], left[1]) or _equal(right[0], left[1])
        case "<=":
            return _above(left[0], right[1])
        case "<":
            return _above(left[0], right[1]) or _equal(left[0], right[1])
        # `=` fails only where the two ranges are apart.
        case "=":
            return _above(left[0], right[1]) or _above(right[0], left[1])
        case _:
            return False


def _equal(one: Fraction | None, other: Fraction | None) -> bool:
    return one is not None and one == other


def _overlap(ones: Sequence[ast.Range], others: Sequence[ast.Range]) -> bool:
    return any(
        not _above(one.low, other.high) and not _above(other.low, one.high)
        for one in ones
        for other in others
    )


# --------------------------------------------------------------------- suits


def compared_suits(condition: ast.Compare) -> Iterator[Diagnostic]:
    """Yield the error about a suit letter that is compared with a suit: `Z != C`."""
    words = [expr_text(condition.left), expr_text(condition.right)]
    letters = [word for word in words if word in SUIT_VARIABLES]
    suits = [word for word in words if word in SUIT_NAMES.values()]
    if condition.op not in ("=", "!=") or len(letters) != 1 or len(suits) != 1:
        return
    yield error(
        "E232",
        f"'{condition.op}' compares how many cards are in two suits, not the suits",
        condition.span,
        expected="'is' or 'is not'; for the cards a word, such as clubs",
        help=f"write '{letters[0]} {'is' if condition.op == '=' else 'is not'} {suits[0]}'",
    )
