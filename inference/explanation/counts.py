"""Numbers of cards in words."""

from __future__ import annotations

_TO_SEVEN = ("no", "one", "two", "three", "four", "five", "six", "seven")
COUNTS = (*_TO_SEVEN, "eight", "nine", "ten", "eleven", "twelve", "thirteen")
"""The words, by number: `four` of `four spades`."""
