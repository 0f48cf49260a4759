"""Views of an auction: as it is, and as each `rebase` sees it, with the rules that count there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bidwright.bridge.calls import Call
from bidwright.kb.expressions.agreements import Rebase
from bidwright.kb.expressions.call_nodes import LevelCall, LiteralCall, RelativeCall
from bidwright.kb.rules.patterns import Binding, call_of, last_bids, match
from bidwright.kb.rules.superseded import SupersededAuctions

_REMEMBERED = 50_000
"""The number of auctions with a remembered view."""


@dataclass(frozen=True, slots=True)
class AuctionView:
    """An auction as its rules see it.

    Attributes:
        calls: the calls from the first bid on.
        stolen: their bid that a double takes the meaning of, if this is the turn after it.
        superseded: how many rules of closed patterns, in file order, do not count.
    """

    calls: tuple[Call, ...]
    stolen: Call | None
    superseded: int


@dataclass(frozen=True, slots=True)
class _Rebased:
    """The first calls of an auction as a `rebase` sees them.

    Attributes:
        index: the place of the `rebase` among those of the system.
        calls: the calls that it sees in their place.
        stolen: their bid that a double takes the meaning of, if there is one.
    """

    index: int
    calls: tuple[Call, ...]
    stolen: Call | None


class AuctionViews:
    """The views of auctions by the rules of one system, remembered."""

    def __init__(self, rebases: Sequence[Rebase], superseded: Sequence[SupersededAuctions]) -> None:
        """Take the system's statements about auctions.

        Args:
            rebases: the rebased auctions of the system.
            superseded: the auctions that its `replace` statements override.
        """
        self._superseded = superseded
        self._by_length: dict[int, list[tuple[int, Rebase]]] = {}
        for index, rebase in enumerate(rebases):
            same = self._by_length.setdefault(len(rebase.source.elements), [])
            same.append((index, rebase))
        self._rebased = lru_cache(maxsize=_REMEMBERED)(self._find_rebased)
        self.of = lru_cache(maxsize=_REMEMBERED)(self._of)

    def _of(self, calls: tuple[Call, ...]) -> tuple[AuctionView, ...]:
        """Return an auction as it is, and then as each `rebase` that applies sees it."""
        covering = [each for each in self._superseded if each.covers(calls)]
        views = [AuctionView(calls, None, max((each.rules for each in covering), default=0))]
        applying = [
            (each, length)
            for length in self._by_length
            # else too early, or the other side's turn: the source ends with their call
            if length <= len(calls) and (len(calls) - length) % 2 == 0
            for each in self._rebased(calls[:length])
        ]
        for rebased, length in sorted(applying, key=lambda pair: pair[0].index):
            if any(
                rebased.index < a.rebases and len(a.pattern.elements) <= length for a in covering
            ):
                continue
            tail = calls[length:]
            # Their bid is in the way, so ours was a double; seen from the other auction it is that
            # bid.
            if rebased.stolen is not None and tail and tail[0] == Call.DOUBLE:
                tail = (rebased.stolen, *tail[1:])
            seen = (*rebased.calls, *tail)
            longer = [each for each in covering if len(each.pattern.elements) > length]
            counted_out = [*longer, *(each for each in self._superseded if each.covers(seen))]
            rules = max((each.rules for each in counted_out), default=0)
            views.append(AuctionView(seen, None if tail else rebased.stolen, rules))
        return tuple(views)

    def _find_rebased(self, head: tuple[Call, ...]) -> tuple[_Rebased, ...]:
        """Return the first calls of an auction as the `rebase` statements that end there see it."""
        before = last_bids(head)
        rebased = []
        for index, rebase in self._by_length[len(head)]:
            binding = match(rebase.source, head, before)
            if binding is not None:
                stolen = head[-1] if rebase.stolen else None
                rebased.append(_Rebased(index, _target(rebase, binding), stolen))
        return tuple(rebased)


def _target(rebase: Rebase, binding: Binding) -> tuple[Call, ...]:
    """Return the calls of the auction that a `rebase` refers to."""
    target: list[Call] = []
    for element in rebase.target.elements:
        expr = element.alternatives[0]
        assert isinstance(expr, LiteralCall | LevelCall | RelativeCall)
        call = call_of(expr, last_bids(target)[-1], binding)
        assert call is not None
        target.append(call)
    return tuple(target)
