"""Calls on which nothing is agreed: what the book said of them does not count, and who says so."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.language import ast
from bidwright.kb.rules.put_aside import Aside

Calls = tuple[Call, ...]


class UndiscussedCalls:
    """The `undiscussed` statements of a system."""

    def __init__(self, asides: Iterable[Aside]) -> None:
        """Keep those among what is put aside."""
        self._asides = tuple(each for each in asides if each.undiscussed)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._asides)

    def put_aside(self, calls: Calls, call: Call) -> int:
        """Return how many rules of closed patterns, in file order, do not count for a call.

        Args:
            calls: the calls from the first bid on.
            call: one of the side to call.
        """
        found = (each.rules for each in self._asides if each.is_undiscussed(calls, call))
        return max(found, default=0)

    def said(
        self, views: Iterable[Calls], agreed: Collection[Call]
    ) -> tuple[tuple[Call, ast.Undiscussed], ...]:
        """Return the calls that are undiscussed, each with the statement that says so.

        Args:
            views: the calls from the first bid on, and as each `rebase` sees them.
            agreed: the calls that rules of closed patterns make here.
        """
        if not self._asides:
            return ()
        seen = list(views)
        found = []
        for call in Auction(Seat.NORTH, seen[0]).legal_calls():
            said = (
                each.undiscussed
                for calls in seen
                for each in self._asides
                if call not in agreed and each.is_undiscussed(calls, call)
            )
            found += [(call, each) for each in said if each is not None][:1]
        return tuple(found)
