"""Auctions with earlier rules that count no longer: replaced, or undiscussed from there on.

`replace` overrides what was said of some calls, and after them, before it was written;
`undiscussed` does so from the last one of its calls on, and where nothing is said later either,
nothing is agreed: hands bid by general rules there.

It concerns the rules of closed patterns and the rebased auctions; general rules stay. A rule that
is overridden only for some of its auctions, such as one after `1X (P)` where 1H is answered anew,
stays in the system and is left out where it does not count: `SupersededAuctions.covers`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.expressions.agreements import Undiscussed
from bidwright.kb.expressions.call_nodes import ClassCall, LevelCall, LiteralCall, Pattern
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.rules.patterns import Run, last_bids, match, may_be_same, run_of

Calls = tuple[Call, ...]

_PLAIN_CALLS = LiteralCall | LevelCall | ClassCall


@dataclass(frozen=True, slots=True)
class SupersededAuctions:
    """The auctions of one statement that ends the effect of earlier rules.

    Attributes:
        pattern: their first calls; without calls all auctions that our side opens, and the opening.
        rules: the number of the system's rules before it.
        rebases: the number of its rebased auctions before it.
        undiscussed: the statement, if nothing is agreed there.
    """

    pattern: Pattern
    rules: int
    rebases: int
    undiscussed: Undiscussed | None = None

    def covers(self, calls: Sequence[Call]) -> bool:
        """Return True if an auction, from its first bid on, is one of these for the next caller."""
        length = len(self.pattern.elements)
        # Counted from the first bid: after an even number of calls it is the turn of the side that
        # made it.
        if length > len(calls) or begins_with_theirs(self.pattern) is not bool(len(calls) % 2):
            return False
        head = calls[:length]
        return match(self.pattern, head, last_bids(head)) is not None

    def is_undiscussed(self, calls: Sequence[Call], call: Call) -> bool:
        """Return True if nothing is agreed on a call of the side to call, after some calls."""
        length = len(self.pattern.elements)
        if self.undiscussed is None or length > len(calls) + 1:
            return False
        if begins_with_theirs(self.pattern) is not bool(len(calls) % 2):
            return False
        head = (*calls, call)[:length]
        return match(self.pattern, head, last_bids(head)) is not None


def begins_with_theirs(pattern: Pattern) -> bool:
    """Return True if the first call of a pattern is theirs; without calls it is ours."""
    return bool(pattern.elements) and pattern.elements[0].theirs


def _same_side(tree: Pattern, pattern: Pattern) -> bool:
    if pattern.open or len(pattern.elements) < len(tree.elements):
        return False
    return begins_with_theirs(pattern) is begins_with_theirs(tree)


def is_within(tree: Pattern, pattern: Pattern) -> bool:
    """Return True if all auctions of a pattern are surely those of a tree, or go on from them."""
    if not _same_side(tree, pattern):
        return False
    head = pattern.elements[: len(tree.elements)]
    # Written alike: the usual case, since a `replace` repeats the head of the block that it
    # replaces.
    if head == tree.elements:
        return True
    whole = _run_of_plain_calls(tree)
    if whole is None:
        return False
    try:
        run = run_of(Pattern(head))
    except ValueError:  # a parameter without a value, which is reported as such
        return False
    # Each call that the pattern may have there has to be one of the tree's.
    return all(one <= other for one, other in zip(run, whole, strict=True))


@lru_cache(maxsize=64)
def _run_of_plain_calls(tree: Pattern) -> Run | None:
    """Return the calls of each element of a tree, None if they depend on more than the element."""
    letters = [part for part in parts(tree) if isinstance(part, LevelCall)]
    calls = [call for element in tree.elements for call in element.alternatives]
    # Two letters stand for different suits, which sets of calls do not say.
    if len(letters) > 1 or not all(isinstance(call, _PLAIN_CALLS) for call in calls):
        return None
    try:
        return run_of(tree)
    except ValueError:  # a parameter without a value, which is reported as such
        return None


def may_meet(tree: Pattern, pattern: Pattern) -> bool:
    """Return True if some auction of a pattern may be one of a tree, or go on from one."""
    try:
        return _same_side(tree, pattern) and may_be_same(run_of(tree), run_of(pattern))
    except ValueError:
        return False


class UndiscussedCalls:
    """The `undiscussed` statements of a system."""

    def __init__(self, superseded: Iterable[SupersededAuctions]) -> None:
        """Take superseded auctions, and keep the undiscussed ones."""
        self._superseded = tuple(each for each in superseded if each.undiscussed)

    def __bool__(self) -> bool:
        """True if there are any."""
        return bool(self._superseded)

    def count_superseded(self, calls: Calls, call: Call) -> int:
        """Return the number of rules of closed patterns, in file order, that a call ignores.

        Args:
            calls: the calls from the first bid on.
            call: one of the side to call.
        """
        counts = (each.rules for each in self._superseded if each.is_undiscussed(calls, call))
        return max(counts, default=0)

    def said(
        self, views: Iterable[Calls], agreed: Collection[Call]
    ) -> tuple[tuple[Call, Undiscussed], ...]:
        """Return the calls that are undiscussed, each with the statement that says so.

        Args:
            views: the calls from the first bid on, and as each `rebase` sees them.
            agreed: the calls that rules of closed patterns make here.
        """
        if not self._superseded:
            return ()
        seen = list(views)
        calls_said = []
        for call in Auction(Seat.NORTH, seen[0]).legal_calls():
            statements = (
                each.undiscussed
                for calls in seen
                for each in self._superseded
                if call not in agreed and each.is_undiscussed(calls, call)
            )
            # The first statement in the file is named: one place is enough to find out.
            calls_said += [(call, each) for each in statements if each is not None][:1]
        return tuple(calls_said)
