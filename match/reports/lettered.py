"""Auctions with letters for suits, so that calls after like auctions count together.

The suits of an auction are X, Y, Z and W in the order in which they are bid: `1D (1S) X (2S)` and
`1C (1H) X (2H)` are both `1X (1Y) X (2Y)`. A pattern of the language is written so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.kb.language.vocabulary import SUIT_NAMES

_LETTERS = "XYZW"


@dataclass(frozen=True, slots=True)
class Lettered:
    """The calls of an auction from the first bid on, with letters for suits.

    Attributes:
        calls: the calls as patterns have them, without brackets; none before the first bid.
        suits: the suit (0..3) of each letter; before the first bid that of each suit's name.
    """

    calls: tuple[str, ...]
    suits: Mapping[str, int]

    @property
    def heading(self) -> str:
        """The line above rules for the next call: `opening`, or `after 1X (1Y)`."""
        if not self.calls:
            return "opening"
        count = len(self.calls)
        words = [
            call if (count - place) % 2 == 0 else f"({call})"
            for place, call in enumerate(self.calls)
        ]
        return "after " + " ".join(words)

    def text(self, call: Call) -> tuple[str, str | None]:
        """Return the next call with a letter for its suit, and that letter, or the suit's name.

        A suit that nobody has bid has the next letter.
        """
        if not call.is_bid or not call.denomination.is_suit:
            return str(call), None
        suit = int(call.denomination)
        # A suit that nobody bid is named by the letter after those in use, as in a pattern.
        name = next((name for name, own in self.suits.items() if own == suit), None)
        name = name or _LETTERS[len(self.suits)]
        return (f"{call.level}{name}" if self.calls else str(call)), name


def lettered(auction: Auction) -> Lettered:
    """Return an auction with letters."""
    first = next((i for i, call in enumerate(auction.calls) if call != Call.PASS), None)
    if first is None:
        return Lettered((), {name: suit for suit, name in enumerate(SUIT_NAMES)})
    suits: dict[str, int] = {}
    words = []
    for call in auction.calls[first:]:
        if not call.is_bid or not call.denomination.is_suit:
            words.append(str(call))
            continue
        suit = int(call.denomination)
        # A suit keeps the letter of its first bid, whoever bids it again.
        given = next((letter for letter, own in suits.items() if own == suit), None)
        letter = given or _LETTERS[len(suits)]
        suits[letter] = suit
        words.append(f"{call.level}{letter}")
    return Lettered(tuple(words), suits)
