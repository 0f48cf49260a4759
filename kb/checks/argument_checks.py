"""What may stand in the brackets after a word: how many arguments, and is one a bid?"""

from __future__ import annotations

from bidwright.bridge.calls import parse_call
from bidwright.bridge.errors import InvalidError


def takes(count: int) -> str:
    """Return how many arguments a word takes, in words."""
    if count == 0:
        return "takes nothing in brackets"
    return f"takes {count} argument{'s' * (count > 1)} in brackets"


def is_bid(text: str) -> bool:
    """Tell whether a text is a bid such as `2C`."""
    try:
        return parse_call(text).is_bid and text[0].isdigit()
    except InvalidError:
        return False
