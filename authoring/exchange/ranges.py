"""Looking at tokens: words, suits, and ranges such as `15-17`, `5+` and `at most 11`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from bidwright.authoring.exchange.tokens import DescriptionToken
from bidwright.kb.language import ast

Tokens = Sequence[DescriptionToken]
_Range = tuple[ast.Range, int] | None

_LONGEST = 7
"""A range that reaches further counts points, as suits of notes are seldom longer."""

_BOUNDS = (
    (("at", "most"), False, 0),
    (("up", "to"), False, 0),
    (("max",), False, 0),
    (("maximum",), False, 0),
    (("<=",), False, 0),
    (("<",), False, -1),
    (("less", "than"), False, -1),
    (("fewer", "than"), False, -1),
    (("at", "least"), True, 0),
    (("min",), True, 0),
    (("minimum",), True, 0),
    ((">=",), True, 0),
    ((">",), True, 1),
    (("more", "than"), True, 1),
)
"""Words before a number, whether it is then the least, and what is added to it."""

_COUNTED = {"hcp", "hcps", "p", "pt", "pts", "point", "points"}


def starts(tokens: Tokens, at: int, words: Sequence[str]) -> bool:
    """Tell whether some words stand at a place."""
    end = at + len(words)
    if end > len(tokens) or tokens[at].value != words[0]:
        return False
    return all(
        token.value == word and token.kind != "quoted"
        for token, word in zip(tokens[at:end], words, strict=True)
    )


def is_at(tokens: Tokens, at: int, kind: str, *values: str) -> bool:
    """Tell whether a token of a kind, and of one of some values if any, stands at a place."""
    return (
        at < len(tokens) and tokens[at].kind == kind and (not values or tokens[at].value in values)
    )


def suit_at(tokens: Tokens, at: int) -> str | None:
    """Return the suit word at a place."""
    return tokens[at].value if is_at(tokens, at, "suit") else None


def _one_range(tokens: Tokens, at: int) -> _Range:
    for words, is_low, step in _BOUNDS:
        end = at + len(words)
        if starts(tokens, at, words) and is_at(tokens, end, "number"):
            value = Fraction(tokens[end].value) + step
            return ast.Range(value if is_low else None, None if is_low else value), end + 1
    if not is_at(tokens, at, "number"):
        return None
    low_end = Fraction(tokens[at].value)
    if is_at(tokens, at + 1, "sign", "+"):
        return ast.Range(low_end, None), at + 2
    if is_at(tokens, at + 1, "sign", "=") and is_at(tokens, at + 2, "suit"):
        return ast.Range(low_end, low_end), at + 2
    dashes = at + 1
    while is_at(tokens, dashes, "sign", "-", "\u2013", "\u2014"):
        dashes += 1
    if dashes == at + 1 and starts(tokens, at + 1, ("to",)):
        dashes += 1
    if dashes > at + 1 and is_at(tokens, dashes, "number"):
        high_end = Fraction(tokens[dashes].value)
        return ast.Range(low_end, high_end), dashes + 1
    if dashes == at + 2 and (
        is_at(tokens, dashes, "suit") or is_at(tokens, dashes, "word", *_COUNTED)
    ):
        return ast.Range(None, low_end), dashes
    for words, upward in (
        (("or", "more"), True),
        (("or", "less"), False),
        (("or", "fewer"), False),
    ):
        if starts(tokens, at + 1, words):
            return ast.Range(low_end if upward else None, None if upward else low_end), at + 3
    return ast.Range(low_end, low_end), at + 1


def ranges_at(tokens: Tokens, at: int) -> tuple[tuple[ast.Range, ...], int] | None:
    """Return one or more ranges with `|` between them, or `12-14 or 18-19` and `12-14/18-19`."""
    found = _one_range(tokens, at)
    if found is None:
        return None
    ranges = [found[0]]
    while is_at(tokens, found[1], "sign", "|") or _goes_on(tokens, found):
        more = _one_range(tokens, found[1] + 1)
        if more is None:
            break
        found = more
        ranges.append(found[0])
    return tuple(ranges), found[1]


def _goes_on(tokens: Tokens, found: tuple[ast.Range, int]) -> bool:
    """Tell whether `or` and a second range of the same sort come next."""
    first, at = found
    if not (is_at(tokens, at, "sign", "/") or starts(tokens, at, ("or",))):
        return False
    more = _one_range(tokens, at + 1)
    if more is None or first.low is None or more[0].low is None:
        return False
    return (
        first.low != first.high
        and first.low < more[0].low
        and more[0].low != more[0].high
        and _is_strength(first) is _is_strength(more[0])
    )


def _is_strength(one: ast.Range) -> bool:
    """Tell whether a range is more likely of points than of cards."""
    return (one.high or one.low or 0) > _LONGEST
