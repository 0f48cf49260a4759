"""Shares of hands, deals and calls in words."""

from __future__ import annotations

LEAST_SHARE = 0.01
"""The least share of hands that is a number in a sentence."""

_HARDLY_EVER = 1e-7


def percent(share: float) -> str:
    """Return a share in a table: `62 %`, `0.4 %`, `<0.1 %`, `99.8 %`, `-` for none."""
    if share <= 0:
        return "-"
    if share < 0.001:
        return "<0.1 %"
    # "100 %" and "-" only where the printed digits are true: 99.96 % rounds to it, 99.9 % does not.
    if share >= 0.9995:
        return "100 %"
    digits = 0 if 0.01 <= share <= 0.99 else 1
    return f"{100 * share:.{digits}f} %"


def often(share: float) -> str:
    """Return a share of calls before the words for them: `93 %`, `nearly always`, `rarely`."""
    # Shares are exact counts, but "100 %" would be read as a promise, and "0 %" as impossible.
    if share >= 1 - LEAST_SHARE:
        return "nearly always"
    return f"{100 * share:.0f} %" if share >= LEAST_SHARE else "rarely"


def share_of_hands(share: float) -> str:
    """Return a share of hands before `of the hands`: `2.5 %`, `fewer than 0.1 %`."""
    return "fewer than 0.1 %" if share < 0.001 else f"{100 * share:.1f} %"


def precise_share(value: float) -> str:
    """Return a share to three digits, or as one in so many if it is small: `4.63 %`."""
    return f"{100 * value:.3g} %" if value >= 1e-4 else f"1 in {round(1 / value):,}"


def frequency_text(value: float) -> str:
    """Return a share of deals as a percentage, or as one in so many if it is small."""
    # Below a thousandth a percentage is all zeros: players think of one deal in so many.
    if value >= 0.001:
        return f"{100 * value:.1f} %" if value >= 0.0995 else f"{100 * value:.2f} %"
    return f"1 in {round(1 / value):,}" if value >= _HARDLY_EVER else "hardly ever"
