"""Ranges of numbers in words: with a plus, with a dash, or spelled out."""

from __future__ import annotations

from fractions import Fraction


def plain_number(value: Fraction) -> str:
    """Return a number as players write it: `7`, `7½`, `0.3`."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    return f"{whole}½" if rest == Fraction(1, 2) else f"{float(value):g}"


def amount(low: Fraction | None, high: Fraction | None) -> str:
    """Return a range without its noun: `15-17`, `5+`, `at most 4`, `4`, `any`."""
    if low is None:
        return "any" if high is None else f"at most {plain_number(high)}"
    return _from(plain_number(low), None if high is None else plain_number(high))


def strength_range(low: int | None, high: int | None) -> str:
    """Return a range of strength on cards: `15-17`, `8+`, `up to 11`; empty without ends."""
    if low is None:
        return "" if high is None else f"up to {high}"
    return _from(str(low), None if high is None else str(high))


def short_range(low: int | None, high: int | None) -> str:
    """Return a range in figures and signs alone: `15-17`, `8+`, `0-11`."""
    return f"0-{high}" if low is None else _from(str(low), None if high is None else str(high))


def spelled_range(low: str | None, high: str | None) -> str:
    """Return a range in words between its ends: `15 to 17`, `five or more`, `at most 4`, `four`."""
    if low is None:
        return "" if high is None else f"at most {high}"
    if high is None:
        return f"{low} or more"
    return low if low == high else f"{low} to {high}"


def _from(low: str, high: str | None) -> str:
    if high is None:
        return f"{low}+"
    return low if low == high else f"{low}-{high}"
