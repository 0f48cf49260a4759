"""How an auction is seen: as it is, and as each `rebase` sees it; and which rules count there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.rules.patterns import call_of, last_bids, match
from bidwright.kb.rules.put_aside import Aside


@dataclass(frozen=True, slots=True)
class AuctionView:
    """An auction as its rules see it.

    Attributes:
        calls: the calls from the first bid on.
        stolen: their bid that a double takes the meaning of, if this is the turn after it.
        aside: how many rules of closed patterns, in file order, do not count.
    """

    calls: tuple[Call, ...]
    stolen: Call | None
    aside: int


def views(
    calls: tuple[Call, ...], rebases: Sequence[ast.Rebase], asides: Sequence[Aside]
) -> Iterator[AuctionView]:
    """Yield an auction as it is, and then as each `rebase` that applies sees it.

    Args:
        calls: the calls from the first bid on.
        rebases: the rebased auctions of the system.
        asides: what its `replace` statements put aside.
    """
    own = [each for each in asides if each.covers(calls)]
    yield AuctionView(calls, None, max((each.rules for each in own), default=0))
    before = last_bids(calls)
    for index, rebase in enumerate(rebases):
        length = len(rebase.source.elements)
        if length > len(calls) or (len(calls) - length) % 2:
            continue  # too early, or the other side's turn: the source ends with their call
        if any(index < a.rebases and len(a.pattern.elements) <= length for a in own):
            continue
        found = _rebased(calls, before, rebase)
        if found is None:
            continue
        seen, stolen = found
        longer = [each for each in own if len(each.pattern.elements) > length]
        counted_out = [*longer, *(each for each in asides if each.covers(seen))]
        yield AuctionView(seen, stolen, max((each.rules for each in counted_out), default=0))


def _rebased(
    calls: tuple[Call, ...], before: Sequence[Call | None], rebase: ast.Rebase
) -> tuple[tuple[Call, ...], Call | None] | None:
    """Return an auction as a `rebase` sees it, and the bid stolen; None if it does not apply."""
    length = len(rebase.source.elements)
    head = calls[:length]
    binding = match(rebase.source, head, before)
    if binding is None:
        return None
    target: list[Call] = []
    for element in rebase.target.elements:
        expr = element.alternatives[0]
        assert isinstance(expr, ast.LiteralCall | ast.LevelCall | ast.RelativeCall)
        call = call_of(expr, last_bids(target)[-1], binding)
        assert call is not None
        target.append(call)
    stolen = head[-1] if rebase.stolen else None
    tail = list(calls[length:])
    if stolen is not None and tail and tail[0] == Call.DOUBLE:
        tail[0] = stolen
    return (*target, *tail), None if tail else stolen
