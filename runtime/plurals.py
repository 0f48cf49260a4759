"""Numbers of things in sentences: `1 board`, `1,024 boards`."""

from __future__ import annotations


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless there is one.

    Args:
        number: the number of things.
        noun: the noun in the singular.
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
