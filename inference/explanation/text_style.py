"""The style of text on a terminal: suits, width, colours, and lines with labels."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from textwrap import wrap

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.kb.wording.words import Style


@dataclass(frozen=True, slots=True)
class TextStyle:
    """A style of text.

    Attributes:
        suits: the style of suits.
        width: characters in a line.
        colour: True to use the terminal's colours.
    """

    suits: Style = Style.WORDS
    width: int = 88
    colour: bool = False

    def call(self, call: Call) -> str:
        """Return a call: `1♠` where suits are symbols."""
        text = str(call)
        if self.suits is Style.SYMBOLS and call.is_bid and call.denomination.is_suit:
            return text[0] + call.denomination.symbol
        return text

    def strong(self, text: str) -> str:
        """Return text that stands out."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def painted(self, text: str) -> str:
        """Return text with the signs of the red suits in red."""
        if not self.colour:
            return text
        return _RED_SUITS.sub(lambda sign: f"\x1b[31m{sign[0]}\x1b[39m", text)

    def faint(self, text: str) -> str:
        """Return text that stands back."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text


_RED_SUITS = re.compile("[\u2665\u2666]")

PLAIN = TextStyle()


def terminal_style() -> TextStyle:
    """Return the style that suits the standard output: a terminal, a file or a pipe."""
    if not sys.stdout.isatty():
        return PLAIN
    width = max(40, min(100, shutil.get_terminal_size().columns))
    symbols = "utf" in (sys.stdout.encoding or "").lower()
    colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return TextStyle(Style.SYMBOLS if symbols else Style.LETTERS, width, colour)


_LABEL = 10
_INDENT = 7


def auction_text(auction: Auction, style: TextStyle = PLAIN) -> str:
    """Return an auction in the notation of the trade."""
    opener = auction.opener
    side = (auction.dealer if opener is None else opener).side
    return " ".join(
        style.call(call) if auction.seat_of(place).side == side else f"({style.call(call)})"
        for place, call in enumerate(auction.calls)
    )


def titled(title: str, text: str, style: TextStyle) -> list[str]:
    """Return lines that begin with a call."""
    wrapped = _wrap(text, style.width - _INDENT)
    gap = " " * max(1, _INDENT - len(title))
    first = f"{style.strong(title)}{gap}{wrapped[0]}".rstrip()
    return [first, *(" " * _INDENT + line for line in wrapped[1:])]


def _wrap(text: str, width: int) -> list[str]:
    return wrap(text, max(20, width), break_long_words=False, break_on_hyphens=False) or [""]


def labelled(label: str, text: str, style: TextStyle) -> list[str]:
    """Return a text as lines, with a label in front of the first."""
    margin = " " * (_INDENT + _LABEL)
    wrapped = _wrap(text, style.width - len(margin))
    first = " " * _INDENT + style.faint(label) + " " * max(1, _LABEL - len(label)) + wrapped[0]
    return [first, *(margin + line for line in wrapped[1:])]
