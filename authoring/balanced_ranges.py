"""The balanced hands that an opening of one notrump leaves for opener's second call.

A system whose opening of one notrump is moved, and nothing else, has hands that neither open one
notrump nor rebid it. Programs that write such a system for an author move the rebid as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LEAST_OPENING = 12
"""The fewest high-card points of a balanced hand that opens in any case."""

BEFORE_JUMP = 17
"""The most high-card points for a rebid of one notrump by a balanced opener; with more he jumps."""

_RANGE = re.compile(r"([0-9]+)\.\.([0-9]+)")


def rebid_beside(notrump: str) -> str | None:
    """Return the range of opener's rebid of one notrump that goes with an opening of one notrump.

    It is the range between the least opening and one notrump, or the one above it if that has one
    point or none.

    Args:
        notrump: the range of the opening, as the language writes it.

    Returns:
        The range; None if `notrump` is no range of two numbers, or leaves none.

    Examples:
        >>> rebid_beside("15..17"), rebid_beside("14..16"), rebid_beside("12..14")
        ('12..14', '12..13', '15..17')
    """
    match = _RANGE.fullmatch(notrump.replace(" ", ""))
    if match is None:
        return None
    low, high = int(match[1]), int(match[2])
    # With a strong notrump the rebid shows the weaker hands, with a weak one the stronger ones.
    if low > LEAST_OPENING + 1:
        return f"{LEAST_OPENING}..{low - 1}"
    # Three points wide, as rebids of one notrump are, and never up to the jump to two.
    above = min(high + 3, BEFORE_JUMP)
    # A range of a single point would leave hands that jump with a point more.
    return f"{high + 1}..{above}" if above > high + 1 else None


def with_rebid(values: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a system's parameters, with the rebid that goes with one notrump.

    Args:
        values: the values given.
        known: all parameters of the system with their own values.
    """
    # An author who gives the rebid himself knows better, and many systems have no such parameter.
    moved = "notrump" in values and "rebid" in known and "rebid" not in values
    rebid = rebid_beside(values["notrump"]) if moved else None
    return dict(values) if rebid is None else {**values, "rebid": rebid}
