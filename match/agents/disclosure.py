"""The systems in play as a side knows them, and the meanings of calls by them."""

from __future__ import annotations

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.inference.explanation.alerting import Disclosed, disclosed
from bidwright.inference.explanation.service import Library
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reading


class Disclosure:
    """The systems of both sides as one of them sees them.

    A side whose system is not known is read as if it played the other's: the least surprising
    guess, and the only one that can be made. Without any system nothing can be read.
    """

    def __init__(
        self, library: Library | None = None, ns: str | None = None, ew: str | None = None
    ) -> None:
        """Take the systems of both sides, names or paths, opened by a library."""
        self._library = library
        self._disclosed = {Side.NS: ns, Side.EW: ew}

    def system(self, side: Side) -> str | None:
        """Return the system that a side disclosed."""
        return self._disclosed[side]

    def seen_by(self, side: Side) -> Disclosure:
        """Return the view of a side against opponents that disclose nothing."""
        system = self._disclosed[side]
        # The other side's field is left empty, not the agent's: it always knows its own system.
        return Disclosure(self._library, *(system if each == side else None for each in Side))

    def reading(self, auction: Auction) -> Reading | None:
        """Return the reading of an auction; `None` where no system is known."""
        ns, ew = self._disclosed[Side.NS], self._disclosed[Side.EW]
        # A side without a system is read by the other's.
        ns, ew = ns or ew, ew or ns
        if self._library is None or ns is None or ew is None:
            return None
        return self._library.reader(ns, ew).read(auction)

    def meaning(self, auction: Auction, place: int) -> Meaning | None:
        """Return the meaning of a call by the system of its maker; `None` if it is not known."""
        meanings = self.meanings(auction, place)
        return meanings[-1] if meanings else None

    def meanings(self, auction: Auction, place: int) -> tuple[Meaning, ...] | None:
        """Return the meanings of calls up to a place; `None` if its maker's system is not known."""
        # The reading always works with two systems; whether one was disclosed is asked before.
        if self._disclosed[auction.seat_of(place).side] is None:
            return None
        reading = self.reading(auction)
        return reading.meanings[: place + 1] if reading else None

    def alert(self, auction: Auction, place: int) -> str | None:
        """Return the alert that a call needs by the system of its maker, `None` if it needs none.

        The text gives the meaning of the call, not that of the rule by which the hand was bid.
        """
        explained = self.explained(auction, place)
        return explained.sentence if explained is not None and explained.is_alerted else None

    def explained(self, auction: Auction, place: int) -> Disclosed | None:
        """Return the explanation of a call to opponents; `None` if its maker has no system."""
        meanings = self.meanings(auction, place)
        return disclosed(meanings) if meanings else None

    def __repr__(self) -> str:
        """Return both systems."""
        return f"<Disclosure {self._disclosed[Side.NS]} against {self._disclosed[Side.EW]}>"
