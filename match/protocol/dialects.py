"""Spellings of a client's lines, for managers that take only the lines of some program."""

from __future__ import annotations

import re
from collections.abc import Callable

_SEATS = re.compile(r"\b(North|East|South|West)\b")
_CARD = re.compile(r"(?<= plays )([2-9TJQKA][CDHS])\b")
_WORDS = re.compile(r"^(NORTH|EAST|SOUTH|WEST) (passes|doubles|redoubles)\b")


def _wbridge5(line: str) -> str:
    """Return a line as WBridge5 has it: seats in capitals, cards in small letters.

    Example:
        >>> _wbridge5("East ready for North's bid"), _wbridge5("West plays KD")
        ("EAST ready for NORTH's bid", 'WEST plays kd')
    """
    # The first line carries the team's name in quotes, which may hold a seat's name and must not
    # change.
    if line.startswith("Connecting"):
        return line
    # What follows the first full stop is an explanation in words, which no spelling applies to.
    head, dot, text = line.partition(". ")
    head = _SEATS.sub(lambda found: found[0].upper(), head)
    head = head.replace("for dummy's card", "for Dummy's card")
    head = _WORDS.sub(lambda found: found[0].upper(), head)
    return _CARD.sub(lambda found: found[0].lower(), head) + dot + text


DIALECTS: dict[str, Callable[[str], str]] = {"plain": str, "wbridge5": _wbridge5}
"""Spellings by name."""
